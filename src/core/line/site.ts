/**
 * Where the elements of a block are put together: in the result itself, or in a box of scratch memory that is
 * then moved there. A JavaScript `set(subarray)` costs about 47 ns however short the run is, and a row of a
 * WASM copy costs 2 to 7 ns. So scratch memory joins short rows of neighbouring chunks first.
 */
import { numberAt } from "../../base/at.js";
import { cOrderStrides, isInOrder, offsetOf, product } from "../../base/shape.js";
import { planCopy } from "../../kernels/copy-plan.js";
import type { Kernels } from "../../kernels/kernels.js";
import type { Block, Piece, Target } from "./ports.js";

/** Rows of this length go to the result by themselves as fast as in a box. */
export const LONG_ROW = 4096;

export interface Site {
  readonly bytes: Uint8Array;
  /** Byte offset of the first element of the block. */
  readonly offset: number;
  /** Bytes from one element of the result to the next, by dimension of the array. */
  readonly strides: readonly number[];
}

export function siteInResult({ start }: Block, { bytes, offset, strides }: Target): Site {
  return { bytes, offset: offset + offsetOf(start, strides), strides };
}

export function siteInBox({ shape }: Block, itemSize: number, kernels: Kernels): Site {
  const strides = cOrderStrides(shape, itemSize);
  return { bytes: kernels.allocate(product(shape, itemSize)), offset: 0, strides };
}

/** Moves a box to its place in the result. */
export function moveBox(block: Block, box: Site, target: Target, itemSize: number, kernels: Kernels): void {
  const { shape } = block;
  const { offset } = siteInResult(block, target);
  if (isInOrder(shape, target.strides, itemSize)) {
    target.bytes.set(box.bytes, offset);
    return;
  }
  const strides = { targetStrides: target.strides, sourceStrides: box.strides };
  const plan = planCopy({ shape, ...strides, width: itemSize, swapUnit: 1 });
  kernels.copy(plan, target.bytes, offset, box.bytes, 0);
}

/** Byte offset of the first element of a piece. */
export function offsetIn({ offset, strides }: Site, { start }: Block, { parts }: Piece): number {
  let place = offset;
  for (const [d, { target }] of parts.entries()) {
    place += (target - numberAt(start, d)) * numberAt(strides, d);
  }
  return place;
}
