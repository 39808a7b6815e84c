/** Where the bytes of a shard are: memory, a window in a larger shard, or a value of a store (store-source.ts). */
import type { RangeSource } from "../../codecs/codec.js";
import type { ChunkLocation, ShardLayout } from "../../codecs/pipeline.js";
import { damaged, decodeIndex, indexScratch, type ShardIndex } from "../../codecs/sharding/index-table.js";
import { type Extent, sliceRange } from "../../stores/keys-and-ranges.js";
import type { Waiters } from "../../stores/request-queue.js";
import type { OpenValue } from "../../stores/store.js";
import { offsetOf } from "../assembler.js";
import type { ChunkProjection } from "../bands.js";
import type { PreparedArray, StoredParts } from "../prepared.js";
import { Lease } from "./buffers.js";
import { Freshness, moment } from "./freshness.js";
import type { Caller, KnownIndex, ValueIndexes } from "./index-cache.js";

/** Where the index of a shard is kept. */
export interface ShardPlace {
  readonly indexes: ValueIndexes;
  /** Of a nested shard: its byte range in each shard around it, from outside in; empty for the value itself. */
  readonly nesting: string;
}

export interface ShardSource {
  /** Undefined where it cannot be kept: the shard was decoded, or nobody knows of which version it is. */
  readonly place: ShardPlace | undefined;
  /** Whether its index is there or under way, so that reading it costs no request of its own. */
  readonly hasIndex: boolean;
  /** Whether all of it is in memory, so that reading costs nothing. */
  readonly inMemory: boolean;
  /** Bytes of the shard, where that is known by now. */
  readonly size: number | undefined;
  /** Of all bytes read so far: which version they are of. */
  readonly freshness: Freshness;
  /** All of it, in memory that may be `lease`'s; undefined when there is no such value. */
  whole(lease: Lease): Promise<Uint8Array | undefined>;
  /** The first or the last bytes. */
  edge(location: "start" | "end", length: number): Promise<Uint8Array | undefined>;
  /** Parts of it, in the order asked for. @throws ShardChanged when the value has vanished */
  parts(extents: readonly Extent[], lease: Lease): Promise<readonly Uint8Array[]>;
  /** Where parts of it stand in a value of the store, for somebody else to read; undefined where that cannot be said. */
  stored(extents: readonly (Extent | undefined)[]): StoredParts | undefined;
  /** Opens it for reading parts at once, where its store can. @throws ShardChanged when other parts are of another version */
  openNow?(): OpenValue | undefined;
  /** The same place and version, for a fetch that outlives this read. */
  detached(waiters: Waiters): ShardSource;
}

/** All bytes of a shard. @param from where they were read from; undefined when they were decoded since then */
export function memorySource(bytes: Uint8Array, from?: ShardSource): ShardSource {
  const { version = {} } = from?.freshness ?? {};
  // Without a version what is kept may be of another one.
  const place = version.version === undefined ? undefined : from?.place;
  const source: ShardSource = {
    place,
    hasIndex: true,
    inMemory: true,
    size: bytes.length,
    // Of bytes that are there nobody asks when they were asked for.
    freshness: new Freshness(moment(), version),
    whole: async () => bytes,
    edge: async (location, length) =>
      sliceRange(bytes, location === "start" ? { offset: 0, length } : { suffixLength: length }),
    parts: async (extents) => extents.map((extent) => sliceRange(bytes, extent)),
    stored: () => undefined,
    detached: () => source,
  };
  return source;
}

/** The ranges of a source, in memory of a lease's. */
export function leased(source: ShardSource, lease: Lease): RangeSource {
  return {
    edge: (location, length) => source.edge(location, length),
    parts: (extents) => source.parts(extents, lease),
  };
}

/** A shard that is an inner chunk of another. */
export function windowSource(outer: ShardSource, { offset, length }: Extent): ShardSource {
  const { place } = outer;
  const nesting = `${place?.nesting}/${offset}+${length}`;
  const shifted = (extent: Extent): Extent => ({ offset: offset + extent.offset, length: extent.length });
  const one = async (extent: Extent, lease: Lease): Promise<Uint8Array | undefined> =>
    (await outer.parts([shifted(extent)], lease))[0];
  const source: ShardSource = {
    place: place && { indexes: place.indexes, nesting },
    get hasIndex() {
      return outer.inMemory || (place?.indexes.has(nesting) ?? false);
    },
    inMemory: outer.inMemory,
    size: length,
    freshness: outer.freshness,
    whole: (lease) => one({ offset: 0, length }, lease),
    edge(location, wanted) {
      const taken = Math.min(wanted, length);
      return one({ offset: location === "start" ? 0 : length - taken, length: taken }, new Lease());
    },
    parts: (extents, lease) => outer.parts(extents.map(shifted), lease),
    stored: (extents) => outer.stored(extents.map((extent) => extent && shifted(extent))),
    detached: (waiters) => windowSource(outer.detached(waiters), { offset, length }),
  };
  return source;
}

// Where inner chunks are: in their shard, and in the whole array.
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
  const { key, maximumDecodedBytes } = at;
  return { key, chunk: chunk.map((index, d) => (first[d] ?? 0) + index), maximumDecodedBytes };
}

/** Undefined when there is no such shard. @throws ShardChanged, CodecError, StoreError */
export async function readIndex(
  layout: ShardLayout,
  source: ShardSource,
  at: ChunkLocation,
  { kernels }: PreparedArray,
  caller: Caller,
): Promise<ShardIndex | undefined> {
  const { indexByteLength, indexLocation } = layout;
  const fetch = async (from: ShardSource): Promise<KnownIndex> => {
    const now = moment();
    const bytes = await from.edge(indexLocation, indexByteLength);
    const { version, asked = now } = from.freshness;
    if (bytes === undefined) return { index: undefined, version, asked };
    kernels.begin(indexScratch(layout));
    const index = decodeIndex(layout, bytes, from.size, kernels, at);
    return { index, version, asked };
  };
  const { place } = source;
  if (place === undefined) return (await fetch(source)).index;
  const { indexes, nesting } = place;
  if (source.inMemory) {
    const known = indexes.find(nesting) ?? (await fetch(source));
    indexes.keep(nesting, known);
    return known.index;
  }
  const known = await indexes.get(nesting, caller, (own) => fetch(source.detached(own)));
  source.freshness.agree(known.version, known.asked);
  return known.index;
}
