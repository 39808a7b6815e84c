/** Coefficients to integers in JavaScript: assembly/zfp-transform.ts with the same bits. */
import { int32At } from "../../../../core/for-codecs.js";

/** Integers of a block: the lower 32 bits of each, and the upper ones if there are 64. */
export interface Block {
  readonly low: Int32Array;
  readonly high: Int32Array | undefined;
}

const NEGABINARY = 0xaaaaaaaa;

/** @param order where in the block each coefficient belongs */
export function orderCoefficients(block: Block, { low, high }: Block, order: Uint8Array): void {
  for (const [i, to] of order.entries()) {
    const bits = (int32At(low, i) ^ NEGABINARY) >>> 0;
    block.low[to] = bits - NEGABINARY;
    if (block.high === undefined || high === undefined) continue;
    const upper = (int32At(high, i) ^ NEGABINARY) >>> 0;
    block.high[to] = upper - NEGABINARY - (bits < NEGABINARY ? 1 : 0);
  }
}

/**
 * Adds to the integer at place `to` of each row of four the one at place `from`, times `sign`, halved if
 * `shift` is 1. The integers of a row are `stride` apart. The loop over rows is in here: one around steps of
 * single rows would be too much code for engines to inline.
 */
type Step = (stride: number, to: number, from: number, sign: 1 | -1, shift: 0 | 1) => void;

const step32 =
  (low: Int32Array): Step =>
  (stride, to, from, sign, shift) => {
    for (let row = 0; 4 * row < low.length; row++) {
      const first = 4 * row - 3 * (row % stride);
      const t = first + to * stride;
      const f = first + from * stride;
      const other = int32At(low, f) >> shift;
      low[t] = int32At(low, t) + Math.imul(sign, other);
    }
  };

const step64 =
  (low: Int32Array, high: Int32Array): Step =>
  (stride, to, from, sign, shift) => {
    for (let row = 0; 4 * row < low.length; row++) {
      const first = 4 * row - 3 * (row % stride);
      const t = first + to * stride;
      const f = first + from * stride;
      const lower = int32At(low, f);
      const upper = int32At(high, f);
      const other = shift === 0 ? lower : (lower >>> 1) | (upper << 31);
      const sum = (int32At(low, t) >>> 0) + sign * (other >>> 0);
      const carry = sum > 0xffffffff ? 1 : sum < 0 ? -1 : 0;
      low[t] = sum;
      high[t] = int32At(high, t) + Math.imul(sign, upper >> shift) + carry;
    }
  };

// Places in a row.
const [X, Y, Z, W] = [0, 1, 2, 3];

function lift(step: Step, stride: number): void {
  step(stride, Y, W, 1, 1);
  step(stride, W, Y, -1, 1);
  // A sum and the difference that belongs to it: twice the one less the sum.
  const both = (to: number, from: number): void => {
    step(stride, to, from, 1, 0);
    step(stride, from, from, 1, 0);
    step(stride, from, to, -1, 0);
  };
  both(Y, W);
  both(Z, X);
  both(Y, Z);
  both(W, X);
}

function liftReversibly(step: Step, stride: number): void {
  const add = (to: number, from: number): void => step(stride, to, from, 1, 0);
  add(W, Z);
  add(Z, Y);
  add(W, Z);
  add(Y, X);
  add(Z, Y);
  add(W, Z);
}

/** The function that transforms `block` each time that it is called. */
export function transformOf({ low, high }: Block, isReversible: boolean): () => void {
  const step = high === undefined ? step32(low) : step64(low, high);
  const liftRows = isReversible ? liftReversibly : lift;
  return () => {
    for (let stride = low.length / 4; stride >= 1; stride /= 4) liftRows(step, stride);
  };
}
