/**
 * Caches the indexes of a store's shards. Each index is fetched once, shared by all reads that want it at the same time, and kept
 * while the cache has room.
 *
 * A read must compare versions before it uses a cached index: see freshness.ts.
 */

import { BoundedCache } from "../../bounded-cache.js";
import type { ShardIndex } from "../../codecs/sharding/index-table.js";
import { type Priority, Waiters } from "../../stores/request-queue.js";
import { storageOf } from "../../stores/storage-identity.js";
import type { Store } from "../../stores/store.js";
import { Request } from "../shared-gets.js";
import type { ShardVersion } from "./freshness.js";

/** Most bytes of indexes kept for each store: a million inner chunks. */
const CAPACITY = 16 << 20;

export interface KnownIndex {
  /** Undefined if the shard is missing. */
  readonly index: ShardIndex | undefined;
  /** Version of the value from which the index was read. */
  readonly version: ShardVersion;
  /** The moment when it was requested. */
  readonly asked: number;
}

/** A read that wants an index. */
export interface Caller {
  readonly signal: AbortSignal;
  readonly priority?: Priority | undefined;
}

/** @param waiters all reads that wait for the index; their signal aborts when none of them waits any more */
type Fetch = (waiters: Waiters) => Promise<KnownIndex>;

interface Entry {
  readonly request: Request<KnownIndex>;
  /** Set when the index has arrived. */
  known: KnownIndex | undefined;
}

export class IndexCache {
  readonly #values = new BoundedCache<string, ValueIndexes>({ bytes: CAPACITY });

  /** The cached indexes of a value; if `version` is given, only those of that version. */
  find(key: string, { version }: ShardVersion): ValueIndexes | undefined {
    const kept = this.#values.peek(key);
    return version === undefined || kept?.version.version === version ? kept : undefined;
  }

  /** As `find`, or else an empty entry, which replaces the cached one when the first index is put into it. */
  of(key: string, version: ShardVersion): ValueIndexes {
    return this.find(key, version) ?? new ValueIndexes(this, key, version);
  }

  /** Drops the indexes of a value and of its nested shards, because the value changed. With `only`, drops nothing but that entry. */
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

  /** Counts the bytes of a value's indexes anew after one has arrived. If they are more than the bound, the value is dropped. */
  grown(value: ValueIndexes): void {
    if (this.#values.peek(value.key) === value) this.put(value);
  }
}

/** The indexes of one version of a value: of the shard itself, and of nested shards. */
export class ValueIndexes {
  readonly key: string;
  readonly #cache: IndexCache;
  /** By nesting; the empty string is the shard itself. */
  readonly #entries = new Map<string, Entry>();
  #version: ShardVersion;
  #byteLength = 0;
  #isNew = true;

  constructor(cache: IndexCache, key: string, version: ShardVersion) {
    this.#cache = cache;
    this.key = key;
    this.#version = version;
  }

  /** The version, as far as it is known yet. */
  get version(): ShardVersion {
    return this.#version;
  }
  get byteLength(): number {
    return this.#byteLength;
  }

  /** Whether an index is cached or requested, so that reading it costs no further request. */
  has(nesting: string): boolean {
    return this.#entries.has(nesting);
  }

  /** Returns an index that has arrived. */
  find(nesting: string): KnownIndex | undefined {
    return this.#entries.get(nesting)?.known;
  }

  /** Caches an index that was read with its whole shard. */
  keep(nesting: string, known: KnownIndex): void {
    if (this.find(nesting) === undefined) this.#add(nesting, async () => known);
  }

  /** @param fetch gets and decodes the index */
  async get(nesting: string, { signal, priority }: Caller, fetch: Fetch): Promise<KnownIndex> {
    signal.throwIfAborted();
    const entry = this.#entries.get(nesting) ?? this.#add(nesting, fetch, priority);
    this.#cache.touch(this);
    return entry.known ?? entry.request.wait(signal, priority);
  }

  #add(nesting: string, fetch: Fetch, priority?: Priority): Entry {
    const waiters = new Waiters(priority);
    const fetched = fetch(waiters).then((known) => {
      // A missing shard is not cached, because other processes may write it at any time.
      if (known.index !== undefined && this.#entries.get(nesting) === entry)
        this.#arrived(nesting, entry, known, known.index);
      return known;
    });
    const forget = (): void => {
      if (entry.known === undefined) this.#remove(nesting, entry);
    };
    const entry: Entry = { request: new Request(fetched, waiters, forget), known: undefined };
    this.#entries.set(nesting, entry);
    // Only the first time: if the cache dropped this entry since, a newer version is known.
    if (this.#isNew) this.#cache.put(this);
    this.#isNew = false;
    return entry;
  }

  #arrived(nesting: string, entry: Entry, known: KnownIndex, { offsets, lengths }: ShardIndex): void {
    entry.known = known;
    if (nesting === "") this.#version = known.version;
    this.#byteLength += offsets.byteLength + lengths.byteLength;
    this.#cache.grown(this);
  }

  /** Removes an index that has not arrived, unless another entry has replaced it. */
  #remove(nesting: string, entry: Entry): void {
    if (this.#entries.get(nesting) !== entry) return;
    this.#entries.delete(nesting);
    if (this.#entries.size === 0) this.#cache.forget(this.key, this);
  }
}

const caches = new WeakMap<object, IndexCache>();

/** The cache of a store's place: all stores of that place share it. */
export function indexesOf(store: Store): IndexCache {
  const place = storageOf(store);
  let indexes = caches.get(place);
  if (indexes === undefined) {
    indexes = new IndexCache();
    caches.set(place, indexes);
  }
  return indexes;
}
