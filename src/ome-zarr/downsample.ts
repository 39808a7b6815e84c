/** Makes a box of elements smaller by whole factors: one element for each block of them. Blocks at the far edge may be cut off. */
import { InvalidArgumentError } from "../errors.js";
import type { Kernels } from "../kernels/kernels.js";
import { product } from "../shape.js";
import { rowKernel } from "./downsample-kernel.js";
import { rowTwin } from "./downsample-rows.js";
import { emptyLike, type Samples } from "./samples.js";

/**
 * "mean": of all elements of the block, rounded half to even for integers; NaN where one is NaN. "mode": the most frequent, of several the
 * smallest. "nearest": the first.
 */
export type DownsamplingMethod = "mean" | "mode" | "nearest";

/**
 * @param data C order
 * @param factors elements of a block along each dimension
 * @param kernels where `loadDownsampling` has loaded the module; the twin runs where there is none
 * @returns C order, of the shape `ceil(shape / factors)`, in memory of its own
 */
export function downsample(
  data: Samples,
  shape: readonly number[],
  factors: readonly number[],
  method: DownsamplingMethod,
  kernels: Kernels,
): Samples {
  if (product(shape) !== data.length) {
    throw new InvalidArgumentError(`expected ${product(shape)} elements, got ${data.length}`);
  }
  const width = shape.at(-1) ?? 1;
  const factor = factors.at(-1) ?? 1;
  const narrow = Math.ceil(width / factor);
  const above = shape.slice(0, -1);
  const target = emptyLike(
    data,
    product(above.map((length, d) => Math.ceil(length / (factors[d] ?? 1)))) * narrow,
  );
  if (target.length === 0) return target;
  const rows = blockRows(above, factors, method === "nearest");
  const block = { target, data, width, factor };
  const run = rowKernel(method, block, rows.most, kernels) ?? rowTwin(method, block);
  let at = 0;
  for (const starts of rows.all) {
    run(at, starts);
    at += narrow;
  }
  return target;
}

interface BlockRows {
  /** For each row of the result, the rows of the data that its blocks consist of, in C order. A list may be used again. */
  readonly all: Iterable<readonly number[]>;
  /** Rows of a block at most. */
  readonly most: number;
}

/** @param shape of the dimensions before the last one */
function blockRows(shape: readonly number[], factors: readonly number[], isFirstOnly: boolean): BlockRows {
  const smaller = shape.map((length, d) => Math.ceil(length / (factors[d] ?? 1)));
  const starts: number[] = [];
  const add = (d: number, row: number, index: readonly number[]): void => {
    if (d === shape.length) {
      starts.push(row);
      return;
    }
    const length = shape[d] ?? 1;
    const first = (index[d] ?? 0) * (factors[d] ?? 1);
    const end = isFirstOnly ? first + 1 : Math.min(length, first + (factors[d] ?? 1));
    for (let i = first; i < end; i++) add(d + 1, row * length + i, index);
  };
  function* all() {
    const index = shape.map(() => 0);
    for (let at = 0, count = product(smaller); at < count; at++) {
      starts.length = 0;
      add(0, 0, index);
      yield starts;
      for (let d = shape.length - 1; d >= 0; d--) {
        index[d] = (index[d] ?? 0) + 1;
        if ((index[d] ?? 0) < (smaller[d] ?? 1)) break;
        index[d] = 0;
      }
    }
  }
  const most = isFirstOnly ? 1 : product(shape.map((length, d) => Math.min(length, factors[d] ?? 1)));
  return { all: all(), most };
}
