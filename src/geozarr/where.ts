/** Finds the store to read metadata from: consolidated metadata are read at once. */
import { toLocation } from "../extend.js";
import { Location, type Store, type StoreOptions, withMaybeConsolidatedMetadata } from "../index.js";

/**
 * The same place in a store that knows its consolidated metadata, if there are any.
 * @throws what `open` throws
 */
export async function locationOf<S extends Store>(
  where: Location<S> | S,
  options: StoreOptions,
): Promise<Location<S>> {
  const location = toLocation(where);
  const { store, path } = location;
  if ("contents" in store) return location;
  return new Location<S>(await withMaybeConsolidatedMetadata(store, options), path);
}
