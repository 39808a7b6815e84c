/** Deleting nodes. */
import { storeFailure } from "../engine/prepared.js";
import { isZarrError } from "../errors.js";
import type { Store, StoreOptions, WritableStore } from "../stores/store.js";
import { checkWritable } from "./describe-store.js";
import { layoutOf } from "./layout.js";
import { locate } from "./locate.js";
import { type Location, toLocation } from "./location.js";
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
  checkWritable(location.store, location.path);
  const found = await find(location, options);
  try {
    await (await layoutOf(found)).erase(found, options);
  } catch (error) {
    throw storeFailure(error, undefined, options.signal, location.path);
  }
}

async function find(location: Location, options: StoreOptions): Promise<Location> {
  try {
    return await open(location, { attrs: false, signal: options.signal });
  } catch (error) {
    if (!isZarrError(error, "InvalidMetadataError", "UnknownDataTypeError")) throw error;
    // The final formats have a node's documents in its own directory, the draft does not.
    const { path } = location;
    return error.key?.replace(/\/[^/]*$/, "") === (path === "/" ? "" : path)
      ? location
      : locate(location, options);
  }
}
