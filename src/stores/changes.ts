/** Values that this process changes: deleting them, and who is told. */
import { UnsupportedError } from "../errors.js";
import { listPrefix } from "./capabilities.js";
import { placeOf } from "./storage-identity.js";
import type { AbsolutePath, Readable, Store, StoreOptions } from "./store.js";

/** Who keeps what was read, and is to know what this process writes. */
export interface Watcher {
  /** @param key of the value that was written, or what the keys of values that were deleted begin with: it ends in "/" */
  written(place: object, key: string): void;
}

/** By place. Undefined until there is one: writes look here for every chunk. A watcher that nobody uses is let go. */
let watchers: WeakMap<object, Set<WeakRef<Watcher>>> | undefined;

export function watch(place: object, watcher: WeakRef<Watcher>): void {
  watchers ??= new WeakMap();
  const others = watchers.get(place);
  if (others === undefined) watchers.set(place, new Set([watcher]));
  else others.add(watcher);
}

/** To be called when a store has answered to what changes a value, failures included: readers that begin later must not find the old one. */
export function tellWritten(store: Pick<Readable, "place">, key: string): void {
  if (watchers === undefined) return;
  const place = placeOf(store);
  const told = watchers.get(place);
  for (const watcher of told ?? []) {
    const living = watcher.deref();
    if (living === undefined) told?.delete(watcher);
    else living.written(place, key);
  }
}

/**
 * Removes a key; a missing key is no error.
 * @throws UnsupportedError when the store cannot delete
 */
export async function deleteKey(store: Store, key: AbsolutePath, options?: StoreOptions): Promise<void> {
  if (store.delete === undefined)
    throw new UnsupportedError("this store cannot delete: it has no `delete`", { key });
  try {
    await store.delete(key, options);
  } finally {
    tellWritten(store, key);
  }
}

/**
 * Removes every key that begins with `prefix`, which ends in "/"; "/" empties the store. Nothing found is no error.
 * @throws UnsupportedError when the store cannot delete, or would have to be listed and cannot
 */
export async function deletePrefix(
  store: Store,
  prefix: AbsolutePath,
  options?: StoreOptions,
): Promise<void> {
  if (store.deletePrefix !== undefined) {
    try {
      await store.deletePrefix(prefix, options);
    } finally {
      tellWritten(store, prefix);
    }
    return;
  }
  for (const key of await listPrefix(store, prefix, options)) await deleteKey(store, key, options);
}
