/** Caches with a bound. */

/** What a BoundedCache may hold. */
export interface CacheBounds {
  /** Most entries. Default: any number. */
  readonly entries?: number;
  /** Most bytes of all entries together, as they were said to `set`. Default: any number. */
  readonly bytes?: number;
}

/** An entry, and its neighbours in the order of use. */
interface Entry<Key, Value> {
  readonly key: Key;
  readonly value: Value;
  readonly bytes: number;
  older: Entry<Key, Value> | undefined;
  newer: Entry<Key, Value> | undefined;
}

/**
 * A cache with a bound on its entries, on their bytes, or on both. It evicts the entry that was used longest
 * ago first.
 *
 * The order of use is a linked list. In the order of the Map itself, a use would delete and add a key, which
 * leaves an empty slot: an iterator of the Map that finds the oldest key walks over all of them, and one that
 * is kept for that keeps every table that V8 has replaced.
 */
export class BoundedCache<Key, Value> {
  readonly #bounds: Required<CacheBounds>;
  readonly #entries = new Map<Key, Entry<Key, Value>>();
  #oldest: Entry<Key, Value> | undefined;
  #newest: Entry<Key, Value> | undefined;
  #bytes = 0;
  #evictions = 0;

  constructor({ entries = Number.POSITIVE_INFINITY, bytes = Number.POSITIVE_INFINITY }: CacheBounds) {
    this.#bounds = { entries, bytes };
  }

  /** Number of entries. */
  get size(): number {
    return this.#entries.size;
  }
  /** Bytes of all entries. */
  get bytes(): number {
    return this.#bytes;
  }
  /** Number of entries evicted so far to make room for others. */
  get evictions(): number {
    return this.#evictions;
  }

  has(key: Key): boolean {
    return this.#entries.has(key);
  }

  /** As `get`, but does not count as a use. */
  peek(key: Key): Value | undefined {
    return this.#entries.get(key)?.value;
  }

  get(key: Key): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    if (entry !== this.#newest) {
      this.#unlink(entry);
      this.#append(entry);
    }
    return entry.value;
  }

  /**
   * Adds or replaces an entry, which counts as a use, and evicts others until there is room. An entry that is
   * larger than the bound is not kept. For a value whose size is known later, call it again then.
   */
  set(key: Key, value: Value, bytes = 0): void {
    this.delete(key);
    if (bytes > this.#bounds.bytes || this.#bounds.entries < 1) return;
    while (this.#oldest && (this.#bytes + bytes > this.#bounds.bytes || this.size >= this.#bounds.entries)) {
      this.delete(this.#oldest.key);
      this.#evictions++;
    }
    const entry: Entry<Key, Value> = { key, value, bytes, older: undefined, newer: undefined };
    this.#entries.set(key, entry);
    this.#append(entry);
    this.#bytes += bytes;
  }

  delete(key: Key): boolean {
    const entry = this.#entries.get(key);
    if (entry === undefined) return false;
    this.#entries.delete(key);
    this.#unlink(entry);
    this.#bytes -= entry.bytes;
    return true;
  }

  clear(): void {
    this.#entries.clear();
    this.#oldest = undefined;
    this.#newest = undefined;
    this.#bytes = 0;
  }

  /** The keys, the least recently used first. The entry of the latest key may be deleted meanwhile. */
  *keys(): IterableIterator<Key> {
    for (let entry = this.#oldest; entry !== undefined; ) {
      const { key, newer } = entry;
      entry = newer;
      yield key;
    }
  }

  #unlink(entry: Entry<Key, Value>): void {
    const { older, newer } = entry;
    if (older === undefined) this.#oldest = newer;
    else older.newer = newer;
    if (newer === undefined) this.#newest = older;
    else newer.older = older;
    entry.older = undefined;
    entry.newer = undefined;
  }

  #append(entry: Entry<Key, Value>): void {
    entry.older = this.#newest;
    if (this.#newest === undefined) this.#oldest = entry;
    else this.#newest.newer = entry;
    this.#newest = entry;
  }
}
