/**
 * Writes values to a store: wraps its failures in StoreErrors, and checks the signal before every call. Also
 * the memory for encoded chunks until they are stored.
 */

import { isPending, storeFailure } from "../core/stores/check-store.js";
import { wayOf } from "../core/stores/faster-ways.js";
import type {
  AbsolutePath,
  Allocate,
  Awaitable,
  PartsOptions,
  StoreOptions,
  WritableStore,
} from "../core/stores/store.js";
import { type Values, valuesOf, wholeNow } from "../core/stores/values.js";
import { tellWritten } from "../core/stores/watchers.js";
import { type IfVersion, versionToKeep } from "./conflicts.js";

/** A value that a write keeps a part of. */
export interface KnownValue {
  /** Undefined if there is none. */
  readonly bytes?: Uint8Array | undefined;
  readonly ifVersion?: IfVersion;
}

/** Returns results without a promise if the store does. */
export class ValueWriter {
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

  /** Reads a stored chunk that keeps some elements, if the store answers at once. */
  getNow(key: AbsolutePath, allocate: Allocate, maximumBytes: number): Uint8Array | "later" | undefined {
    this.#signal?.throwIfAborted();
    return wholeNow(this.#values, key, maximumBytes, allocate);
  }

  /** A write keeps elements of what it reads, so a cache of bytes must not answer with an older value. */
  async get(key: AbsolutePath, options: PartsOptions = {}): Promise<KnownValue> {
    const found = await this.#values.getParts(key, undefined, {
      ...options,
      ...this.#options,
      current: true,
    });
    return { bytes: found?.parts[0], ifVersion: versionToKeep(this.#store, found, key) };
  }

  /** @throws ConflictError if the value has another version than it should have */
  set(key: AbsolutePath, value: Uint8Array, ifVersion?: IfVersion): Awaitable<unknown> {
    const options = ifVersion === undefined ? this.#options : { ...this.#options, ifVersion };
    return this.#change(key, () => this.#store.set(key, value, options));
  }

  /**
   * Returns whether the store has stored the value and no longer needs its memory; if false, the caller calls
   * `set`.
   */
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

  /**
   * Removes a chunk that contains only the fill value. If the store cannot delete, an existing chunk is
   * overwritten with `fill`. So is one that has to be of a version: few services delete on a condition.
   */
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
