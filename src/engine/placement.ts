/** Where elements are among others, in a chunk or in a result: runs and indices, counted in elements. */

import type { Places } from "../grid/index-lists.js";
import { cOrderStrides, product } from "../shape.js";

/** A box of elements among others; its own order is C order. */
export interface Placement {
  readonly shape: readonly number[];
  readonly offset: number;
  readonly strides: readonly number[];
  /** By dimension, in place of its stride: what each of its indices adds to the offset. */
  readonly places?: readonly (Places | undefined)[];
}

export function sizeOf({ shape }: Placement): number {
  return product(shape);
}

/** Elements one behind the other. */
export function inOneRow(...shape: readonly number[]): Placement {
  return { shape, offset: 0, strides: cOrderStrides(shape, 1) };
}

/** Runs of evenly spaced elements, in the box's order: dimensions that continue one another are one. */
export function forEachRun(
  { shape, offset, strides, places }: Placement,
  visit: (start: number, stride: number, count: number, inBox: number) => void,
): void {
  if (shape.includes(0)) return;
  let first = offset;
  // The innermost first.
  const extents: number[] = [];
  const steps: number[] = [];
  const lists: (Places | undefined)[] = [];
  for (let d = shape.length - 1; d >= 0; d--) {
    const extent = shape[d] ?? 1;
    const list = places?.[d];
    if (extent === 1) {
      first += list?.[0] ?? 0;
      continue;
    }
    const stride = strides[d] ?? 0;
    const last = extents.length - 1;
    const inner = (extents[last] ?? 0) * (steps[last] ?? 0);
    if (last >= 0 && stride === inner && !list && !lists[last]) extents[last] = (extents[last] ?? 1) * extent;
    else {
      extents.push(extent);
      steps.push(stride);
      lists.push(list);
    }
  }
  // Of elements that follow a list each is a run.
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
    const stride = outerSteps[dimension] ?? 0;
    const list = lists[dimension + 1];
    for (let i = 0; i < (outer[dimension] ?? 1); i++) {
      walk(dimension - 1, start + (list ? (list[i] ?? 0) : i * stride));
    }
  };
  walk(outer.length - 1, first);
}

/** Whether the box is `count` elements in their own order, beginning with the first. */
export function isWhole(placement: Placement, count: number): boolean {
  if (sizeOf(placement) !== count) return false;
  let whole = true;
  forEachRun(placement, (start, stride, length, inBox) => {
    whole &&= start === inBox && (stride === 1 || length === 1);
  });
  return whole;
}

/** Where the box begins when its elements stand one behind the other in their own order; undefined when they do not. */
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
