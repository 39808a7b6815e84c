/** A view of a store that has a group with some of its nodes only. */
import { type AbsolutePath, defineStoreExtension, Location, type Store } from "../../index.js";

const withListing = defineStoreExtension((_store, prefixes: readonly AbsolutePath[]) => ({
  list: () => [],
  listPrefix: () => [],
  listDir: () => ({ keys: [], prefixes }),
}));

/** @param names nodes that the group may have; those that are not there are left out */
export function listingOnly(store: Store, path: string, names: readonly string[]): Location {
  const group = new Location(store).resolve(path);
  const prefixes = names.map((name): AbsolutePath => `${group.resolve(name).path}/`);
  return new Location(withListing(store, prefixes)).resolve(path);
}
