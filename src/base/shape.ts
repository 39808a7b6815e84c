/** Arithmetic of shapes. */
import { numberAt } from "./at.js";

/**
 * Maximum number of dimensions, numpy's limit. Some work grows with the square of the rank, which any
 * document can claim.
 */
export const MAXIMUM_RANK = 64;

/** The number of elements of a shape; the number of bytes if `unit` is the length of an element. */
export function product(lengths: readonly number[], unit = 1): number {
  let count = unit;
  for (const length of lengths) count *= length;
  return count;
}

/**
 * Whether elements lie in C order and without gaps. Along a dimension of length 1 any stride will do.
 * @param unit as for `cOrderStrides`
 */
export function isInOrder(shape: readonly number[], strides: readonly number[], unit: number): boolean {
  let stride = unit;
  for (let d = shape.length - 1; d >= 0; d--) {
    const length = numberAt(shape, d);
    if (length !== 1 && strides[d] !== stride) return false;
    stride *= length;
  }
  return true;
}

/**
 * The strides of elements in C order.
 * @param unit the stride of the last dimension: 1, or the length of an element in bytes
 */
export function cOrderStrides(shape: readonly number[], unit: number): number[] {
  const strides = new Array<number>(shape.length);
  let stride = unit;
  for (let dimension = shape.length - 1; dimension >= 0; dimension--) {
    strides[dimension] = stride;
    stride *= numberAt(shape, dimension);
  }
  return strides;
}

/**
 * The offset of an index, in the unit of the strides. Picked points have one stride for all dimensions, and
 * begin at 0 in each: a dimension that begins there needs none.
 */
export function offsetOf(start: readonly number[], strides: readonly number[]): number {
  let offset = 0;
  for (let d = 0; d < start.length; d++) {
    const index = numberAt(start, d);
    if (index !== 0) offset += index * numberAt(strides, d);
  }
  return offset;
}
