/**
 * An item of a typed array, or of a list of numbers, by its index, in code that runs once for each element. There is a function for each
 * kind of array: `at`, which all kinds of lists pass through, is slow for all of them. Engines put these in
 * line, where they cost as much as the index alone.
 *
 * All throw a RangeError for an index at which there is no item, which is a mistake of this library.
 */
import { noItem } from "./at.js";

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
