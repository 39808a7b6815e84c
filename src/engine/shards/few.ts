/** Reading single elements of large inner chunks by their ranges, where the window has something that can. */
import { eachBand } from "../bands.js";
import { forEach } from "../concurrency.js";
import type { OpenShard, ShardPart } from "./assemble.js";
import { Lease } from "./buffers.js";
import { chunksOf, extentOf, innerLocation } from "./locate.js";
import { leased, windowSource } from "./source.js";

/** Inner chunks of fewer bytes are read whole: a request more costs as much. */
const LARGE_BYTES = 128 << 10;

/** Whether single elements are wanted of inner chunks that should be large: nobody knows before the index is there. */
export function isFew({ layout, selection, plan, window }: ShardPart): boolean {
  return (
    layout.inner.byteLength >= LARGE_BYTES &&
    window.few?.(layout.inner, selection, plan.chunkCount) !== undefined
  );
}

/** @returns false, and nothing done, where whole inner chunks are the better choice */
export async function readFew(
  { layout, selection, plan, window, at }: ShardPart,
  { source, index }: OpenShard,
  concurrency: number,
): Promise<boolean> {
  const read = window.few?.(layout.inner, selection, plan.chunkCount);
  if (read === undefined) return false;
  let encoded = 0;
  for (const { chunks } of eachBand(plan)) {
    for (const chunk of chunks) encoded += extentOf(layout, index, chunk)?.length ?? 0;
  }
  if (encoded < plan.chunkCount * LARGE_BYTES) return false;
  await forEach(chunksOf(eachBand(plan)), concurrency, async (chunk) => {
    const extent = extentOf(layout, index, chunk);
    const inner = extent && windowSource(source, extent);
    const lease = new Lease();
    try {
      await read(inner && leased(inner, lease), chunk, window, innerLocation(layout, chunk, at));
    } finally {
      lease.release();
    }
  });
  return true;
}
