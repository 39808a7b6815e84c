/** Copies between stored elements and elements in memory's byte order. */
import type { DataType } from "../../data-types/data-type.js";
import { planCopy } from "../../kernels/copy-plan.js";
import type { CopyPlan, Kernels, SwapUnit } from "../../kernels/kernels.js";

/** Byte order of stored elements: units to reverse, as in DataType, which describes big-endian elements. */
export interface ElementOrder {
  readonly swapUnit: SwapUnit;
  readonly swapRuns?: DataType["swapRuns"] | undefined;
}

export function isMemoryOrder({ swapUnit, swapRuns }: ElementOrder): boolean {
  return swapUnit === 1 && swapRuns === undefined;
}

/**
 * Whether decoded elements are results as they are: in memory order, and no value has to be changed
 * (`normalise`).
 */
export function isMovedAsStored(pipeline: ElementOrder & { readonly normalise?: unknown }): boolean {
  return isMemoryOrder(pipeline) && pipeline.normalise === undefined;
}

/** One copy plan for each run of equal units in an element, with the run's byte offset in the element. */
export type StoredCopy = readonly { readonly offset: number; readonly plan: CopyPlan }[];

/** Strides are in bytes. Serves reading and writing, because reversing bytes twice restores them. */
export function planStoredCopy(
  shape: readonly number[],
  targetStrides: readonly number[],
  sourceStrides: readonly number[],
  itemSize: number,
  { swapUnit, swapRuns = [[0, swapUnit, itemSize / swapUnit]] }: ElementOrder,
): StoredCopy {
  const copies: StoredCopy[number][] = [];
  for (const [offset, unit, count] of swapRuns) {
    const plan = planCopy({ shape, targetStrides, sourceStrides, width: unit * count, swapUnit: unit });
    copies.push({ offset, plan });
  }
  return copies;
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
