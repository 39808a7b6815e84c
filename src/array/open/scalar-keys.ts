/** The chunk of an array without dimensions in the 2020 draft. */
import { deleteKey, exists } from "../../core/stores/capabilities.js";
import { storageOf } from "../../core/stores/storage-identity.js";
import { type AbsolutePath, isWritable, type Store, type StoreOptions } from "../../core/stores/store.js";

/**
 * A store for the one chunk of an array without dimensions. The draft's text names its key "c", zarr-python
 * and GDAL "c0". Reads try "c", then "c0". Writes go to "c0" if only that exists, so that readers that found
 * the chunk still find it.
 */
export function withScalarKeys(store: Store): Store {
  const readable: Store = {
    place: storageOf(store),
    async get(key, options) {
      return (await store.get(key, options)) ?? store.get(otherKey(key), options);
    },
  };
  if (!isWritable(store)) return readable;
  const writable: Store = {
    ...readable,
    async set(key, value, options) {
      // A cache may not know that another writer has replaced one key by the other.
      const now = { ...options, current: true };
      const isOther = !(await exists(store, key, now)) && (await exists(store, otherKey(key), now));
      await store.set(isOther ? otherKey(key) : key, value, options);
    },
  };
  if (store.delete === undefined) return writable;
  return {
    ...writable,
    async delete(key: AbsolutePath, options?: StoreOptions) {
      for (const each of [key, otherKey(key)]) await deleteKey(store, each, options);
    },
  };
}

function otherKey(key: AbsolutePath): AbsolutePath {
  return `${key}0`;
}
