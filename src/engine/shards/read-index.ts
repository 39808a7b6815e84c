/** The index of a shard: read and decoded once for all that read the store, as long as the shard stays what it was. */
import type { ChunkLocation, ShardLayout } from "../../codecs/prepared-pipeline.js";
import { decodeIndex, indexScratch, type ShardIndex } from "../../codecs/sharding/index-table.js";
import type { PreparedArray } from "../prepared.js";
import type { KnownIndex } from "./index-cache.js";
import type { ShardSource } from "./source.js";
import { stateOf } from "./store-state.js";

/** Undefined when there is no such shard. @throws ShardChanged, CodecError, StoreError */
export async function readIndex(
  layout: ShardLayout,
  source: ShardSource,
  at: ChunkLocation,
  { kernels, store }: PreparedArray,
  signal: AbortSignal,
): Promise<ShardIndex | undefined> {
  const { indexByteLength, indexLocation } = layout;
  const fetch = async (from: ShardSource): Promise<KnownIndex | undefined> => {
    const bytes = await from.edge(indexLocation, indexByteLength);
    if (bytes === undefined) return undefined;
    kernels.begin(indexScratch(layout));
    return { index: decodeIndex(layout, bytes, from.size, kernels, at), version: from.version };
  };
  const { place } = source;
  if (place === undefined) return (await fetch(source))?.index;
  const { indexes } = stateOf(store);
  if (source.inMemory) {
    const kept = indexes.find(place, source.version);
    if (kept !== undefined) return kept;
    const known = await fetch(source);
    if (known !== undefined) indexes.keep(place, known);
    return known?.index;
  }
  const known = await indexes.get(place, signal, (own) => fetch(source.detached(own)));
  if (known !== undefined) source.agree(known.version);
  return known?.index;
}
