/** Unpacks stored numbers, in memory that a read has filled. */

import {
  type BigInts,
  bytesOfView,
  CONVERSION_SCRATCH,
  converter,
  isBigInts,
  isHeldByFloat32,
  type Kernels,
  kernelTypeOf,
  loadKernels,
  loadPacked,
  NAT,
  type Numbers,
  noItem,
  type Packed,
} from "../../core/for-formats.js";

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
 * offset. Each step is rounded to the type, as in numpy; to float64, if float32 cannot hold the source.
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
  const packed = await loadPacked(kernels);
  return (source, type, packing) => maskAndScale(source, type, packing, kernels, packed);
}

function maskAndScale(
  source: Numbers,
  type: "float32" | "float64" | "int64",
  { fills, scale, offset }: Packing,
  kernels: Kernels,
  packed: Packed,
): Numbers {
  if (type === "int64") return maskIntegers(source, fills);
  const out = type === "float64" ? new Float64Array(source.length) : new Float32Array(source.length);
  const from = kernelTypeOf(source);
  const through = type === "float32" && isHeldByFloat32(from) ? "F32" : "F64";
  const masks = fills.map(Number);
  const convert = converter(kernels, packed, undefined, {
    from,
    through,
    to: type === "float64" ? "F64" : "F32",
    masks: bytesOfView(
      isBigInts(source)
        ? integersIn(source, fills)
        : through === "F32"
          ? Float32Array.from(masks)
          : Float64Array.from(masks),
    ),
    factor: scale ?? 1,
    // Without an offset, add -0: adding +0 would turn -0 into +0.
    shift: offset ?? -0,
    missing: Number.NaN,
    low: 0,
    gain: 1,
  });
  kernels.within(CONVERSION_SCRATCH, () => convert(bytesOfView(out), bytesOfView(source)));
  return out;
}

/** The integers among the values that the type of `source` has. */
function integersIn(source: BigInts, fills: Packing["fills"]): BigInts {
  const isSigned = source instanceof BigInt64Array;
  const integers = fills.filter((value) => Number.isInteger(Number(value))).map(BigInt);
  const wrap = isSigned ? BigInt.asIntN : BigInt.asUintN;
  const exact = integers.filter((value) => wrap(64, value) === value);
  return isSigned ? BigInt64Array.from(exact) : BigUint64Array.from(exact);
}

function maskIntegers(source: Numbers, fills: Packing["fills"]): BigInt64Array {
  const masks = new Set(
    fills.filter((value) => Number.isInteger(Number(value))).map((value) => BigInt(value)),
  );
  const out = new BigInt64Array(source.length);
  for (let i = 0; i < source.length; i++) {
    const value = BigInt.asIntN(64, BigInt(source[i] ?? noItem(source, i)));
    out[i] = masks.has(value) ? NAT : value;
  }
  return out;
}
