/**
 * Down-samples a box of elements by integer factors: each block becomes one element. Blocks at the far edge
 * may be smaller. It works row by row, with the kernel of assembly/downsample.ts or its fallback in
 * JavaScript.
 */
import {
  at,
  type BigInts,
  bytesOfView,
  describe,
  float64At,
  gridCoordinates,
  InvalidArgumentError,
  isBigInts,
  type Kernels,
  kernelTypeOf,
  lazyKernelModule,
  loadKernels,
  NUMBER_CLASSES,
  type Numbers,
  noItem,
  numberAt,
  numberTypeOf,
  product,
  roundHalfToEven,
} from "../../core/for-formats.js";
import downsampleModule from "../../kernels/modules/downsample.generated.js";

/**
 * How a block of elements becomes one. "mean": the mean, rounded half to even for integers; NaN if any
 * element is NaN. "mode": the most frequent element, of several the smallest. "nearest": the first element.
 */
export type DownsamplingMethod = "mean" | "mode" | "nearest";

/** Checks a method that JavaScript gives. @throws InvalidArgumentError for an unknown one */
export function checkMethod(method: DownsamplingMethod): void {
  if (!["mean", "mode", "nearest"].includes(method))
    throw new InvalidArgumentError(`method: expected "mean", "mode" or "nearest", got ${describe(method)}`);
}

const kernelModule = lazyKernelModule("downsample", downsampleModule);

/**
 * Down-samples elements. Each block of `factors` elements becomes one; blocks at the far edge may be smaller.
 * @param data elements in C order
 * @param factors length of a block along each dimension, integers of 1 or more
 * @returns a new array of the same type in C order, of shape `ceil(shape / factors)`
 * @throws InvalidArgumentError for data that does not have the shape
 */
export type Downsample = (
  data: Numbers,
  shape: readonly number[],
  factors: readonly number[],
  method: DownsamplingMethod,
) => Numbers;

/**
 * Loads the function that down-samples, with its kernels. Call it before each use: it is quick when they are
 * loaded.
 */
export async function loadDownsampling(): Promise<Downsample> {
  const kernels = await loadKernels();
  await kernelModule.load(kernels);
  return (data, shape, factors, method) => downsample(data, shape, factors, method, kernels);
}

/** @param kernels without a kernel for the type and method, the fallback runs */
function downsample(
  data: Numbers,
  shape: readonly number[],
  factors: readonly number[],
  method: DownsamplingMethod,
  kernels: Kernels,
): Numbers {
  if (product(shape) !== data.length) {
    throw new InvalidArgumentError(`expected ${product(shape)} elements, got ${data.length}`);
  }
  const width = shape.at(-1) ?? 1;
  const factor = factors.at(-1) ?? 1;
  const narrow = Math.ceil(width / factor);
  const above = shape.slice(0, -1);
  const count = product(above.map((length, d) => Math.ceil(length / at(factors, d))));
  const target = new NUMBER_CLASSES[numberTypeOf(data)](count * narrow);
  if (target.length === 0) return target;
  const isFirstOnly = method === "nearest";
  const block = { target, data, width, factor };
  const most = isFirstOnly ? 1 : product(above.map((length, d) => Math.min(length, at(factors, d))));
  const piece = pieceOf(block, most);
  kernels.within((most * piece + narrow) * data.BYTES_PER_ELEMENT, () => {
    const run = rowKernel(method, block, most, piece, kernels) ?? rowFallback(method, block);
    let at = 0;
    for (const rows of blockRows(above, factors, isFirstOnly)) {
      run(at, rows);
      at += narrow;
    }
  });
  return target;
}

/** Parameters that are the same for all rows. */
interface Block {
  readonly target: Numbers;
  /** Has the type of `target`. */
  readonly data: Numbers;
  /** Elements per row of `data`. */
  readonly width: number;
  /** Elements of a row that form a block; the last block may be shorter. */
  readonly factor: number;
}

/** Writes the row of the result that starts at offset `at`, computed from these rows of the data. */
type RunRow = (at: number, rows: readonly number[]) => void;

/**
 * For each row of the result in C order, the rows of the data that its blocks consist of. The list is reused.
 * @param shape lengths of all dimensions except the last one
 */
function* blockRows(
  shape: readonly number[],
  factors: readonly number[],
  isFirstOnly: boolean,
): Generator<readonly number[], void, undefined> {
  const rows: number[] = [];
  const add = (d: number, row: number, block: readonly number[]): void => {
    if (d === shape.length) {
      rows.push(row);
      return;
    }
    const length = at(shape, d);
    const factor = at(factors, d);
    const first = numberAt(block, d) * factor;
    const end = isFirstOnly ? first + 1 : Math.min(length, first + factor);
    for (let i = first; i < end; i++) add(d + 1, row * length + i, block);
  };
  for (const block of gridCoordinates(shape.map((length, d) => Math.ceil(length / at(factors, d))))) {
    rows.length = 0;
    add(0, 0, block);
    yield rows;
  }
}

/** Bytes of rows that are staged in the arena at once: they stay in the L2 cache. */
const STAGE = 1 << 17;

