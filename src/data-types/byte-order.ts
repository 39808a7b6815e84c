/** Byte order inside an element, for the few elements that never pass a kernel: fill values. */
import type { SwapUnit } from "../kernels/kernels.js";
import type { DataType } from "./data-type.js";

export type SwapRun = readonly [offset: number, unit: SwapUnit, count: number];

/** What an element consists of, also for types that are no structs. */
export function swapRunsOf({ swapRuns, swapUnit, itemSize }: DataType): readonly SwapRun[] {
  return swapRuns ?? [[0, swapUnit, itemSize / swapUnit]];
}

/** A copy of an element in the other byte order. */
export function swapElement(dataType: DataType, element: Uint8Array): Uint8Array {
  const swapped = element.slice();
  for (const [offset, unit, count] of swapRunsOf(dataType)) {
    for (let start = offset; start < offset + unit * count; start += unit) {
      swapped.subarray(start, start + unit).reverse();
    }
  }
  return swapped;
}

/** Joins runs that follow each other and have the same unit. */
export function mergeRuns(runs: Iterable<SwapRun>): SwapRun[] {
  const merged: SwapRun[] = [];
  for (const [offset, unit, count] of runs) {
    const last = merged.at(-1);
    if (last !== undefined && last[1] === unit) merged[merged.length - 1] = [last[0], unit, last[2] + count];
    else merged.push([offset, unit, count]);
  }
  return merged;
}
