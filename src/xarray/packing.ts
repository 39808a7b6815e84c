/** Fill values and packed numbers: `maskAndScale` decodes (kernel of assembly/packed.ts, or the same in JavaScript), `pack` encodes. */
import type { ZarrArray } from "../array/nodes.js";
import { lazyKernelModule } from "../codecs/kernel-modules.js";
import { NAT } from "../data-types/time-units.js";
import {
  bytesOfView,
  isBigInts,
  kernelTypeOf,
  NUMBER_CLASSES,
  type Numbers,
  type NumberType,
  roundHalfToEven,
} from "../data-types/typed-array.js";
import { describe } from "../errors.js";
import type { Kernels } from "../kernels/kernels.js";
import { loadKernels } from "../kernels/load.js";
import packedModule from "../kernels/modules/packed.generated.js";
import type { Json } from "../metadata/json.js";
import { undecodable, unencodable } from "./elements.js";

const kernelModule = lazyKernelModule("packed", packedModule);

/** Loads the kernels that `maskAndScale` needs. */
export async function loadUnpacking(): Promise<Kernels> {
  const kernels = await loadKernels();
  await kernelModule.load(kernels);
  return kernels;
}

/** Stored value of a missing element. */
export type Fill = number | bigint;

interface Packing {
  /** Stored values that decode to NaN or NaT. */
  readonly fills: readonly Fill[];
  readonly scale: number | undefined;
  readonly offset: number | undefined;
}

/** Masked elements become NaN (or NaT for "int64"), others value * scale + offset. Each step is rounded to the type, as in numpy. */
export function maskAndScale(
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

function maskIntegers(source: Numbers, fills: readonly Fill[]): BigInt64Array {
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

interface Target {
  readonly path: string;
  /** Stored data type. */
  readonly dtype: NumberType;
  /** Type that a reader sees before it scales: with `_Unsigned` the integer type of the other signedness. */
  readonly readAs: NumberType;
  readonly scale: number | undefined;
  readonly offset: number | undefined;
  /** Stored in place of NaN and NaT. */
  readonly fill: Fill | undefined;
  /** Whether -(2^63) is NaT. */
  readonly isTime: boolean;
}

/** @throws InvalidArgumentError with the variable for an element that the data type cannot hold */
export function pack(source: Numbers, target: Target): Numbers {
  const { dtype, readAs, scale, offset, fill, isTime } = target;
  const hasPacking = scale !== undefined || offset !== undefined;
  const isSame = source instanceof NUMBER_CLASSES[dtype] && dtype === readAs && !hasPacking;
  if (isSame && (fill === undefined || !(isTime || dtype.startsWith("float")))) return source;
  checkFill(fill, dtype, target.path);
  const [least, most] = rangeOf(readAs);
  const isMissing = (value: number | bigint): boolean =>
    typeof value === "bigint" ? isTime && value === NAT : Number.isNaN(value);
  const refuse = (i: number, what: string, member: string) =>
    unencodable(target.path, member, `element ${i} (${source[i]}) ${what}`, i);
  const filled = (i: number): number | bigint => {
    if (fill !== undefined) return fill;
    if (least === undefined) return Number.NaN;
    throw refuse(i, `has nothing to stand for it in ${dtype}`, "_FillValue");
  };
  const packed = (i: number): number | bigint => {
    const value = source[i] ?? 0;
    if (isMissing(value)) return filled(i);
    const unpacked = hasPacking ? (Number(value) - (offset ?? 0)) / (scale ?? 1) : value;
    if (least === undefined || most === undefined) return unpacked;
    const rounded = typeof unpacked === "bigint" ? unpacked : roundHalfToEven(unpacked);
    if (rounded >= least && rounded <= most) return rounded;
    throw refuse(
      i,
      hasPacking ? `does not fit ${dtype} with this scale and offset` : `does not fit ${dtype}`,
      "dtype",
    );
  };
  const out = new NUMBER_CLASSES[dtype](source.length);
  if (isBigInts(out)) {
    for (let i = 0; i < source.length; i++) out[i] = BigInt(packed(i));
    return out;
  }
  if (isBigInts(source) || least === undefined) {
    for (let i = 0; i < source.length; i++) out[i] = Number(packed(i));
    return out;
  }
  // Fast path without bigints for integers of at most 32 bits, which most packed data use.
  const [from, to, shift, factor] = [Number(least), Number(most), offset ?? 0, scale ?? 1];
  for (let i = 0; i < source.length; i++) {
    const value = source[i] ?? 0;
    const rounded = roundHalfToEven(hasPacking ? (value - shift) / factor : value);
    out[i] = rounded >= from && rounded <= to ? rounded : Number(packed(i));
  }
  return out;
}

/** @throws InvalidArgumentError for a fill value that the data type cannot hold */
function checkFill(fill: Fill | undefined, dtype: NumberType, path: string): void {
  const [least, most] = rangeOf(dtype);
  if (fill === undefined || least === undefined) return;
  if ((typeof fill === "bigint" || Number.isInteger(fill)) && fill >= least && fill <= most) return;
  throw unencodable(path, "_FillValue", `expected a value of ${dtype}, got ${fill}`);
}

/** Minimum and maximum of an integer type; undefined for floats. */
function rangeOf(dtype: NumberType): readonly [bigint, bigint] | readonly [undefined, undefined] {
  const [, unsigned, bits] = /^(u?)int(\d+)$/.exec(dtype) ?? [];
  if (bits === undefined) return [undefined, undefined];
  const count = 1n << BigInt(bits);
  return unsigned === "u" ? [0n, count - 1n] : [-(count / 2n), count / 2n - 1n];
}

// A masking fill value is the array's fill value in v2, and the attribute `_FillValue` in v3, where xarray writes floats in base64.

/** The attribute `_FillValue` of v3. For floats it is base64 of the 8 bytes of a little-endian float64. */
export function fillAttribute(fill: Fill, dtype: string): Json {
  if (!dtype.startsWith("float")) return fill;
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, Number(fill), true);
  return btoa(String.fromCharCode(...new Uint8Array(view.buffer)));
}

/** The member `fill_value` of metadata documents. */
export function fillJson(fill: Fill): Json {
  return typeof fill === "bigint" || Number.isFinite(fill) ? fill : String(fill);
}

/** Parses a number, or base64 of the 8 bytes of a little-endian float64. @throws InvalidMetadataError with the variable and the attribute */
export function fillNumber(value: unknown, name: string, path: string): Fill {
  if (typeof value === "number" || typeof value === "bigint") return value;
  if (typeof value === "string") {
    if (value === "NaN") return Number.NaN;
    if (/^[A-Za-z0-9+/]{11}=$/.test(value)) {
      const bytes = Uint8Array.from(atob(value), (character) => character.charCodeAt(0));
      return new DataView(bytes.buffer).getFloat64(0, true);
    }
  }
  throw undecodable(
    path,
    name,
    `expected a number (or the base64 of a double) in ${name}, got ${describe(value)}`,
  );
}

/** Masking fill value of an array of numbers: the attribute `_FillValue` in v3, the fill value in v2, or the attribute if it is null. */
export function fillOfArray({ metadata, fillValue, dtype, path }: ZarrArray): Fill | undefined {
  if (!/^(u?int|float)\d+$/.test(dtype)) return undefined;
  if (metadata.zarrFormat !== 3 && fillValue !== null)
    return typeof fillValue === "number" || typeof fillValue === "bigint" ? fillValue : undefined;
  const { _FillValue } = metadata.attributes;
  return _FillValue === undefined || Array.isArray(_FillValue)
    ? undefined
    : fillNumber(_FillValue, "_FillValue", path);
}
