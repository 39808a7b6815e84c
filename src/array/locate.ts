/** Whether a location is in a hierarchy of the 2020 draft, which only the `zarr.json` at the root of the store says. */
import { isDraftEntryPoint } from "../metadata/draft.js";
import type { Store, StoreOptions } from "../stores/store.js";
import { readDocument } from "./document.js";
import type { Location } from "./location.js";

/**
 * The location with its hierarchy's entry point when there is one. One request, none where the entry point is known.
 * @throws InvalidMetadataError for an entry point that cannot be understood, StoreError
 */
export async function locate<S extends Store>(
  location: Location<S>,
  options: StoreOptions,
): Promise<Location<S>> {
  if (location.entryPoint !== undefined) return location;
  const document = await readDocument(location.store, "/zarr.json", options);
  if (document === undefined || !isDraftEntryPoint(document.json)) return location;
  return (await import("./draft/locate.js")).locateIn(location, document);
}
