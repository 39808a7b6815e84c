/**
 * Copies of one row, a function for each element width: V8 specialises a function for the typed array class
 * that it has seen, and a loop that sees several classes runs 30 times slower. Positions and strides count
 * elements of the arrays passed.
 */
import { byteAt, uint16At, uint32At } from "../../base/at.js";

export type CopyRow<Words> = (
  target: Words,
  t: number,
  targetStride: number,
  source: Words,
  s: number,
  sourceStride: number,
  extent: number,
  unit: number,
) => void;

/** Elements of 1 byte. */
export const row1: CopyRow<Uint8Array> = (target, t, targetStride, source, s, sourceStride, extent) => {
  for (let i = 0; i < extent; i++, t += targetStride, s += sourceStride) target[t] = byteAt(source, s);
};
export const row2: CopyRow<Uint16Array> = (
  target,
  t,
  targetStride,
  source,
  s,
  sourceStride,
  extent,
  unit,
) => {
  if (unit === 1) {
    for (let i = 0; i < extent; i++, t += targetStride, s += sourceStride) target[t] = uint16At(source, s);
    return;
  }
  for (let i = 0; i < extent; i++, t += targetStride, s += sourceStride) {
    const word = uint16At(source, s);
    target[t] = (word << 8) | (word >>> 8);
  }
};
export const row4: CopyRow<Uint32Array> = (
  target,
  t,
  targetStride,
  source,
  s,
  sourceStride,
  extent,
  unit,
) => {
  if (unit === 1) {
    for (let i = 0; i < extent; i++, t += targetStride, s += sourceStride) target[t] = uint32At(source, s);
  } else if (unit === 4) {
    for (let i = 0; i < extent; i++, t += targetStride, s += sourceStride)
      target[t] = swapWord(uint32At(source, s));
  } else {
    for (let i = 0; i < extent; i++, t += targetStride, s += sourceStride) {
      target[t] = swapInWord(uint32At(source, s), unit);
    }
  }
};

/**
 * Elements of 8 bytes as pairs of 32-bit words: a Float64Array may change NaN payloads, and a BigUint64Array
 * allocates.
 */
export const row8: CopyRow<Uint32Array> = (
  target,
  t,
  targetStride,
  source,
  s,
  sourceStride,
  extent,
  unit,
) => {
  if (unit === 8) {
    for (let i = 0; i < extent; i++, t += targetStride, s += sourceStride) {
      // Both words are read before the first write: a swap may be in place.
      const low = uint32At(source, s);
      const high = uint32At(source, s + 1);
      target[t] = swapWord(high);
      target[t + 1] = swapWord(low);
    }
    return;
  }
  for (let i = 0; i < extent; i++, t += targetStride, s += sourceStride) {
    target[t] = swapInWord(uint32At(source, s), unit);
    target[t + 1] = swapInWord(uint32At(source, s + 1), unit);
  }
};

/** Elements of 16 bytes, each as four 32-bit words. */
export const row16: CopyRow<Uint32Array> = (
  target,
  t,
  targetStride,
  source,
  s,
  sourceStride,
  extent,
  unit,
) => {
  // The words of a unit change places, too: word w comes from w ^ flip.
  const flip = unit === 16 ? 3 : unit === 8 ? 1 : 0;
  for (let i = 0; i < extent; i++, t += targetStride, s += sourceStride) {
    const a = uint32At(source, s + flip);
    const b = uint32At(source, s + (1 ^ flip));
    const c = uint32At(source, s + (2 ^ flip));
    const d = uint32At(source, s + (3 ^ flip));
    target[t] = swapInWord(a, unit);
    target[t + 1] = swapInWord(b, unit);
    target[t + 2] = swapInWord(c, unit);
    target[t + 3] = swapInWord(d, unit);
  }
};

/** Elements of any width at any address, byte by byte. */
export const rowOfBytes =
  (width: number): CopyRow<Uint8Array> =>
  (target, t, targetStride, source, s, sourceStride, extent, unit) => {
    for (let i = 0; i < extent; i++, t += targetStride, s += sourceStride) {
      if (unit === 1) {
        for (let b = 0; b < width; b++) target[t + b] = byteAt(source, s + b);
        continue;
      }
      for (let at = 0; at < width; at += unit) {
        for (let low = at, high = at + unit - 1; low < high; low++, high--) {
          // Both bytes are read before the first write: a swap may be in place.
          const first = byteAt(source, s + low);
          const last = byteAt(source, s + high);
          target[t + low] = last;
          target[t + high] = first;
        }
      }
    }
  };

/** Reverses the four bytes of a word. */
function swapWord(word: number): number {
  return (word << 24) | ((word & 0xff00) << 8) | ((word >>> 8) & 0xff00) | (word >>> 24);
}

/** Reverses the two bytes of each half of a word. */
function swapHalves(word: number): number {
  return ((word & 0x00ff00ff) << 8) | ((word >>> 8) & 0x00ff00ff);
}

/**
 * Swaps the bytes of one word as a swap by `unit` does. The caller exchanges the words of units of 8 and 16.
 */
function swapInWord(word: number, unit: number): number {
  return unit === 1 ? word : unit === 2 ? swapHalves(word) : swapWord(word);
}
