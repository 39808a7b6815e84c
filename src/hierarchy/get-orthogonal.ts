/** Reading by lists of indices and masks, a dimension at a time. */
import { planCrossings } from "../engine/chosen/crossings.js";
import { normaliseOrthogonal, type OrthogonalEntry } from "../indexing/orthogonal.js";
import type { Store } from "../stores/store.js";
import { checkArray } from "./check-array.js";
import { type GetChosenOptions, getChosen } from "./get-chosen.js";
import type { GetOptions } from "./get-options.js";
import type { Chunk, ZarrArray } from "./nodes.js";

/** As for `get`. */
export type GetOrthogonalOptions<D> = GetChosenOptions<D>;

/**
 * Reads the elements at the crossings of what each dimension selects (zarr-python's `oindex`, xarray's `isel`): an entry of a basic
 * selection, a list of indices in any order and as often as wanted, or a mask of booleans. Integers drop their dimension. Every chunk that is
 * touched is decoded once.
 * @returns elements in C order, also when integers alone are given
 * @throws InvalidSelectionError, and as `get`
 */
export async function getOrthogonal<D, S extends Store>(
  array: ZarrArray<D, S>,
  selection: readonly OrthogonalEntry[],
  options?: GetOrthogonalOptions<D>,
): Promise<Chunk<D>>;
export async function getOrthogonal(
  array: ZarrArray<unknown>,
  selection: readonly OrthogonalEntry[],
  options: GetOptions<unknown> = {},
): Promise<unknown> {
  checkArray(array);
  const { lines, result } = normaliseOrthogonal(selection, array.shape);
  return getChosen(array, result, (runs) => planCrossings(lines, array.shape, runs), options);
}
