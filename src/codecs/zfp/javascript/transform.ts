/** Coefficients to integers in JavaScript: assembly/zfp-transform.ts with the same bits. */

/** Integers of a block: the lower 32 bits of each, and the upper ones if there are 64. */
export interface Block {
  readonly low: Int32Array;
  readonly high: Int32Array | undefined;
}

const NEGABINARY = 0xaaaaaaaa;

/** @param order where in the block each coefficient belongs */
export function orderCoefficients(block: Block, { low, high }: Block, order: Uint8Array): void {
  for (const [i, to] of order.entries()) {
    const bits = ((low[i] ?? 0) ^ NEGABINARY) >>> 0;
    block.low[to] = bits - NEGABINARY;
    if (block.high === undefined || high === undefined) continue;
    const upper = ((high[i] ?? 0) ^ NEGABINARY) >>> 0;
    block.high[to] = upper - NEGABINARY - (bits < NEGABINARY ? 1 : 0);
  }
}

/** Steps of the transforms, on two integers of a block. */
interface Steps {
  add(to: number, from: number): void;
  subtract(to: number, from: number): void;
  addHalf(to: number, from: number): void;
  subtractHalf(to: number, from: number): void;
}

function steps32(low: Int32Array): Steps {
  const at = (i: number): number => low[i] ?? 0;
  return {
    add: (to, from) => {
      low[to] = at(to) + at(from);
    },
    subtract: (to, from) => {
      low[to] = at(to) - at(from);
    },
    addHalf: (to, from) => {
      low[to] = at(to) + (at(from) >> 1);
    },
    subtractHalf: (to, from) => {
      low[to] = at(to) - (at(from) >> 1);
    },
  };
}

function steps64(low: Int32Array, high: Int32Array): Steps {
  const addTo = (to: number, lower: number, upper: number): void => {
    const sum = ((low[to] ?? 0) >>> 0) + (lower >>> 0);
    low[to] = sum;
    high[to] = (high[to] ?? 0) + upper + (sum > 0xffffffff ? 1 : 0);
  };
  const subtractFrom = (to: number, lower: number, upper: number): void => {
    const difference = ((low[to] ?? 0) >>> 0) - (lower >>> 0);
    low[to] = difference;
    high[to] = (high[to] ?? 0) - upper - (difference < 0 ? 1 : 0);
  };
  const half = (i: number): number => ((low[i] ?? 0) >>> 1) | ((high[i] ?? 0) << 31);
  return {
    add: (to, from) => addTo(to, low[from] ?? 0, high[from] ?? 0),
    subtract: (to, from) => subtractFrom(to, low[from] ?? 0, high[from] ?? 0),
    addHalf: (to, from) => addTo(to, half(from), (high[from] ?? 0) >> 1),
    subtractHalf: (to, from) => subtractFrom(to, half(from), (high[from] ?? 0) >> 1),
  };
}

function lift({ add, subtract, addHalf, subtractHalf }: Steps, x: number, stride: number): void {
  const y = x + stride;
  const z = y + stride;
  const w = z + stride;
  addHalf(y, w);
  subtractHalf(w, y);
  // A sum and the difference that belongs to it: twice the one less the sum.
  const both = (to: number, from: number): void => {
    add(to, from);
    add(from, from);
    subtract(from, to);
  };
  both(y, w);
  both(z, x);
  both(y, z);
  both(w, x);
}

function liftReversibly({ add }: Steps, x: number, stride: number): void {
  const y = x + stride;
  const z = y + stride;
  const w = z + stride;
  add(w, z);
  add(z, y);
  add(w, z);
  add(y, x);
  add(z, y);
  add(w, z);
}

/** The function that transforms `block` each time that it is called. */
export function transformOf({ low, high }: Block, isReversible: boolean): () => void {
  const steps = high === undefined ? steps32(low) : steps64(low, high);
  const liftOne = isReversible ? liftReversibly : lift;
  const size = low.length;
  return () => {
    for (let stride = size / 4; stride >= 1; stride /= 4) {
      for (let at = 0; at < size; at += 4 * stride) {
        for (let i = 0; i < stride; i++) liftOne(steps, at + i, stride);
      }
    }
  };
}
