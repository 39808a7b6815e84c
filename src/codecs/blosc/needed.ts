/**
 * Which elements of a chunk are needed, block by block: of a series at one point of a map, or of a small window, most blocks have none.
 * Where those of a block are far from each other they are picked out of the planes that shuffled bytes are, wherever these lie, and
 * all others stay there.
 */
import type { Kernels } from "../../kernels/kernels.js";
import { type FindNeededRanges, type Loop, loopsOf, type StridedBox } from "../codec.js";
import { type BloscHeader, HEADER_LENGTH, splitCount } from "./formats.js";
import { readHeader } from "./header.js";
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

/**
 * Which bytes of a chunk decode.ts looks at for some of its elements, where the chunk is elsewhere and they alone are read: the header,
 * the table of blocks, and those blocks that have any of the elements.
 *
 * @param bytes as many as the chunk has
 * @param start where the lowest element begins in the decoded chunk
 * @returns false where `decodeRange` may look at others, too: in chunks that are unusual, or damaged
 */
export const neededRanges: FindNeededRanges = function* (bytes, start, elements) {
  if (bytes.length < HEADER_LENGTH) return false;
  yield [{ start: 0, end: HEADER_LENGTH }];
  const header = headerOf(bytes);
  if (header === undefined || header.copied) return false;
  const { blocksize, byteLength } = header;
  const blocks = Math.ceil(byteLength / blocksize);
  const tableEnd = HEADER_LENGTH + 4 * blocks;
  yield [{ start: HEADER_LENGTH, end: tableEnd }];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const offsets = Uint32Array.from({ length: blocks }, (_, i) => view.getUint32(HEADER_LENGTH + 4 * i, true));
  // Blocks were written as they were ready, in any order: one ends where another begins.
  const begins = offsets.toSorted();
  if ((begins[0] ?? 0) < tableEnd || (begins.at(-1) ?? 0) >= bytes.length) return false;

  const needed = neededOf(start, elements);
  const extents: (ByteRange & { readonly block: number })[] = [];
  for (let block = 0; block < blocks; block++) {
    const from = block * blocksize;
    if (!neededWithin(needed, from, Math.min(from + blocksize, byteLength))) continue;
    const offset = offsets[block] ?? 0;
    extents.push({ start: offset, end: endOf(begins, offset, bytes.length), block });
  }
  extents.sort((a, b) => a.start - b.start);
  const ranges: { readonly start: number; end: number }[] = [];
  for (const { start: from, end } of extents) {
    const before = ranges.at(-1);
    // Neighbours in one go.
    if (before !== undefined && from <= before.end) before.end = end;
    else ranges.push({ start: from, end });
  }
  yield ranges;
  // Streams that reach into the next block would be decoded from whatever stands there.
  return extents.every(({ start: from, end, block }) => {
    const length = Math.min(blocksize, byteLength - block * blocksize);
    let at = from;
    for (let split = splitCount(header, length); split > 0 && at + 4 <= end; split--) {
      at += 4 + view.getUint32(at, true);
      if (split === 1) return at <= end;
    }
    return false;
  });
};

function headerOf(bytes: Uint8Array): BloscHeader | undefined {
  try {
    return readHeader(bytes);
  } catch {
    // Said by the decoder, with where the chunk is.
    return undefined;
  }
}

/** The first of `begins` behind `offset`, or the end of the chunk. */
function endOf(begins: Uint32Array, offset: number, byteLength: number): number {
  let low = 0;
  let high = begins.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((begins[middle] ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return begins[low] ?? byteLength;
}
