/**
 * Decides whether a read takes whole values of the store, or ranges of them. The rules and their measured
 * limits are here; ranges.ts, shards/ and variable/ read what is decided, and take the whole value where a
 * store cannot give ranges.
 *
 * A range saves bytes, and costs a request, a file that is opened, or the store's cache. So ranges are read
 * where the store says that they are cheap (files), where the format needs them (the index of a shard), or
 * where hardly anything of a long value is selected. Over a network, ranges cost browsers a preflight and
 * their cache, and reading half a chunk into new memory takes as long as reading a whole chunk into memory
 * that was used before.
 */

import { cOrderStrides, product } from "../base/shape.js";
import type { Pipeline } from "../core/codecs/pipeline.js";
import type { DimensionSelection } from "../grid/selection.js";
import type { PreparedArray } from "./prepared.js";

/** Smaller chunks in files are read in less time than it takes to open them. */
const SMALLEST_PLAIN = 32 << 10;

/** Whether only the bytes that a selection spans are read of an uncompressed chunk. */
export function readsSpans({ values, pipeline, metadata }: PreparedArray): boolean {
  const isPlain = pipeline.asStored && !pipeline.wrapped;
  const isFixed = pipeline.encodedByteLength === pipeline.byteLength && metadata.dataType.itemSize > 0;
  return values.kind === "files" && isPlain && isFixed && pipeline.byteLength >= SMALLEST_PLAIN;
}

/**
 * Shortest gap inside a span that is left unread, in bytes. One more read takes 1.2 us in Node. In that time
 * the page cache delivers more than this if the bytes are in the processor's caches, and 8 KiB if not. Time
 * of [::2, ::2, ::2] of float32 chunks without the gaps, relative to reading them too: 128^3 (gaps of 64 KiB)
 * 0.69, 80^3 (25 KiB) 0.83, 64^3 (16 KiB) 1; a window of 64^3 with gaps of 13 KiB 1.25.
 */
export const SMALLEST_GAP = 24 << 10;
/** Reading this many bytes between two single points takes less time than opening the file once more. */
const POINT_GAP = 64 << 10;

/** The distance in elements from which on points are read separately; undefined if whole chunks are read. */
export function pointGap(array: PreparedArray): number | undefined {
  const { pipeline, fillPattern, blocks } = array;
  if (blocks !== undefined || !readsSpans(array)) return undefined;
  // Only if elements that follow one another in C order are contiguous in the chunk.
  const strides = cOrderStrides(pipeline.shape, fillPattern.length);
  const isRow = strides.every((stride, d) => stride === pipeline.strides[d]);
  return isRow ? POINT_GAP / fillPattern.length : undefined;
}

/** A smaller compressed chunk is read whole: opening a file and reading its header takes longer. */
const SMALLEST_COMPRESSED = 512 << 10;
/** If more of a chunk's elements are selected, hardly any of its blocks is unneeded. */
const LARGEST_SHARE = 1 / 2;

/**
 * Whether a compressed chunk may be read by the blocks that a selection needs: `neededRanges` of its codec.
 */
export function readsBlocks({ values, pipeline }: PreparedArray): boolean {
  const { decodeRange, neededRanges, byteLength } = pipeline;
  return Boolean(values.kind === "files" && decodeRange && neededRanges) && byteLength >= SMALLEST_COMPRESSED;
}

/** Whether few enough bytes of a chunk are selected to leave out some of its blocks. */
export function leavesBlocks(selectedBytes: number, chunkBytes: number): boolean {
  return selectedBytes <= chunkBytes * LARGEST_SHARE;
}

/**
 * If more than this part of chunks of variable length is selected, they are read whole, which saves a
 * request.
 */
const LARGEST_SPARSE_SHARE = 1 / 4;
/** Shorter inner chunks of a shard are read whole: one more request costs as much. */
const SMALLEST_SPARSE = 128 << 10;

/**
 * Whether the offsets of a chunk of variable length, and of its data only the selected elements, are read.
 */
export function readsElements(
  { shape, variable, wrapped }: Pipeline,
  selection: readonly DimensionSelection[],
  chunkCount: number,
): boolean {
  const selected = selection.reduce((total, { count }) => total * count, 1);
  const most = product(shape, chunkCount * LARGEST_SPARSE_SHARE);
  return variable?.partial !== undefined && !wrapped && selected <= most;
}

/**
 * Whether inner chunks are long enough to read single elements of them.
 * @param byteLength of a chunk, decoded or, once known, encoded
 */
export function isLongEnough(byteLength: number): boolean {
  return byteLength >= SMALLEST_SPARSE;
}

/**
 * Longest shard that is read in one request if all of it is selected. A longer one is decoded while more of
 * it arrives.
 */
const LARGEST_WHOLE = 8 << 20;
/** From this length on, a shard is read inner chunk by inner chunk if that costs no request. */
const SMALLEST_IN_PARTS = 1 << 20;

/**
 * Whether a shard can only be read whole: another codec is around it, or the store reads no ranges. Otherwise
 * the index is read, and then the inner chunks that are needed.
 */
export function mustReadWhole({ pipeline, values }: PreparedArray): boolean {
  return pipeline.wrapped || !values.readsRanges;
}

/**
 * Whether a shard that is selected completely is read in one request, instead of one for its index and more
 * for its inner chunks.
 * @param hasFreeParts whether its parts cost no requests, because a worker reads them
 */
export function readsShardWhole(byteLength: number, hasIndex: boolean, hasFreeParts: boolean): boolean {
  if (hasIndex || byteLength > LARGEST_WHOLE) return false;
  return byteLength < SMALLEST_IN_PARTS || !hasFreeParts;
}

/**
 * Larger values are left to the store's promises: one synchronous read after the other holds up everything
 * else.
 */
export const LARGEST_AT_ONCE = 16 << 20;
