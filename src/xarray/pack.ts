/** Values become what is stored: NaN the fill value, numbers packed, each checked against the data type. The reverse of mask-and-scale.ts. */
import { NAT } from "../data-types/time-units.js";
import { InvalidArgumentError } from "../errors.js";
import type { Numbers } from "./time.js";

const CLASSES = {
  int8: Int8Array,
  int16: Int16Array,
  int32: Int32Array,
  int64: BigInt64Array,
  uint8: Uint8Array,
  uint16: Uint16Array,
  uint32: Uint32Array,
  uint64: BigUint64Array,
  float32: Float32Array,
  float64: Float64Array,
} as const;
export type NumberType = keyof typeof CLASSES;

export function isNumberType(name: string | undefined): name is NumberType {
  return name !== undefined && Object.hasOwn(CLASSES, name);
}
export function numberTypeOf(data: Numbers): NumberType {
  for (const name of Object.keys(CLASSES))
    if (isNumberType(name) && data instanceof CLASSES[name]) return name;
  return "float64";
}

export interface Target {
  readonly path: string;
  /** What is stored. */
  readonly dtype: NumberType;
  /** What a reader makes of it before it scales: the integers of the other sign, with `_Unsigned`. */
  readonly readAs: NumberType;
  readonly scale: number | undefined;
  readonly offset: number | undefined;
  /** In place of NaN, and of no time. */
  readonly fill: number | bigint | undefined;
  /** The smallest 64-bit integer is no time. */
  readonly isTime: boolean;
}

/** @throws InvalidArgumentError naming the variable for an element that the data type does not hold */
export function pack(source: Numbers, target: Target): Numbers {
  const { dtype, readAs, scale, offset, fill, isTime } = target;
  const hasPacking = scale !== undefined || offset !== undefined;
  const isSame = source instanceof CLASSES[dtype] && dtype === readAs && !hasPacking;
  if (isSame && (fill === undefined || !(isTime || dtype.startsWith("float")))) return source;
  checkFill(fill, dtype, target.path);
  const [least, most] = rangeOf(readAs);
  const isMissing = (value: number | bigint): boolean =>
    typeof value === "bigint" ? isTime && value === NAT : Number.isNaN(value);
  const refuse = (i: number, what: string, member: string): InvalidArgumentError =>
    new InvalidArgumentError(`element ${i} (${source[i]}) ${what}`, { path: target.path, member, offset: i });
  const filled = (i: number): number | bigint => {
    if (fill !== undefined) return fill;
    if (least === undefined) return Number.NaN;
    throw refuse(i, `has nothing to stand for it in ${dtype}`, "encoding._FillValue");
  };
  const packed = (i: number): number | bigint => {
    const value = source[i] ?? 0;
    if (isMissing(value)) return filled(i);
    const unpacked = hasPacking ? (Number(value) - (offset ?? 0)) / (scale ?? 1) : value;
    if (least === undefined || most === undefined) return unpacked;
    const rounded = typeof unpacked === "bigint" ? unpacked : roundHalfEven(unpacked);
    if (rounded >= least && rounded <= most) return rounded;
    throw refuse(
      i,
      hasPacking ? `does not fit ${dtype} with this scale and offset` : `does not fit ${dtype}`,
      "encoding.dtype",
    );
  };
  const out = new CLASSES[dtype](source.length);
  if (out instanceof BigInt64Array || out instanceof BigUint64Array) {
    for (let i = 0; i < source.length; i++) out[i] = BigInt(packed(i));
    return out;
  }
  if (source instanceof BigInt64Array || source instanceof BigUint64Array || least === undefined) {
    for (let i = 0; i < source.length; i++) out[i] = Number(packed(i));
    return out;
  }
  // Integers of at most 32 bits, which is most of what is packed: without bigints in between.
  const [from, to, shift, factor] = [Number(least), Number(most), offset ?? 0, scale ?? 1];
  for (let i = 0; i < source.length; i++) {
    const value = source[i] ?? 0;
    const rounded = roundHalfEven(hasPacking ? (value - shift) / factor : value);
    out[i] = rounded >= from && rounded <= to ? rounded : Number(packed(i));
  }
  return out;
}

/** @throws InvalidArgumentError for what the data type does not hold */
function checkFill(fill: number | bigint | undefined, dtype: NumberType, path: string): void {
  const [least, most] = rangeOf(dtype);
  if (fill === undefined || least === undefined) return;
  if ((typeof fill === "bigint" || Number.isInteger(fill)) && fill >= least && fill <= most) return;
  throw new InvalidArgumentError(`expected a value of ${dtype}, got ${fill}`, {
    path,
    member: "encoding._FillValue",
  });
}

/** Least and most of integers; undefined for floats. */
function rangeOf(dtype: NumberType): readonly [bigint, bigint] | readonly [undefined, undefined] {
  const [, unsigned, bits] = /^(u?)int(\d+)$/.exec(dtype) ?? [];
  if (bits === undefined) return [undefined, undefined];
  const count = 1n << BigInt(bits);
  return unsigned === "u" ? [0n, count - 1n] : [-(count / 2n), count / 2n - 1n];
}

/** As numpy rounds. */
function roundHalfEven(value: number): number {
  const below = Math.floor(value);
  const rest = value - below;
  if (rest === 0.5) return below % 2 === 0 ? below : below + 1;
  return rest < 0.5 ? below : below + 1;
}
