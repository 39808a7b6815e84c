import { ZarrArray } from "../array/nodes.js";
import { checkWritable } from "../stores/check-store.js";
import { putInFrontOfStore } from "../stores/in-front.js";
import { placeOf } from "../stores/storage-identity.js";
import type { WritableStore } from "../stores/store.js";

/** The array as one that nothing has been written to yet: what an earlier attempt, or another array before it, has left is not looked at. */
export function asNew(array: ZarrArray): ZarrArray<unknown, WritableStore> {
  const { store, path, metadata, entryPoint } = array;
  const nothing = () => undefined;
  const front = putInFrontOfStore(checkWritable(store, path), {
    get: nothing,
    getRange: nothing,
    getRanges: nothing,
    // Readers of the same store are told of what is written.
    place: placeOf(store),
  });
  return new ZarrArray<unknown, WritableStore>(front, path, metadata, entryPoint);
}
