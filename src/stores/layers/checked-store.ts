/** Any store with every method and checked answers, for those who keep values of their own in stores. */
import {
  type AbsolutePath,
  canList,
  checkStore,
  checkValue,
  checkWritable,
  type DirectoryListing,
  deleteKey,
  describeStore,
  exists,
  ignoredRanges,
  isAbsolutePath,
  listDir,
  listPrefix,
  type RangeQuery,
  relativeKey,
  relativePrefix,
  type Store,
  type StoreOptions,
  storageOf,
  tellWritten,
  type ValueParts,
  valuesOf,
  type WritableStore,
  wayOf,
  withFailuresAt,
} from "../../core/for-stores.js";

/**
 * Any store, also a `Map` or one with `get` alone, with every method, and with answers that are checked: what
 * the store throws or answers wrongly is a StoreError with the key. After an abort every method rejects with
 * the signal's reason. Writes and deletions reach the caches of this process.
 */
export class CheckedStore {
  /** The store itself. */
  readonly store: Store;

  /** @throws InvalidArgumentError unless `store` is a store */
  constructor(store: Store) {
    checkStore(store);
    this.store = store;
  }

  /** Whether stores may be asked for a value by this name, or for a listing if it ends in "/". */
  static isKey(name: string): name is AbsolutePath {
    try {
      if (name.endsWith("/")) relativePrefix(name);
      else relativeKey(name);
      return isAbsolutePath(name);
    } catch {
      return false;
    }
  }

  /** Its name in messages: its URL without the query, its directory, or its class. */
  get name(): string {
    return describeStore(this.store);
  }

  /** The identity of its storage: stores with the same one have the same values. */
  get place(): object {
    return storageOf(this.store);
  }

  /** Whether `listDir` and `listPrefix` work. */
  get canList(): boolean {
    return canList(this.store);
  }

  /** Whether all values below a prefix can be deleted. */
  get canClear(): boolean {
    if (this.store.delete === undefined) return false;
    return wayOf(this.store, "deletePrefix") !== undefined || this.canList;
  }

  /** Whether the last range took less than the whole value: servers and archives may ignore ranges. */
  get readsRanges(): boolean {
    return valuesOf(this.store).readsRanges && !ignoredRanges.has(this.place);
  }

  /**
   * The store itself, if it can be written.
   * @param path of the node that is to be written, for the error
   * @throws UnsupportedError
   */
  writable(path: AbsolutePath = "/"): WritableStore {
    return checkWritable(this.store, path);
  }

  /** The value of a key; undefined if there is none. */
  async get(key: AbsolutePath, options?: StoreOptions): Promise<Uint8Array | undefined> {
    return (await this.getParts(key, undefined, options))?.parts[0];
  }

  /**
   * Byte ranges of a value, or the whole value (`ranges` undefined), with the length and version of the value
   * as far as the store knows them; undefined if there is no value.
   */
  getParts(
    key: AbsolutePath,
    ranges: readonly RangeQuery[] | undefined,
    options: StoreOptions = {},
  ): Promise<ValueParts | undefined> {
    return valuesOf(this.store).getParts(key, ranges, options);
  }

  /** Whether there is a value. */
  has(key: AbsolutePath, options: StoreOptions = {}): Promise<boolean> {
    return withFailuresAt({ key }, options.signal, () => exists(this.store, key, options));
  }

  /** Replaces a value. @throws UnsupportedError for a store that cannot be written */
  async set(key: AbsolutePath, value: Uint8Array, options: StoreOptions = {}): Promise<void> {
    const store = checkWritable(this.store, key);
    checkValue(value);
    try {
      await withFailuresAt({ key }, options.signal, () => store.set(key, value, options));
    } finally {
      tellWritten(store, key);
    }
  }

  /** Removes a value; a missing one is no error. @throws UnsupportedError for a store that cannot delete */
  delete(key: AbsolutePath, options: StoreOptions = {}): Promise<void> {
    return withFailuresAt({ key }, options.signal, () => deleteKey(this.store, key, options));
  }

  /** Resolves when a crash of the machine can no longer undo what was written or deleted under these keys. */
  async flush(keys: readonly AbsolutePath[], options: StoreOptions = {}): Promise<void> {
    await withFailuresAt({}, options.signal, () => this.store.flush?.(keys, options));
  }

  /** All keys that begin with `prefix`, which ends in "/". @throws UnsupportedError unless `canList` */
  listPrefix(prefix: AbsolutePath, options: StoreOptions = {}): Promise<AbsolutePath[]> {
    return withFailuresAt({ key: prefix }, options.signal, () => listPrefix(this.store, prefix, options));
  }

  /**
   * Keys and prefixes directly below `prefix`, which ends in "/".
   * @throws UnsupportedError unless `canList`
   */
  listDir(prefix: AbsolutePath, options: StoreOptions = {}): Promise<DirectoryListing> {
    return withFailuresAt({ key: prefix }, options.signal, () => listDir(this.store, prefix, options));
  }
}
