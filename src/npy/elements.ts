/** Elements of an npy file to elements in memory order: little-endian, without padding. */

import { planCopy } from "../kernels/copy-plan.js";
import type { Kernels } from "../kernels/kernels.js";
import type { NpyElements } from "./descr.js";

/**
 * @param bytes whole elements as the file has them
 * @returns as many elements, in the order of the file; `bytes` itself when they are in memory order already
 */
export function toMemoryOrder(
  { dataType, fileItemSize, runs }: NpyElements,
  bytes: Uint8Array,
  kernels: Kernels,
): Uint8Array {
  if (fileItemSize === dataType.itemSize && runs.every(({ swapUnit }) => swapUnit === 1)) return bytes;
  const count = bytes.length / fileItemSize;
  const elements = new Uint8Array(count * dataType.itemSize);
  if (count === 0) return elements;
  for (const run of runs) {
    const plan = planCopy({
      shape: [count, run.count],
      targetStrides: [dataType.itemSize, run.width],
      sourceStrides: [fileItemSize, run.width],
      width: run.width,
      swapUnit: run.swapUnit,
    });
    kernels.copy(plan, elements, run.memoryOffset, bytes, run.fileOffset);
  }
  return elements;
}
