/**
 * The values that a task writes, so that they are flushed before the task counts as done: a crash of the
 * machine then takes nothing of what a ledger, or a queue, claims.
 */

import { wayOf } from "../../../core/for-work.js";
import { CheckedStore } from "../../../extend.js";
import {
  type AbsolutePath,
  defineStoreExtension,
  type StoreOptions,
  type WritableStore,
} from "../../../index.js";

export class Written {
  readonly #keys = new Map<WritableStore, Set<AbsolutePath>>();

  /**
   * Wraps a store to note what is written to it and deleted from it. A store without `flush` stays itself.
   */
  over<S extends WritableStore>(store: S): S {
    if (store.flush === undefined) return store;
    const setNow = wayOf(store, "setNow");
    const deletePrefix = wayOf(store, "deletePrefix");
    const note = (key: AbsolutePath): void => this.add(store, key);
    const front = defineStoreExtension(() => ({
      set(key: AbsolutePath, value: Uint8Array, options?: StoreOptions) {
        note(key);
        return store.set(key, value, options);
      },
      setNow:
        setNow &&
        ((key: AbsolutePath, value: Uint8Array, options?: StoreOptions) => {
          note(key);
          return setNow.call(store, key, value, options);
        }),
      delete:
        store.delete &&
        ((key: AbsolutePath, options?: StoreOptions) => {
          note(key);
          return store.delete?.(key, options);
        }),
      deletePrefix:
        deletePrefix &&
        ((prefix: AbsolutePath, options?: StoreOptions) => {
          note(`/${prefix.slice(1, -1)}`);
          return deletePrefix.call(store, prefix, options);
        }),
      copiesValues: wayOf(store, "copiesValues"),
      place: new CheckedStore(store).place,
    }));
    return front(store);
  }

  /** Notes a key that has to be flushed although the task may have found it as it has to be. */
  add(store: WritableStore, key: AbsolutePath): void {
    if (store.flush === undefined) return;
    const others = this.#keys.get(store);
    if (others === undefined) this.#keys.set(store, new Set([key]));
    else others.add(key);
  }

  /** Flushes all of it, each store once: flushes of many values at once share the wait for the disk. */
  async flush({ signal }: StoreOptions): Promise<void> {
    for (const [store, keys] of this.#keys) await new CheckedStore(store).flush([...keys], { signal });
  }
}
