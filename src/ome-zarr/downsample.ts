/** Makes a box of elements smaller by whole factors: one element for each block of them. Blocks at the far edge may be cut off. */
import { InvalidArgumentError } from "../errors.js";
import { cOrderStrides, product } from "../shape.js";

/**
 * "mean": of all elements of the block, rounded half to even for integers; NaN where one is NaN. "mode": the most frequent, of several the
 * smallest. "nearest": the first.
 */
export type DownsamplingMethod = "mean" | "mode" | "nearest";

type NumberData =
  | Int8Array
  | Uint8Array
  | Uint8ClampedArray
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | Float32Array
  | Float64Array;
type BigIntData = BigInt64Array | BigUint64Array;
/** Elements that can be down-sampled. */
export type Samples = NumberData | BigIntData;

export function isSamples(data: unknown): data is Samples {
  return (
    data instanceof Int8Array ||
    data instanceof Uint8Array ||
    data instanceof Uint8ClampedArray ||
    data instanceof Int16Array ||
    data instanceof Uint16Array ||
    data instanceof Int32Array ||
    data instanceof Uint32Array ||
    data instanceof Float32Array ||
    data instanceof Float64Array ||
    data instanceof BigInt64Array ||
    data instanceof BigUint64Array
  );
}

/**
 * @param data C order
 * @param factors elements of a block along each dimension
 * @returns C order, of the shape `ceil(shape / factors)`, in memory of its own
 */
export function downsample(
  data: Samples,
  shape: readonly number[],
  factors: readonly number[],
  method: DownsamplingMethod,
): Samples {
  if (product(shape) !== data.length) {
    throw new InvalidArgumentError(`expected ${product(shape)} elements, got ${data.length}`);
  }
  const smaller = shape.map((length, d) => Math.ceil(length / (factors[d] ?? 1)));
  if (data instanceof BigInt64Array || data instanceof BigUint64Array) {
    const result =
      data instanceof BigInt64Array
        ? new BigInt64Array(product(smaller))
        : new BigUint64Array(product(smaller));
    eachBlock(
      shape,
      factors,
      smaller,
      (at, positions) => {
        result[at] = method === "mean" ? bigMean(data, positions) : (chosen(data, positions, method) ?? 0n);
      },
      method === "nearest",
    );
    return result;
  }
  const result = emptyLike(data, product(smaller));
  if (method === "mean") {
    const isFloat = data instanceof Float32Array || data instanceof Float64Array;
    means(data, shape, factors, smaller, isFloat, result);
  } else {
    eachBlock(
      shape,
      factors,
      smaller,
      (at, positions) => {
        result[at] = chosen(data, positions, method) ?? 0;
      },
      method === "nearest",
    );
  }
  return result;
}

function emptyLike(data: NumberData, length: number): NumberData {
  if (data instanceof Int8Array) return new Int8Array(length);
  if (data instanceof Uint8Array) return new Uint8Array(length);
  if (data instanceof Uint8ClampedArray) return new Uint8ClampedArray(length);
  if (data instanceof Int16Array) return new Int16Array(length);
  if (data instanceof Uint16Array) return new Uint16Array(length);
  if (data instanceof Int32Array) return new Int32Array(length);
  if (data instanceof Uint32Array) return new Uint32Array(length);
  if (data instanceof Float32Array) return new Float32Array(length);
  return new Float64Array(length);
}

