/** Caches of values that are told when this process writes or deletes one. */
import { storageOf } from "./storage-identity.js";
import type { Readable } from "./store.js";
import { logWritten } from "./write-log.js";

/** A cache of values that must be notified of this process's writes. */
export interface Watcher {
  /**
   * @param key of the value that was written or deleted, or a prefix, ending in "/", of all values that were
   * deleted
   */
  written(place: object, key: string): void;
}

/**
 * Watchers by place. Undefined until the first `watch`, since every chunk write checks it. WeakRefs let
 * unused watchers be collected.
 */
let watchers: WeakMap<object, Set<WeakRef<Watcher>>> | undefined;

export function watch(place: object, watcher: WeakRef<Watcher>): void {
  watchers ??= new WeakMap();
  const others = watchers.get(place);
  if (others === undefined) watchers.set(place, new Set([watcher]));
  else others.add(watcher);
}

/**
 * Notifies watchers, and readers that remember indexes of shards (`write-log.ts`). Call it after a write or
 * deletion succeeds or fails, so that later reads do not find the old value in a cache.
 */
export function tellWritten(store: Pick<Readable, "place">, key: string): void {
  logWritten(store, key);
  if (watchers === undefined) return;
  const place = storageOf(store);
  const listeners = watchers.get(place);
  for (const watcher of listeners ?? []) {
    const living = watcher.deref();
    if (living === undefined) listeners?.delete(watcher);
    else living.written(place, key);
  }
}
