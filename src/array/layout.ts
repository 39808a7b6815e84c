/** Where a format keeps the nodes of a hierarchy in a store. One layout a family of formats; listing and deleting go through it. */
import { UnsupportedError } from "../errors.js";
import { keyBelow } from "../metadata/path.js";
import { canList, deleteKey, deletePrefix, directoryOf, keysBelow, listDir } from "../stores/capabilities.js";
import { checkStore } from "../stores/check-store.js";
import type { AbsolutePath, DirectoryListing, Store, StoreOptions } from "../stores/store.js";
import { describeStore } from "./describe-store.js";
import type { Location } from "./location.js";
import type { Node } from "./nodes.js";
import { openFinal, openIfThere } from "./open.js";

/** Opens what was found at a place; undefined when it turns out to be no node. */
export type OpenNode<S extends Store> = () => Promise<Node<S> | undefined>;

export interface HierarchyLayout {
  /** What may be a node directly below a location, by name, in no order. */
  children<S extends Store>(
    location: Location<S>,
    options: StoreOptions,
  ): Promise<ReadonlyMap<string, OpenNode<S>>>;
  /** Everything below a location, each node before those below it, where that takes fewer requests than level by level. */
  members?<S extends Store>(location: Location<S>, options: StoreOptions): Promise<readonly OpenNode<S>[]>;
  /** Removes a node and everything below it; its documents first, so that nobody reads an array whose chunks are gone. */
  erase(location: Location, options: StoreOptions): Promise<void>;
}

/** The final formats: every node has a directory of its own, in which its documents, its chunks and its children stand. */
const directories: HierarchyLayout = {
  async children(location, options) {
    const prefix = toPrefix(location.path);
    const { prefixes } =
      contentsBelow(location.store, prefix) ?? (await listDir(location.store, prefix, options));
    const names = prefixes
      .map((child) => child.slice(prefix.length, -1))
      .filter((name) => !/^\.*$/.test(name));
    return new Map(
      names.map((name) => [name, () => openIfThere(location.resolve(name), options, openFinal)]),
    );
  },
  async erase({ store, path }, options) {
    if (store.delete !== undefined) {
      for (const name of ["zarr.json", ".zarray", ".zgroup"])
        await deleteKey(store, keyBelow(path, name), options);
    }
    await deletePrefix(store, toPrefix(path), options);
  },
};

/** What consolidated metadata know of the nodes directly below a prefix, as a listing tells it. */
function contentsBelow(store: Store, prefix: AbsolutePath): Pick<DirectoryListing, "prefixes"> | undefined {
  const documents = store.contents?.().map(({ path }) => keyBelow(path, "zarr.json"));
  return documents && directoryOf(keysBelow(documents, prefix), prefix);
}

function toPrefix(path: AbsolutePath): AbsolutePath {
  return path === "/" ? "/" : `${path}/`;
}

/** The layout of the hierarchy that a located location is in. */
export async function layoutOf({ entryPoint }: Location): Promise<HierarchyLayout> {
  return entryPoint === undefined ? directories : (await import("./draft/layout.js")).draftLayout;
}

/** @throws UnsupportedError for a store without listing, HTTP for one */
export function checkListable({ store, path }: Location): void {
  checkStore(store);
  if (canList(store) || store.contents !== undefined) return;
  throw new UnsupportedError(
    `${describeStore(store)} cannot be listed, so what is below a group is not known: open arrays by their path, or the store by withConsolidatedMetadata`,
    { path },
  );
}
