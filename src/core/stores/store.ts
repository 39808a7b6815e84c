/**
 * The store interface. It extends zarrita's (`get`, `getRange`, `set`; keys begin with "/"), so a zarrita
 * store works here unchanged. Optional methods add listing and erasing, from the abstract store interface of
 * the 2020 Zarr protocol, and faster reads (`getParts`, `openNow`). Every method but `getParts` may be
 * synchronous or return a promise.
 */

import type { Awaitable } from "../../base/awaitable.js";
import type { RangeQuery } from "../../base/byte-range.js";
import type { AbsolutePath } from "../../metadata/path.js";
import type { Priority } from "./requests/request-queue.js";

export type { AbsolutePath, Awaitable, RangeQuery };

/** Returns a buffer of `byteLength` bytes. Its contents are undefined: the buffer need not be zero-filled. */
export type Allocate = (byteLength: number) => Uint8Array;

/** The length and version of a value, as the store learns them during a read. */
export interface ValueState {
  /** Length of the whole value in bytes. */
  readonly byteLength?: number | undefined;
  /**
   * An ETag, or the times of a file. Two versions that differ mean that the value was replaced between the
   * reads.
   */
  readonly version?: string | number | undefined;
  /** When the value was last changed, in milliseconds since 1970. */
  readonly modified?: number | undefined;
}

/** What `getParts` read of a value, and what the store learned of it. */
export interface ValueParts extends ValueState {
  /** The whole value, or one part for each range, in the order of the ranges. */
  readonly parts: readonly Uint8Array[];
}

/** Options that every method of a store takes. */
export interface StoreOptions {
  /** Aborts the request; the promise rejects with its reason. */
  readonly signal?: AbortSignal | undefined;
  /** Reads only: the order of queued requests, highest first. A store without a queue may ignore it. */
  readonly priority?: Priority | undefined;
  /**
   * Reads only. For whole values: the largest valid length in bytes. A store should throw a StoreError for a
   * longer value and stop reading, unless the value is in memory already. For ranges: the most bytes that the
   * store may read; the value may be longer.
   */
  readonly maximumBytes?: number | undefined;
  /**
   * Reads only: bypass caches and consolidated metadata, and read the value as it is stored now. Callers that
   * modify a document or a part of a value set it.
   */
  readonly current?: boolean | undefined;
  /**
   * Reads only: the caller also looks for other keys, one of which is enough. In a page, a missing value
   * whose answer has no CORS header looks like a request without an answer: such a request is not repeated.
   */
  readonly isProbe?: boolean | undefined;
}

/**
 * What `get` and `getRange` take: `signal` and `priority` may be those of `fetch`. So a store whose methods
 * take `RequestInit`, as zarrita's FetchStore, is a store here. wazarr itself never passes null.
 */
export interface RequestOptions extends Omit<StoreOptions, "signal"> {
  /** Aborts the request; the promise rejects with its reason. */
  readonly signal?: AbortSignal | null | undefined;
}

export interface WriteOptions extends StoreOptions {
  /**
   * The version that the stored value must have, as a read returned it; null: there must be no value.
   * Otherwise the store changes nothing and throws a ConflictError. Only stores with `conditionalWrites` are
   * given it.
   */
  readonly ifVersion?: ValueState["version"] | null;
}

/** Options of `getParts`. */
export interface PartsOptions extends StoreOptions {
  /**
   * Memory for the parts. The store may call it until its promise settles, and must not touch the memory
   * after that, even after a failure or an abort. Using it is optional.
   */
  readonly allocate?: Allocate | undefined;
}

/** A value that is open for synchronous reads. All reads see one version of the value. */
export interface OpenValue {
  /** Length of the value in bytes. Reading it may cost a call of the system. */
  readonly byteLength: number;
  /** The version, as `getParts` returns it. */
  readonly version: ValueState["version"];
  /**
   * Reads the whole value into memory from `allocate`; undefined if it is too long to be read without a pause
   * of the event loop.
   * @param probableLength saves a look at the length if it is right
   */
  whole(allocate: Allocate, probableLength?: number): Uint8Array | undefined;
  /**
   * Reads a byte range into memory from `allocate`. The result is shorter than the range if the value ends
   * before.
   */
  read(range: RangeQuery, allocate: Allocate): Uint8Array;
  /** Frees what the value holds open. */
  close(): void;
}

