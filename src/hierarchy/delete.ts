/** Deleting nodes. */

import { storeFailure } from "../engine/prepared.js";
import { isZarrError, UnsupportedError } from "../errors.js";
import { isWritable, type Store, type StoreOptions, type WritableStore } from "../stores/store.js";
import { layoutOf } from "./layout.js";
import { describeStore, type Location, toLocation } from "./location.js";
import { open } from "./open.js";

/**
 * Deletes an array or a group with everything below it. A node whose metadata cannot be read is deleted all the same.
 * @throws NotFoundError when there is none, UnsupportedError when the store cannot delete, StoreError
 */
export async function deleteNode<S extends WritableStore>(
  where: Location<S> | S,
  options?: StoreOptions,
): Promise<void>;
export async function deleteNode(where: Location | Store, options: StoreOptions = {}): Promise<void> {
  const location = toLocation(where);
  if (!isWritable(location.store)) {
    throw new UnsupportedError(`${describeStore(location.store)} cannot be written: it has no set method`, {
      path: location.path,
    });
  }
  try {
    await layoutOf(await formatOf(location, options)).erase(location, options);
  } catch (error) {
    throw storeFailure(error, location.path, options.signal);
  }
}

async function formatOf(location: Location, { signal }: StoreOptions) {
  try {
    return (await open(location, { attrs: false, signal })).metadata.zarrFormat;
  } catch (error) {
    if (isZarrError(error, "InvalidMetadataError", "UnknownDataTypeError")) return undefined;
    throw error;
  }
}
