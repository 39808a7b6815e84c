/**
 * Placements give the positions of picked elements in a chunk or a result, counted in elements: as runs, or
 * as indices. Copies between two placements.
 */
import { at, numberAt, placeAt } from "../../base/at.js";
import { cOrderStrides, product } from "../../base/shape.js";
import type { Places } from "../../grid/index-lists.js";

/** A box of elements inside a larger array; its own order is C order. */
export interface Placement {
  readonly shape: readonly number[];
  readonly offset: number;
  readonly strides: readonly number[];
  /** By dimension, instead of its stride: the offset of each index. */
  readonly places?: readonly (Places | undefined)[];
}

export function sizeOf({ shape }: Placement): number {
  return product(shape);
}

/** The placement of contiguous elements in C order. */
export function inOneRow(...shape: readonly number[]): Placement {
  return { shape, offset: 0, strides: cOrderStrides(shape, 1) };
}

/**
 * Visits runs of evenly spaced elements, in the box's order. Dimensions that continue one another are joined.
 */
export function forEachRun(
  { shape, offset, strides, places }: Placement,
  visit: (start: number, stride: number, count: number, inBox: number) => void,
): void {
  if (shape.includes(0)) return;
  let first = offset;
  // Innermost dimension first.
  const extents: number[] = [];
  const steps: number[] = [];
  const lists: (Places | undefined)[] = [];
  for (let d = shape.length - 1; d >= 0; d--) {
    const extent = numberAt(shape, d);
    const list = places?.[d];
    if (extent === 1) {
      if (list) first += at(list, 0);
      continue;
    }
    const stride = numberAt(strides, d);
    const last = extents.length - 1;
    const [inner, step] = [extents[last], steps[last]];
    if (inner !== undefined && step !== undefined && stride === inner * step && !list && !lists[last])
      extents[last] = inner * extent;
    else {
      extents.push(extent);
      steps.push(stride);
      lists.push(list);
    }
  }
  // In a dimension with a list, each element is a run.
  if (lists[0]) {
    extents.unshift(1);
    steps.unshift(1);
    lists.unshift(undefined);
  }
  const [run = 1, ...outer] = extents;
  const [step = 1, ...outerSteps] = steps;
  let inBox = 0;
  const walk = (dimension: number, start: number): void => {
    if (dimension < 0) {
      visit(start, step, run, inBox);
      inBox += run;
      return;
    }
    const stride = numberAt(outerSteps, dimension);
    const list = lists[dimension + 1];
    for (let i = 0; i < numberAt(outer, dimension); i++) {
      walk(dimension - 1, start + (list ? placeAt(list, i) : i * stride));
    }
  };
  walk(outer.length - 1, first);
}

/** Whether the box is exactly the first `count` elements in their own order. */
export function isWhole(placement: Placement, count: number): boolean {
  if (sizeOf(placement) !== count) return false;
  let whole = true;
  forEachRun(placement, (start, stride, length, inBox) => {
    whole &&= start === inBox && (stride === 1 || length === 1);
  });
  return whole;
}

/** Offset of the box if its elements are contiguous and in their own order; undefined otherwise. */
export function startOfRow(placement: Placement): number | undefined {
  const size = sizeOf(placement);
  let first: number | undefined;
  forEachRun(placement, (start, stride, count) => {
    if (count === size && (stride === 1 || count === 1)) first = start;
  });
  return first;
}

/** The index of every element of the box, in the box's order. */
export function indicesOf(placement: Placement): Int32Array {
  const indices = new Int32Array(sizeOf(placement));
  forEachRun(placement, (start, stride, count, inBox) => {
    for (let i = 0, index = start; i < count; i++, index += stride) indices[inBox + i] = index;
  });
  return indices;
}
