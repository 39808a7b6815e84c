/** What is said of a store, and of one that cannot do what is asked: not loaded by who only reads. */
import { UnsupportedError } from "../errors.js";
import { checkStore } from "../stores/check-store.js";
import { type AbsolutePath, isWritable, type Store, type WritableStore } from "../stores/store.js";

/** @throws InvalidArgumentError for what is no store, UnsupportedError for a store that cannot be written */
export function checkWritable(store: Store, path: AbsolutePath): WritableStore {
  checkStore(store);
  if (isWritable(store)) return store;
  throw new UnsupportedError(`${describeStore(store)} cannot be written: it has no set method`, { path });
}

/** What a store calls itself, for error messages. */
export function describeStore(store: Store): string {
  if ("url" in store) return String(store.url);
  if ("root" in store) return String(store.root);
  return store.constructor.name === "Object" ? "the store" : `the ${store.constructor.name}`;
}
