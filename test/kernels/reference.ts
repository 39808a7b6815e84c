/** What the kernels must do, in the plainest words: one byte at a time, no merging, no ordering. */
import type { CopyRequest } from "../../src/kernels/kernels.js";

export function referenceCopy(
  { shape, targetStrides, sourceStrides, width, swapUnit }: CopyRequest,
  target: Uint8Array,
  targetOffset: number,
  source: Uint8Array,
  sourceOffset: number,
): void {
  const count = shape.reduce((product, extent) => product * extent, 1);
  for (let index = 0; index < count; index++) {
    let t = targetOffset;
    let s = sourceOffset;
    let rest = index;
    for (let d = shape.length - 1; d >= 0; d--) {
      const extent = shape[d] ?? 1;
      t += (rest % extent) * (targetStrides[d] ?? 0);
      s += (rest % extent) * (sourceStrides[d] ?? 0);
      rest = Math.floor(rest / extent);
    }
    for (let at = 0; at < width; at += swapUnit) {
      for (let b = 0; b < swapUnit; b++) {
        target[t + at + b] = source[s + at + (swapUnit - 1 - b)] ?? 0;
      }
    }
  }
}

/** The length after which `noise` repeats: a prime. */
const NOISE_PERIOD = 1_048_583;

/** Bytes that differ from their neighbours and do not repeat with any small period. */
export function noise(length: number, seed = 1): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  let state = seed | 1;
  const end = Math.min(length, NOISE_PERIOD);
  for (let i = 0; i < end; i++) {
    // xorshift32
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    bytes[i] = state;
  }
  for (let done = end; done < length; done *= 2) bytes.copyWithin(done, 0, Math.min(done, length - done));
  return bytes;
}

/**
 * Index of the first byte that differs, the shorter length when one array ends early, -1 when they are equal.
 */
export function firstDifference(a: Uint8Array, b: Uint8Array): number {
  const shorter = Math.min(a.length, b.length);
  let equal = 0;
  // Word by word, which takes a quarter of the time.
  if (a.byteOffset % 4 === 0 && b.byteOffset % 4 === 0) {
    const words = Math.floor(shorter / 4);
    const left = new Uint32Array(a.buffer, a.byteOffset, words);
    const right = new Uint32Array(b.buffer, b.byteOffset, words);
    while (equal < words && left[equal] === right[equal]) equal++;
    equal *= 4;
  }
  for (let i = equal; i < shorter; i++) if (a[i] !== b[i]) return i;
  return a.length === b.length ? -1 : shorter;
}
