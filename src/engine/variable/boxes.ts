/** Where the elements of a chunk's box are, in its stored order and in the result: runs and indices, counted in elements. */
import type { DimensionSelection } from "../../indexing/selection.js";
import { product } from "../../product.js";
import type { ChunkProjection } from "../bands.js";

/** A box of elements among others; its own order is C order. */
export interface Placement {
  readonly shape: readonly number[];
  readonly offset: number;
  readonly strides: readonly number[];
}

export function sizeOf({ shape }: Placement): number {
  return product(shape);
}

/** The box in the chunk, by the strides of its stored order. */
export function placeInChunk(
  { parts }: ChunkProjection,
  selection: readonly DimensionSelection[],
  strides: readonly number[],
): Placement {
  return {
    shape: parts.map(({ count }) => count),
    offset: parts.reduce((sum, { source }, d) => sum + source * (strides[d] ?? 0), 0),
    strides: strides.map((stride, d) => stride * (selection[d]?.step ?? 1)),
  };
}

/** The box in the result, or in what is to be written. */
export function placeInResult(
  { parts }: ChunkProjection,
  { offset, strides }: { readonly offset: number; readonly strides: readonly number[] },
): Placement {
  return {
    shape: parts.map(({ count }) => count),
    offset: parts.reduce((sum, { target }, d) => sum + target * (strides[d] ?? 0), offset),
    strides,
  };
}

/** Runs of evenly spaced elements, in the box's order: dimensions that continue one another are one. */
export function forEachRun(
  { shape, offset, strides }: Placement,
  visit: (start: number, stride: number, count: number, inBox: number) => void,
): void {
  if (shape.includes(0)) return;
  const extents: number[] = [];
  const steps: number[] = [];
  for (let d = shape.length - 1; d >= 0; d--) {
    const extent = shape[d] ?? 1;
    if (extent === 1) continue;
    const stride = strides[d] ?? 0;
    const last = extents.length - 1;
    const inner = (extents[last] ?? 0) * (steps[last] ?? 0);
    if (last >= 0 && stride === inner) extents[last] = (extents[last] ?? 1) * extent;
    else {
      extents.push(extent);
      steps.push(stride);
    }
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
    for (let i = 0; i < (outer[dimension] ?? 1); i++) walk(dimension - 1, start + i * stride);
  };
  walk(outer.length - 1, offset);
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
