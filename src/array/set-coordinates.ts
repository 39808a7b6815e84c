/** Writing single elements, by their coordinates or a mask over the whole array. */
import { planPoints } from "../engine/chosen/points.js";
import { type CoordinateSelection, normaliseCoordinates } from "../grid/coordinates.js";
import type { Store } from "../stores/store.js";
import { checkArray } from "./check-array.js";
import type { ZarrArray } from "./nodes.js";
import type { SetOptions, SetValue } from "./set.js";

/**
 * Writes single elements, given as `getCoordinates` takes them (zarr-python's `vindex[...] = `): a scalar everywhere, or as many elements
 * in one dimension as there are points. Of several for one point the last one stays. Every chunk that is touched is read, changed
 * and written once, under a lock.
 * @throws InvalidSelectionError, and as `set`
 */
export async function setCoordinates<D, S extends Store>(
  array: ZarrArray<D, S>,
  coordinates: CoordinateSelection,
  value: SetValue<D>,
  options?: SetOptions,
): Promise<void>;
export async function setCoordinates(
  array: ZarrArray<unknown>,
  coordinates: CoordinateSelection,
  value: unknown,
  options: SetOptions = {},
): Promise<void> {
  checkArray(array);
  const points = normaliseCoordinates(coordinates, array.shape);
  // Who only reads does not download the writer.
  const { setChosen } = await import("./set-chosen.js");
  await setChosen(array, points.result, (runs) => planPoints(points, array.shape, runs), value, options);
}