/**
 * How a store reads, which decides what the engine does. A "memory" store answers at once. So does a "files"
 * store mostly, and its ranges are cheap. A "network" store answers later, and each of its requests is
 * expensive: requests are shared and sent ahead.
 */
export type StoreKind = "memory" | "files" | "network";

/** Access to the files of a store that keeps each value in a file of its own. */
export interface ValueFiles {
  /**
   * The path of a key's file, which may not exist; undefined when the caller should read through the store
   * instead.
   */
  pathOf(key: AbsolutePath): string | undefined;
  /** Reports that reading `byteLength` bytes of a file took `milliseconds`. */
  measured(milliseconds: number, byteLength: number): void;
}

/** A store that can be read. */
export interface Readable {
  /** Reads a value. The caller must not modify the bytes. Returns undefined when the key is missing. */
  get(key: AbsolutePath, options?: RequestOptions): Awaitable<Uint8Array | undefined>;
  /**
   * Reads a byte range. The result is shorter than the range if the value ends before, and undefined when the
   * key is missing.
   */
  getRange?(
    key: AbsolutePath,
    range: RangeQuery,
    options?: RequestOptions,
  ): Awaitable<Uint8Array | undefined>;
  /**
   * The full form of a read, which the engine prefers: a whole value (`ranges` undefined) or byte ranges of
   * it, with the length and the version of the value. If the store gives no version, all parts are of one.
   * Undefined when the key is missing.
   */
  getParts?(
    key: AbsolutePath,
    ranges: readonly RangeQuery[] | undefined,
    options?: PartsOptions,
  ): Promise<ValueParts | undefined>;
  /**
   * Opens a value for reads that answer at once: undefined when the key is missing, "later" when it has to be
   * read with `getParts`.
   */
  openNow?(key: AbsolutePath, options?: Pick<StoreOptions, "maximumBytes">): OpenValue | "later" | undefined;
  /** Without it, a `Map` counts as "memory" and every other store as "network". */
  readonly kind?: StoreKind | undefined;
  /**
   * Files of the values, which worker threads may read without the store; undefined when only the store can
   * read them.
   */
  readonly files?: ValueFiles | undefined;
  /**
   * Identity of the storage. Stores with the same object here have the same values under the same keys, and
   * their writers share locks. When undefined, the store shares its values with no other store.
   */
  readonly place?: object | undefined;
  /** Whether the key exists. */
  has?(key: AbsolutePath, options?: StoreOptions): Awaitable<boolean>;
  /**
   * All nodes of the hierarchy, for a store that knows them without listing, such as from consolidated
   * metadata. A store gives the same list until its nodes change, and then another one, so that what is
   * derived from the list can be kept with it. The caller must not modify the list; its type is zarrita's.
   */
  contents?(): { path: AbsolutePath; kind: "array" | "group" }[];
}

/**
 * A store that returns promises. @typeParam Options of its methods, as in zarrita before 0.7; the default is
 * what zarrita's methods take now, with a `signal` that is not null
 */
export interface AsyncReadable<Options = Pick<StoreOptions, "signal">> {
  /** The value of a key; undefined if there is none. */
  get(key: AbsolutePath, options?: Options): Promise<Uint8Array | undefined>;
  /** A byte range of a value; undefined if there is no value. */
  getRange?(key: AbsolutePath, range: RangeQuery, options?: Options): Promise<Uint8Array | undefined>;
}

/** Functions that `open` applies to every array of a store. */
interface ArrayExtensions {
  /** Functions from an array to an array or a promise of one; `open` applies them in order. */
  readonly arrayExtensions?: readonly unknown[] | undefined;
}

export type LockKeys = (
  keys: readonly AbsolutePath[],
  options?: StoreOptions & {
    /**
     * True for the lock of a metadata document that is held while chunk keys are locked too, as `append`
     * does.
     */
    readonly isOuter?: boolean | undefined;
  },
) => Promise<() => Awaitable<void>>;