/** Rows are cut at multiples of whole blocks and of eight elements, the kernel's vector length. */
function pieceOf({ data, width, factor }: Block, most: number): number {
  const unit = factor * 8;
  const fitting = Math.floor(STAGE / (most * data.BYTES_PER_ELEMENT * unit)) * unit;
  return Math.min(width, Math.max(unit, fitting));
}

/**
 * Largest block for the "mode" kernel, which compares all pairs of elements. For larger blocks the Map of the
 * fallback is faster.
 */
const MODE_ELEMENTS = 64;

/**
 * Runs the kernel on rows that are staged next to each other in the arena. "nearest" only copies, so it has
 * no kernel; nor has the mean of 64-bit integers.
 * @param most maximum rows of a block
 * @param piece elements of a row that are staged at once
 * @returns undefined if there is no kernel
 */
function rowKernel(
  method: DownsamplingMethod,
  block: Block,
  most: number,
  piece: number,
  kernels: Kernels,
): RunRow | undefined {
  const { target, data, width, factor } = block;
  const module = kernelModule.of(kernels);
  const kernel = method === "nearest" ? undefined : module?.exports[`${method}${kernelTypeOf(data)}`];
  if (module === undefined || kernel === undefined) return undefined;
  if (method === "mode" && most * factor > MODE_ELEMENTS) return undefined;
  const itemSize = data.BYTES_PER_ELEMENT;
  const narrow = Math.ceil(piece / factor);
  const stagedSource = kernels.allocate(most * piece * itemSize);
  const stagedTarget = kernels.allocate(narrow * itemSize);
  const [sourceAt, targetAt] = [module.pointer(stagedSource), module.pointer(stagedTarget)];
  if (sourceAt === undefined || targetAt === undefined) return undefined;
  const [from, to] = [bytesOfView(data), bytesOfView(target)];
  return (at, rows) => {
    for (let x = 0; x < width; x += piece) {
      const length = Math.min(piece, width - x);
      const bytes = length * itemSize;
      for (let i = 0; i < rows.length; i++) {
        const start = (numberAt(rows, i) * width + x) * itemSize;
        stagedSource.set(from.subarray(start, start + bytes), i * bytes);
      }
      kernel(targetAt, sourceAt, rows.length, length, factor);
      const made = Math.ceil(length / factor) * itemSize;
      to.set(stagedTarget.subarray(0, made), (at + x / factor) * itemSize);
    }
  };
}

/**
 * The fallback of the kernels in JavaScript with identical bits, and the methods and types without a kernel.
 */
function rowFallback(method: DownsamplingMethod, block: Block): RunRow {
  const { target, data } = block;
  if (isBigInts(target)) return isBigInts(data) ? bigFallback(method, target, data, block) : refuse();
  if (isBigInts(data)) return refuse();
  if (method === "nearest") return (at, [row = 0]) => nearestRow(target, data, at, row, block);
  if (method === "mean") return meanFallback(target, data, block);
  return eachBlock(block, (at, positions) => {
    target[at] = plain(mostFrequent(data, positions) ?? 0);
  });
}

function bigFallback(method: DownsamplingMethod, target: BigInts, data: BigInts, block: Block): RunRow {
  if (method === "nearest") return (at, [row = 0]) => nearestRow(target, data, at, row, block);
  return eachBlock(block, (at, positions) => {
    target[at] = method === "mean" ? bigMean(data, positions) : (mostFrequent(data, positions) ?? 0n);
  });
}

function refuse(): never {
  throw new TypeError("internal error: elements of several types");
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
function meanFallback(
  target: Exclude<Numbers, BigInts>,
  data: Exclude<Numbers, BigInts>,
  { width, factor }: Block,
): RunRow {
  const isFloat = target instanceof Float32Array || target instanceof Float64Array;
  const narrow = Math.ceil(width / factor);
  const sums = new Float64Array(narrow);
  return (at, rows) => {
    sums.fill(0);
    for (const row of rows) {
      const start = row * width;
      for (let x = 0, to = 0; x < width; to++) {
        let sum = float64At(sums, to);
        for (const end = Math.min(width, x + factor); x < end; x++)
          sum += data[start + x] ?? noItem(data, start + x);
        sums[to] = sum;
      }
    }
    for (let to = 0; to < narrow; to++) {
      const length = Math.min(factor, width - to * factor);
      const mean = float64At(sums, to) / (rows.length * length);
      target[at + to] = isFloat ? plain(mean) : roundHalfToEven(mean);
    }
  };
}

/** Replaces any NaN by the canonical one: engines do not guarantee the bits of other NaNs. */
const plain = (value: number): number => (Number.isNaN(value) ? Number.NaN : value);

/**
 * Calls `use` for each element of the result with the positions of its block in C order. The list is reused.
 */
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

/**
 * The most frequent value, the smallest of several. As keys of the Map all NaNs are one value, and 0 and -0
 * are one value.
 */
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

function bigMean(data: BigInts, positions: readonly number[]): bigint {
  const sum = positions.reduce((total, position) => total + (data[position] ?? noItem(data, position)), 0n);
  const count = BigInt(positions.length);
  // Floor division: bigint division rounds towards zero.
  const remainder = ((sum % count) + count) % count;
  const below = (sum - remainder) / count;
  const isUp = 2n * remainder > count || (2n * remainder === count && below % 2n !== 0n);
  return isUp ? below + 1n : below;
}
