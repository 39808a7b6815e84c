/**
 * An item of a list by its index. An index out of range is a mistake of this library: it throws, and does not
 * become a wrong number.
 */

/**
 * For code that does not run once for each element; `byteAt` and the others below are for code that does.
 * @throws RangeError for an index at which there is no item
 */
export function at<Item extends NonNullable<unknown> | null>(list: ArrayLike<Item>, index: number): Item {
  const item = list[index];
  return item === undefined ? noItem(list, index) : item;
}

/**
 * Fails where an item must be: `list[i] ?? noItem(list, i)`, in a loop over a list of another kind than
 * below.
 */
export function noItem({ length }: ArrayLike<unknown>, index: number): never {
  throw new RangeError(`internal error: no item ${index} of ${length}`);
}

/*
 * In code that runs once for each element: a function for each kind of list. Engines put these in line, where
 * they cost as much as the index alone. `at` is slow there for all kinds, because all pass through it.
 */
export function byteAt(list: Uint8Array, index: number): number {
  const item = list[index];
  return item === undefined ? noItem(list, index) : item;
}
export function uint16At(list: Uint16Array, index: number): number {
  const item = list[index];
  return item === undefined ? noItem(list, index) : item;
}
export function uint32At(list: Uint32Array, index: number): number {
  const item = list[index];
  return item === undefined ? noItem(list, index) : item;
}
export function int32At(list: Int32Array, index: number): number {
  const item = list[index];
  return item === undefined ? noItem(list, index) : item;
}
export function float32At(list: Float32Array, index: number): number {
  const item = list[index];
  return item === undefined ? noItem(list, index) : item;
}
export function float64At(list: Float64Array, index: number): number {
  const item = list[index];
  return item === undefined ? noItem(list, index) : item;
}
export function int64At(list: BigInt64Array, index: number): bigint {
  const item = list[index];
  return item === undefined ? noItem(list, index) : item;
}
export function uint64At(list: BigUint64Array, index: number): bigint {
  const item = list[index];
  return item === undefined ? noItem(list, index) : item;
}
export function numberAt(list: readonly number[], index: number): number {
  const item = list[index];
  return item === undefined ? noItem(list, index) : item;
}
/** For lists of places (`Places` of `grid/index-lists.ts`), which are of two kinds. */
export function placeAt(list: Int32Array | Float64Array, index: number): number {
  const item = list[index];
  return item === undefined ? noItem(list, index) : item;
}
