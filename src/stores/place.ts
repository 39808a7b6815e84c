/**
 * Where the values of a store are. Several stores may be of one place: two of a directory, one with consolidated metadata and the
 * one behind it. Locks, and what is remembered of shards, are the place's, so that they hold for all of them.
 */
import type { Readable } from "./store.js";

/** An object that stands for the store's place, to be compared and kept things for. */
export function placeOf(store: Pick<Readable, "place">): object {
  const { place } = store;
  // A store of somebody else's may mean anything by the name.
  return typeof place === "object" && place !== null ? place : store;
}

const named = new Map<string, WeakRef<object>>();
const forgotten = new FinalizationRegistry<string>((name) => {
  if (named.get(name)?.deref() === undefined) named.delete(name);
});

/** The same object for the same name, as long as anybody holds it. */
export function placeNamed(name: string): object {
  const known = named.get(name)?.deref();
  if (known !== undefined) return known;
  const place = {};
  named.set(name, new WeakRef(place));
  forgotten.register(place, name);
  return place;
}
