/** Where a format keeps the nodes of a hierarchy: what listing and deleting need of it. */
import type { Store, StoreOptions } from "../../core/stores/store.js";
import type { Location, Node } from "../nodes/nodes.js";

/** Opens a possible node that a listing showed; undefined if it is not a node. */
export type OpenNode<S extends Store> = () => Promise<Node<S> | undefined>;

export interface HierarchyLayout {
  /** The possible nodes directly below a location, by name, unsorted. */
  children<S extends Store>(
    location: Location<S>,
    options: StoreOptions,
  ): Promise<ReadonlyMap<string, OpenNode<S>>>;
  /**
   * Removes a node and everything below it, in the order of erase.ts.
   * @throws UnsupportedError before anything is removed
   */
  erase(location: Location, options: StoreOptions): Promise<void>;
}
