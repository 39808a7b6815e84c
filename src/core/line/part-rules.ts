/**
 * Decides of which chunks only parts are read. The rules and their measured limits are here; part-chunks.ts
 * reads what is decided.
 *
 * A range saves bytes, and costs a request, a file that is opened, or the store's cache. So parts are read
 * where the store says that they are cheap (files). Over a network, ranges cost browsers a preflight and
 * their cache, and reading half a chunk into new memory takes as long as reading a whole chunk into memory
 * that was used before.
 */

import { cOrderStrides } from "../../base/shape.js";
import type { PreparedArray } from "./prepared.js";

/** Smaller chunks in files are read in less time than it takes to open them. */
const SMALLEST_PLAIN = 32 << 10;

/** Whether only the bytes that a selection spans are read of an uncompressed chunk. */
export function readsSpans({
  values,
  pipeline,
  metadata,
}: Pick<PreparedArray, "values" | "pipeline" | "metadata">): boolean {
  const isPlain = pipeline.asStored && !pipeline.wrapped;
  const isFixed = pipeline.encodedByteLength === pipeline.byteLength && metadata.dataType.itemSize > 0;
  return values.kind === "files" && isPlain && isFixed && pipeline.byteLength >= SMALLEST_PLAIN;
}

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
/**
 * Whether a compressed chunk may be read by the blocks that a selection needs: `neededRanges` of its codec.
 */
export function readsBlocks({ values, pipeline }: PreparedArray): boolean {
  const { decodeRange, neededRanges, byteLength } = pipeline;
  return Boolean(values.kind === "files" && decodeRange && neededRanges) && byteLength >= SMALLEST_COMPRESSED;
}
