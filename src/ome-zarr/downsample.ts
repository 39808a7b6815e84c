/**
 * Down-samples a box of elements by integer factors: each block becomes one element. Blocks at the far edge may be smaller. It works row by
 * row, with the kernel of assembly/downsample.ts or its twin in JavaScript.
 */
import { lazyKernelModule } from "../codecs/kernel-modules.js";
import { bytesOfView } from "../data-types/typed-array.js";
import { InvalidArgumentError } from "../errors.js";
import type { Kernels } from "../kernels/kernels.js";
import { loadKernels } from "../kernels/load.js";
import downsampleModule from "../kernels/modules/downsample.generated.js";
import { product } from "../shape.js";
import {
  type Block,
  type DownsamplingMethod,
  emptyLike,
  type RunRow,
  rowTwin,
  type Samples,
} from "./downsample-rows.js";

const kernelModule = lazyKernelModule("downsample", downsampleModule);

/** Loads the kernels that `downsample` needs. */
export async function loadDownsampling(): Promise<Kernels> {
  const kernels = await loadKernels();
  await kernelModule.load(kernels);
  return kernels;
}

/**
 * @param data elements in C order
 * @param factors length of a block along each dimension
 * @param kernels result of `loadDownsampling`; without a kernel for the type and method, the twin runs
 * @returns a new array in C order, of shape `ceil(shape / factors)`
 */
export function downsample(
  data: Samples,
  shape: readonly number[],
  factors: readonly number[],
  method: DownsamplingMethod,
  kernels: Kernels,
): Samples {
  if (product(shape) !== data.length) {
    throw new InvalidArgumentError(`expected ${product(shape)} elements, got ${data.length}`);
  }
  const width = shape.at(-1) ?? 1;
  const factor = factors.at(-1) ?? 1;
  const narrow = Math.ceil(width / factor);
  const above = shape.slice(0, -1);
  const target = emptyLike(
    data,
    product(above.map((length, d) => Math.ceil(length / (factors[d] ?? 1)))) * narrow,
  );
  if (target.length === 0) return target;
  const rows = blockRows(above, factors, method === "nearest");
  const block = { target, data, width, factor };
  const run = rowKernel(method, block, rows.most, kernels) ?? rowTwin(method, block);
  let at = 0;
  for (const starts of rows.all) {
    run(at, starts);
    at += narrow;
  }
  return target;
}

interface BlockRows {
  /** For each row of the result in C order, the rows of the data that its blocks consist of. The list may be reused. */
  readonly all: Iterable<readonly number[]>;
  /** Maximum rows of a block. */
  readonly most: number;
}

/** @param shape lengths of all dimensions except the last one */
function blockRows(shape: readonly number[], factors: readonly number[], isFirstOnly: boolean): BlockRows {
  const smaller = shape.map((length, d) => Math.ceil(length / (factors[d] ?? 1)));
  const starts: number[] = [];
  const add = (d: number, row: number, index: readonly number[]): void => {
    if (d === shape.length) {
      starts.push(row);
      return;
    }
    const length = shape[d] ?? 1;
    const first = (index[d] ?? 0) * (factors[d] ?? 1);
    const end = isFirstOnly ? first + 1 : Math.min(length, first + (factors[d] ?? 1));
    for (let i = first; i < end; i++) add(d + 1, row * length + i, index);
  };
  function* all() {
    const index = shape.map(() => 0);
    for (let at = 0, count = product(smaller); at < count; at++) {
      starts.length = 0;
      add(0, 0, index);
      yield starts;
      for (let d = shape.length - 1; d >= 0; d--) {
        index[d] = (index[d] ?? 0) + 1;
        if ((index[d] ?? 0) < (smaller[d] ?? 1)) break;
        index[d] = 0;
      }
    }
  }
  const most = isFirstOnly ? 1 : product(shape.map((length, d) => Math.min(length, factors[d] ?? 1)));
  return { all: all(), most };
}

const LETTERS = new Map<unknown, string>([
  [Int8Array, "I8"],
  [Uint8Array, "U8"],
  [Uint8ClampedArray, "U8"],
  [Int16Array, "I16"],
  [Uint16Array, "U16"],
  [Int32Array, "I32"],
  [Uint32Array, "U32"],
  [BigInt64Array, "I64"],
  [BigUint64Array, "U64"],
  [Float32Array, "F32"],
  [Float64Array, "F64"],
]);

/** Bytes of rows that are staged in the arena at once: they stay in the L2 cache. */
const STAGE = 1 << 17;
/** Largest block for the "mode" kernel, which compares all pairs of elements. For larger blocks the Map of the twin is faster. */
const MODE_ELEMENTS = 64;

/**
 * Runs the kernel on rows that are staged next to each other in the arena. "nearest" only copies, so it has no kernel; nor has the mean of
 * 64-bit integers.
 * @param most maximum rows of a block
 * @returns undefined if there is no kernel
 */
function rowKernel(
  method: DownsamplingMethod,
  block: Block,
  most: number,
  kernels: Kernels,
): RunRow | undefined {
  const { target, data, width, factor } = block;
  const module = kernelModule.of(kernels);
  const kernel =
    method === "nearest" ? undefined : module?.exports[`${method}${LETTERS.get(data.constructor)}`];
  if (module === undefined || kernel === undefined) return undefined;
  if (method === "mode" && most * factor > MODE_ELEMENTS) return undefined;
  const itemSize = data.BYTES_PER_ELEMENT;
  // Cut rows at multiples of whole blocks and of eight elements, the kernel's vector length.
  const unit = factor * 8;
  const fitting = Math.floor(STAGE / (most * itemSize * unit)) * unit;
  const piece = Math.min(width, Math.max(unit, fitting));
  const narrow = Math.ceil(piece / factor);
  kernels.begin((most * piece + narrow) * itemSize + 32);
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
        const start = ((rows[i] ?? 0) * width + x) * itemSize;
        stagedSource.set(from.subarray(start, start + bytes), i * bytes);
      }
      kernel(targetAt, sourceAt, rows.length, length, factor);
      const made = Math.ceil(length / factor) * itemSize;
      to.set(stagedTarget.subarray(0, made), (at + x / factor) * itemSize);
    }
  };
}