/** The methods of a store that can be written. */
export interface Writable {
  /**
   * Replaces a value atomically: readers see the old value or the new one. The store may keep `value` without
   * copying it, unless `copiesValues` is true.
   */
  set(key: AbsolutePath, value: Uint8Array, options?: WriteOptions): Awaitable<unknown>;
  /**
   * True: `set` obeys `ifVersion`, and reads return versions. Then writers in several processes that change
   * one chunk lose nothing, without locks: whoever comes second reads again.
   */
  readonly conditionalWrites?: boolean | undefined;
  /**
   * Stores a value if the key has none, and answers whether it did: of several writers, in whatever process,
   * one does. For a store without `conditionalWrites`.
   */
  setIfMissing?(key: AbsolutePath, value: Uint8Array, options?: StoreOptions): Awaitable<boolean>;
  /**
   * `set` for a store that can write synchronously. True: the value is stored, and the caller may reuse its
   * buffer. False: the store did nothing, because the write would have to wait.
   */
  setNow?(key: AbsolutePath, value: Uint8Array, options?: StoreOptions): boolean;
  /**
   * True: once `set` has answered or failed, the store no longer uses `value`, and the caller may reuse its
   * buffer.
   */
  readonly copiesValues?: boolean;
  /** Removes a key (`erase` in the Zarr specification); a missing key is no error. */
  delete?(key: AbsolutePath, options?: StoreOptions): Awaitable<unknown>;
  /** Removes keys, in any order and in few requests; a missing key is no error. */
  deleteMany?(keys: readonly AbsolutePath[], options?: StoreOptions): Awaitable<unknown>;
  /**
   * Locks keys against writers in other processes, and resolves with the function that unlocks them. Writers
   * within one process are already serialised by the engine. Without this method, two processes that change
   * one chunk concurrently may lose one change.
   */
  readonly lockKeys?: LockKeys | undefined;
  /**
   * True: `lockKeys` is not called for values that a write replaces as a whole. `set` then throws a
   * ConflictError if such a write came between the lock of a key and the write under it.
   */
  readonly locksOnlyParts?: boolean | undefined;
  /**
   * Removes every key that begins with `prefix`, which ends in "/" (`erase_prefix` in the Zarr
   * specification), at once: readers see all of the values or none. A store that cannot do that leaves it
   * out; then keys are deleted one by one, documents before chunks.
   */
  deletePrefix?(prefix: AbsolutePath, options?: StoreOptions): Awaitable<unknown>;
  /**
   * For a store whose writes a crash of the machine may undo after `set` and `delete` have answered: answers
   * when what is now stored, or missing, under these keys survives such a crash.
   */
  flush?(keys: readonly AbsolutePath[], options?: StoreOptions): Awaitable<unknown>;
}

/**
 * Result of `listDir`: the keys directly below a prefix, and the prefixes (ending in "/") one level down; all
 * are full names.
 */
export interface DirectoryListing {
  /** Keys directly below the prefix. */
  readonly keys: readonly AbsolutePath[];
  /** Prefixes one level down, each with "/" at its end. */
  readonly prefixes: readonly AbsolutePath[];
}

/** A store that can list its keys. */
export interface Listable {
  /** Lists all keys. */
  list(options?: StoreOptions): Awaitable<Iterable<AbsolutePath>> | AsyncIterable<AbsolutePath>;
  /** Lists all keys that begin with `prefix`, which ends in "/". */
  listPrefix(
    prefix: AbsolutePath,
    options?: StoreOptions,
  ): Awaitable<Iterable<AbsolutePath>> | AsyncIterable<AbsolutePath>;
  /**
   * Lists keys and prefixes directly below `prefix`, which ends in "/". The listing is empty when there are
   * none.
   */
  listDir(prefix: AbsolutePath, options?: StoreOptions): Awaitable<DirectoryListing>;
}

/**
 * A store as `open`, `get` and the other functions accept it: readable, with optional writing and listing.
 */
export type Store = Readable & Partial<Writable> & Partial<Listable> & ArrayExtensions;
/** A store of any kind whose `get` and `getRange` return promises. */
export type AsyncStore = Omit<Store, keyof AsyncReadable> & AsyncReadable<RequestOptions>;
/** A store with `set`. */
export type WritableStore = Readable & Writable & Partial<Listable> & ArrayExtensions;

export function isWritable(store: Store): store is WritableStore {
  return typeof store.set === "function";
}
export function isListable(store: Store): store is Store & Listable {
  return (
    typeof store.list === "function" &&
    typeof store.listPrefix === "function" &&
    typeof store.listDir === "function"
  );
}
