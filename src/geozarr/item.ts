/** An item of a list of coordinates. @throws RangeError for an index at which there is none */
export function itemAt(list: ArrayLike<number>, index: number): number {
  const item = list[index];
  if (item !== undefined) return item;
  throw new RangeError(`internal error: no item ${index} of ${list.length}`);
}
