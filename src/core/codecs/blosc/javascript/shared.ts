/**
 * Shared by decoders and encoders: the byte shuffle and the bit shuffle, as in assembly/shuffle.ts and
 * assembly/bitshuffle.ts, and copies of matches and literals. Target and source of a shuffle have equal
 * length; bytes after the last whole element are copied.
 */
import { byteAt, noItem } from "../../../../base/at.js";

/** Unshuffles planes to elements: at least bytes `start` to `end` of the target, by default all. */
export function unshuffle(
  target: Uint8Array,
  source: Uint8Array,
  typesize: number,
  start = 0,
  end = source.length,
): void {
  const elements = typesize > 1 ? Math.floor(source.length / typesize) : 0;
  const first = Math.floor(start / typesize);
  const last = Math.min(Math.ceil(end / typesize), elements);
  // One plane at a time: one input stream, one output stream, and the engine knows that both are byte arrays.
  for (let j = 0; j < typesize && elements > 0; j++) {
    for (
      let i = first, from = j * elements + i, to = i * typesize + j;
      i < last;
      i++, from++, to += typesize
    ) {
      target[to] = byteAt(source, from);
    }
  }
  const whole = elements * typesize;
  if (end > whole) target.set(source.subarray(whole), whole);
}

/**
 * Unshuffles every `period`-th element, `count` in all. The target and each plane, one for each byte of the
 * type, begin with the first.
 */
export function unshuffleSpread(
  target: Uint8Array,
  planes: readonly Uint8Array[],
  period: number,
  count: number,
): void {
  const stride = period * planes.length;
  for (const [j, plane] of planes.entries()) {
    for (let i = 0, from = 0, to = j; i < count; i++, from += period, to += stride)
      target[to] = byteAt(plane, from);
  }
}

/** Shuffles elements to planes. */
export function shuffle(target: Uint8Array, source: Uint8Array, typesize: number): void {
  const elements = typesize > 1 ? Math.floor(source.length / typesize) : 0;
  for (let j = 0; j < typesize && elements > 0; j++) {
    for (let i = 0, from = j, to = j * elements; i < elements; i++, from += typesize, to++) {
      target[to] = byteAt(source, from);
    }
  }
  target.set(source.subarray(elements * typesize), elements * typesize);
}

/** Unshuffles rows of bits to elements. */
export function bitunshuffle(target: Uint8Array, source: Uint8Array, typesize: number): void {
  const elements = shuffledElements(source.length, typesize);
  const row = elements >> 3;
  for (let j = 0; j < typesize; j++) {
    const rows = 8 * j * row;
    for (let i = 0; i < row; i++) {
      const at = rows + i;
      const low = word(source, at, row);
      const high = word(source, at + 4 * row, row);
      const [first, last] = transposeBits(low, high);
      scatter(target, 8 * i * typesize + j, typesize, first);
      scatter(target, (8 * i + 4) * typesize + j, typesize, last);
    }
  }
  target.set(source.subarray(elements * typesize), elements * typesize);
}

/** Shuffles elements to rows of bits. */
export function bitshuffle(target: Uint8Array, source: Uint8Array, typesize: number): void {
  const elements = shuffledElements(source.length, typesize);
  const row = elements >> 3;
  for (let j = 0; j < typesize; j++) {
    const rows = 8 * j * row;
    for (let i = 0; i < row; i++) {
      const low = word(source, 8 * i * typesize + j, typesize);
      const high = word(source, (8 * i + 4) * typesize + j, typesize);
      const [first, last] = transposeBits(low, high);
      scatter(target, rows + i, row, first);
      scatter(target, rows + i + 4 * row, row, last);
    }
  }
  target.set(source.subarray(elements * typesize), elements * typesize);
}

/** The number of elements to shuffle: all if it is a multiple of 8, else none. */
function shuffledElements(byteLength: number, typesize: number): number {
  const elements = Math.floor(byteLength / typesize);
  return elements % 8 === 0 ? elements : 0;
}

/** Four bytes, `stride` apart, as one word. One branch instead of four, so that engines inline it. */
function word(source: Uint8Array, at: number, stride: number): number {
  const first = source[at];
  const second = source[at + stride];
  const third = source[at + 2 * stride];
  const fourth = source[at + 3 * stride];
  if (first === undefined || second === undefined || third === undefined || fourth === undefined)
    return noItem(source, at + 3 * stride);
  return first | (second << 8) | (third << 16) | (fourth << 24);
}

function scatter(target: Uint8Array, at: number, stride: number, value: number): void {
  target[at] = value;
  target[at + stride] = value >>> 8;
  target[at + 2 * stride] = value >>> 16;
  target[at + 3 * stride] = value >>> 24;
}

/**
 * Transposes an 8x8 bit matrix whose rows are the bytes of two words: single bits, then 2x2 blocks, then 4x4.
 */
function transposeBits(low: number, high: number): readonly [number, number] {
  let t = (low ^ (low >>> 7)) & 0x00aa00aa;
  low ^= t ^ (t << 7);
  t = (high ^ (high >>> 7)) & 0x00aa00aa;
  high ^= t ^ (t << 7);
  t = (low ^ (low >>> 14)) & 0x0000cccc;
  low ^= t ^ (t << 14);
  t = (high ^ (high >>> 14)) & 0x0000cccc;
  high ^= t ^ (t << 14);
  t = ((low >>> 4) ^ high) & 0x0f0f0f0f;
  return [low ^ (t << 4), high ^ t];
}

/**
 * Copies `length` bytes from `distance` back. Distances below `length` repeat bytes that were just written.
 */
export function copyMatch(target: Uint8Array, position: number, distance: number, length: number): void {
  // A call costs more than copying a few bytes, and copyWithin does not repeat bytes.
  if (distance >= length && length > 32) {
    target.copyWithin(position, position - distance, position - distance + length);
  } else if (distance === 1) {
    target.fill(byteAt(target, position - 1), position, position + length);
  } else {
    for (const end = position + length; position < end; position++) {
      target[position] = byteAt(target, position - distance);
    }
  }
}

export function copyLiterals(
  target: Uint8Array,
  position: number,
  source: Uint8Array,
  from: number,
  length: number,
): void {
  if (length > 32) target.set(source.subarray(from, from + length), position);
  else for (let i = 0; i < length; i++) target[position + i] = byteAt(source, from + i);
}
