/**
 * Arrays whose elements lie one after the other in a file: any split of them into boxes is a grid of chunks.
 */
import { at, product } from "../../core/for-stores.js";
import type { VirtualChunk } from "./port.js";

/** Longest chunk that is made of a contiguous array, in bytes: what one request brings at once. */
const LONGEST = 4 << 20;
/** Fewer chunks than these parts of the longest are not made for the sake of a divisor. */
const SHORTEST_SHARE = 1 / 8;

/**
 * The chunk shape that splits a contiguous array: boxes of whole rows, about 4 MiB each. If a divisor of the
 * dimension is near, all chunks are of one length, and each is one range of the file.
 */
export function splitShape(shape: readonly number[], itemSize: number): number[] {
  const chunk = shape.map((extent) => Math.max(1, extent));
  let inner = product(chunk, itemSize);
  for (let d = 0; d < chunk.length && inner > LONGEST; d++) {
    const extent = at(chunk, d);
    inner /= extent;
    chunk[d] = inner >= LONGEST ? 1 : divisorNear(extent, Math.max(1, Math.floor(LONGEST / inner)));
    inner *= at(chunk, d);
  }
  return chunk;
}

/** The largest divisor that is not far below `most`, or `most`. */
function divisorNear(extent: number, most: number): number {
  for (let candidate = Math.min(most, extent); candidate >= Math.max(1, most * SHORTEST_SHARE); candidate--)
    if (extent % candidate === 0) return candidate;
  return most;
}

/** Chunks in each dimension. */
export const gridOf = (shape: readonly number[], chunk: readonly number[]): number[] =>
  shape.map((extent, d) => Math.ceil(extent / at(chunk, d)));

/**
 * The chunk of a contiguous array at these coordinates: a range, and zeros after it where the chunk is longer
 * than what is left of the array. Only one dimension of `chunk` is split, those before it are 1, those after
 * it whole, as `splitShape` makes them.
 * @param offset of the array in the file
 */
export function contiguousChunk(
  shape: readonly number[],
  chunk: readonly number[],
  itemSize: number,
  offset: number,
  coordinates: readonly number[],
): VirtualChunk | undefined {
  let first = 0;
  let rows = 1;
  for (const [d, extent] of shape.entries()) {
    const size = at(chunk, d);
    const start = at(coordinates, d) * size;
    if (start >= extent) return undefined;
    first = first * extent + start;
    rows *= Math.min(size, extent - start);
  }
  const whole = product(chunk, itemSize);
  const length = rows * itemSize;
  const range = { offset: offset + first * itemSize, length };
  return { parts: length === whole ? [range] : [range, new Uint8Array(whole - length)] };
}
