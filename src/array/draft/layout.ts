/** Listing and erasing in hierarchies of the 2020 draft: documents in one tree of keys, chunks in another. */
import { UnsupportedError } from "../../errors.js";
import {
  type DraftNodeType,
  draftChildren,
  draftDocumentPrefix,
  draftNodesBelow,
} from "../../metadata/draft/keys.js";
import { chunkPrefix } from "../../metadata/path.js";
import { canList, deleteKey, deletePrefix, listDir, listPrefix } from "../../stores/capabilities.js";
import type { Store, StoreOptions } from "../../stores/store.js";
import { describeStore } from "../describe-store.js";
import type { HierarchyLayout, OpenNode } from "../layout.js";
import { Location } from "../location.js";
import { openIfThere } from "../open.js";
import { documentKey, implicitGroup, NEW_ENTRY_POINT } from "./documents.js";

export const draftLayout: HierarchyLayout = {
  /** "Discover children of a group": one listing; no request for implicit groups and one for any other node. */
  async children(location, options) {
    const listing = await listDir(location.store, draftDocumentPrefix(location.path), options);
    const found = draftChildren(listing, suffixOf(location));
    return new Map(
      [...found].map(([name, nodeType]) => [name, toOpen(location.resolve(name), nodeType, options)]),
    );
  },

  /** "Discover all nodes in a hierarchy". */
  async members(location, options) {
    const keys = await listPrefix(location.store, draftDocumentPrefix(location.path), options);
    return draftNodesBelow(keys, location.path, suffixOf(location)).map(({ path, nodeType }) =>
      toOpen(new Location(location.store, path, location.entryPoint), nodeType, options),
    );
  },

  /**
   * "Erase a group or array": both documents and everything below, whatever the node is; the entry point stays. Groups above
   * that only this node implied are gone with it; `create` makes them explicit where they are to stay.
   */
  async erase(location, options) {
    const { store, path } = location;
    checkErasable(location);
    for (const nodeType of ["array", "group"] as const) {
      await deleteKey(store, documentKey(location, nodeType), options);
    }
    await deletePrefix(store, draftDocumentPrefix(path), options);
    await deletePrefix(store, chunkPrefix(path, "draft"), options);
  },
};

function suffixOf({ entryPoint = NEW_ENTRY_POINT }: Location): string {
  return entryPoint.metadataKeySuffix;
}

export function canErase(store: Store): boolean {
  return store.delete !== undefined && (store.deletePrefix !== undefined || canList(store));
}

/** So that no node loses its document and keeps its chunks. */
function checkErasable({ store, path }: Location): void {
  if (canErase(store)) return;
  throw new UnsupportedError(
    `${describeStore(store)} cannot erase what is below a node: it has no delete, or neither deletePrefix nor a listing`,
    { path },
  );
}

function toOpen<S extends Store>(
  location: Location<S>,
  nodeType: DraftNodeType,
  options: StoreOptions,
): OpenNode<S> {
  if (nodeType !== "implicit_group") return () => openIfThere(location, { ...options, kind: nodeType });
  return async () => implicitGroup(location);
}
