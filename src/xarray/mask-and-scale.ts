/** Elements become values: fill values NaN, packed numbers unpacked. The kernel of assembly/packed.ts, and its twin. */
import { lazyKernelModule } from "../codecs/kernel-module.js";
import { NAT } from "../data-types/time-units.js";
import { bytesOfView } from "../data-types/typed-array.js";
import { usedMemory } from "../engine/result-memory.js";
import type { Kernels } from "../kernels/kernels.js";
import { loadKernels } from "../kernels/load.js";
import packedModule from "../kernels/modules/packed.generated.js";
import type { Numbers } from "./time.js";

export type NumberKind = "float32" | "float64" | "float16" | "int64";

const kernelModule = lazyKernelModule("packed", packedModule);

/** What `maskAndScale` runs in. */
export async function loadUnpacking(): Promise<Kernels> {
  const kernels = await loadKernels();
  await kernelModule.load(kernels);
  return kernels;
}

export interface Packing {
  /** Elements that are NaN, or no time. */
  readonly fills: readonly (number | bigint)[];
  readonly scale: number | undefined;
  readonly offset: number | undefined;
}

/** Masked elements become NaN, or the smallest integer; the others value * scale + offset, each step rounded to `kind` as numpy does it. */
export function maskAndScale(
  source: Numbers,
  kind: NumberKind,
  { fills, scale, offset }: Packing,
  kernels: Kernels,
): Numbers {
  if (kind === "int64") return maskIntegers(source, fills);
  const out = kind === "float64" ? doubles(source.length) : new Float32Array(source.length);
  const round = kind === "float64" ? Number : Math.fround;
  const masks = [...new Set(fills.map((value) => round(Number(value))))];
  const factor = round(scale ?? 1);
  // Adding it leaves -0 as it is.
  const shift = offset === undefined ? -0 : round(offset);
  const [mask = Number.NaN] = masks;
  if (masks.length > 1 || !runKernel(kernels, out, source, mask, factor, shift)) {
    unpack(out, source, masks, factor, shift);
  }
  return out;
}

/** Bytes of source and target in the arena at one time: they stay in the second level cache. */
const BLOCK = 16384;

const LETTERS = new Map<unknown, string>([
  [Int8Array, "I8"],
  [Uint8Array, "U8"],
  [Int16Array, "I16"],
  [Uint16Array, "U16"],
  [Int32Array, "I32"],
  [Uint32Array, "U32"],
  [Float32Array, "F32"],
  [Float64Array, "F64"],
]);

/** Whether a kernel did it. */
function runKernel(
  kernels: Kernels,
  out: Float32Array | Float64Array,
  source: Numbers,
  mask: number,
  factor: number,
  shift: number,
): boolean {
  const module = kernelModule.of(kernels);
  const kernel = module?.exports[`unpack${LETTERS.get(source.constructor)}${LETTERS.get(out.constructor)}`];
  if (module === undefined || kernel === undefined) return false;
  const from = bytesOfView(source);
  const to = bytesOfView(out);
  const sourceWidth = source.BYTES_PER_ELEMENT;
  const targetWidth = out.BYTES_PER_ELEMENT;
  kernels.begin(BLOCK * (sourceWidth + targetWidth) + 32);
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
}

function unpack(
  out: Float32Array | Float64Array,
  source: Numbers,
  masks: readonly number[],
  factor: number,
  shift: number,
): void {
  if (source instanceof BigInt64Array || source instanceof BigUint64Array) {
    for (let i = 0; i < source.length; i++) out[i] = Number(source[i]);
  } else out.set(source);
  if (masks.length > 1) {
    for (let i = 0; i < out.length; i++) if (masks.includes(out[i] ?? 0)) out[i] = Number.NaN;
  }
  const [mask = Number.NaN] = masks;
  const round = out instanceof Float64Array ? Number : Math.fround;
  for (let i = 0; i < out.length; i++) {
    const value = out[i] ?? 0;
    const unpacked = round(value * factor) + shift;
    // NaN has one pattern, which engines do not promise of others.
    out[i] = value === mask || Number.isNaN(unpacked) ? Number.NaN : unpacked;
  }
}

function maskIntegers(source: Numbers, fills: readonly (number | bigint)[]): BigInt64Array {
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

/** For elements that are all written: pages that were used before, where the runtime lets them be found, cost less than new ones. */
function doubles(length: number): Float64Array {
  const used = typeof globalThis.Buffer === "function" ? usedMemory(8 * length) : undefined;
  return used === undefined
    ? new Float64Array(length)
    : new Float64Array(used.buffer, used.byteOffset, length);
}
