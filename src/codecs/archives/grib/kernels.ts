/**
 * The functions of assembly/grib.ts on byte arrays: in WASM if its module is loaded and the target lies in
 * the arena, else in JavaScript. Both give the same bits.
 */

import {
  functionsOf,
  type KernelModule,
  type Kernels,
  lazyFallback,
  lazyKernelModule,
} from "../../../core/for-codecs.js";
import gribModule from "../../../kernels/modules/grib.generated.js";
import type { Floats } from "./javascript/unpack.js";
import type { CcsdsPacking, SimplePacking } from "./representation.js";
import type { Scaling } from "./scaling.js";

const kernelModule = lazyKernelModule("grib", gribModule);
const fallback = lazyFallback("grib", async () => ({
  ...(await import("./javascript/unpack.js")),
  ...(await import("./javascript/complex.js")),
  ...(await import("./javascript/ccsds.js")),
}));

export async function loadGrib(kernels: Kernels): Promise<void> {
  if ((await kernelModule.load(kernels)) === undefined) await fallback.load();
}

/** Kernels read words, which may begin in the last byte of their source. */
const PADDING = 16;

/** Elements of a field in memory: the same memory as bytes and as numbers. */
export interface Target {
  readonly bytes: Uint8Array;
  readonly floats: Floats;
}

/** The address of a copy of `bytes` in the arena, with zeros after its end; undefined if there is no room. */
function padded(kernels: Kernels, module: KernelModule, bytes: Uint8Array): number | undefined {
  const copy = kernels.allocate(bytes.length + PADDING);
  copy.set(bytes);
  copy.fill(0, bytes.length);
  return module.pointer(copy);
}

const inWasm = functionsOf((_, find) => {
  const functions = (type: string) => ({
    unpack: find(`unpack${type}`),
    complex: find(`complex${type}`),
    spread: find(`spread${type}`),
    scale: find(`scale${type}`),
  });
  return { ones: find("ones"), ccsds: find("ccsds"), float32: functions("F32"), float64: functions("F64") };
});

/**
 * Gives the module's functions, and the addresses of the target and of a padded copy of `source`, to `run`;
 * undefined without a module, or if there is no room.
 */
function inArena<Result>(
  kernels: Kernels,
  { bytes, floats }: Target,
  source: Uint8Array,
  run: (
    functions: ReturnType<typeof inWasm>["float32"] & Pick<ReturnType<typeof inWasm>, "ccsds">,
    to: number,
    from: number,
    module: KernelModule,
  ) => Result,
): Result | undefined {
  const module = kernelModule.of(kernels);
  const to = module?.pointer(bytes);
  if (module === undefined || to === undefined) return undefined;
  const mark = kernels.mark();
  try {
    const from = padded(kernels, module, source);
    if (from === undefined) return undefined;
    const { float32, float64, ccsds } = inWasm(module);
    return run({ ...(floats.BYTES_PER_ELEMENT === 4 ? float32 : float64), ccsds }, to, from, module);
  } finally {
    kernels.release(mark);
  }
}

/** The first `count` elements become the fields of `source`, which has all of them. */
export function unpackSimple(
  kernels: Kernels,
  target: Target,
  count: number,
  source: Uint8Array,
  packing: SimplePacking,
): void {
  const { width, reference, scale, decimal } = packing;
  const ran = inArena(kernels, target, source, ({ unpack }, to, from) => {
    unpack(to, from, source.length, count, width, reference, scale, decimal);
    return true;
  });
  if (ran === undefined) fallback.get().unpack(target.floats.subarray(0, count), source, width, packing);
}

/**
 * The first `count` elements become the values of groups.
 * @param parameters in the order that assembly/grib-complex.ts reads them
 * @returns 0, or a failure (decoder-result.ts)
 */
export function unpackComplex(
  kernels: Kernels,
  target: Target,
  count: number,
  source: Uint8Array,
  parameters: Float64Array,
  missing: number,
): number {
  const result = inArena(kernels, target, source, ({ complex }, to, from, module) => {
    const table = kernels.allocate(parameters.byteLength);
    table.set(new Uint8Array(parameters.buffer));
    const address = module.pointer(table);
    return address === undefined ? undefined : complex(to, from, source.length, count, address, missing);
  });
  return result ?? fallback.get().complex(target.floats.subarray(0, count), source, parameters, missing);
}

