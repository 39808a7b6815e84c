/** Finds the store to read metadata from: consolidated metadata are read at once. */
import { CheckedStore, toLocation } from "../../extend.js";
import { Location, type Store, type StoreOptions, withMaybeConsolidatedMetadata } from "../../index.js";

/**
 * The same place in a store that knows its consolidated metadata, if there are any.
 * @throws what `open` throws
 */
export async function locationOf<S extends Store>(
  where: Location<S> | S,
  options: StoreOptions,
): Promise<Location<S>> {
  const location = toLocation(where);
  const { store } = new CheckedStore(location.store);
  if ("contents" in store) return location;
  return new Location<S>(await withMaybeConsolidatedMetadata(location.store, options), location.path);
}
