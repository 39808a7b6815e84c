/**
 * Copies between elements as they are stored and elements in memory order. Byte order is reversed on the way: for most types one
 * unit says it all; structs whose fields differ in unit are a copy for each run of fields, all of them over the same elements.
 */
import type { DataType } from "../data-types/data-type.js";
import { planCopy } from "../kernels/copy-plan.js";
import type { CopyPlan, Kernels, SwapUnit } from "../kernels/kernels.js";

/** How stored elements differ from memory; a DataType says how its big-endian elements do. */
export interface ElementOrder {
  readonly swapUnit: SwapUnit;
  readonly swapRuns?: DataType["swapRuns"] | undefined;
}

export function isMemoryOrder({ swapUnit, swapRuns }: ElementOrder): boolean {
  return swapUnit === 1 && swapRuns === undefined;
}

/** One plan a run, and where in an element it begins. */
export type StoredCopy = readonly { readonly offset: number; readonly plan: CopyPlan }[];

/** Strides are in bytes, of either direction: reversing bytes twice gives them back. */
export function planStoredCopy(
  shape: readonly number[],
  targetStrides: readonly number[],
  sourceStrides: readonly number[],
  itemSize: number,
  { swapUnit, swapRuns = [[0, swapUnit, itemSize / swapUnit]] }: ElementOrder,
): StoredCopy {
  return swapRuns.map(([offset, unit, count]) => ({
    offset,
    plan: planCopy({ shape, targetStrides, sourceStrides, width: unit * count, swapUnit: unit }),
  }));
}

export function runStoredCopy(
  copy: StoredCopy,
  kernels: Kernels,
  target: Uint8Array,
  targetOffset: number,
  source: Uint8Array,
  sourceOffset: number,
): void {
  for (const { offset, plan } of copy) {
    kernels.copy(plan, target, targetOffset + offset, source, sourceOffset + offset);
  }
}
