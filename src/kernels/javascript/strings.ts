/**
 * Fallbacks of the kernels of assembly/strings.ts: the same results, on arrays in any memory.
 * src/kernels/strings.ts describes them.
 */
import { byteAt, int32At, int64At } from "../../base/at.js";
import type { Strings } from "../strings-kernels.js";

export const strings: Strings = {
  lengthsToOffsets(offsets, lengths) {
    let at = int32At(offsets, 0);
    for (let i = 0; i < lengths.length; i++) offsets[i + 1] = at = (at + int32At(lengths, i)) | 0;
  },

  offsetsToLengths(lengths, offsets) {
    for (let i = 0; i < lengths.length; i++) {
      const length = (int32At(offsets, i + 1) - int32At(offsets, i)) | 0;
      if (length < 0) return i;
      lengths[i] = length;
    }
    return -1;
  },

  checkOffsets(offsets) {
    return offsets instanceof BigInt64Array ? firstDecreaseWide(offsets) : firstDecrease(offsets);
  },

  narrowOffsets(target, source) {
    const words = new Int32Array(source.buffer, source.byteOffset, 2 * source.length);
    for (let i = 0; i < target.length; i++) target[i] = int32At(words, 2 * i);
  },

  widenOffsets(target, source) {
    const words = new Int32Array(target.buffer, target.byteOffset, 2 * target.length);
    for (let i = 0; i < source.length; i++) {
      words[2 * i] = int32At(source, i);
      words[2 * i + 1] = 0;
    }
  },

  deinterleave(data, offsets, source) {
    const count = offsets.length - 1;
    const lengths = viewOf(source);
    let from = 0;
    let to = 0;
    for (let done = 0; done < count; done++) {
      if (source.length - from < 4) return done;
      const length = lengths.getUint32(from, true);
      from += 4;
      if (length > source.length - from || length > data.length - to) return done;
      copyShort(data, to, source, from, length);
      from += length;
      to += length;
      offsets[done + 1] = to;
    }
    return count;
  },

  interleave(target, data, offsets) {
    const lengths = viewOf(target);
    let to = 0;
    for (let i = 0; i + 1 < offsets.length; i++) {
      const begin = int32At(offsets, i);
      const length = int32At(offsets, i + 1) - begin;
      lengths.setUint32(to, length, true);
      to += 4;
      copyShort(target, to, data, begin, length);
      to += length;
    }
  },

  gatherOffsets(target, offsets, indices) {
    let at = 0;
    target[0] = 0;
    for (let i = 0; i < indices.length; i++) {
      const index = int32At(indices, i);
      at += int32At(offsets, index + 1) - int32At(offsets, index);
      target[i + 1] = at;
    }
  },

  gatherElements(target, data, offsets, indices) {
    let to = 0;
    for (let i = 0; i < indices.length; i++) {
      const index = int32At(indices, i);
      const begin = int32At(offsets, index);
      const length = int32At(offsets, index + 1) - begin;
      copyShort(target, to, data, begin, length);
      to += length;
    }
  },

  isAscii(bytes) {
    for (let i = 0; i < bytes.length; i++) if (byteAt(bytes, i) >= 0x80) return false;
    return true;
  },

  utf16Offsets(target, data, offsets) {
    let units = int32At(target, 0);
    for (let i = 0; i + 1 < offsets.length; i++) {
      const end = int32At(offsets, i + 1);
      for (let at = int32At(offsets, i); at < end; ) {
        const lead = byteAt(data, at);
        const length = lead < 0x80 ? 1 : sequenceLength(lead, data, at, end);
        if (length === 0) return i;
        at += length;
        units += lead >= 0xf0 ? 2 : 1;
      }
      target[i + 1] = units;
    }
    return -1;
  },

  utf8Offsets(target, text, lengths) {
    const base = int32At(target, 0);
    let at = 0;
    for (let i = 0; i < lengths.length; i++) {
      let units = int32At(lengths, i);
      while (units > 0 && at < text.length) {
        const lead = byteAt(text, at);
        at += lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
        units -= lead >= 0xf0 ? 2 : 1;
      }
      if (units !== 0) return i;
      target[i + 1] = base + at;
    }
    return -1;
  },
};

function firstDecrease(offsets: Int32Array): number {
  for (let i = 1; i < offsets.length; i++) if (int32At(offsets, i) < int32At(offsets, i - 1)) return i;
  return -1;
}

function firstDecreaseWide(offsets: BigInt64Array): number {
  for (let i = 1; i < offsets.length; i++) if (int64At(offsets, i) < int64At(offsets, i - 1)) return i;
  return -1;
}

const viewOf = ({ buffer, byteOffset, length }: Uint8Array): DataView =>
  new DataView(buffer, byteOffset, length);

/** Copies bytes: a `set(subarray)` costs as much as a loop over about 40 bytes. */
function copyShort(target: Uint8Array, to: number, source: Uint8Array, from: number, length: number): void {
  if (length > 40) target.set(source.subarray(from, from + length), to);
  else for (let i = 0; i < length; i++) target[to + i] = byteAt(source, from + i);
}

/**
 * Byte length of the UTF-8 sequence at `at`, which is not ASCII; 0 if it is invalid (RFC 3629, table of
 * well-formed sequences).
 */
function sequenceLength(lead: number, data: Uint8Array, at: number, end: number): number {
  if (lead < 0xc2 || lead > 0xf4) return 0;
  const length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  if (length > end - at) return 0;
  for (let i = at + 1; i < at + length; i++) if ((byteAt(data, i) & 0xc0) !== 0x80) return 0;
  const second = byteAt(data, at + 1);
  // Overlong sequences, surrogates, and what is beyond U+10FFFF.
  const isOutside =
    (lead === 0xe0 && second < 0xa0) ||
    (lead === 0xed && second > 0x9f) ||
    (lead === 0xf0 && second < 0x90) ||
    (lead === 0xf4 && second > 0x8f);
  return isOutside ? 0 : length;
}
