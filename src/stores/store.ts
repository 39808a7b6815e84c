/**
 * The store contract: zarrita's (`get`, `getRange`, `set`; keys begin with "/"), so any store of that ecosystem works
 * here unchanged, plus optional capabilities: those of the 2020 protocol's abstract store interface (listable,
 * erasable) and those that make reading fast. Every method may be synchronous or return a promise.
 */

import type { AbsolutePath } from "../metadata/path.js";
import type { Priority } from "./request-queue.js";

export type { AbsolutePath };

export type Awaitable<T> = T | Promise<T>;

/** A byte range of a value. A suffix longer than the value means the whole value. */
export type RangeQuery =
  | { readonly offset: number; readonly length: number }
  | { readonly suffixLength: number };

/** Gives memory of so many bytes, whose contents may be anything. */
export type Allocate = (byteLength: number) => Uint8Array;

/** What a store learns about a value while it reads from it. */
export interface ValueState {
  /** Bytes of the whole value. */
  readonly byteLength?: number | undefined;
  /** Two that differ say that the value was replaced between them: an ETag, the times of a file. */
  readonly version?: string | number | undefined;
}

/** Hand them on as they are, or name what you want of them: `{ ...options }` may leave `signal` behind, which `getInto` and `getRangeInto` are given as an accessor. */
export interface StoreOptions {
  readonly signal?: AbortSignal | undefined;
  /** Reads only: which of the requests that wait goes first. A store that keeps nobody waiting need not look at it. */
  readonly priority?: Priority | undefined;
  /** Reads only: how long the value should be, where that is known. It may be of any length all the same. */
  readonly byteLength?: number | undefined;
  /**
   * Reads only: how long the whole value may be. A longer one is damage, or worse: a store should throw a StoreError and read no further,
   * and need not, where it has the value in memory anyway. Of a part: what may be read for it, of a value of any length.
   */
  readonly maximumBytes?: number | undefined;
  /**
   * Reads only: called, before the answer is there, with what the store learns about the value on the way. A store need
   * not; without it nobody notices when a value is replaced between two reads of parts of it.
   */
  readonly onValue?: ((state: ValueState) => void) | undefined;
  /** `get` only: the value as it is stored now, for who changes it; not one that a store in front remembers. */
  readonly current?: boolean | undefined;
  /**
   * `getInto` and `getRangeInto` only: memory for an answer by a promise, which may be called at any time until then, and is not
   * touched any more afterwards, failures and aborts included. A store need not use it.
   */
  readonly later?: Allocate | undefined;
}

/** A value that is open for reading at once. What is read is of one version of it. */
export interface OpenValue {
  /** A part in memory from `allocate`: shorter than asked where the value ends. */
  read(range: RangeQuery, allocate: Allocate): Uint8Array;
  close(): void;
}

/** Values that are files, each of them the whole value. */
export interface ValueFiles {
  /** Where the file of a key is, if there is one; undefined where it is better to ask the store. */
  pathOf(key: AbsolutePath): string | undefined;
  /** Takes note of how long it took to read so many bytes of a file. */
  measured(milliseconds: number, byteLength: number): void;
}

export interface Readable {
  /** The value's bytes, which the caller must not modify; undefined when there is no such key. */
  get(key: AbsolutePath, options?: StoreOptions): Awaitable<Uint8Array | undefined>;
  /** A part of a value: shorter than asked where the value ends; undefined when there is no such key. */
  getRange?(key: AbsolutePath, range: RangeQuery, options?: StoreOptions): Awaitable<Uint8Array | undefined>;
  /** Several parts of one value, in the order asked for, in as few requests as the store can. */
  getRanges?(
    key: AbsolutePath,
    ranges: readonly RangeQuery[],
    options?: StoreOptions,
  ): Awaitable<readonly Uint8Array[] | undefined>;
  /**
   * `get` for a store that can answer at once: when the answer is not a promise, the bytes may stand in memory obtained
   * from `allocate(byteLength)`, which is valid only until the caller's next call and may be called only before
   * this method returns. When the answer is a promise, its bytes are memory of the store's own, or from `options.later`.
   */
  getInto?(key: AbsolutePath, allocate: Allocate, options?: StoreOptions): Awaitable<Uint8Array | undefined>;
  /** `getInto` for a part, as `getRange` gives it. */
  getRangeInto?(
    key: AbsolutePath,
    range: RangeQuery,
    allocate: Allocate,
    options?: StoreOptions,
  ): Awaitable<Uint8Array | undefined>;
  /**
   * `getRanges` into memory from `allocate(byteLength)`, called once a range. The store touches that memory no more once it
   * has answered, whether at once or by a promise, failures and aborts included.
   */
  getRangesInto?(
    key: AbsolutePath,
    ranges: readonly RangeQuery[],
    allocate: Allocate,
    options?: StoreOptions,
  ): Awaitable<readonly Uint8Array[] | undefined>;
  /** Opens a value of which parts are wanted one after the other; undefined where they would not be there at once, or at all. */
  openNow?(key: AbsolutePath, options?: StoreOptions): OpenValue | undefined;
  /** Values that are files, which other threads may read without the store; undefined where only the store can. */
  readonly files?: ValueFiles | undefined;
  /**
   * The store's own `get` and `getRange`, where the bytes of each answer are new memory that nobody else looks at, now or later: of a store
   * that cannot be written the engine frees them once they are decoded, sooner than a garbage collector would. Left alone is what comes of
   * any other method, as of a cache that stands in front.
   */
  readonly fresh?: Pick<Readable, "get" | "getRange"> | undefined;
  /**
   * What stands for where the values are: stores that have the same object here have the same values under the same keys, and writers
   * through one wait for those through the others. Unless given, a store shares its values with no other.
   */
  readonly place?: object | undefined;
  /** Whether there is such a key. */
  has?(key: AbsolutePath, options?: StoreOptions): Awaitable<boolean>;
  /** The nodes of the hierarchy in the store, where the store knows them without listing: from consolidated metadata. */
  contents?(): readonly { readonly path: AbsolutePath; readonly kind: "array" | "group" }[];
}

