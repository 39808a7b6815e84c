/** Reads single elements of long inner chunks by byte ranges, if the window has a reader for them. */
import type { ShardLayout } from "../../core/codecs/pipeline.js";
import type { DimensionSelection } from "../../grid/selection.js";
import type { ResultWindow } from "../assembler.js";
import { eachChunk } from "../bands.js";
import { withLease } from "../buffers.js";
import { forEach } from "../concurrency.js";
import { isLongEnough } from "../whole-or-ranges.js";
import type { IndexedShard, ShardPart } from "./inner-chunks.js";
import { innerLocation } from "./inner-location.js";
import { extentOf } from "./read-index.js";
import { leased, windowSource } from "./source.js";

/**
 * Whether single elements are selected of inner chunks that are probably large; their encoded length is known
 * only from the index.
 */
export function isSparse(
  { inner }: ShardLayout,
  selection: readonly DimensionSelection[],
  chunkCount: number,
  { sparse }: ResultWindow,
): boolean {
  return isLongEnough(inner.byteLength) && sparse?.(inner, selection, chunkCount) !== undefined;
}

/** @returns false, without reading anything, if whole inner chunks should be read */
export async function readSparse(
  { layout, selection, plan, window, at }: ShardPart,
  { source, index }: IndexedShard,
  concurrency: number,
): Promise<boolean> {
  const read = window.sparse?.(layout.inner, selection, plan.chunkCount);
  if (read === undefined) return false;
  let encoded = 0;
  for (const chunk of eachChunk(plan)) encoded += extentOf(layout, index, chunk)?.length ?? 0;
  if (!isLongEnough(encoded / plan.chunkCount)) return false;
  await forEach(eachChunk(plan), concurrency, async (chunk) => {
    const extent = extentOf(layout, index, chunk);
    const inner = extent && windowSource(source, extent);
    await withLease((lease) =>
      read(inner && leased(inner, lease), chunk, window, innerLocation(layout, chunk, at)),
    );
  });
  return true;
}
