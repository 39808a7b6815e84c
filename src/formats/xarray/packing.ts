/** Packed numbers: `pack` encodes what formats/elements/unpack.ts decodes. */
import {
  type Fill,
  isBigInts,
  NUMBER_CLASSES,
  type Numbers,
  type NumberType,
  noItem,
  roundHalfToEven,
} from "../../extend.js";
import { NAT } from "../../main/data-types.js";
import { unencodable } from "./elements.js";

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
    throw refuse(i, `cannot be stored as ${dtype} without a fill value`, "_FillValue");
  };
  const packed = (i: number): number | bigint => {
    const value = source[i] ?? noItem(source, i);
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
    const value = source[i] ?? noItem(source, i);
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
