/** Whether a location is in a hierarchy of the 2020 draft, which only the `zarr.json` at the root of the store says. */
import { InvalidMetadataError } from "../errors.js";
import { isDraftEntryPoint } from "../metadata/draft-format.js";
import { keyBelow } from "../metadata/path.js";
import type { Store, StoreOptions } from "../stores/store.js";
import { type Document, readDocument } from "./document.js";
import { Location } from "./location.js";

/** The location with its hierarchy's entry point when there is one. One request, none where the entry point is known. */
export async function locate<S extends Store>(
  location: Location<S>,
  options: StoreOptions,
): Promise<Location<S>> {
  if (location.entryPoint !== undefined) return location;
  const document = await readDocument(location.store, "/zarr.json", options);
  if (document === undefined || !isDraftEntryPoint(document.json)) return location;
  return locateIn(location, document);
}

/**
 * The location, given the `zarr.json` of the draft that was found.
 * @throws InvalidMetadataError when it is not at the root, or must be understood and is not
 */
export async function locateIn<S extends Store>(
  { store, path }: Location<S>,
  { json, context }: Document,
): Promise<Location<S>> {
  if (context.key !== "/zarr.json") {
    throw new InvalidMetadataError(
      `a hierarchy of the 2020 draft begins here, and has to be opened at its root: make a store of what is below ${keyBelow(path, "")}`,
      context,
    );
  }
  const { parseDraftEntryPoint } = await import("../metadata/draft-entry-point.js");
  return new Location(store, path, parseDraftEntryPoint(json, context));
}
