/**
 * An item of a list by its index. An index out of range is a mistake of this library: it throws, and does not
 * become a wrong number.
 */

/**
 * For code that does not run once for each element; `list[i] ?? noItem(list, i)` is for code that does.
 * @throws RangeError for an index at which there is no item
 */
export function at<Item extends NonNullable<unknown> | null>(list: ArrayLike<Item>, index: number): Item {
  const item = list[index];
  return item === undefined ? noItem(list, index) : item;
}

/**
 * Fails where an item must be: `list[i] ?? noItem(list, i)`. In a hot loop this is faster than `at`, which
 * all kinds of lists pass through, so that V8 has no fast access for any one of them.
 */
export function noItem({ length }: ArrayLike<unknown>, index: number): never {
  throw new RangeError(`internal error: no item ${index} of ${length}`);
}
