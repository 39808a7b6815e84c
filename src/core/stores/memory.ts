/** A store in memory that can be read, by ranges too, written, erased and listed. */
import { directoryOf, keysBelow } from "./capabilities.js";
import { checkValue } from "./check-store.js";
import { adviceForKeys, sliceRange } from "./keys-and-ranges.js";
import { OpenBytes, partsOf } from "./open-bytes.js";
import { identityOf } from "./storage-identity.js";
import type {
  AbsolutePath,
  DirectoryListing,
  Listable,
  OpenValue,
  RangeQuery,
  Readable,
  StoreOptions,
  ValueParts,
  Writable,
} from "./store.js";

/**
 * A store over a Map. A plain Map is a store too; this class adds ranges, listing and erasing as methods, for
 * code that calls the store directly. Values are not copied: the caller must not modify bytes after passing
 * them to `set` or receiving them from `get`.
 */
export class MemoryStore implements Readable, Writable, Listable {
  readonly kind = "memory";
  /** Values by key. The store sees changes that you make. */
  readonly values: Map<string, Uint8Array>;

  constructor(values: Map<string, Uint8Array> = new Map()) {
    this.values = values;
  }

  /** The map: other stores over the same map, and the map itself as a store, share the place. */
  get place(): object {
    return this.values;
  }

  /** Advice for an error that finds no node here, or "". */
  get advice(): string {
    return adviceForKeys(this.values);
  }

  get(key: AbsolutePath): Uint8Array | undefined {
    return this.values.get(key);
  }

  getRange(key: AbsolutePath, range: RangeQuery): Uint8Array | undefined {
    const value = this.values.get(key);
    return value && sliceRange(value, range);
  }

  async getParts(
    key: AbsolutePath,
    ranges: readonly RangeQuery[] | undefined,
  ): Promise<ValueParts | undefined> {
    const value = this.values.get(key);
    return value && partsOf(value, ranges, identityOf(value));
  }

  openNow(key: AbsolutePath, options?: Pick<StoreOptions, "maximumBytes">): OpenValue | undefined {
    const value = this.values.get(key);
    return value && new OpenBytes(value, key, options);
  }

  has(key: AbsolutePath): boolean {
    return this.values.has(key);
  }

  set(key: AbsolutePath, value: Uint8Array): void {
    checkValue(value);
    this.values.set(key, value);
  }

  delete(key: AbsolutePath): void {
    this.values.delete(key);
  }

  deletePrefix(prefix: AbsolutePath): void {
    for (const key of this.listPrefix(prefix)) this.values.delete(key);
  }

  list(): AbsolutePath[] {
    return keysBelow(this.values.keys(), "/");
  }

  listPrefix(prefix: AbsolutePath): AbsolutePath[] {
    return keysBelow(this.values.keys(), prefix);
  }

  listDir(prefix: AbsolutePath): DirectoryListing {
    return directoryOf(this.listPrefix(prefix), prefix);
  }
}
