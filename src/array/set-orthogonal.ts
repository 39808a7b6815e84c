/** Writing by lists of indices and masks, a dimension at a time. */
import { planCrossings } from "../engine/chosen/crossings.js";
import { normaliseOrthogonal, type OrthogonalEntry } from "../grid/orthogonal.js";
import type { Store } from "../stores/store.js";
import { checkArray } from "./check-array.js";
import type { ZarrArray } from "./nodes.js";
import type { SetOptions, SetValue } from "./set.js";

/**
 * Writes the elements at the crossings of what each dimension selects, as `getOrthogonal` reads them (zarr-python's `oindex[...] = `): a
 * scalar everywhere, or elements of exactly the selection's shape. Where an index is given twice the last one stays. Every chunk that is touched
 * is written once, and read before, unless all of it is written (what is behind the array's edge included), under a lock.
 * @throws InvalidSelectionError, and as `set`
 */
export async function setOrthogonal<D, S extends Store>(
  array: ZarrArray<D, S>,
  selection: readonly OrthogonalEntry[],
  value: SetValue<D>,
  options?: SetOptions,
): Promise<void>;
export async function setOrthogonal(
  array: ZarrArray<unknown>,
  selection: readonly OrthogonalEntry[],
  value: unknown,
  options: SetOptions = {},
): Promise<void> {
  checkArray(array);
  const { lines, result } = normaliseOrthogonal(selection, array.shape);
  // Who only reads does not download the writer.
  const { setChosen } = await import("./set-chosen.js");
  await setChosen(array, result, (runs) => planCrossings(lines, array.shape, runs), value, options);
}
