/**
 * The values of a store that can be written, as the sink sees them: failures are StoreErrors, and the signal
 * is checked before every call.
 */

import { isPending, storeFailure } from "../../stores/check-store.js";
import { type IfVersion, versionToKeep } from "../../stores/conflicts.js";
import { wayOf } from "../../stores/faster-ways.js";
import type {
  AbsolutePath,
  Allocate,
  Awaitable,
  PartsOptions,
  StoreOptions,
  WritableStore,
} from "../../stores/store.js";
import { type Values, valuesOf, wholeNow } from "../../stores/values.js";
import { tellWritten } from "../../stores/watchers.js";
import { writesOf } from "../../stores/write-log.js";
import { knownIndexes } from "../known-indexes.js";

/** A value that a write keeps a part of. */
export interface KnownValue {
  /** Undefined if there is none. */
  readonly bytes?: Uint8Array | undefined;
  readonly ifVersion?: IfVersion;
}

/** Answers at once if the store does. */
export interface StoredValues {
  /** Reads a value of which a part is kept, if the store answers at once. @throws StoreError */
  getNow(key: AbsolutePath, allocate: Allocate, maximumBytes: number): Uint8Array | "later" | undefined;
  /**
   * Reads a value of which a part is kept, as it is stored now, and what a write of it depends on.
   * @throws StoreError
   */
  get(key: AbsolutePath, options?: PartsOptions): Promise<KnownValue>;
  /** @throws StoreError; ConflictError if the value has another version than it should have */
  set(key: AbsolutePath, value: Uint8Array, ifVersion?: IfVersion): Awaitable<unknown>;
  /**
   * Whether the store has stored the value, and no longer needs its memory; if not, the caller calls `set`.
   */
  setNow(key: AbsolutePath, value: Uint8Array): boolean;
  /**
   * Removes a chunk of fill value alone. If the store cannot delete, an existing chunk is overwritten with
   * `fill`. So is one that has to be of a version: few services delete on a condition.
   */
  remove(key: AbsolutePath, fill: () => Promise<Uint8Array>, ifVersion?: IfVersion): Awaitable<unknown>;
}

export class ValueWriter implements StoredValues {
  readonly #store: WritableStore;
  readonly #setNow: WritableStore["setNow"];
  readonly #signal: AbortSignal | undefined;
  readonly #options: StoreOptions;
  readonly #values: Values;

  constructor(store: WritableStore, signal: AbortSignal | undefined) {
    this.#store = store;
    this.#setNow = wayOf(store, "setNow");
    this.#signal = signal;
    this.#options = { signal };
    this.#values = valuesOf(store);
  }

  getNow(key: AbsolutePath, allocate: Allocate, maximumBytes: number): Uint8Array | "later" | undefined {
    this.#signal?.throwIfAborted();
    return wholeNow(this.#values, key, maximumBytes, allocate);
  }

  async get(key: AbsolutePath, { allocate, maximumBytes }: PartsOptions = {}): Promise<KnownValue> {
    const signal = this.#signal;
    // A cache of bytes must not answer with an older value.
    const now = { allocate, maximumBytes, signal, current: true };
    const found = await this.#values.getParts(key, undefined, now);
    return { bytes: found?.parts[0], ifVersion: versionToKeep(this.#store, found, key) };
  }

  set(key: AbsolutePath, value: Uint8Array, ifVersion?: IfVersion): Awaitable<unknown> {
    const options = ifVersion === undefined ? this.#options : { signal: this.#signal, ifVersion };
    return this.#change(key, () => this.#store.set(key, value, options));
  }

  setNow(key: AbsolutePath, value: Uint8Array): boolean {
    const setNow = this.#setNow;
    if (setNow === undefined) return false;
    this.#signal?.throwIfAborted();
    try {
      return setNow.call(this.#store, key, value, this.#options);
    } catch (error) {
      throw storeFailure(error, key, this.#signal);
    } finally {
      tellWritten(this.#store, key);
    }
  }

  remove(key: AbsolutePath, fill: () => Promise<Uint8Array>, ifVersion?: IfVersion): Awaitable<unknown> {
    // There was no chunk when it was read, which is what the write wants.
    if (ifVersion === null) return undefined;
    if (ifVersion !== undefined) return fill().then((bytes) => this.set(key, bytes, ifVersion));
    return this.#store.delete === undefined
      ? this.#overwrite(key, fill)
      : this.#change(key, () => this.#store.delete?.(key, this.#options));
  }

  async #overwrite(key: AbsolutePath, fill: () => Promise<Uint8Array>): Promise<void> {
    if ((await this.get(key)).bytes) await this.set(key, await fill());
  }

  #change<T>(key: string, action: () => Awaitable<T>): Awaitable<T> {
    let isLater = false;
    const told = (): void => tellWritten(this.#store, key);
    try {
      const answer = this.#guard(key, action);
      isLater = isPending(answer);
      return isPending(answer) ? answer.finally(told) : answer;
    } finally {
      if (!isLater) told();
    }
  }

  #guard<T>(key: string, action: () => Awaitable<T>): Awaitable<T> {
    this.#signal?.throwIfAborted();
    const fail = (error: unknown): never => {
      throw storeFailure(error, key, this.#signal);
    };
    try {
      const answer = action();
      // `then` of a mere thenable may return no promise, so it is wrapped.
      return isPending(answer) ? Promise.resolve(answer).catch(fail) : answer;
    } catch (error) {
      return fail(error);
    }
  }
}

/** Values that are shards: readers of their indexes learn when one is written. */
export class ShardValues implements StoredValues {
  readonly #values: StoredValues;
  readonly #store: WritableStore;

  constructor(values: StoredValues, store: WritableStore) {
    this.#values = values;
    this.#store = store;
  }

  getNow(): "later" {
    return "later";
  }

  get(key: AbsolutePath, options?: PartsOptions): Promise<KnownValue> {
    return this.#values.get(key, options);
  }

  async set(key: AbsolutePath, value: Uint8Array, ifVersion?: IfVersion): Promise<void> {
    await this.#logged(key, () => this.#values.set(key, value, ifVersion));
  }

  /** A shard is stored while the next one is encoded. */
  setNow(): boolean {
    return false;
  }

  async remove(key: AbsolutePath, fill: () => Promise<Uint8Array>, ifVersion?: IfVersion): Promise<void> {
    await this.#logged(key, () => this.#values.remove(key, fill, ifVersion));
  }

  async #logged(key: AbsolutePath, change: () => Awaitable<unknown>): Promise<void> {
    const writes = writesOf(this.#store);
    writes.begin(key);
    try {
      await change();
    } finally {
      writes.end(key);
      knownIndexes(this.#store)?.forget(key);
    }
  }
}
