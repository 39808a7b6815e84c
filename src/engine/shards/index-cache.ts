/**
 * Caches the indexes of a store's shards, while there is room. A read must compare versions before it uses a
 * cached index: see freshness.ts.
 */

import { BoundedCache } from "../../base/bounded-cache.js";
import type { ShardIndex } from "../../core/codecs/sharding/index-table.js";
import { storageOf } from "../../core/stores/storage-identity.js";
import type { Store } from "../../core/stores/store.js";
import type { ToldVersion } from "../exchange.js";
import { tellIndexes } from "./known-indexes.js";

/** Most bytes of indexes kept for each store: a million inner chunks. */
const CAPACITY = 16 << 20;

export interface KnownIndex {
  readonly index: ShardIndex;
  /** Version of the value from which the index was read. */
  readonly version: ToldVersion;
  /** The moment of the oldest request for it. */
  readonly asked: number;
}

export class IndexCache {
  readonly #values = new BoundedCache<string, ValueIndexes>({ bytes: CAPACITY });

  /** The cached indexes of a value; if `version` is given, only those of that version. */
  find(key: string, { version }: ToldVersion): ValueIndexes | undefined {
    const kept = this.#values.peek(key);
    return version === undefined || kept?.version.version === version ? kept : undefined;
  }

  /** As `find`, or else an empty entry, which replaces the cached one when the first index is put into it. */
  of(key: string, version: ToldVersion): ValueIndexes {
    return this.find(key, version) ?? new ValueIndexes(this, key, version);
  }

  /**
   * Drops the indexes of a value and of its nested shards, because the value changed. With `only`, drops
   * nothing but that entry.
   */
  forget(key: string, only = this.#values.peek(key)): void {
    if (only !== undefined && this.#values.peek(key) === only) this.#values.delete(key);
  }

  /** Caches the indexes of a value, and drops those of any other version. */
  put(value: ValueIndexes): void {
    this.#values.set(value.key, value, value.byteLength);
  }

  /** Marks the indexes of a value as used last, if they are still cached. */
  touch(value: ValueIndexes): void {
    if (this.#values.peek(value.key) === value) this.#values.get(value.key);
  }

  /**
   * Counts the bytes of a value's indexes again after one has arrived. If they are more than the bound, the
   * value is dropped.
   */
  grown(value: ValueIndexes): void {
    if (this.#values.peek(value.key) === value) this.put(value);
  }
}

/** The indexes of one version of a value: of the shard itself, and of nested shards. */
export class ValueIndexes {
  readonly key: string;
  readonly #cache: IndexCache;
  /** By nesting; the empty string is the shard itself. */
  readonly #entries = new Map<string, KnownIndex>();
  #version: ToldVersion;
  #byteLength = 0;
  #isNew = true;

  constructor(cache: IndexCache, key: string, version: ToldVersion) {
    this.#cache = cache;
    this.key = key;
    this.#version = version;
  }

  /** The version, as far as it is known yet. */
  get version(): ToldVersion {
    return this.#version;
  }
  get byteLength(): number {
    return this.#byteLength;
  }

  has(nesting: string): boolean {
    return this.#entries.has(nesting);
  }

  find(nesting: string): KnownIndex | undefined {
    this.#cache.touch(this);
    return this.#entries.get(nesting);
  }

  keep(nesting: string, known: KnownIndex): void {
    if (this.#entries.has(nesting)) return;
    this.#entries.set(nesting, known);
    if (nesting === "") this.#version = known.version;
    // Only the first time: if the cache dropped this entry since, a newer version is known.
    if (this.#isNew) this.#cache.put(this);
    this.#isNew = false;
    this.#byteLength += known.index.offsets.byteLength + known.index.lengths.byteLength;
    this.#cache.grown(this);
  }
}

const caches = new WeakMap<object, IndexCache>();

/** The cache of a store's place: all stores of that place share it. */
export function indexesOf(store: Store): IndexCache {
  const place = storageOf(store);
  const indexes = caches.get(place);
  if (indexes === undefined) {
    const cache = new IndexCache();
    caches.set(place, cache);
    tellIndexes(place, {
      has: (key) => cache.find(key, {}) !== undefined,
      forget: (key) => cache.forget(key),
    });
    return cache;
  }
  return indexes;
}
