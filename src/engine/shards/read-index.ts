/** The index of a shard: read and decoded once for all that read the store, as long as the shard stays what it was. */
import type { ChunkLocation, ShardLayout } from "../../codecs/pipeline.js";
import { decodeIndex, indexScratch, type ShardIndex } from "../../codecs/sharding/index-table.js";
import type { PreparedArray } from "../prepared.js";
import { moment } from "./freshness.js";
import type { KnownIndex } from "./index-cache.js";
import type { ShardSource } from "./source.js";

/** Undefined when there is no such shard. @throws ShardChanged, CodecError, StoreError */
export async function readIndex(
  layout: ShardLayout,
  source: ShardSource,
  at: ChunkLocation,
  { kernels }: PreparedArray,
  signal: AbortSignal,
): Promise<ShardIndex | undefined> {
  const { indexByteLength, indexLocation } = layout;
  const fetch = async (from: ShardSource): Promise<KnownIndex> => {
    const asked = moment();
    const bytes = await from.edge(indexLocation, indexByteLength);
    if (bytes === undefined) return { index: undefined, version: from.version, asked };
    kernels.begin(indexScratch(layout));
    const index = decodeIndex(layout, bytes, from.size, kernels, at);
    return { index, version: from.version, asked };
  };
  const { place } = source;
  if (place === undefined) return (await fetch(source)).index;
  const { indexes, nesting } = place;
  if (source.inMemory) {
    const known = indexes.find(nesting) ?? (await fetch(source));
    indexes.keep(nesting, known);
    return known.index;
  }
  const known = await indexes.get(nesting, signal, (own) => fetch(source.detached(own)));
  source.agree(known.version, known.asked);
  return known.index;
}
