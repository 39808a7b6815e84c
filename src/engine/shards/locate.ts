/** Where inner chunks are: in their shard, and in the whole array. */
import type { ChunkLocation, ShardLayout } from "../../codecs/pipeline.js";
import { damaged, type ShardIndex } from "../../codecs/sharding/index-table.js";
import type { Extent } from "../../stores/coalesce.js";
import { offsetOf } from "../assembler.js";
import type { Band, ChunkProjection } from "../bands.js";

/** Where an inner chunk lies in its shard; undefined when it is not there. */
export function extentOf(
  layout: ShardLayout,
  index: ShardIndex,
  { chunk }: ChunkProjection,
): Extent | undefined {
  const position = offsetOf(chunk, layout.gridStrides);
  const length = index.lengths[position] ?? -1;
  return length < 0 ? undefined : { offset: index.offsets[position] ?? 0, length };
}

/** @throws CodecError when the bytes of an inner chunk are not there */
export function checkLength(
  bytes: Uint8Array | undefined,
  { offset, length }: Extent,
  at: ChunkLocation,
): void {
  const got = bytes?.length ?? 0;
  if (got === length) return;
  throw damaged(
    `expected ${length} bytes at ${offset} of the shard, got ${got}: it is truncated or changed`,
    at,
  );
}

/** For errors: the key of the shard, and the inner chunk's coordinates in the whole array. */
export function innerLocation(
  layout: ShardLayout,
  { chunk }: ChunkProjection,
  at: ChunkLocation,
): ChunkLocation {
  const first = at.firstInner ?? at.chunk.map((index, d) => index * (layout.gridShape[d] ?? 1));
  return { key: at.key, chunk: chunk.map((index, d) => (first[d] ?? 0) + index) };
}

/** The chunks of bands, as forEach takes them. */
export async function* chunksOf(bands: Iterable<Band>): AsyncGenerator<ChunkProjection> {
  for (const { chunks } of bands) yield* chunks;
}

export async function* bandsOf(bands: Iterable<Band>): AsyncGenerator<Band> {
  yield* bands;
}
