/** Unpacks stored numbers, with the kernel of assembly/packed.ts or the same in JavaScript. */
import { lazyKernelModule } from "../codecs/kernel-modules.js";
import { NAT } from "../data-types/time-units.js";
import { bytesOfView, isBigInts, kernelTypeOf, type Numbers } from "../data-types/typed-array.js";
import type { Kernels } from "../kernels/kernels.js";
import { loadKernels } from "../kernels/load.js";
import packedModule from "../kernels/modules/packed.generated.js";

const kernelModule = lazyKernelModule("packed", packedModule);

/** How numbers are packed. */
export interface Packing {
  /** Stored values that decode to NaN or NaT. */
  readonly fills: readonly (number | bigint)[];
  /** Undefined stands for 1. */
  readonly scale: number | undefined;
  /** Undefined stands for 0. */
  readonly offset: number | undefined;
}

/**
 * Unpacks numbers: elements that equal one of `fills` become NaN (or NaT for "int64"), others value * scale +
 * offset. Each step is rounded to the type, as in numpy.
 * @param type of the result; "int64" only masks
 * @returns a new array of as many elements
 */
export type Unpack = (source: Numbers, type: "float32" | "float64" | "int64", packing: Packing) => Numbers;

/**
 * Loads the function that unpacks, with its kernels. Call it before each use: it is quick when they are
 * loaded.
 */
export async function loadUnpacking(): Promise<Unpack> {
  const kernels = await loadKernels();
  await kernelModule.load(kernels);
  return (source, type, packing) => maskAndScale(source, type, packing, kernels);
}

function maskAndScale(
  source: Numbers,
  type: "float32" | "float64" | "int64",
  { fills, scale, offset }: Packing,
  kernels: Kernels,
): Numbers {
  if (type === "int64") return maskIntegers(source, fills);
  const out = type === "float64" ? new Float64Array(source.length) : new Float32Array(source.length);
  const round = type === "float64" ? Number : Math.fround;
  const masks = [...new Set(fills.map((value) => round(Number(value))))];
  const factor = round(scale ?? 1);
  // Without an offset, add -0: adding +0 would turn -0 into +0.
  const shift = offset === undefined ? -0 : round(offset);
  const [mask = Number.NaN] = masks;
  if (masks.length > 1 || !runKernel(kernels, out, source, mask, factor, shift)) {
    unpack(out, source, masks, factor, shift);
  }
  return out;
}

/** Elements per call of the kernel: source and target of one block stay in the L2 cache. */
const BLOCK = 16384;

/** Runs the kernel. @returns false if there is no kernel for these types */
function runKernel(
  kernels: Kernels,
  out: Float32Array | Float64Array,
  source: Numbers,
  mask: number,
  factor: number,
  shift: number,
): boolean {
  const module = kernelModule.of(kernels);
  const kernel = module?.exports[`unpack${kernelTypeOf(source)}${kernelTypeOf(out)}`];
  if (module === undefined || kernel === undefined) return false;
  const from = bytesOfView(source);
  const to = bytesOfView(out);
  const sourceWidth = source.BYTES_PER_ELEMENT;
  const targetWidth = out.BYTES_PER_ELEMENT;
  return kernels.within(BLOCK * (sourceWidth + targetWidth), () => {
    const stagedSource = kernels.allocate(BLOCK * sourceWidth);
    const stagedTarget = kernels.allocate(BLOCK * targetWidth);
    const [sourceAt, targetAt] = [module.pointer(stagedSource), module.pointer(stagedTarget)];
    if (sourceAt === undefined || targetAt === undefined) return false;
    for (let first = 0; first < out.length; first += BLOCK) {
      const count = Math.min(BLOCK, out.length - first);
      stagedSource.set(from.subarray(first * sourceWidth, (first + count) * sourceWidth));
      kernel(targetAt, sourceAt, count, mask, factor, shift);
      to.set(stagedTarget.subarray(0, count * targetWidth), first * targetWidth);
    }
    return true;
  });
}

/** Up to here a list is faster than a Set. `missing_value` may have any number. */
const FEW_MASKS = 8;

function unpack(
  out: Float32Array | Float64Array,
  source: Numbers,
  masks: readonly number[],
  factor: number,
  shift: number,
): void {
  if (isBigInts(source)) {
    for (let i = 0; i < source.length; i++) out[i] = Number(source[i]);
  } else out.set(source);
  if (masks.length > FEW_MASKS) {
    const all = new Set(masks);
    for (let i = 0; i < out.length; i++) if (all.has(out[i] ?? 0)) out[i] = Number.NaN;
  } else if (masks.length > 1) {
    for (let i = 0; i < out.length; i++) if (masks.includes(out[i] ?? 0)) out[i] = Number.NaN;
  }
  const [mask = Number.NaN] = masks;
  const round = out instanceof Float64Array ? Number : Math.fround;
  for (let i = 0; i < out.length; i++) {
    const value = out[i] ?? 0;
    const unpacked = round(value * factor) + shift;
    // Write the canonical NaN: engines do not guarantee the bits of other NaNs.
    out[i] = value === mask || Number.isNaN(unpacked) ? Number.NaN : unpacked;
  }
}

function maskIntegers(source: Numbers, fills: Packing["fills"]): BigInt64Array {
  const masks = new Set(
    fills.filter((value) => Number.isInteger(Number(value))).map((value) => BigInt(value)),
  );
  const out = new BigInt64Array(source.length);
  for (let i = 0; i < source.length; i++) {
    const value = BigInt.asIntN(64, BigInt(source[i] ?? 0));
    out[i] = masks.has(value) ? NAT : value;
  }
  return out;
}
