/** Caches with a bound. */

/** What a BoundedCache may hold. */
export interface CacheBounds {
  /** Most entries. Default: any number. */
  readonly entries?: number;
  /** Most bytes of all entries together, as they were said to `set`. Default: any number. */
  readonly bytes?: number;
}

interface Entry<Value> {
  readonly value: Value;
  readonly bytes: number;
}

/**
 * A cache with a bound on its entries, on their bytes, or on both. It evicts the entry that was used longest
 * ago first.
 */
export class BoundedCache<Key, Value> {
  readonly #bounds: Required<CacheBounds>;
  /** The least recently used first. */
  readonly #entries = new Map<Key, Entry<Value>>();
  /**
   * One iterator for all evictions: a new one would walk over every slot of the Map that a deletion left
   * empty.
   */
  #oldest: Iterator<Key> = this.#entries.keys();
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
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  /**
   * Adds or replaces an entry, which counts as a use, and evicts others until there is room. An entry that is
   * larger than the bound is not kept. For a value whose size is known later, call it again then.
   */
  set(key: Key, value: Value, bytes = 0): void {
    this.delete(key);
    if (bytes > this.#bounds.bytes || this.#bounds.entries < 1) return;
    this.#bytes += bytes;
    while (this.#bytes > this.#bounds.bytes || this.size >= this.#bounds.entries) this.#evict();
    this.#entries.set(key, { value, bytes });
  }

  delete(key: Key): boolean {
    const entry = this.#entries.get(key);
    if (entry === undefined) return false;
    this.#bytes -= entry.bytes;
    return this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
    this.#oldest = this.#entries.keys();
    this.#bytes = 0;
  }

  /** The keys, the least recently used first. */
  keys(): IterableIterator<Key> {
    return this.#entries.keys();
  }

  #evict(): void {
    let oldest = this.#oldest.next();
    if (oldest.done) {
      this.#oldest = this.#entries.keys();
      oldest = this.#oldest.next();
    }
    if (!oldest.done && this.delete(oldest.value)) this.#evictions++;
  }
}
