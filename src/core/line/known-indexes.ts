/**
 * What code outside of the shards' file of the package has to do with their cached indexes (shard-index.ts).
 */
import { storageOf } from "../stores/storage-identity.js";
import type { Store } from "../stores/store.js";

interface KnownIndexes {
  has(key: string): boolean;
  /** Drops the indexes of a value that has changed. */
  forget(key: string): unknown;
}

const caches = new WeakMap<object, KnownIndexes>();

/** Undefined if no index of the store's place was read yet. */
export function knownIndexes(store: Store): KnownIndexes | undefined {
  return caches.get(storageOf(store));
}

/** @param place as `storageOf` gives it */
export function tellIndexes(place: object, indexes: KnownIndexes): void {
  caches.set(place, indexes);
}
