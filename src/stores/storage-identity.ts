/**
 * Which stores have the same values, and which values are still the same. Several stores may have the same storage: two of one
 * directory, or one with consolidated metadata in front of another. Locks and remembered shard indexes belong to the storage.
 */
import type { Readable } from "./store.js";

/** The object that stands for the storage of a store, to be compared, and to be a key of weak maps. */
export function placeOf(store: Pick<Readable, "place">): object {
  const { place } = store;
  // In foreign stores, `place` may be something else.
  return typeof place === "object" && place !== null ? place : store;
}

const named = new Map<string, WeakRef<object>>();
const forgotten = new FinalizationRegistry<string>((name) => {
  if (named.get(name)?.deref() === undefined) named.delete(name);
});

/** One object for each name, as long as it is used. */
export function placeNamed(name: string): object {
  const known = named.get(name)?.deref();
  if (known !== undefined) return known;
  const place = {};
  named.set(name, new WeakRef(place));
  forgotten.register(place, name);
  return place;
}

const identities = new WeakMap<Uint8Array, number>();
let count = 0;

/** A number for each value in memory: a value that replaces another is another Uint8Array. The value is not kept alive. */
export function identityOf(value: Uint8Array): number {
  let identity = identities.get(value);
  if (identity === undefined) {
    identity = count++;
    identities.set(value, identity);
  }
  return identity;
}

/** The version of a file: replacing it makes another inode, writing into it changes its times (to the precision of the file system). */
export function fileVersion(status: {
  readonly ino: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
}): string {
  return `${status.ino} ${status.mtimeMs} ${status.ctimeMs}`;
}
