/** Locations in hierarchies of the 2020 draft, given the `zarr.json` that was found. */
import { InvalidMetadataError } from "../../errors.js";
import { parseDraftEntryPoint } from "../../metadata/draft/entry-point.js";
import { ENTRY_POINT_KEY } from "../../metadata/draft/keys.js";
import { keyBelow } from "../../metadata/path.js";
import type { Store } from "../../stores/store.js";
import type { Document } from "../document.js";
import { Location } from "../location.js";

/**
 * The location with its entry point.
 * @throws InvalidMetadataError when that is not at the root, or what must be understood is not
 */
export function locateIn<S extends Store>(
  { store, path }: Location<S>,
  { json, context }: Document,
): Location<S> {
  if (context.key === ENTRY_POINT_KEY) {
    return new Location(store, path, parseDraftEntryPoint(json, context));
  }
  throw new InvalidMetadataError(
    `a hierarchy of the 2020 draft begins here, and has to be opened at its root: make a store of what is below ${keyBelow(path, "")}`,
    context,
  );
}

/** For who wants a final format. */
export function refuseDraft({ context }: Document): never {
  throw new InvalidMetadataError(
    'expected zarr_format 3, got a hierarchy of the 2020 draft, whose nodes open.draft reads and zarrFormat: "draft" creates',
    context,
  );
}
