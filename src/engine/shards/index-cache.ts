/**
 * Indexes of the shards in one store: each is fetched once, shared by all reads that want it at the same time, and kept while
 * there is room.
 *
 * Nobody may use what is kept without comparing versions: see freshness.ts.
 */

import type { ShardIndex } from "../../codecs/sharding/index-table.js";
import { type Priority, Waiters } from "../../stores/request-queue.js";
import { placeOf } from "../../stores/storage-identity.js";
import type { Store } from "../../stores/store.js";
import { Request } from "../shared-gets.js";
import type { ShardVersion } from "./freshness.js";

/** Bytes of indexes kept per store: a million inner chunks. */
const CAPACITY = 16 << 20;

export interface KnownIndex {
  /** Undefined where there is no such shard. */
  readonly index: ShardIndex | undefined;
  /** Of the value that it was read from. */
  readonly version: ShardVersion;
  /** The moment when it was asked for. */
  readonly asked: number;
}

/** A read that wants an index. */
export interface Caller {
  readonly signal: AbortSignal;
  readonly priority?: Priority | undefined;
}

/** @param waiters all who want it by then; their signal aborts when none of them waits any more */
type Fetch = (waiters: Waiters) => Promise<KnownIndex>;

interface Entry {
  readonly request: Request<KnownIndex>;
  /** Set once it has arrived. */
  known: KnownIndex | undefined;
}

export class IndexCache {
  /** By key, in order of last use. */
  readonly #values = new Map<string, ValueIndexes>();
  #byteLength = 0;

  /** What is kept of a value; where `version` is told, of that version alone. */
  find(key: string, { version }: ShardVersion): ValueIndexes | undefined {
    const kept = this.#values.get(key);
    return version === undefined || kept?.version.version === version ? kept : undefined;
  }

  /** `find`, or an empty one, which takes the place of what is kept with the first index that is put into it. */
  of(key: string, version: ShardVersion): ValueIndexes {
    return this.find(key, version) ?? new ValueIndexes(this, key, version);
  }

  /** Drops the indexes of a value, those of nested shards included, because the value changed; with `only`, unless others have taken their place. */
  forget(key: string, only = this.#values.get(key)): void {
    if (only === undefined || this.#values.get(key) !== only) return;
    this.#values.delete(key);
    this.#byteLength -= only.byteLength;
  }

  /** Keeps the indexes of a value in place of those of any other version. */
  put(value: ValueIndexes): void {
    this.forget(value.key);
    this.#values.set(value.key, value);
  }

  /** Takes note that the indexes of a value are used, unless they are not kept any more. */
  touch(value: ValueIndexes): void {
    if (this.#values.get(value.key) !== value) return;
    this.#values.delete(value.key);
    this.#values.set(value.key, value);
  }

  /** Takes note of how many bytes the indexes of a value have become. */
  grow(value: ValueIndexes, byteLength: number): void {
    if (this.#values.get(value.key) !== value) return;
    this.#byteLength += byteLength;
    for (const key of this.#values.keys()) {
      if (this.#byteLength <= CAPACITY) return;
      this.forget(key);
    }
  }
}

/** The indexes of one version of a value: its own, and those of the shards in it. */
export class ValueIndexes {
  readonly key: string;
  readonly #cache: IndexCache;
  /** By nesting: empty for the value's own. */
  readonly #entries = new Map<string, Entry>();
  #version: ShardVersion;
  #byteLength = 0;
  #isNew = true;

  constructor(cache: IndexCache, key: string, version: ShardVersion) {
    this.#cache = cache;
    this.key = key;
    this.#version = version;
  }

  /** As far as it is known by now. */
  get version(): ShardVersion {
    return this.#version;
  }
  get byteLength(): number {
    return this.#byteLength;
  }

  /** Whether an index is there or under way, so that reading it costs no request of its own. */
  has(nesting: string): boolean {
    return this.#entries.has(nesting);
  }

  /** An index that is there. */
  find(nesting: string): KnownIndex | undefined {
    return this.#entries.get(nesting)?.known;
  }

  /** Keeps an index that came with all of its shard. */
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
      // An absent shard may be written any time by others: not kept.
      if (known.index !== undefined && this.#entries.get(nesting) === entry)
        this.#arrived(nesting, entry, known, known.index);
      return known;
    });
    const forget = (): void => {
      if (entry.known === undefined) this.#remove(nesting, entry);
    };
    const entry: Entry = { request: new Request(fetched, waiters, forget), known: undefined };
    this.#entries.set(nesting, entry);
    // Only once: whoever dropped it knows of a newer version.
    if (this.#isNew) this.#cache.put(this);
    this.#isNew = false;
    return entry;
  }

  #arrived(nesting: string, entry: Entry, known: KnownIndex, { offsets, lengths }: ShardIndex): void {
    entry.known = known;
    if (nesting === "") this.#version = known.version;
    const byteLength = offsets.byteLength + lengths.byteLength;
    this.#byteLength += byteLength;
    this.#cache.grow(this, byteLength);
  }

  /** Removes an index that is not there, unless another has taken its place. */
  #remove(nesting: string, entry: Entry): void {
    if (this.#entries.get(nesting) !== entry) return;
    this.#entries.delete(nesting);
    if (this.#entries.size === 0) this.#cache.forget(this.key, this);
  }
}

const caches = new WeakMap<object, IndexCache>();

/** The indexes of the shards in a store, by its place: reads through any store of that place share them. */
export function indexesOf(store: Store): IndexCache {
  const place = placeOf(store);
  let indexes = caches.get(place);
  if (indexes === undefined) {
    indexes = new IndexCache();
    caches.set(place, indexes);
  }
  return indexes;
}
