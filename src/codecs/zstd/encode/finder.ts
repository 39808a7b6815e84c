/** What the two match finders share. */
import { addSequence, type Sequences } from "./sequence-list.js";

/** The content of a frame, and what the blocks of it leave to those that follow. */
export interface Content {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  /** How far back matches may be. */
  readonly window: number;
  /** The repeated offsets as the decoder will have them, newest first. */
  readonly repeats: Uint32Array;
}

/** Fills `sequences` for the block from `start` to `end`. */
export type FindSequences = (start: number, end: number, sequences: Sequences) => void;

/** How many bytes from `a` on, before `end`, equal those from `b` on; b < a. */
export function commonLength(bytes: Uint8Array, a: number, b: number, end: number): number {
  const start = a;
  while (a < end && bytes[a] === bytes[b]) {
    a++;
    b++;
  }
  return a - start;
}

/** Halves of the multiplier of hashes. */
export const LOW = 0x85ebca87;
const HIGH = 0x9e3779b1;

/** The upper half of a product modulo 2^64: `carry` is what the lower half of the other factor makes of its lower half. */
export function upperHalf(low: number, high: number, carry: number): number {
  return (Math.imul(high, LOW) + Math.imul(low, HIGH) + carry) >>> 0;
}

/** Of five bytes, the first of which is what the lower half of the eight that are multiplied begins with, from the top. */
export function shortHash(view: DataView, at: number): number {
  const first = view.getUint8(at);
  return upperHalf(first << 24, view.getInt32(at + 1, true), Math.floor((first * LOW) / 256));
}

/** What a table holds of a position: it modulo 2^24 above 8 bits of the hash. */
export function entryOf(at: number, hash: number): number {
  return ((at << 8) | ((hash >>> 8) & 255)) >>> 0;
}

/** How far back, modulo 2^24, the position of another entry is; 0 where the bits of the hash differ. */
export function offsetOf(entry: number, other: number): number {
  const difference = entry - other;
  return (difference & 255) === 0 ? (difference >>> 8) & 0xffffff : 0;
}

/** Where matches are not looked for any more: 8 bytes are loaded at the next position, too. */
export function searchLimit(start: number, end: number): number {
  return end - start > 9 ? end - 9 : start;
}

/** Matches with the second of the repeated offsets right at `position`, behind a match; where the last one ends. */
export function addRepeated(
  { bytes, view, repeats }: Content,
  sequences: Sequences,
  position: number,
  searchEnd: number,
  end: number,
): number {
  let at = position;
  while (at < searchEnd) {
    const [first = 0, second = 0] = repeats;
    if (second > at || view.getInt32(at - second, true) !== view.getInt32(at, true)) break;
    const length = 4 + commonLength(bytes, at + 4, at + 4 - second, end);
    addSequence(sequences, bytes.subarray(at, at), length, 1);
    repeats[0] = second;
    repeats[1] = first;
    at += length;
  }
  return at;
}
