/** A place in a hierarchy: a store and a node path. Opening or creating a node starts from one. */
import { normalisePath } from "../metadata/path.js";
import type { AbsolutePath, Store } from "../stores/store.js";

export class Location<S extends Store = Store> {
  readonly store: S;
  /** Node path: "/" for the root, "/group/array" below. */
  readonly path: AbsolutePath;

  constructor(store: S, path: AbsolutePath = "/") {
    this.store = store;
    this.path = path;
  }

  /** The location of a node below (or of any node, when `path` begins with "/"). Characters are taken as they are. */
  resolve(path: string): Location<S> {
    const absolute = path.startsWith("/") || this.path === "/" ? path : `${this.path}/${path}`;
    return new Location(this.store, normalisePath(absolute));
  }
}

/** The root of a hierarchy; without a store, of a new one in memory. */
export function root<S extends Store>(store: S): Location<S>;
export function root(): Location<Map<string, Uint8Array>>;
export function root(store: Store = new Map<string, Uint8Array>()): Location {
  return new Location(store);
}

export function toLocation<S extends Store>(location: Location<S> | S): Location<S> {
  return location instanceof Location ? location : new Location(location);
}

/** What a store calls itself, for error messages. */
export function describeStore(store: Store): string {
  if ("url" in store) return String(store.url);
  if ("root" in store) return String(store.root);
  return store.constructor.name === "Object" ? "the store" : `the ${store.constructor.name}`;
}
