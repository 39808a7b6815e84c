/**
 * Indexes of the shards in one store: each is fetched once, shared by all reads that want it at the same time, and kept while
 * there is room. The fetch belongs to nobody: a caller that aborts stops waiting, and only when all have is the fetch aborted.
 */
import type { ShardIndex } from "../../codecs/sharding/index-table.js";
import { onAbort } from "../on-abort.js";
import type { ShardPlace, ShardVersion } from "./source.js";

/** Bytes of indexes kept per store: a million inner chunks. */
const CAPACITY = 16 << 20;

export interface KnownIndex {
  readonly index: ShardIndex;
  /** Of the value that it was read from. */
  readonly version: ShardVersion;
}

interface Entry {
  readonly fetched: Promise<KnownIndex | undefined>;
  readonly abort: AbortController;
  waiting: number;
  /** Set once it has arrived. */
  known: KnownIndex | undefined;
  byteLength: number;
  settled: boolean;
}

export class IndexCache {
  /** By key, in order of last use, and by nesting. */
  readonly #values = new Map<string, Map<string, Entry>>();
  #byteLength = 0;

  /** Whether an index is there or under way, so that reading it costs no request of its own. */
  has(place: ShardPlace | undefined): boolean {
    return place !== undefined && this.#entry(place) !== undefined;
  }

  /** The index of exactly this version, when it is there. */
  find(place: ShardPlace, { version }: ShardVersion): ShardIndex | undefined {
    const known = this.#entry(place)?.known;
    return version === undefined || known?.version.version !== version ? undefined : known.index;
  }

  /** Keeps an index that came with all of its shard. */
  keep(place: ShardPlace, known: KnownIndex): void {
    // Without a version it may be older than what a writer in this process has stored by now.
    if (known.version.version === undefined) return;
    this.#forget(place);
    this.#add(place, async () => known);
  }

  /** @param fetch gets and decodes the index; its signal aborts when no caller waits any more */
  async get(
    place: ShardPlace,
    signal: AbortSignal,
    fetch: (signal: AbortSignal) => Promise<KnownIndex | undefined>,
  ): Promise<KnownIndex | undefined> {
    signal.throwIfAborted();
    const entry = this.#entry(place) ?? this.#add(place, fetch);
    const value = this.#values.get(place.key);
    if (value !== undefined) {
      this.#values.delete(place.key);
      this.#values.set(place.key, value);
    }
    entry.waiting++;
    try {
      return await abortable(entry.fetched, signal);
    } finally {
      entry.waiting--;
      if (entry.waiting === 0 && !entry.settled) {
        entry.abort.abort(signal.reason);
        this.#forget(place, entry);
      }
    }
  }

  /** Drops the indexes of a value, those of nested shards included, because the value changed. */
  forget(key: string): void {
    for (const { byteLength } of this.#values.get(key)?.values() ?? []) this.#byteLength -= byteLength;
    this.#values.delete(key);
  }

  #entry({ key, nesting }: ShardPlace): Entry | undefined {
    return this.#values.get(key)?.get(nesting);
  }

  /** Drops one index; with `only`, unless another has taken its place. */
  #forget(place: ShardPlace, only = this.#entry(place)): void {
    const value = this.#values.get(place.key);
    if (value === undefined || only === undefined || value.get(place.nesting) !== only) return;
    value.delete(place.nesting);
    this.#byteLength -= only.byteLength;
    if (value.size === 0) this.#values.delete(place.key);
  }

  #add(place: ShardPlace, fetch: (signal: AbortSignal) => Promise<KnownIndex | undefined>): Entry {
    const abort = new AbortController();
    const entry: Entry = {
      fetched: fetch(abort.signal),
      abort,
      waiting: 0,
      known: undefined,
      byteLength: 0,
      settled: false,
    };
    const value = this.#values.get(place.key) ?? new Map<string, Entry>();
    value.set(place.nesting, entry);
    this.#values.set(place.key, value);
    entry.fetched.then(
      (known) => {
        entry.settled = true;
        // An absent shard may be written any time by others: not kept.
        if (known === undefined) this.#forget(place, entry);
        else if (this.#entry(place) === entry) this.#arrived(entry, known);
      },
      () => {
        entry.settled = true;
        this.#forget(place, entry);
      },
    );
    return entry;
  }

  #arrived(entry: Entry, known: KnownIndex): void {
    entry.known = known;
    entry.byteLength = known.index.offsets.byteLength + known.index.lengths.byteLength;
    this.#byteLength += entry.byteLength;
    for (const key of this.#values.keys()) {
      if (this.#byteLength <= CAPACITY) return;
      this.forget(key);
    }
  }
}

function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    promise.then(resolve, reject).finally(onAbort(signal, () => reject(signal.reason)));
  });
}
