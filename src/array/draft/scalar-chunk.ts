/** The one chunk of an array without dimensions, which writers of the 2020 draft store under different keys. */
import { deleteKey, exists } from "../../stores/capabilities.js";
import { type AbsolutePath, isWritable, type Store, type StoreOptions } from "../../stores/store.js";

/**
 * A store in which that chunk has the key of the text ("c"). Where it is missing, it is read from where zarr-python and GDAL
 * put it ("c0"), and a chunk that is there is written there, so that whoever could read the array still can.
 */
export function withScalarKeys(store: Store): Store {
  const readable: Store = {
    async get(key, options) {
      return (await store.get(key, options)) ?? store.get(otherKey(key), options);
    },
  };
  if (!isWritable(store)) return readable;
  const writable: Store = {
    ...readable,
    async set(key, value, options) {
      const isOther = !(await exists(store, key, options)) && (await exists(store, otherKey(key), options));
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
