/**
 * Count, minimum, maximum, sum, squared deviations and histogram of the parts of an array. Combining is
 * deterministic: the result depends only on the parts and their order.
 */

import { putOffsets } from "../../core/for-work.js";
import { isBigInts, type Numbers, noItem, product } from "../../extend.js";

/** Bins of equal width, as in numpy.histogram: only the last bin includes its upper edge. */
export interface Histogram {
  /** Number of bins, all of one width. */
  readonly bins: number;
  /** Values outside are not counted. */
  readonly range: readonly [least: number, greatest: number];
}

export interface Reduction {
  /** Indices of the reduced dimensions. */
  readonly over: readonly number[];
  /** True: NaN elements are ignored. False: they make all results NaN except the count. */
  readonly skipNaN: boolean;
  readonly histogram?: Histogram | undefined;
}

/** Names of the results, without "histogram". */
export const STATISTICS = ["count", "min", "max", "mean", "variance"] as const;
type Statistic = (typeof STATISTICS)[number];

/**
 * Offsets of the numbers that a part has per element of the result. The bins of the histogram start at
 * `BINS`.
 */
const COUNT = 0;
const MIN = 1;
const MAX = 2;
const SUM = 3;
const SQUARES = 4;
const BINS = 5;

/** Count of numbers that a part has per element of the result. */
export function widthOf({ histogram }: Pick<Reduction, "histogram">): number {
  return BINS + (histogram?.bins ?? 0);
}

/** Keeps the items of the dimensions that are not reduced. */
export function keptOf<Item>(items: readonly Item[], over: readonly number[]): Item[] {
  return items.filter((_, d) => !over.includes(d));
}

/**
 * Reduces one box to a part.
 * @param data elements in C order, of shape `shape`
 * @returns the part in C order, of shape [...remaining dimensions, `widthOf`]
 */
export function reduceBox(data: Numbers, shape: readonly number[], reduction: Reduction): Float64Array {
  const { over, skipNaN, histogram } = reduction;
  const values = doublesOf(data);
  const width = widthOf(reduction);
  const part = new Float64Array(product(keptOf(shape, over), width));
  const length = shape.at(-1) ?? 1;
  const step = shape.length === 0 || over.includes(shape.length - 1) ? 0 : width;
  const rows = rowStarts(shape, over, width);
  for (let row = 0, i = 0; row < rows.length; row++) {
    for (let x = 0, at = item(rows, row); x < length; x++, at += step) {
      const value = item(values, i++);
      if (skipNaN && Number.isNaN(value)) continue;
      const isFirst = part[at + COUNT] === 0;
      add(part, at + COUNT, 1);
      part[at + MIN] = isFirst ? value : Math.min(item(part, at + MIN), value);
      part[at + MAX] = isFirst ? value : Math.max(item(part, at + MAX), value);
      add(part, at + SUM, value);
    }
  }
  addSquares(values, part, { rows, length, step, width, skipNaN });
  if (histogram !== undefined) count(values, part, { rows, length, step, histogram });
  return part;
}

/** For one kind of list, to which V8 then has fast access. */
function item(numbers: Float64Array, index: number): number {
  return numbers[index] ?? noItem(numbers, index);
}

function add(numbers: Float64Array, at: number, value: number): void {
  numbers[at] = item(numbers, at) + value;
}

function doublesOf(data: Numbers): Float64Array {
  if (isBigInts(data)) return Float64Array.from(data, Number);
  return data instanceof Float64Array ? data : new Float64Array(data);
}

interface Rows {
  /** For each row of the box, the offset in the part of the numbers that its first element contributes to. */
  readonly rows: Float64Array;
  /** Elements of a row. */
  readonly length: number;
  /** Stride in the part from one element of a row to the next; 0 if the last dimension is reduced. */
  readonly step: number;
}

function rowStarts(shape: readonly number[], over: readonly number[], width: number): Float64Array {
  const outer = shape.slice(0, -1);
  const remaining = shape.map((extent, d) => (over.includes(d) ? 1 : extent));
  const steps = outer.map((_, d) => (over.includes(d) ? 0 : product(remaining.slice(d + 1), width)));
  return putOffsets(new Float64Array(shape.includes(0) ? 0 : product(outer)), outer, steps);
}

/**
 * Adds squared deviations from the mean. The deviations should sum to 0: their sum is a rounding error, which
 * corrects SUM and SQUARES.
 */
