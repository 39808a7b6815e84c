/** Down-sampling row by row in JavaScript: the twin of assembly/downsample.ts with identical bits, and methods and types without a kernel. */

/**
 * How a block of elements becomes one. "mean": the mean, rounded half to even for integers; NaN if any element is NaN. "mode": the most
 * frequent element, of several the smallest. "nearest": the first element.
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

const CLASSES = [
  Int8Array,
  Uint8Array,
  Uint8ClampedArray,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  Float32Array,
  Float64Array,
  BigInt64Array,
  BigUint64Array,
] as const;

export function isSamples(data: unknown): data is Samples {
  return CLASSES.some((Class) => data instanceof Class);
}

/** Allocates `length` zeros of the same type. */
export function emptyLike(data: Samples, length: number): Samples {
  const Class = CLASSES.find((each) => data instanceof each) ?? Float64Array;
  return new Class(length);
}

/** Parameters that are the same for all rows. */
export interface Block {
  readonly target: Samples;
  /** Has the type of `target`. */
  readonly data: Samples;
  /** Elements per row of `data`. */
  readonly width: number;
  /** Elements of a row that form a block; the last block may be shorter. */
  readonly factor: number;
}

/** Writes the row of the result that starts at offset `at`, computed from these rows of the data. */
export type RunRow = (at: number, rows: readonly number[]) => void;

export function rowTwin(method: DownsamplingMethod, block: Block): RunRow {
  const { target, data } = block;
  if (isBigInt(target)) return isBigInt(data) ? bigTwin(method, target, data, block) : refuse();
  if (isBigInt(data)) return refuse();
  if (method === "nearest") return (at, [row = 0]) => nearestRow(target, data, at, row, block);
  if (method === "mean") return meanTwin(target, data, block);
  return eachBlock(block, (at, positions) => {
    target[at] = plain(mostFrequent(data, positions) ?? 0);
  });
}

function bigTwin(method: DownsamplingMethod, target: BigIntData, data: BigIntData, block: Block): RunRow {
  if (method === "nearest") return (at, [row = 0]) => nearestRow(target, data, at, row, block);
  return eachBlock(block, (at, positions) => {
    target[at] = method === "mean" ? bigMean(data, positions) : (mostFrequent(data, positions) ?? 0n);
  });
}

function isBigInt(data: Samples): data is BigIntData {
  return data instanceof BigInt64Array || data instanceof BigUint64Array;
}
function refuse(): never {
  throw new TypeError("expected elements of one type");
}

/** Copies the first element of each block. */
function nearestRow<Value>(
  target: { [index: number]: Value },
  data: { readonly [index: number]: Value },
  at: number,
  row: number,
  { width, factor }: Block,
): void {
  const start = row * width;
  for (let x = 0, to = at; x < width; x += factor, to++) {
    const value = data[start + x];
    if (value !== undefined) target[to] = value;
  }
}

/** Means by sums in float64, which are exact for up to 2^21 integers of 32 bits. */
function meanTwin(target: NumberData, data: NumberData, { width, factor }: Block): RunRow {
  const isFloat = target instanceof Float32Array || target instanceof Float64Array;
  const narrow = Math.ceil(width / factor);
  const sums = new Float64Array(narrow);
  return (at, rows) => {
    sums.fill(0);
    for (const row of rows) {
      const start = row * width;
      for (let x = 0, to = 0; x < width; to++) {
        let sum = sums[to] ?? 0;
        for (const end = Math.min(width, x + factor); x < end; x++) sum += data[start + x] ?? 0;
        sums[to] = sum;
      }
    }
    for (let to = 0; to < narrow; to++) {
      const length = Math.min(factor, width - to * factor);
      const mean = (sums[to] ?? 0) / (rows.length * length);
      target[at + to] = isFloat ? plain(mean) : roundHalfToEven(mean);
    }
  };
}

/** Replaces any NaN by the canonical one: engines do not guarantee the bits of other NaNs. */
const plain = (value: number): number => (Number.isNaN(value) ? Number.NaN : value);

function roundHalfToEven(value: number): number {
  const below = Math.floor(value);
  const rest = value - below;
  return rest < 0.5 || (rest === 0.5 && below % 2 === 0) ? below : below + 1;
}

/** Calls `use` for each element of the result with the positions of its block in C order. The list is reused. */
function eachBlock(
  { width, factor }: Block,
  use: (at: number, positions: readonly number[]) => void,
): RunRow {
  const positions: number[] = [];
  return (at, rows) => {
    for (let x = 0, to = at; x < width; x += factor, to++) {
      positions.length = 0;
      const end = Math.min(width, x + factor);
      for (const row of rows) for (let i = x; i < end; i++) positions.push(row * width + i);
      use(to, positions);
    }
  };
}

/** The most frequent value, the smallest of several. As keys of the Map all NaNs are one value, and 0 and -0 are one value. */
function mostFrequent<Value extends number | bigint>(
  data: { readonly [index: number]: Value },
  positions: readonly number[],
): Value | undefined {
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
  // Floor division: bigint division rounds towards zero.
  const remainder = ((sum % count) + count) % count;
  const below = (sum - remainder) / count;
  const isUp = 2n * remainder > count || (2n * remainder === count && below % 2n !== 0n);
  return isUp ? below + 1n : below;
}
