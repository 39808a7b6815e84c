/**
 * Indexes of the shards of one array: each is fetched once, shared by all reads that want it at the same time, and kept while
 * there is room. The fetch belongs to nobody: a caller that aborts stops waiting, and only when all have is the fetch aborted.
 */
import type { ShardIndex } from "../../codecs/sharding/index-table.js";

/** Bytes of indexes kept per array: a million inner chunks. */
const CAPACITY = 16 << 20;

interface Entry {
  readonly fetched: Promise<ShardIndex | undefined>;
  readonly abort: AbortController;
  waiting: number;
  /** Set once it has arrived. */
  byteLength: number | undefined;
}

export class IndexCache {
  /** In order of last use. */
  readonly #entries = new Map<string, Entry>();
  #byteLength = 0;

  /** Whether an index is there, so that reading it costs no request. */
  has(name: string): boolean {
    return this.#entries.has(name);
  }

  /** @param fetch gets and decodes the index; its signal aborts when no caller waits any more */
  async get(
    name: string,
    signal: AbortSignal,
    fetch: (signal: AbortSignal) => Promise<ShardIndex | undefined>,
  ): Promise<ShardIndex | undefined> {
    signal.throwIfAborted();
    const entry = this.#entries.get(name) ?? this.#begin(name, fetch);
    this.#entries.delete(name);
    this.#entries.set(name, entry);
    entry.waiting++;
    try {
      return await abortable(entry.fetched, signal);
    } finally {
      entry.waiting--;
      if (entry.waiting === 0 && entry.byteLength === undefined) {
        entry.abort.abort(signal.reason);
        this.forget(name, entry);
      }
    }
  }

  /** Drops an index, because its shard changed. */
  forget(name: string, only?: Entry): void {
    const entry = this.#entries.get(name);
    if (entry === undefined || (only !== undefined && entry !== only)) return;
    this.#entries.delete(name);
    this.#byteLength -= entry.byteLength ?? 0;
  }

  /** Drops the indexes of a value, those of nested shards included. */
  forgetValue(key: string): void {
    for (const name of [...this.#entries.keys()]) if (name.startsWith(`${key}@`)) this.forget(name);
  }

  #begin(name: string, fetch: (signal: AbortSignal) => Promise<ShardIndex | undefined>): Entry {
    const abort = new AbortController();
    const entry: Entry = { fetched: fetch(abort.signal), abort, waiting: 0, byteLength: undefined };
    this.#entries.set(name, entry);
    entry.fetched.then(
      (index) => {
        // An absent shard may be written any time by others: not kept.
        if (index === undefined) this.forget(name, entry);
        entry.byteLength = index === undefined ? 0 : index.offsets.byteLength + index.lengths.byteLength;
        if (this.#entries.get(name) !== entry) return;
        this.#byteLength += entry.byteLength;
        this.#shrink();
      },
      () => {
        entry.byteLength = 0;
        this.forget(name, entry);
      },
    );
    return entry;
  }

  #shrink(): void {
    for (const [name, entry] of this.#entries) {
      if (this.#byteLength <= CAPACITY) return;
      if (entry.byteLength !== undefined) this.forget(name, entry);
    }
  }
}

function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
