/** An array cut into boxes that begin and end at chunk boundaries, so that it can be copied in bounded memory. */
import { type ChunkRuns, endWithin } from "../grid/chunk-grid.js";
import { product } from "../shape.js";

/** Bytes of elements held at a time. One chunk is held whatever it takes. */
const BOX_BYTES = 32 << 20;

export interface Box {
  readonly start: readonly number[];
  readonly shape: readonly number[];
}

/**
 * The shape of the boxes at most: multiples of the target's chunks, so that each is written once, first grown over the source's
 * chunks, so that few are read twice, then along the last dimensions.
 */
export function boxShape(
  shape: readonly number[],
  targetChunks: readonly number[],
  sourceChunks: readonly number[],
  itemSize: number,
): readonly number[] {
  const box = [...targetChunks];
  const grow = (d: number, wanted: number): void => {
    const chunk = targetChunks[d] ?? 1;
    const others = product(box.filter((_, i) => i !== d)) * Math.max(1, itemSize);
    const fitting = Math.floor(BOX_BYTES / (others * chunk)) * chunk;
    const whole = Math.ceil(Math.min(wanted, shape[d] ?? 0) / chunk) * chunk;
    box[d] = Math.max(box[d] ?? 1, Math.min(whole, fitting));
  };
  for (let d = shape.length - 1; d >= 0; d--)
    grow(d, leastCommonMultiple(targetChunks[d] ?? 1, sourceChunks[d] ?? 1));
  for (let d = shape.length - 1; d >= 0; d--) grow(d, shape[d] ?? 0);
  return box;
}

function leastCommonMultiple(a: number, b: number): number {
  let [x, y] = [a, b];
  while (y > 0) [x, y] = [y, x % y];
  return (a / x) * b;
}

/** The boxes of an array, the last dimension fastest: each as long as `box` at most, but for a longer chunk, and to the end of chunks. */
export function* boxes(
  shape: readonly number[],
  box: readonly number[],
  chunks: readonly ChunkRuns[],
): Generator<Box, void, undefined> {
  if (shape.includes(0)) return;
  const start = shape.map(() => 0);
  const endOf = (d: number): number => {
    const at = start[d] ?? 0;
    const last = endWithin(chunks[d] ?? [], at, box[d] ?? 1);
    return Math.min(last, shape[d] ?? 0);
  };
  for (;;) {
    yield { start: [...start], shape: start.map((at, d) => endOf(d) - at) };
    let d = shape.length - 1;
    for (; d >= 0; d--) {
      const next = endOf(d);
      start[d] = next < (shape[d] ?? 0) ? next : 0;
      if (start[d] !== 0) break;
    }
    if (d < 0) return;
  }
}
