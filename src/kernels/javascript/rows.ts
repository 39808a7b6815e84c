/**
 * Copies of one row, a function for each element width: V8 specialises a function for the typed array class that it has seen, and a loop
 * that sees several classes runs 30 times slower. Positions and strides count elements of the arrays passed.
 */

/** One row of 1-byte elements. */
export function row1(
  target: Uint8Array,
  t: number,
  targetStride: number,
  source: Uint8Array,
  s: number,
  sourceStride: number,
  extent: number,
): void {
  for (let i = 0; i < extent; i++, t += targetStride, s += sourceStride) target[t] = source[s] ?? 0;
}

/** One row of 2-byte elements. */
export function row2(
  target: Uint16Array,
  t: number,
  targetStride: number,
  source: Uint16Array,
  s: number,
  sourceStride: number,
  extent: number,
  unit: number,
): void {
  if (unit === 1) {
    for (let i = 0; i < extent; i++, t += targetStride, s += sourceStride) target[t] = source[s] ?? 0;
    return;
  }
  for (let i = 0; i < extent; i++, t += targetStride, s += sourceStride) {
    const word = source[s] ?? 0;
    target[t] = (word << 8) | (word >>> 8);
  }
}

/** One row of 4-byte elements. */
export function row4(
  target: Uint32Array,
  t: number,
  targetStride: number,
  source: Uint32Array,
  s: number,
  sourceStride: number,
  extent: number,
  unit: number,
): void {
  if (unit === 1) {
    for (let i = 0; i < extent; i++, t += targetStride, s += sourceStride) target[t] = source[s] ?? 0;
  } else if (unit === 4) {
    for (let i = 0; i < extent; i++, t += targetStride, s += sourceStride)
      target[t] = swapWord(source[s] ?? 0);
  } else {
    for (let i = 0; i < extent; i++, t += targetStride, s += sourceStride) {
      target[t] = swapInWord(source[s] ?? 0, unit);
    }
  }
}

/**
 * One row of 8-byte elements as pairs of 32-bit words: a Float64Array may change NaN payloads, and a BigUint64Array allocates.
 */
export function row8(
  target: Uint32Array,
  t: number,
  targetStride: number,
  source: Uint32Array,
  s: number,
  sourceStride: number,
  extent: number,
  unit: number,
): void {
  if (unit === 8) {
    for (let i = 0; i < extent; i++, t += targetStride, s += sourceStride) {
      // Both are read first: a swap may be in place.
      const low = source[s] ?? 0;
      const high = source[s + 1] ?? 0;
      target[t] = swapWord(high);
      target[t + 1] = swapWord(low);
    }
    return;
  }
  for (let i = 0; i < extent; i++, t += targetStride, s += sourceStride) {
    target[t] = swapInWord(source[s] ?? 0, unit);
    target[t + 1] = swapInWord(source[s + 1] ?? 0, unit);
  }
}

/** One row of 16-byte elements, each as four 32-bit words. */
export function row16(
  target: Uint32Array,
  t: number,
  targetStride: number,
  source: Uint32Array,
  s: number,
  sourceStride: number,
  extent: number,
  unit: number,
): void {
  // The words of a unit change places too: word w comes from w ^ flip.
  const flip = unit === 16 ? 3 : unit === 8 ? 1 : 0;
  for (let i = 0; i < extent; i++, t += targetStride, s += sourceStride) {
    const a = source[s + flip] ?? 0;
    const b = source[s + (1 ^ flip)] ?? 0;
    const c = source[s + (2 ^ flip)] ?? 0;
    const d = source[s + (3 ^ flip)] ?? 0;
    target[t] = swapInWord(a, unit);
    target[t + 1] = swapInWord(b, unit);
    target[t + 2] = swapInWord(c, unit);
    target[t + 3] = swapInWord(d, unit);
  }
}

/** One row of elements of any width at any address, byte by byte. */
export function rowBytes(
  target: Uint8Array,
  t: number,
  targetStride: number,
  source: Uint8Array,
  s: number,
  sourceStride: number,
  extent: number,
  width: number,
  unit: number,
): void {
  for (let i = 0; i < extent; i++, t += targetStride, s += sourceStride) {
    if (unit === 1) {
      for (let b = 0; b < width; b++) target[t + b] = source[s + b] ?? 0;
      continue;
    }
    for (let at = 0; at < width; at += unit) {
      for (let low = at, high = at + unit - 1; low < high; low++, high--) {
        // Both are read first: a swap may be in place.
        const first = source[s + low] ?? 0;
        const last = source[s + high] ?? 0;
        target[t + low] = last;
        target[t + high] = first;
      }
    }
  }
}

/** Reverses the four bytes of a word. */
function swapWord(word: number): number {
  return (word << 24) | ((word & 0xff00) << 8) | ((word >>> 8) & 0xff00) | (word >>> 24);
}

/** Reverses the two bytes of each half of a word. */
function swapHalves(word: number): number {
  return ((word & 0x00ff00ff) << 8) | ((word >>> 8) & 0x00ff00ff);
}

/** Swaps the bytes of one word as a swap by `unit` does. Units of 8 and 16 also exchange words, which the caller has done. */
function swapInWord(word: number, unit: number): number {
  return unit === 1 ? word : unit === 2 ? swapHalves(word) : swapWord(word);
}
