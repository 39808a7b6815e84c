/** Selecting by the names of dimensions. */
import { InvalidSelectionError } from "../errors.js";
import type { NamedEntries, NamedSelection } from "../grid/selection.js";
import { checkArray } from "./check-arguments.js";
import type { ZarrArray } from "./nodes.js";

/**
 * Makes a selection for `get` and `set` from dimension names: `select(array, { time: 0, latitude: slice(10, 20) })`. Dimensions without a name
 * in `selection` are selected whole. TypeScript types the result of `get` as a chunk; to get the type of a scalar, select integers by
 * position, `[0, 3]`.
 * @throws InvalidSelectionError for an array without dimension names, a name that no dimension or more than one dimension has, and an
 *   undefined entry
 */
export function select(array: ZarrArray<unknown>, selection: NamedEntries): NamedSelection {
  checkArray(array);
  const { dimensionNames, path } = array;
  if (dimensionNames === undefined) {
    throw new InvalidSelectionError("the array has no dimension names: select by position", { path });
  }
  for (const name of Object.keys(selection)) {
    const count = dimensionNames.filter((each) => each === name).length;
    if (count !== 1) {
      const known = dimensionNames.map((each) => JSON.stringify(each)).join(", ");
      const found = count === 0 ? "none" : `${count}`;
      throw new InvalidSelectionError(
        `expected the name of one dimension (${known}), got ${JSON.stringify(name)}, which ${found} has`,
        { path },
      );
    }
  }
  return dimensionNames.map((name) => {
    const entry = name !== null && Object.hasOwn(selection, name) ? selection[name] : null;
    if (entry !== undefined) return entry;
    throw new InvalidSelectionError(
      `dimension ${JSON.stringify(name)}: expected an integer, slice(...) or null, got undefined`,
      { path },
    );
  });
}