/** What `open` makes of every array of a store. */
interface ArrayExtensions {
  /** Functions of an array that give an array, now or later; applied in turn. */
  readonly arrayExtensions?: readonly unknown[] | undefined;
}

export type LockKeys = (
  keys: readonly AbsolutePath[],
  options?: StoreOptions & {
    /** Held while other keys are locked: of a document that changes after its chunks. */
    readonly isOuter?: boolean | undefined;
  },
) => Promise<() => Awaitable<void>>;

export interface Writable {
  /**
   * Stores a value as a whole: readers see the old value or the new one. The store may keep `value`, unless it says that it
   * copies values.
   */
  set(key: AbsolutePath, value: Uint8Array, options?: StoreOptions): Awaitable<unknown>;
  /**
   * `set` for a store that can store at once: true when the value is stored, and its memory may be used again; false when nothing
   * was done, because that would take waiting.
   */
  setNow?(key: AbsolutePath, value: Uint8Array, options?: StoreOptions): boolean;
  /** True: what was `set` is copied by the time that has answered, failures included, and its memory may be used again. */
  readonly copiesValues?: boolean;
  /** Removes a key (the protocol's `erase`); a missing key is no error. */
  delete?(key: AbsolutePath, options?: StoreOptions): Awaitable<unknown>;
  /**
   * Waits until no other process changes any of these values, and keeps others out until the function that it gives is called. Writers in
   * one process have waited for each other before. Without it, of two processes that change one chunk at the same time one may be lost.
   */
  readonly lockKeys?: LockKeys | undefined;
  /** Removes every key that begins with `prefix`, which ends in "/" (the protocol's `erase_prefix`). */
  deletePrefix?(prefix: AbsolutePath, options?: StoreOptions): Awaitable<unknown>;
}

/** What `listDir` finds: keys directly below a prefix, and the prefixes (ending in "/") one level down; full names. */
export interface DirectoryListing {
  readonly keys: readonly AbsolutePath[];
  readonly prefixes: readonly AbsolutePath[];
}

export interface Listable {
  /** All keys. */
  list(options?: StoreOptions): Awaitable<Iterable<AbsolutePath>> | AsyncIterable<AbsolutePath>;
  /** All keys that begin with `prefix`, which ends in "/". */
  listPrefix(
    prefix: AbsolutePath,
    options?: StoreOptions,
  ): Awaitable<Iterable<AbsolutePath>> | AsyncIterable<AbsolutePath>;
  /** Keys and prefixes directly below `prefix`, which ends in "/". Nothing found is an empty listing. */
  listDir(prefix: AbsolutePath, options?: StoreOptions): Awaitable<DirectoryListing>;
}

/** What `open`, `get` and the rest accept: readable, and whatever else the store can do. */
export type Store = Readable & Partial<Writable> & Partial<Listable> & ArrayExtensions;
/** A store that can be written. */
export type WritableStore = Readable & Writable & Partial<Listable> & ArrayExtensions;

export function isWritable(store: Store): store is WritableStore {
  return typeof store.set === "function";
}
/** Whether a store looks like one behind a network: it answers later, into memory of its own, and nothing is written to it. Requests are shared, and made ahead. */
export function isRemote({ set, getInto }: Store): boolean {
  return set === undefined && getInto === undefined;
}
export function isListable(store: Store): store is Store & Listable {
  return (
    typeof store.list === "function" &&
    typeof store.listPrefix === "function" &&
    typeof store.listDir === "function"
  );
}
