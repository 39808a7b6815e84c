/** A place in a hierarchy: a store and a node path. Opening or creating a node starts from one. */
import type { ZarrFormat } from "../data-types/data-type.js";
import type { DraftEntryPoint } from "../metadata/draft/entry-point.js";
import { normalisePath } from "../metadata/path.js";
import type { AbsolutePath, Store } from "../stores/store.js";

export class Location<S extends Store = Store> {
  readonly store: S;
  /** Node path: "/" for the root, "/group/array" below. */
  readonly path: AbsolutePath;

  /** Of the 2020-draft hierarchy that the location is known to be in: that of a node which was opened, and all resolved from it. */
  readonly entryPoint: DraftEntryPoint | undefined;

  /** Of the node that the location was resolved from, or is: what `open` looks for first. */
  readonly zarrFormat: ZarrFormat | undefined;

  constructor(
    store: S,
    path: AbsolutePath = "/",
    entryPoint?: DraftEntryPoint | undefined,
    zarrFormat?: ZarrFormat,
  ) {
    this.store = store;
    this.path = path;
    this.entryPoint = entryPoint;
    this.zarrFormat = zarrFormat;
  }

  /** The location of a node below (or of any node, when `path` begins with "/"). Characters are taken as they are. */
  resolve(path: string): Location<S> {
    const absolute = path.startsWith("/") || this.path === "/" ? path : `${this.path}/${path}`;
    return new Location(this.store, normalisePath(absolute), this.entryPoint, this.zarrFormat);
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
