/** Reading by lists of indices and masks, a dimension at a time. */
import { planCrossings } from "../engine/chosen/crossings.js";
import { normaliseOrthogonal, type OrthogonalEntry } from "../grid/orthogonal.js";
import type { Store } from "../stores/store.js";
import { checkArray } from "./check-array.js";
import { type GetChosenOptions, getChosen } from "./get-chosen.js";
import type { GetOptions } from "./get-options.js";
import type { Chunk, ZarrArray } from "./nodes.js";

/** As for `get`. */
export type GetOrthogonalOptions<D> = GetChosenOptions<D>;

/**
 * Reads every combination of what the dimensions select (zarr-python's `oindex`, xarray's `isel`): per dimension an entry of a basic selection, a
 * list of indices, in any order and with repetitions, or a mask of booleans. An integer drops its dimension. Every chunk that is touched is
 * decoded once.
 * @returns elements in C order; an array, not a scalar, also for integers alone
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
