/**
 * The sources of a shard's bytes: memory, a window in a larger shard, or a value of a store
 * (store-source.ts).
 */
import type { RangeSource } from "../../core/codecs/codec.js";
import { type Extent, resolveRange, sliceRange } from "../../core/stores/keys-and-ranges.js";
import type { RangeQuery } from "../../core/stores/store.js";
import type { Lease } from "../buffers.js";
import type { StoredParts } from "../chunk-workers.js";
import { moment } from "../exchange.js";
import { Freshness } from "./freshness.js";
import type { ValueIndexes } from "./index-cache.js";

/** The place of a shard's index in the cache. */
export interface ShardPlace {
  readonly indexes: ValueIndexes;
  /**
   * For a nested shard: its byte range in each shard around it, outermost first; empty for the value itself.
   */
  readonly nesting: string;
}

export interface ShardSource {
  /** Undefined if the index cannot be cached: the shard was decoded, or its version is not known. */
  readonly place: ShardPlace | undefined;
  /** Whether the index is cached or requested, so that reading it costs no further request. */
  readonly hasIndex: boolean;
  /** Whether the whole shard is in memory, so that reading costs nothing. */
  readonly inMemory: boolean;
  /** Byte length of the shard, if it is known yet. */
  readonly size: number | undefined;
  /** The version of all bytes read so far. */
  readonly freshness: Freshness;
  /** Reads the whole shard, perhaps into memory of `lease`; undefined if the value is missing. */
  whole(lease: Lease): Promise<Uint8Array | undefined>;
  /** Reads the first or the last `length` bytes; undefined if the value is missing. */
  edge(location: "start" | "end", length: number): Promise<Uint8Array | undefined>;
  /** Reads a range that concurrent reads may want too: they share the request. */
  shared(range: RangeQuery): Promise<Uint8Array | undefined>;
  /** Reads parts, in the given order. @throws ShardChanged when the value has vanished */
  parts(extents: readonly Extent[], lease: Lease): Promise<readonly Uint8Array[]>;
  /**
   * Byte ranges of parts in a value of the store, for workers to read; undefined if the store tells no
   * version or the shard is in memory.
   */
  stored(extents: readonly (Extent | undefined)[]): StoredParts | undefined;
}

/**
 * A shard that is completely in memory.
 * @param from the source of the bytes; undefined if they were decoded since
 */
export function memorySource(bytes: Uint8Array, from?: ShardSource): ShardSource {
  const { version = {} } = from?.freshness ?? {};
  // Without a version, the cached index may be of another version than these bytes.
  const place = version.version === undefined ? undefined : from?.place;
  const source: ShardSource = {
    place,
    hasIndex: true,
    inMemory: true,
    size: bytes.length,
    // For bytes in memory, nobody asks when they were requested.
    freshness: new Freshness(moment(), version),
    whole: async () => bytes,
    edge: async (location, length) =>
      sliceRange(bytes, location === "start" ? { offset: 0, length } : { suffixLength: length }),
    shared: async (range) => sliceRange(bytes, range),
    parts: async (extents) => extents.map((extent) => sliceRange(bytes, extent)),
    stored: () => undefined,
  };
  return source;
}

/** Reads ranges of a source into memory of a lease. */
export function leased(source: ShardSource, lease: Lease): RangeSource {
  return {
    edge: (location, length) => source.edge(location, length),
    parts: (extents) => source.parts(extents, lease),
  };
}

/** A shard that is an inner chunk of another shard. */
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
      return source.shared({ offset: location === "start" ? 0 : length - taken, length: taken });
    },
    shared: (range) => {
      const { start, end } = resolveRange(range, length);
      return outer.shared(shifted({ offset: start, length: end - start }));
    },
    parts: (extents, lease) => outer.parts(extents.map(shifted), lease),
    stored: (extents) => outer.stored(extents.map((extent) => extent && shifted(extent))),
  };
  return source;
}
