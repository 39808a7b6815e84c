/** The index of a shard, read from its source or known already, and the inner chunks by it. */
import { at } from "../../base/at.js";
import type { ChunkLocation, ShardLayout } from "../../core/codecs/pipeline.js";
import { damaged, decodeIndex, type ShardIndex } from "../../core/codecs/sharding/index-table.js";
import type { Extent } from "../../core/stores/keys-and-ranges.js";
import { offsetOf } from "../assembler.js";
import type { ChunkProjection } from "../bands.js";
import { moment } from "../exchange.js";
import type { PreparedArray } from "../prepared.js";
import type { ShardSource } from "./source.js";

/** Byte range of an inner chunk in its shard; undefined if it is missing. */
export function extentOf(
  layout: ShardLayout,
  index: ShardIndex,
  { chunk }: ChunkProjection,
): Extent | undefined {
  const position = offsetOf(chunk, layout.gridStrides);
  const length = at(index.lengths, position);
  return length < 0 ? undefined : { offset: at(index.offsets, position), length };
}

/** @throws CodecError when bytes of an inner chunk are missing */
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

/**
 * The cached index of a shard.
 * @throws ShardChanged if it is of another version than what was read before
 */
export function knownIndex({ place, inMemory, freshness }: ShardSource): ShardIndex | undefined {
  const { indexes, nesting = "" } = place ?? {};
  const known = indexes?.find(nesting);
  if (known !== undefined && !inMemory) freshness.agree(known.version, known.asked);
  return known?.index;
}

/** Decodes an index that was read, and caches it. @throws CodecError */
export function keepIndex(
  layout: ShardLayout,
  { place, size, freshness }: ShardSource,
  bytes: Uint8Array,
  now: number,
  at: ChunkLocation,
  { kernels }: Pick<PreparedArray, "kernels">,
): ShardIndex {
  const index = decodeIndex(layout, bytes, size, kernels, at);
  const { version, asked = now } = freshness;
  place?.indexes.keep(place.nesting, { index, version, asked });
  return index;
}

/**
 * Reads the index, from the cache if possible; undefined if the shard is missing.
 * @throws ShardChanged, CodecError, StoreError
 */
export async function readIndex(
  layout: ShardLayout,
  source: ShardSource,
  at: ChunkLocation,
  array: Pick<PreparedArray, "kernels">,
): Promise<ShardIndex | undefined> {
  const known = knownIndex(source);
  if (known !== undefined) return known;
  const now = moment();
  const bytes = await source.edge(layout.indexLocation, layout.indexByteLength);
  return bytes && keepIndex(layout, source, bytes, now, at, array);
}
