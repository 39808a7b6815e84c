/**
 * Finds the needed elements of a chunk, block by block: for a series at one point of a map, or for a small
 * window, most blocks have none. Needed elements that are far apart are picked out of the planes of a
 * shuffled block, wherever these lie; the other elements are not unshuffled.
 */
import { at, uint32At } from "../../../base/at.js";
import type { Kernels } from "../../../kernels/kernels.js";
import type { FindNeededRanges } from "../codec.js";
import { type Loop, loopsOf, type StridedBox } from "../strided-box.js";
import { type BloscHeader, HEADER_LENGTH, splitCount } from "./formats.js";
import { readHeader } from "./header.js";
import { bloscKernels, bloscOperand } from "./kernels.js";

/** A box of elements; its lowest element begins at byte `origin` of the chunk. */
export interface Needed {
  readonly origin: number;
  readonly itemSize: number;
  /** Longest step first. No dimension reaches as far as the next step of the one before it. */
  readonly dimensions: readonly Loop[];
}

export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

export function neededOf(origin: number, box: StridedBox): Needed {
  return { origin, itemSize: box.itemSize, dimensions: loopsOf(box) };
}

/**
 * From the first to the last needed byte of bytes `start` to `end` (exclusive) of the chunk; undefined if
 * none is needed.
 */
export function neededWithin(
  { origin, itemSize, dimensions }: Needed,
  start: number,
  end: number,
): ByteRange | undefined {
  // The first element that ends after `start`: one step beyond the last that does not, in the innermost
  // dimension that has a further one.
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
  // The last element that begins before `end`.
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
 * With smaller periods, unshuffling the whole block is faster. For 256 KiB, in us: of 4-byte elements all
 * take 10.5, every 32nd 8.5, every 16th 15; of 2-byte elements 6, 7 and 13; of 8-byte elements 23, 12 and 23.
 */
const LEAST_PERIOD = 32;

/**
 * The greatest number of elements of which all distances between needed elements are multiples; undefined if
 * blocks are better unshuffled as a whole.
 */
export function periodOf(
  { dimensions, itemSize, origin }: Needed,
  { blocksize, byteLength, filter, typesize }: BloscHeader,
): number | undefined {
  if (filter !== "shuffle" || itemSize !== typesize) return undefined;
  // For a single element any distance works.
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
 * Unshuffles the elements of a block that are `period` apart.
 *
 * @param parts the filtered block: one plane each, or all planes in one
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
    const plane = parts.length > 1 ? bloscOperand(kernels, at(parts, j)) : block.subarray(j * length);
    return plane.subarray(start / typesize);
  });
  const count = Math.ceil((end - start) / (period * typesize));
  const workspace = kernels.allocate(4 * typesize);
  bloscKernels(kernels).unshuffleSpread(target.subarray(start), planes, period, count, workspace);
}

/**
 * Finds the byte ranges of a chunk that decode.ts reads for some of its elements, so that callers need not
 * read the whole chunk: the header, the table of blocks, and the blocks that contain any of the elements.
 *
 * @param bytes as many as the chunk has
 * @param start where the lowest element begins in the decoded chunk
 * @returns false if `decodeRange` may read other bytes, too: for unusual or damaged chunks
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
  // Blocks are written in any order, as they are ready: one ends where the next one begins.
  const begins = offsets.toSorted();
  // An empty chunk has no blocks.
  if (blocks === 0 || at(begins, 0) < tableEnd || at(begins, blocks - 1) >= bytes.length) return false;

  const needed = neededOf(start, elements);
  const extents: (ByteRange & { readonly block: number })[] = [];
  for (let block = 0; block < blocks; block++) {
    const from = block * blocksize;
    if (!neededWithin(needed, from, Math.min(from + blocksize, byteLength))) continue;
    const offset = uint32At(offsets, block);
    extents.push({ start: offset, end: endOf(begins, offset, bytes.length), block });
  }
  extents.sort((a, b) => a.start - b.start);
  const ranges: { readonly start: number; end: number }[] = [];
  for (const { start: from, end } of extents) {
    const before = ranges.at(-1);
    // Adjacent blocks are read as one range.
    if (before !== undefined && from <= before.end) before.end = end;
    else ranges.push({ start: from, end });
  }
  yield ranges;
  // A stream that reaches into the next block would be decoded from bytes that were not read.
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
    // The decoder reports this error and names the chunk.
    return undefined;
  }
}

/** The first of `begins` after `offset`, or the end of the chunk. */
function endOf(begins: Uint32Array, offset: number, byteLength: number): number {
  let low = 0;
  let high = begins.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (uint32At(begins, middle) <= offset) low = middle + 1;
    else high = middle;
  }
  return begins[low] ?? byteLength;
}
