/**
 * Which elements of a chunk are needed, block by block: of a series at one point of a map, or of a small window, most blocks have none.
 * Where those of a block are far from each other they are picked out of the planes that shuffled bytes are, wherever these lie, and
 * all others stay there.
 */
import type { Kernels } from "../../kernels/kernels.js";
import { type Loop, loopsOf, type StridedBox } from "../codec.js";
import type { BloscHeader } from "./formats.js";
import { bloscKernels, bloscOperand } from "./kernels.js";

/** A box of elements whose lowest one begins at byte `origin` of the chunk. */
export interface Needed {
  readonly origin: number;
  readonly itemSize: number;
  /** The longest step first, none within reach of the next. */
  readonly dimensions: readonly Loop[];
}

export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

export function neededOf(origin: number, box: StridedBox): Needed {
  return { origin, itemSize: box.itemSize, dimensions: loopsOf(box) };
}

/** From the first to the last byte that is needed of bytes `start` to `end` (exclusive) of the chunk; undefined where none is. */
export function neededWithin(
  { origin, itemSize, dimensions }: Needed,
  start: number,
  end: number,
): ByteRange | undefined {
  // The first element that ends behind `start`: one step further in the innermost dimension that has one, from the last before it.
  let rest = start - origin - itemSize;
  let last = 0;
  let first = rest < 0 ? 0 : Number.POSITIVE_INFINITY;
  if (rest >= 0) {
    for (const { step, count } of dimensions) {
      const index = Math.min(Math.floor(rest / step), count - 1);
      if (index + 1 < count) first = last + (index + 1) * step;
      last += index * step;
      rest -= index * step;
    }
  }
  if (origin + first >= end) return undefined;
  // The last one that begins before `end`.
  rest = end - origin - 1;
  last = origin + itemSize;
  for (const { step, count } of dimensions) {
    const index = Math.min(Math.floor(rest / step), count - 1);
    last += index * step;
    rest -= index * step;
  }
  return { start: Math.max(origin + first, start), end: Math.min(last, end) };
}

/**
 * Nearer to each other, all of a block are unshuffled in less time: of 256 KiB of 4-byte elements all take 10.5 us, every 32nd 8.5, every
 * 16th 15, of 2-byte ones 6, 7 and 13, of 8-byte ones 23, 12 and 23.
 */
const LEAST_PERIOD = 32;

/**
 * Elements from one that is needed to the next, of all of which each is a multiple; undefined where blocks had better be unshuffled as
 * a whole.
 */
export function periodOf(
  { dimensions, itemSize, origin }: Needed,
  { blocksize, byteLength, filter, typesize }: BloscHeader,
): number | undefined {
  if (filter !== "shuffle" || itemSize !== typesize) return undefined;
  // Of one element alone any number will do.
  const distance =
    dimensions.reduce((common, { step }) => greatestCommonDivisor(common, step), 0) || byteLength;
  const period = distance / typesize;
  const isWhole = [origin, blocksize, byteLength, distance].every((length) => length % typesize === 0);
  return isWhole && period >= LEAST_PERIOD ? period : undefined;
}

function greatestCommonDivisor(a: number, b: number): number {
  while (b > 0) [a, b] = [b, a % b];
  return a;
}

/**
 * Elements of a block, `period` apart.
 *
 * @param parts the filtered block: a plane each, or all planes in one
 * @param range from the first byte of the first one to the last byte of the last one
 */
export function unshuffleSpread(
  kernels: Kernels,
  target: Uint8Array,
  parts: readonly Uint8Array[],
  typesize: number,
  { start, end }: ByteRange,
  period: number,
): void {
  const [all = target] = parts;
  const length = target.length / typesize;
  const block = bloscOperand(kernels, all);
  const planes = Array.from({ length: typesize }, (_, j) => {
    const plane = parts.length > 1 ? bloscOperand(kernels, parts[j] ?? all) : block.subarray(j * length);
    return plane.subarray(start / typesize);
  });
  const count = Math.ceil((end - start) / (period * typesize));
  const workspace = kernels.allocate(4 * typesize);
  bloscKernels(kernels).unshuffleSpread(target.subarray(start), planes, period, count, workspace);
}
