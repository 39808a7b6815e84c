/** Where a format keeps the nodes of a hierarchy in a store. One layout a family of formats; listing and deleting go through it. */
import type { ZarrFormat } from "../data-types/data-type.js";
import { UnsupportedError } from "../errors.js";
import { keyBelow } from "../metadata/path.js";
import { canList, deleteKey, deletePrefix, listDir } from "../stores/capabilities.js";
import type { AbsolutePath, StoreOptions } from "../stores/store.js";
import { describeStore, type Location } from "./location.js";

export interface HierarchyLayout {
  /** Names directly below a path at which there may be a node; opening tells. In no order. */
  childNames(location: Location, options: StoreOptions): Promise<readonly string[]>;
  /** Removes a node and everything below it; its documents first, so that nobody reads an array whose chunks are gone. */
  erase(location: Location, options: StoreOptions): Promise<void>;
}

/** The final formats: every node has a directory of its own, in which its documents, its chunks and its children stand. */
const directories: HierarchyLayout = {
  async childNames({ store, path }, options) {
    const prefix = toPrefix(path);
    const { prefixes } = await listDir(store, prefix, options);
    return prefixes.map((child) => child.slice(prefix.length, -1));
  },
  async erase({ store, path }, options) {
    if (store.delete !== undefined) {
      for (const name of ["zarr.json", ".zarray", ".zgroup"])
        await deleteKey(store, keyBelow(path, name), options);
    }
    await deletePrefix(store, toPrefix(path), options);
  },
};

function toPrefix(path: AbsolutePath): AbsolutePath {
  return path === "/" ? "/" : `${path}/`;
}

const layouts: ReadonlyMap<ZarrFormat, HierarchyLayout> = new Map([
  [2, directories],
  [3, directories],
]);

/** The layout of a format; that of the final formats where no node says which format it is. */
export function layoutOf(zarrFormat: ZarrFormat = 3): HierarchyLayout {
  const layout = layouts.get(zarrFormat);
  if (layout !== undefined) return layout;
  throw new UnsupportedError(`hierarchies of format ${zarrFormat} can be neither listed nor deleted`);
}

/** @throws UnsupportedError for a store without listing, HTTP for one */
export function checkListable({ store, path }: Location): void {
  if (canList(store)) return;
  throw new UnsupportedError(
    `${describeStore(store)} cannot be listed, so what is below a group is not known; open arrays by their path instead`,
    { path },
  );
}
