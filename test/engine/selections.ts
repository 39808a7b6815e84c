/** Any basic selection, for property tests. */
import fc from "fast-check";
import type { SelectionEntry } from "../../src/index.js";

/**
 * What may be selected of one dimension of `length` elements.
 * @param reach of the bounds of slices, which may lie outside of the array
 */
export function anyEntry(length: number, reach: number): fc.Arbitrary<SelectionEntry> {
  const bound = fc.option(fc.integer({ min: -reach, max: reach }), { nil: null });
  return fc.oneof(
    fc.constant(null),
    fc.record({
      start: bound,
      stop: bound,
      step: fc.option(
        fc.integer({ min: -4, max: 4 }).filter((step) => step !== 0),
        { nil: null },
      ),
    }),
    ...(length > 0 ? [fc.integer({ min: -length, max: length - 1 })] : []),
  );
}
