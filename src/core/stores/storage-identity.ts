/**
 * Identity of storage and versions of values. Several stores may share one storage: two stores of one
 * directory, or a wrapper with consolidated metadata and its store. Locks and cached shard indexes belong to
 * the storage, not to the store.
 */
import { wayOf } from "./faster-ways.js";
import type { Readable } from "./store.js";

/** The object that identifies a store's storage: for comparison, and as a key of weak maps. */
export function storageOf(store: Pick<Readable, "place">): object {
  const place = wayOf(store, "place");
  // A store of another library may have an unrelated member `place`.
  return typeof place === "object" && place !== null ? place : store;
}

const named = new Map<string, WeakRef<object>>();
const forgotten = /* @__PURE__ */ new FinalizationRegistry<string>((name) => {
  if (named.get(name)?.deref() === undefined) named.delete(name);
});

/** Returns the same object for the same name, as long as the object is referenced somewhere. */
export function storageNamed(name: string): object {
  const known = named.get(name)?.deref();
  if (known !== undefined) return known;
  const place = {};
  named.set(name, new WeakRef(place));
  forgotten.register(place, name);
  return place;
}

const identities = new WeakMap<Uint8Array, number>();
let count = 0;

/**
 * The version of a value in memory: a number for each Uint8Array object, since a new value is a new object.
 * Does not keep it alive.
 */
export function identityOf(value: Uint8Array): number {
  let identity = identities.get(value);
  if (identity === undefined) {
    identity = count++;
    identities.set(value, identity);
  }
  return identity;
}

/**
 * The version of a file: replacing it changes its inode, writing into it changes its times (to the precision
 * of the file system).
 */
export function fileVersion(status: {
  readonly ino: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
}): string {
  return `${status.ino} ${status.mtimeMs} ${status.ctimeMs}`;
}