function addSquares(
  values: Float64Array,
  part: Float64Array,
  { rows, length, step, width, skipNaN }: Rows & { readonly width: number; readonly skipNaN: boolean },
): void {
  const means = new Float64Array(part.length / width);
  const lost = new Float64Array(means.length);
  for (let n = 0; n < means.length; n++)
    means[n] = item(part, n * width + SUM) / item(part, n * width + COUNT);
  for (let row = 0, i = 0; row < rows.length; row++) {
    for (let x = 0, at = item(rows, row); x < length; x++, at += step) {
      const value = item(values, i++);
      if (skipNaN && Number.isNaN(value)) continue;
      const n = at / width;
      const deviation = value - item(means, n);
      add(part, at + SQUARES, deviation * deviation);
      add(lost, n, deviation);
    }
  }
  for (let n = 0; n < means.length; n++) {
    const [at, rest] = [n * width, item(lost, n)];
    const elements = item(part, at + COUNT);
    if (elements === 0 || !Number.isFinite(rest)) continue;
    add(part, at + SUM, rest);
    part[at + SQUARES] = Math.max(0, item(part, at + SQUARES) - (rest * rest) / elements);
  }
}

/**
 * Counts values in bins, with edges as numpy computes them. A bin index that rounding made wrong by one is
 * corrected.
 */
function count(
  values: Float64Array,
  part: Float64Array,
  { rows, length, step, histogram }: Rows & { readonly histogram: Histogram },
): void {
  const {
    bins,
    range: [least, greatest],
  } = histogram;
  const width = (greatest - least) / bins;
  const edges = Float64Array.from({ length: bins + 1 }, (_, i) =>
    i === bins ? greatest : i * width + least,
  );
  for (let row = 0, i = 0; row < rows.length; row++) {
    for (let x = 0, at = item(rows, row) + BINS; x < length; x++, at += step) {
      const value = item(values, i++);
      if (!(value >= least && value <= greatest)) continue;
      let bin = Math.min(bins - 1, Math.floor(((value - least) / (greatest - least)) * bins));
      if (value < item(edges, bin)) bin--;
      else if (bin < bins - 1 && value >= item(edges, bin + 1)) bin++;
      add(part, at + bin, 1);
    }
  }
}

/**
 * Adds `part` to `whole` in place. Squared deviations are combined by the formula of Chan, Golub and LeVeque.
 * @param width `widthOf` the reduction
 */
export function addPart(whole: Float64Array, part: Float64Array, width: number): void {
  for (let at = 0; at < whole.length; at += width) {
    const [wholeCount, other] = [item(whole, at + COUNT), item(part, at + COUNT)];
    if (other === 0) continue;
    if (wholeCount === 0) {
      whole.set(part.subarray(at, at + width), at);
      continue;
    }
    const difference = item(part, at + SUM) / other - item(whole, at + SUM) / wholeCount;
    const between = difference * difference * ((wholeCount * other) / (wholeCount + other));
    whole[at + COUNT] = wholeCount + other;
    whole[at + MIN] = Math.min(item(whole, at + MIN), item(part, at + MIN));
    whole[at + MAX] = Math.max(item(whole, at + MAX), item(part, at + MAX));
    add(whole, at + SUM, item(part, at + SUM));
    add(whole, at + SQUARES, item(part, at + SQUARES) + between);
    for (let bin = at + BINS; bin < at + width; bin++) add(whole, bin, item(part, bin));
  }
}

/** One statistic of the combined parts. Elements with count 0 are NaN, except in the count. */
export function statisticOf(whole: Float64Array, width: number, statistic: Statistic): Float64Array {
  const one = (at: number): number => {
    const elements = item(whole, at + COUNT);
    if (statistic === "count") return elements;
    if (elements === 0) return Number.NaN;
    if (statistic === "min") return item(whole, at + MIN);
    if (statistic === "max") return item(whole, at + MAX);
    return item(whole, at + (statistic === "mean" ? SUM : SQUARES)) / elements;
  };
  return Float64Array.from({ length: whole.length / width }, (_, n) => one(n * width));
}

/** Counts of the bins in C order, of shape [...elements of the result, bins]. */
export function binsOf(whole: Float64Array, width: number): Float64Array {
  const bins = width - BINS;
  return Float64Array.from({ length: (whole.length / width) * bins }, (_, i) =>
    item(whole, Math.floor(i / bins) * width + BINS + (i % bins)),
  );
}
