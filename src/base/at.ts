/**
 * An item of a list by its index. An index out of range is a mistake of this library: it throws, and does not
 * become a wrong number.
 */

/**
 * For code that does not run once for each element; the functions of `typed-items.ts` are for code that does.
 * @throws RangeError for an index at which there is no item
 */
export function at<Item extends NonNullable<unknown> | null>(list: ArrayLike<Item>, index: number): Item {
  const item = list[index];
  return item === undefined ? noItem(list, index) : item;
}

/**
 * Fails where an item must be: `list[i] ?? noItem(list, i)`, in a hot loop over a list that has no function in
 * `typed-items.ts`. It is faster there than `at`, which all kinds of lists pass through, so that V8 has no fast
 * access for any one of them.
 */
export function noItem({ length }: ArrayLike<unknown>, index: number): never {
  throw new RangeError(`internal error: no item ${index} of ${length}`);
}
