/**
 * The decoders of LZ4, BloscLZ and Snappy in JavaScript: each accepts and refuses the same streams, at the
 * same byte, as its namesake in assembly/. Loaded where WebAssembly is missing, or its memory has no room.
 */
import { byteAt } from "../../../../base/at.js";
import { BAD_DISTANCE, BAD_LENGTH, failure, OUTPUT_OVERRUN, TRUNCATED } from "../../decoder-result.js";
import { copyLiterals, copyMatch } from "./shared.js";

export { bitunshuffle, unshuffle, unshuffleSpread } from "./shared.js";
export { decodeBlosclz as blosclz, decodeLz4 as lz4, decodeSnappy as snappy };

/**
 * Decodes an LZ4 block of `target.length` bytes; where `wanted` is less, only as far as its first `wanted`
 * bytes need.
 */
function decodeLz4(target: Uint8Array, source: Uint8Array, enough = target.length): number {
  const capacity = target.length;
  const stop = enough < capacity ? enough : capacity + 1;
  const end = source.length;
  let to = 0;
  let from = 0;
  while (from < end) {
    if (to >= stop) return enough;
    const sequence = from;
    const token = byteAt(source, from++);
    let length = token >> 4;
    if (length === 15) {
      let more: number;
      do {
        if (from >= end) return failure(TRUNCATED, sequence);
        more = byteAt(source, from++);
        length += more;
        if (length > capacity) return failure(OUTPUT_OVERRUN, sequence);
      } while (more === 255);
    }
    if (length > capacity - to) return failure(OUTPUT_OVERRUN, sequence);
    if (length > end - from) return failure(TRUNCATED, sequence);
    copyLiterals(target, to, source, from, length);
    to += length;
    from += length;
    if (from === end) return Math.min(to, enough);
    if (end - from < 2) return failure(TRUNCATED, sequence);
    const distance = byteAt(source, from) | (byteAt(source, from + 1) << 8);
    from += 2;
    if (distance === 0 || distance > to) return failure(BAD_DISTANCE, sequence);
    length = token & 15;
    if (length === 15) {
      let more: number;
      do {
        if (from >= end) return failure(TRUNCATED, sequence);
        more = byteAt(source, from++);
        length += more;
        if (length > capacity) return failure(OUTPUT_OVERRUN, sequence);
      } while (more === 255);
    }
    length += 4;
    if (length > capacity - to) return failure(OUTPUT_OVERRUN, sequence);
    copyMatch(target, to, distance, length);
    to += length;
  }
  return failure(TRUNCATED, end);
}

const MAXIMUM_SHORT_DISTANCE = 8192;

function decodeBlosclz(target: Uint8Array, source: Uint8Array): number {
  const capacity = target.length;
  const end = source.length;
  let to = 0;
  let from = 0;
  let mask = 31;
  while (from < end) {
    const item = from;
    const control = byteAt(source, from++) & mask;
    mask = 255;
    let length: number;
    if (control < 32) {
      length = control + 1;
      if (length > capacity - to) return failure(OUTPUT_OVERRUN, item);
      if (length > end - from) return failure(TRUNCATED, item);
      copyLiterals(target, to, source, from, length);
      from += length;
    } else {
      length = control >> 5;
      if (length === 7) {
        let more: number;
        do {
          if (from >= end) return failure(TRUNCATED, item);
          more = byteAt(source, from++);
          length += more;
          if (length > capacity) return failure(OUTPUT_OVERRUN, item);
        } while (more === 255);
      }
      length += 2;
      if (from >= end) return failure(TRUNCATED, item);
      let distance = ((control & 31) << 8) + byteAt(source, from++) + 1;
      if (distance === MAXIMUM_SHORT_DISTANCE) {
        if (end - from < 2) return failure(TRUNCATED, item);
        distance += (byteAt(source, from) << 8) | byteAt(source, from + 1);
        from += 2;
      }
      if (distance > to) return failure(BAD_DISTANCE, item);
      if (length > capacity - to) return failure(OUTPUT_OVERRUN, item);
      copyMatch(target, to, distance, length);
    }
    to += length;
  }
  return to;
}

function decodeSnappy(target: Uint8Array, source: Uint8Array): number {
  const capacity = target.length;
  const end = source.length;
  let from = 0;

  let expected = 0;
  let scale = 1;
  let byte: number;
  do {
    if (from >= end) return failure(TRUNCATED, 0);
    byte = byteAt(source, from++);
    expected += (byte & 127) * scale;
    scale *= 128;
    if (expected > capacity) return failure(OUTPUT_OVERRUN, 0);
    if (scale > 2 ** 35) return failure(BAD_LENGTH, 0);
  } while (byte >= 128);

  let to = 0;
  while (from < end) {
    const element = from;
    const tag = byteAt(source, from++);
    const kind = tag & 3;
    let length = tag >> 2;
    if (kind === 0) {
      if (length >= 60) {
        const lengthBytes = length - 59;
        if (end - from < lengthBytes) return failure(TRUNCATED, element);
        length = littleEndian(source, from, lengthBytes);
        from += lengthBytes;
      }
      if (length >= capacity - to) return failure(OUTPUT_OVERRUN, element);
      if (length >= end - from) return failure(TRUNCATED, element);
      length++;
      copyLiterals(target, to, source, from, length);
      from += length;
    } else {
      const distanceBytes = kind === 3 ? 4 : kind;
      if (end - from < distanceBytes) return failure(TRUNCATED, element);
      let distance = littleEndian(source, from, distanceBytes);
      from += distanceBytes;
      if (kind === 1) {
        distance |= (tag >> 5) << 8;
        length = (length & 7) + 4;
      } else {
        length++;
      }
      if (distance === 0 || distance > to) return failure(BAD_DISTANCE, element);
      if (length > capacity - to) return failure(OUTPUT_OVERRUN, element);
      copyMatch(target, to, distance, length);
    }
    to += length;
  }
  return to === expected ? to : failure(BAD_LENGTH, end);
}

function littleEndian(source: Uint8Array, from: number, count: number): number {
  let value = 0;
  for (let i = count - 1; i >= 0; i--) value = value * 256 + byteAt(source, from + i);
  return value;
}