/**
 * Where the samples of the first `count` elements stand: in the upper part of the memory of these elements,
 * which then are written from the first.
 */
export function samplesOf({ bytes, floats }: Target, count: number): Uint32Array {
  return new Uint32Array(bytes.buffer, bytes.byteOffset + count * (floats.BYTES_PER_ELEMENT - 4), count);
}

/** The samples become the values of the first elements. */
export function scaleSamples(kernels: Kernels, target: Target, samples: Uint32Array, scaling: Scaling): void {
  const { reference, scale, decimal } = scaling;
  const module = kernelModule.of(kernels);
  const to = module?.pointer(target.bytes);
  if (module === undefined || to === undefined) {
    fallback.get().scaleSamples(target.floats, samples, scaling);
    return;
  }
  const { float32, float64 } = inWasm(module);
  const functions = target.floats.BYTES_PER_ELEMENT === 4 ? float32 : float64;
  const from = to + samples.byteOffset - target.bytes.byteOffset;
  functions.scale(to, from, samples.length, reference, scale, decimal);
}

/** The first `count` elements become the samples that `source` has compressed. @returns 0, or a failure */
export function unpackCcsds(
  kernels: Kernels,
  target: Target,
  count: number,
  source: Uint8Array,
  packing: CcsdsPacking,
): number {
  const { width, blockSize, referenceInterval, flags } = packing;
  const samples = samplesOf(target, count);
  const result = inArena(kernels, target, source, ({ ccsds }, to, from) => {
    const samplesAt = to + samples.byteOffset - target.bytes.byteOffset;
    return ccsds(samplesAt, from, source.length, count, width, blockSize, referenceInterval, flags);
  });
  const failed = result ?? fallback.get().ccsds(samples, source, width, blockSize, referenceInterval, flags);
  if (failed === 0) scaleSamples(kernels, target, samples, packing);
  return failed;
}

/**
 * Decompresses `count` samples into memory of the arena, if there is room.
 * @returns the samples, and 0 or a failure (decoder-result.ts)
 */
export function ccsdsSamples(
  kernels: Kernels,
  count: number,
  source: Uint8Array,
  packing: Pick<CcsdsPacking, "width" | "blockSize" | "referenceInterval" | "flags">,
): { readonly samples: Uint32Array; readonly result: number } {
  const { width, blockSize, referenceInterval, flags } = packing;
  const memory = kernels.allocate(4 * count);
  const isAligned = memory.byteOffset % 4 === 0;
  const samples = isAligned
    ? new Uint32Array(memory.buffer, memory.byteOffset, count)
    : new Uint32Array(count);
  const bytes = new Uint8Array(samples.buffer, samples.byteOffset, 4 * count);
  const target = { bytes, floats: new Float32Array(samples.buffer, samples.byteOffset, count) };
  const result = inArena(kernels, target, source, ({ ccsds }, to, from) =>
    ccsds(to, from, source.length, count, width, blockSize, referenceInterval, flags),
  );
  if (result !== undefined) return { samples, result };
  const failed = fallback.get().ccsds(samples, source, width, blockSize, referenceInterval, flags);
  return { samples, result: failed };
}

/** Counts the points with a value. */
export function countValues(kernels: Kernels, bitmap: Uint8Array, points: number): number {
  const module = kernelModule.of(kernels);
  const mark = kernels.mark();
  const from = module && padded(kernels, module, bitmap);
  kernels.release(mark);
  if (module === undefined || from === undefined) return fallback.get().ones(bitmap, points);
  return inWasm(module).ones(from, points);
}

/** Moves the first `values` elements to their points, and stores `missing` at the others. */
export function spreadValues(
  kernels: Kernels,
  target: Target,
  bitmap: Uint8Array,
  values: number,
  missing: number,
): void {
  const ran = inArena(kernels, target, bitmap, ({ spread }, to, from) => {
    spread(to, from, target.floats.length, values, missing);
    return true;
  });
  if (ran === undefined) fallback.get().spread(target.floats, bitmap, values, missing);
}
