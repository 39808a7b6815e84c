/** The indexes of shards: read once, and again when the shard is another one. */
import { float64At, noItem, numberAt } from "../../base/at.js";
import { BoundedCache } from "../../base/bounded-cache.js";
import type { Kernels } from "../../kernels/kernels.js";
import type { ShardLayout } from "../codecs/pipeline.js";
import { decodeIndex, type ShardIndex } from "../codecs/sharding/index-table.js";
import { type Extent, sliceRange } from "../stores/keys-and-ranges.js";
import { storageOf } from "../stores/storage-identity.js";
import type { Store } from "../stores/store.js";
import { after } from "./awaitable.js";
import { tellIndexes } from "./known-indexes.js";
import type { Awaitable, ChunkSource, Coordinates, Parts, RangeQuery, Requests } from "./ports.js";

/** An index, and the version of the shard that it is of. */
export interface KnownIndex {
  readonly index: ShardIndex;
  readonly of: Omit<Parts, "parts">;
  /** Whether it was read before, for another read: the shard may have been replaced since. */
  readonly isKept: boolean;
  /** The read that found it. */
  readonly readBy: number;
}

/** The shard is another one than that of the index. */
export const CHANGED: unique symbol = Symbol("changed");

/** A shard that is replaced again and again is read by its index so often, and then as a whole. */
const ATTEMPTS = 2;

export interface ShardIndexes {
  /**
   * Whether an index is known for sure: a whole shard is read again if nothing shows that it still has it.
   */
  has(shard: Coordinates): boolean;
  /**
   * Runs `use` with the index of a shard. If that finds another shard, runs it again, with an index that is
   * read anew, and in the end `replaced`.
   * @returns undefined if the shard is missing
   * @throws CodecError, StoreError
   */
  with<T>(
    shard: Coordinates,
    requests: Requests,
    use: (known: KnownIndex) => Awaitable<T | typeof CHANGED>,
    replaced: () => Awaitable<T | undefined>,
  ): Awaitable<T | undefined>;
  /**
   * @returns whether an index was dropped that another read found, and whose version is not known for sure
   */
  forget(shard: Coordinates, requests: Requests): boolean;
  /** Keeps the index of a shard that was read as a whole. @returns the index @throws CodecError */
  keep(shard: Coordinates, whole: Parts, requests: Requests): ShardIndex;
}

/** By name of the shard: its key, and where it is if shards nest. */
export type IndexCache = BoundedCache<string, KnownIndex>;

/** Most bytes of indexes kept for each store: a million inner chunks. */
const MOST_BYTES = 16 << 20;

const caches = new WeakMap<object, IndexCache>();

/** The indexes of a store: all arrays of the place share them, and forget what is written through others. */
export function indexesOf(store: Store): IndexCache {
  const place = storageOf(store);
  let cache = caches.get(place);
  if (cache === undefined) {
    cache = new BoundedCache({ bytes: MOST_BYTES });
    caches.set(place, cache);
    const known = cache;
    tellIndexes(place, { has: (key) => known.peek(key) !== undefined, forget: (key) => known.delete(key) });
  }
  return cache;
}

/** @param depth how many shards are around these */
export function shardIndexes(
  shards: ChunkSource,
  layout: ShardLayout,
  kernels: Kernels,
  cache: IndexCache,
  depth: number,
): ShardIndexes {
  const range = indexRange(layout);
  const nameOf = (shard: Coordinates): string => {
    const { key } = shards.locate(shard);
    return depth === 0 ? key : `${key} ${depth} ${shard.join()}`;
  };
  /** Arrays that were opened before and after a shard's document was replaced have other layouts. */
  const known = (name: string): KnownIndex | undefined => {
    const found = cache.get(name);
    return found?.index.lengths.length === layout.innerCount ? found : undefined;
  };
  const decoded = (
    shard: Coordinates,
    bytes: Uint8Array,
    answer: Parts,
    { id: readBy }: Requests,
  ): KnownIndex => {
    const { byteLength, version, isCertain } = answer;
    const index = decodeIndex(layout, bytes, byteLength, kernels, shards.locate(shard));
    const kept = { index, of: { byteLength, version, isCertain }, isKept: true, readBy };
    cache.set(nameOf(shard), kept, index.offsets.byteLength + index.lengths.byteLength);
    return kept;
  };
  const find = (
    shard: Coordinates,
    requests: Requests,
    isShared: boolean,
  ): Awaitable<KnownIndex | undefined> => {
    const name = nameOf(shard);
    const kept = known(name);
    if (kept !== undefined) return kept;
    const ask = () => shards.parts(shard, [range], requests, { isShared });
    return after(requests.once(name, ask), (answer) => {
      const [bytes] = answer?.parts ?? [];
      if (answer === undefined || bytes === undefined) return undefined;
      const { index, of, readBy } = decoded(shard, bytes, answer, requests);
      return { index, of, isKept: false, readBy };
    });
  };
  return {
    has: (shard) => known(nameOf(shard))?.of.isCertain === true,
    with(shard, requests, use, replaced) {
      const attempt = (left: number): ReturnType<typeof replaced> =>
        after(find(shard, requests, left === ATTEMPTS - 1), (found) => {
          if (found === undefined) return undefined;
          return after(use(found), (result) => {
            if (result !== CHANGED) return result;
            cache.delete(nameOf(shard));
            return left > 0 ? attempt(left - 1) : replaced();
          });
        });
      return attempt(ATTEMPTS - 1);
    },
    keep(shard, whole, requests) {
      const [bytes = noItem(whole.parts, 0)] = whole.parts;
      return decoded(shard, sliceRange(bytes, range), whole, requests).index;
    },
    forget(shard, { id }) {
      const name = nameOf(shard);
      const kept = cache.peek(name);
      return cache.delete(name) && kept?.of.isCertain === false && kept.readBy !== id;
    },
  };
}

/** Where the encoded index is in a shard. */
export function indexRange({ indexLocation, indexByteLength: length }: ShardLayout): RangeQuery {
  return indexLocation === "start" ? { offset: 0, length } : { suffixLength: length };
}

/** Whether an answer is of the shard that the index is of. */
export function isOfVersion({ of }: KnownIndex, { version, byteLength }: Parts): boolean {
  const isSameLength =
    of.byteLength === undefined || byteLength === undefined || of.byteLength === byteLength;
  return of.version === version && isSameLength;
}

/** The place of an inner chunk in its shard; undefined if it is missing. */
export function extentOf(
  { gridShape, gridStrides }: ShardLayout,
  { offsets, lengths }: ShardIndex,
  chunk: Coordinates,
): Extent | undefined {
  let entry = 0;
  for (let d = 0; d < chunk.length; d++) {
    const inShard = numberAt(chunk, d) % numberAt(gridShape, d);
    entry += inShard * numberAt(gridStrides, d);
  }
  const length = float64At(lengths, entry);
  return length < 0 ? undefined : { offset: float64At(offsets, entry), length };
}