/** Row by row: sums of up to 2^21 integers of 32 bits are exact in a double. */
function means(
  data: NumberData,
  shape: readonly number[],
  factors: readonly number[],
  smaller: readonly number[],
  isFloat: boolean,
  result: NumberData,
): void {
  const width = shape.at(-1) ?? 1;
  const factor = factors.at(-1) ?? 1;
  const narrow = smaller.at(-1) ?? 1;
  const sums = new Float64Array(result.length);
  const counts = new Uint32Array(result.length / (narrow || 1));
  const rows = data.length / (width || 1);
  for (let row = 0; row < rows; row++) {
    const target = rowOf(row, shape, factors, smaller);
    counts[target] = (counts[target] ?? 0) + 1;
    const start = row * width;
    for (let x = 0, to = target * narrow; x < width; to++) {
      let sum = sums[to] ?? 0;
      for (const end = Math.min(width, x + factor); x < end; x++) sum += data[start + x] ?? 0;
      sums[to] = sum;
    }
  }
  for (let at = 0; at < result.length; at++) {
    const column = at % narrow;
    const length = Math.min(width, (column + 1) * factor) - column * factor;
    const mean = (sums[at] ?? 0) / ((counts[Math.floor(at / narrow)] ?? 1) * length);
    result[at] = isFloat ? mean : roundHalfToEven(mean);
  }
}

/** The row of the result that a row of the data belongs to. */
function rowOf(
  row: number,
  shape: readonly number[],
  factors: readonly number[],
  smaller: readonly number[],
): number {
  let rest = row;
  let target = 0;
  for (let d = shape.length - 2, stride = 1; d >= 0; d--) {
    const length = shape[d] ?? 1;
    target += Math.floor((rest % length) / (factors[d] ?? 1)) * stride;
    rest = Math.floor(rest / length);
    stride *= smaller[d] ?? 1;
  }
  return target;
}

function roundHalfToEven(value: number): number {
  const below = Math.floor(value);
  const rest = value - below;
  return rest < 0.5 || (rest === 0.5 && below % 2 === 0) ? below : below + 1;
}

/**
 * Calls for each element of the result with the positions of its block in the data, in C order; with the first alone where no more are
 * needed. A list that is handed over may be used again.
 */
function eachBlock(
  shape: readonly number[],
  factors: readonly number[],
  smaller: readonly number[],
  use: (at: number, positions: readonly number[]) => void,
  isFirstOnly = false,
): void {
  const strides = cOrderStrides(shape, 1);
  const index = shape.map(() => 0);
  const positions: number[] = [];
  const add = (d: number, position: number): void => {
    if (d === shape.length) {
      positions.push(position);
      return;
    }
    const start = (index[d] ?? 0) * (factors[d] ?? 1);
    const end = isFirstOnly ? start + 1 : Math.min(shape[d] ?? 1, start + (factors[d] ?? 1));
    for (let i = start; i < end; i++) add(d + 1, position + i * (strides[d] ?? 1));
  };
  for (let at = 0, count = product(smaller); at < count; at++) {
    positions.length = 0;
    add(0, 0);
    use(at, positions);
    for (let d = shape.length - 1; d >= 0; d--) {
      index[d] = (index[d] ?? 0) + 1;
      if ((index[d] ?? 0) < (smaller[d] ?? 1)) break;
      index[d] = 0;
    }
  }
}

function chosen<Value extends number | bigint>(
  data: { readonly [index: number]: Value },
  positions: readonly number[],
  method: DownsamplingMethod,
): Value | undefined {
  if (method === "nearest") return data[positions[0] ?? 0];
  const counts = new Map<Value, number>();
  let best: Value | undefined;
  let most = 0;
  for (const position of positions) {
    const value = data[position];
    if (value === undefined) continue;
    const count = (counts.get(value) ?? 0) + 1;
    counts.set(value, count);
    if (count > most || (count === most && best !== undefined && value < best)) {
      best = value;
      most = count;
    }
  }
  return best;
}

function bigMean(data: BigIntData, positions: readonly number[]): bigint {
  const sum = positions.reduce((total, position) => total + (data[position] ?? 0n), 0n);
  const count = BigInt(positions.length);
  // Rounded down also below zero.
  const remainder = ((sum % count) + count) % count;
  const below = (sum - remainder) / count;
  const isUp = 2n * remainder > count || (2n * remainder === count && below % 2n !== 0n);
  return isUp ? below + 1n : below;
}
