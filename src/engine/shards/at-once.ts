/**
 * Bands of a shard whose store answers at once: each inner chunk is read into the arena and decoded there while it is in the
 * second-level cache, in place of all of them into other memory first.
 */
import type { ChunkLocation } from "../../codecs/pipeline.js";
import type { Assembler } from "../assembler.js";
import type { Band, ChunkProjection } from "../bands.js";
import type { PreparedArray } from "../prepared.js";
import type { OpenShard, ShardPart } from "./assemble.js";
import { checkLength, extentOf } from "./locate.js";

/** Bytes of an inner chunk. Smaller ones are read together, which spares calls; larger ones hold up the event loop. */
const SMALLEST = 16 << 10;
const LARGEST = 16 << 20;

/** Whether inner chunks of a layout are read so, where the store can. */
export function isReadAtOnce({ remote }: PreparedArray, { layout: { inner } }: ShardPart): boolean {
  const { byteLength } = inner;
  return remote === undefined && !inner.asynchronous && byteLength >= SMALLEST && byteLength <= LARGEST;
}

/** @returns false, and nothing done, when the store does not answer at once */
export function assembleAtOnce(
  { kernels }: PreparedArray,
  { layout, window }: ShardPart,
  { source, index }: OpenShard,
  assembler: Assembler,
  band: Band,
  locate: (chunk: ChunkProjection) => ChunkLocation,
): boolean {
  const value = source.openNow?.();
  if (value === undefined) return false;
  try {
    const open = assembler.open(band);
    for (const chunk of band.chunks) {
      const extent = extentOf(layout, index, chunk);
      const mark = kernels.mark();
      const bytes = extent && value.read(extent, window.allocate ?? kernels.allocate);
      const at = locate(chunk);
      if (extent !== undefined) checkLength(bytes, extent, at);
      assembler.place(open, chunk, bytes, at, mark);
    }
    assembler.close(open);
  } finally {
    value.close();
  }
  return true;
}
