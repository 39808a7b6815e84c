/**
 * Placements give the positions of picked elements in a chunk or a result, counted in elements: as runs, or
 * as indices. Copies between two placements.
 */
import { noItem } from "../at.js";
import type { Places } from "../grid/index-lists.js";
import { cOrderStrides, product } from "../shape.js";

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
    const extent = shape[d] ?? noItem(shape, d);
    const list = places?.[d];
    if (extent === 1) {
      first += list?.[0] ?? 0;
      continue;
    }
    const stride = strides[d] ?? noItem(strides, d);
    const last = extents.length - 1;
    const inner = (extents[last] ?? 0) * (steps[last] ?? 0);
    if (last >= 0 && stride === inner && !list && !lists[last]) extents[last] = (extents[last] ?? 1) * extent;
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
    const stride = outerSteps[dimension] ?? noItem(outerSteps, dimension);
    const list = lists[dimension + 1];
    for (let i = 0; i < (outer[dimension] ?? noItem(outer, dimension)); i++) {
      walk(dimension - 1, start + (list ? (list[i] ?? noItem(list, i)) : i * stride));
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

// Copies elements between placements, one by one or in runs. Plain loops over typed arrays copy a million
// elements in some milliseconds.
/** Longest run in bytes that is copied byte by byte: a call of `set` costs as much as some 32 bytes. */
const LONG_RUN = 32;

/**
 * Copies elements in order; both placements have the same size. If several elements have one target, the last
 * one wins.
 */
export function copyPicked(
  target: Uint8Array,
  to: Placement,
  source: Uint8Array,
  from: Placement,
  itemSize: number,
): void {
  const { shape } = to;
  if (itemSize === 0 || shape.includes(0)) return;
  // Trailing dimensions that are contiguous on both sides.
  let run = 1;
  let inner = shape.length;
  while (inner > 0 && strideOf(to, inner - 1) === run && strideOf(from, inner - 1) === run)
    run *= shape[--inner] ?? 1;
  const move = mover(target, source, run, itemSize);
  const targets = shape.slice(0, inner).map((_, d) => placesOf(to, d));
  const sources = shape.slice(0, inner).map((_, d) => placesOf(from, d));
  const walk = (d: number, at: number, fromAt: number): void => {
    const [toList, fromList] = [targets[d] ?? ONE, sources[d] ?? ONE];
    if (d >= inner - 1) {
      move(toList, at, fromList, fromAt);
      return;
    }
    for (let i = 0; i < toList.length; i++)
      walk(d + 1, at + (toList[i] ?? noItem(toList, i)), fromAt + (fromList[i] ?? noItem(fromList, i)));
  };
  walk(0, to.offset, from.offset);
}

const ONE = new Int32Array(1);

function strideOf({ places, strides }: Placement, d: number): number | undefined {
  return places?.[d] === undefined ? strides[d] : undefined;
}

function placesOf({ places, strides, shape }: Placement, d: number): Places {
  const list = places?.[d];
  if (list !== undefined) return list;
  const stride = strides[d] ?? noItem(strides, d);
  return Float64Array.from({ length: shape[d] ?? noItem(shape, d) }, (_, i) => i * stride);
}

/** Copies one run for each pair of offsets. */
type Move = (to: Places, toOffset: number, from: Places, fromOffset: number) => void;

function mover(target: Uint8Array, source: Uint8Array, run: number, itemSize: number): Move {
  const words = (run * itemSize) / 4;
  if (run === 1 && itemSize === 2 && isAligned(target, source, 2)) {
    return moveItems(viewOf(target, Uint16Array), viewOf(source, Uint16Array));
  }
  if (run === 1 && itemSize % 4 === 0 && words <= LONG_RUN / 4 && isAligned(target, source, 4)) {
    const [into, out] = [viewOf(target, Int32Array), viewOf(source, Int32Array)];
    return words === 1 ? moveItems(into, out) : moveWords(into, out, words);
  }
  return run * itemSize === 1
    ? moveItems(target, source)
    : moveRuns(target, source, run * itemSize, itemSize);
}

function isAligned(target: Uint8Array, source: Uint8Array, unit: number): boolean {
  return [target, source].every(({ byteOffset, length }) => byteOffset % unit === 0 && length % unit === 0);
}

function viewOf<View>(
  { buffer, byteOffset, byteLength }: Uint8Array,
  View: {
    new (buffer: ArrayBufferLike, offset: number, length: number): View;
    readonly BYTES_PER_ELEMENT: number;
  },
): View {
  return new View(buffer, byteOffset, byteLength / View.BYTES_PER_ELEMENT);
}

function moveItems<View extends Uint8Array | Uint16Array | Int32Array>(target: View, source: View): Move {
  return (to, toOffset, from, fromOffset) => {
    for (let i = 0; i < to.length; i++) {
      const out = (from[i] ?? noItem(from, i)) + fromOffset;
      target[(to[i] ?? noItem(to, i)) + toOffset] = source[out] ?? noItem(source, out);
    }
  };
}

/** Copies elements of several words. Not as floats: engines do not keep the bits of every NaN. */
function moveWords(target: Int32Array, source: Int32Array, words: number): Move {
  return (to, toOffset, from, fromOffset) => {
    for (let i = 0; i < to.length; i++) {
      const into = ((to[i] ?? noItem(to, i)) + toOffset) * words;
      const out = ((from[i] ?? noItem(from, i)) + fromOffset) * words;
      for (let word = 0; word < words; word++)
        target[into + word] = source[out + word] ?? noItem(source, out + word);
    }
  };
}

function moveRuns(target: Uint8Array, source: Uint8Array, byteLength: number, itemSize: number): Move {
  return (to, toOffset, from, fromOffset) => {
    for (let i = 0; i < to.length; i++) {
      const into = ((to[i] ?? noItem(to, i)) + toOffset) * itemSize;
      const out = ((from[i] ?? noItem(from, i)) + fromOffset) * itemSize;
      if (byteLength > LONG_RUN) target.set(source.subarray(out, out + byteLength), into);
      else
        for (let byte = 0; byte < byteLength; byte++)
          target[into + byte] = source[out + byte] ?? noItem(source, out + byte);
    }
  };
}
