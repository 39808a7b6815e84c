/** Down-sampling row by row in WebAssembly: the kernel of assembly/downsample.ts. The rows of a block are copied next to each other. */
import { lazyKernelModule } from "../codecs/kernel-module.js";
import { bytesOfView } from "../data-types/typed-array.js";
import type { Kernels } from "../kernels/kernels.js";
import { loadKernels } from "../kernels/load.js";
import downsampleModule from "../kernels/modules/downsample.generated.js";
import type { DownsamplingMethod } from "./downsample.js";
import type { Block, RunRow } from "./downsample-rows.js";

const kernelModule = lazyKernelModule("downsample", downsampleModule);

/** What `downsample` runs in. */
export async function loadDownsampling(): Promise<Kernels> {
  const kernels = await loadKernels();
  await kernelModule.load(kernels);
  return kernels;
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

/** Bytes of rows in the arena at one time: they stay in the second level cache. */
const STAGE = 1 << 17;
/** The kernel compares every element of a block with every other; a Map is sooner done with more. */
const MODE_ELEMENTS = 64;

/**
 * Nearest elements are picked in JavaScript, which has nothing to compute; 64-bit means too.
 * @param most rows of a block at most
 * @returns undefined where there is no kernel for it
 */
export function rowKernel(
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
  // Whole blocks, and vectors of eight elements.
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
