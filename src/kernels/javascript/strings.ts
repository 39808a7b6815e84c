/**
 * Fallbacks of the kernels of assembly/strings.ts: the same results, on arrays in any memory.
 * src/kernels/strings.ts describes them.
 */
import type { Strings } from "../strings-kernels.js";

export const strings: Strings = {
  lengthsToOffsets(offsets, lengths) {
    let at = offsets[0] ?? 0;
    for (let i = 0; i < lengths.length; i++) offsets[i + 1] = at = (at + (lengths[i] ?? 0)) | 0;
  },

  offsetsToLengths(lengths, offsets) {
    for (let i = 0; i < lengths.length; i++) {
      const length = ((offsets[i + 1] ?? 0) - (offsets[i] ?? 0)) | 0;
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
    for (let i = 0; i < target.length; i++) target[i] = words[2 * i] ?? 0;
  },

  widenOffsets(target, source) {
    const words = new Int32Array(target.buffer, target.byteOffset, 2 * target.length);
    for (let i = 0; i < source.length; i++) {
      words[2 * i] = source[i] ?? 0;
      words[2 * i + 1] = 0;
    }
  },

  deinterleave(data, offsets, source) {
    const count = offsets.length - 1;
    let from = 0;
    let to = 0;
    for (let done = 0; done < count; done++) {
      if (source.length - from < 4) return done;
      const length = lengthAt(source, from);
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
    let to = 0;
    for (let i = 0; i + 1 < offsets.length; i++) {
      const begin = offsets[i] ?? 0;
      const length = (offsets[i + 1] ?? 0) - begin;
      target[to] = length;
      target[to + 1] = length >> 8;
      target[to + 2] = length >> 16;
      target[to + 3] = length >> 24;
      to += 4;
      copyShort(target, to, data, begin, length);
      to += length;
    }
  },

  gatherOffsets(target, offsets, indices) {
    let at = 0;
    target[0] = 0;
    for (let i = 0; i < indices.length; i++) {
      const index = indices[i] ?? 0;
      at += (offsets[index + 1] ?? 0) - (offsets[index] ?? 0);
      target[i + 1] = at;
    }
  },

  gatherElements(target, data, offsets, indices) {
    let to = 0;
    for (let i = 0; i < indices.length; i++) {
      const index = indices[i] ?? 0;
      const begin = offsets[index] ?? 0;
      const length = (offsets[index + 1] ?? 0) - begin;
      copyShort(target, to, data, begin, length);
      to += length;
    }
  },

  isAscii(bytes) {
    for (let i = 0; i < bytes.length; i++) if ((bytes[i] ?? 0) >= 0x80) return false;
    return true;
  },

  utf16Offsets(target, data, offsets) {
    let units = target[0] ?? 0;
    for (let i = 0; i + 1 < offsets.length; i++) {
      const end = offsets[i + 1] ?? 0;
      for (let at = offsets[i] ?? 0; at < end; ) {
        const lead = data[at] ?? 0;
        const length = sequenceLength(lead, data, at, end);
        if (length === 0) return i;
        at += length;
        units += lead >= 0xf0 ? 2 : 1;
      }
      target[i + 1] = units;
    }
    return -1;
  },

  utf8Offsets(target, text, lengths) {
    const base = target[0] ?? 0;
    let at = 0;
    for (let i = 0; i < lengths.length; i++) {
      let units = lengths[i] ?? 0;
      while (units > 0 && at < text.length) {
        const lead = text[at] ?? 0;
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
  for (let i = 1; i < offsets.length; i++) if ((offsets[i] ?? 0) < (offsets[i - 1] ?? 0)) return i;
  return -1;
}

function firstDecreaseWide(offsets: BigInt64Array): number {
  for (let i = 1; i < offsets.length; i++) if ((offsets[i] ?? 0n) < (offsets[i - 1] ?? 0n)) return i;
  return -1;
}

function lengthAt(bytes: Uint8Array, at: number): number {
  return (
    ((bytes[at] ?? 0) |
      ((bytes[at + 1] ?? 0) << 8) |
      ((bytes[at + 2] ?? 0) << 16) |
      ((bytes[at + 3] ?? 0) << 24)) >>>
    0
  );
}

/** Copies bytes: a `set(subarray)` costs as much as a loop over about 40 bytes. */
function copyShort(target: Uint8Array, to: number, source: Uint8Array, from: number, length: number): void {
  if (length > 40) target.set(source.subarray(from, from + length), to);
  else for (let i = 0; i < length; i++) target[to + i] = source[from + i] ?? 0;
}

/**
 * Byte length of the UTF-8 sequence at `at`; 0 if it is invalid (RFC 3629, table of well-formed sequences).
 */
function sequenceLength(lead: number, data: Uint8Array, at: number, end: number): number {
  if (lead < 0x80) return 1;
  if (lead < 0xc2 || lead > 0xf4) return 0;
  const second = data[at + 1] ?? 0;
  const continues = (count: number): boolean => {
    if (end - at <= count) return false;
    for (let i = 1; i <= count; i++) if (((data[at + i] ?? 0) & 0xc0) !== 0x80) return false;
    return true;
  };
  if (lead < 0xe0) return continues(1) ? 2 : 0;
  if (lead < 0xf0) {
    // Overlong sequences, and surrogates.
    const outside = (lead === 0xe0 && second < 0xa0) || (lead === 0xed && second > 0x9f);
    return outside || !continues(2) ? 0 : 3;
  }
  const outside = (lead === 0xf0 && second < 0x90) || (lead === 0xf4 && second > 0x8f);
  return outside || !continues(3) ? 0 : 4;
}
