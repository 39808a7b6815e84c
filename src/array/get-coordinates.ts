/** Reading single elements, by their coordinates or a mask over the whole array. */
import { planPoints } from "../engine/chosen/points.js";
import { type CoordinateSelection, normaliseCoordinates } from "../grid/coordinates.js";
import type { Store } from "../stores/store.js";
import { checkArray } from "./check-array.js";
import { type GetChosenOptions, getChosen } from "./get-chosen.js";
import type { GetOptions } from "./get-options.js";
import type { Chunk, ZarrArray } from "./nodes.js";

/** As for `get`. */
export type GetCoordinatesOptions<D> = GetChosenOptions<D>;

/**
 * Reads single elements (zarr-python's `vindex`): one list of indices per dimension, all of the same length, in any order, where an index may
 * occur more than once and an integer counts for every element; or a mask `{ data, shape }` over the whole array. Every chunk that is
 * touched is decoded once.
 * @returns one dimension of elements: as many as the lists have, in their order; for a mask, in C order
 * @throws InvalidSelectionError, and as `get`
 */
export async function getCoordinates<D, S extends Store>(
  array: ZarrArray<D, S>,
  coordinates: CoordinateSelection,
  options?: GetCoordinatesOptions<D>,
): Promise<Chunk<D>>;
export async function getCoordinates(
  array: ZarrArray<unknown>,
  coordinates: CoordinateSelection,
  options: GetOptions<unknown> = {},
): Promise<unknown> {
  checkArray(array);
  const points = normaliseCoordinates(coordinates, array.shape);
  return getChosen(array, points.result, (runs, gap) => planPoints(points, array.shape, runs, gap), options);
}
