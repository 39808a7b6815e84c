/**
 * Decodes stored elements by CF as xarray does: masks, packed numbers, times, booleans.
 * https://cfconventions.org (2.5.1, 8.1)
 */
import {
  describe,
  type Fill,
  FixedBytesArray,
  fillNumber,
  isJsonArray,
  isNumbers,
  isNumberType,
  keepSpellings,
  NUMBER_CLASSES,
  type Numbers,
  type Packing,
  type Unpack,
} from "../../extend.js";
import { BoolArray, type Json, type JsonObject, UnsupportedError } from "../../index.js";
import type { DrawOptions } from "../../main/reading.js";
import { isFloat32, isOfNetcdf } from "./attribute-types.js";
import { isFloat16, undecodable } from "./elements.js";
import { decodeTimedeltas, decodeTimes } from "./time.js";
import { isGregorian, isResolution, parseTimeEncoding, type Resolution, timeKind } from "./time-encoding.js";

/** Metadata of a variable, known before its elements are read. */
interface Stored {
  readonly path: string;
  /** Data type of the array. */
  readonly dtype: string;
  readonly attributes: JsonObject;
  /** Fill value of the array if it masks elements, otherwise undefined. */
  readonly fill: unknown;
  readonly timeUnit: Resolution;
  /** Whether the last dimension counts characters. */
  readonly isText: boolean;
}

/** How stored elements are decoded. */
export interface Decoding {
  /** Data type of the values: "float64", "datetime64[ns]", "cftime[noleap]", "string". */
  readonly dtype: string;
  /** Attributes that decoding does not use. */
  readonly attributes: JsonObject;
  /** Attributes that decoding uses, and the stored `dtype`. */
  readonly encoding: JsonObject;
  /** How numbers are packed, times included; undefined for other elements. */
  readonly packing: Packing | undefined;
  readonly decode: (data: unknown, shape: readonly number[], unpack: Unpack) => unknown;
  /** If a read can unpack the numbers: its options, and what the values are made of its result. */
  readonly reading?:
    | { readonly options: UnpackedRead; readonly make: (numbers: Numbers) => unknown }
    | undefined;
}

/** The options of `get` that unpack numbers. */
type UnpackedRead = Pick<DrawOptions<"float32" | "float64">, "as" | "missing" | "scale" | "offset">;

const INTEGER = /^(u?)int(8|16|32|64)$/;

/** @throws InvalidMetadataError with the variable and the attribute */
export function planDecoding(stored: Stored): Decoding {
  const { path, dtype } = stored;
  const shown = Object.entries(stored.attributes).filter(([name]) => !isOfNetcdf(name));
  const attributes: Record<string, Json> = keepSpellings(Object.fromEntries(shown), stored.attributes);
  const encoding: Record<string, Json> = {};
  const take = (name: string): Json | undefined => {
    const value = attributes[name];
    if (value === undefined) return undefined;
    encoding[name] = value;
    delete attributes[name];
    return value;
  };
  if (dtype === "null_terminated_bytes") return planBytes(stored, attributes, encoding, take("_Encoding"));
  const isInteger = INTEGER.test(dtype);
  const isFloat = /^float(16|32|64)$/.test(dtype);
  if (!isInteger && !isFloat) {
    return {
      ...{ dtype: nameOfOther(dtype, stored), attributes, encoding, packing: undefined },
      decode: (data) => data,
    };
  }

  const fills = fillsOf(stored, take, isInteger);
  // A writer needs fill value and dtype to store the variable in the same way.
  if (fills.fill !== undefined) encoding._FillValue = fills.fill;
  encoding.dtype = dtype;
  const unsigned = take("_Unsigned");
  const signed = integerAs(dtype, unsigned);
  const kind = timeKind(attributes.units);
  const hasPacking = attributes.scale_factor !== undefined || attributes.add_offset !== undefined;
  const packed = packedType(stored);
  const [scale, offset] = (["scale_factor", "add_offset"] as const).map((name) => {
    const value = factor(take(name), name, path);
    if (value === undefined || !isFloat32(stored.attributes, name)) return value;
    // A copy has no types of attributes: the number that they meant is kept.
    encoding[name] = Math.fround(value);
    return Math.fround(value);
  });
  if (scale === 0) throw undecodable(path, "scale_factor", "expected a scale other than 0");
  const bits = Number(/\d+$/.exec(dtype)?.[0]);
  const isMasked = fills.values.length > 0;
  let type = signed;
  if (isMasked && hasPacking) type = packed;
  else if (isMasked && isInteger) type = kind !== undefined ? "int64" : bits <= 16 ? "float32" : "float64";
  // Packed numbers become floats, unless the only fill value is NaN: then floats keep their type. Times
  // always become float64.
  if (hasPacking && !fills.isGiven) type = packed;
  if (hasPacking && kind !== undefined) type = "float64";
  const packing = { fills: fills.values, scale, offset };
  const isChanged = isMasked || hasPacking;
  const as = unpackedType(type);
  const isHeld = [scale, offset].every((value) => Number.isFinite(Math.fround(value ?? 0)));
  // With `_Unsigned` a read sees numbers of the other signedness, and times are masked as integers.
  // Each step in float32, of numbers that it does not hold, is none of a read.
  const isRounded = hasPacking && as === "float32" && bits > 16 && dtype !== "float32";
  const isRead = isChanged && isHeld && signed === dtype && as !== "int64" && !isRounded;
  const options = isRead ? { as, missing: fills.values, scale, offset } : undefined;
  const decoding = (dtype: string, make: (numbers: Numbers) => unknown): Decoding => ({
    dtype,
    attributes,
    encoding,
    packing,
    decode(data, _, unpack) {
      const numbers = reinterpret(numbersOf(data, path), signed);
      const source = isRounded ? roundedToFloat32(numbers) : numbers;
      return make(isChanged ? unpack(source, as, packing) : source);
    },
    reading: options && { options, make },
  });

  if (kind === "datetime") {
    const time = parseTimeEncoding(String(take("units")), take("calendar"), path);
    const times = isGregorian(time.calendar) ? `datetime64[${stored.timeUnit}]` : `cftime[${time.calendar}]`;
    return decoding(times, (numbers) => decodeTimes(numbers, time, stored.timeUnit, path));
  }
  const marked = attributes.dtype;
  const delta = typeof marked === "string" ? /^timedelta64\[(s|ms|us|ns)\]$/.exec(marked)?.[1] : undefined;
  if (kind === "timedelta" && isResolution(delta)) {
    const units = String(take("units"));
    delete attributes.dtype;
    return decoding(`timedelta64[${delta}]`, (numbers) => decodeTimedeltas(numbers, units, delta, path));
  }
  if (marked === "bool") {
    delete attributes.dtype;
    return decoding("bool", (numbers) =>
      BoolArray.from(Array.from<number | bigint, boolean>(numbers, (value) => Number(value) !== 0)),
    );
  }
  return decoding(type, (numbers) => numbers);
}

/**
 * The type of packed numbers, as xarray chooses it: that of a scale of float32, if an offset is of the same
 * type. float32 does not hold integers of 32 bits.
 */
function packedType({ dtype, attributes }: Stored): "float32" | "float64" {
  const isOfFloat32 = isFloat32(attributes, "scale_factor");
  if (attributes.add_offset === undefined) return isOfFloat32 ? "float32" : "float64";
  const areBoth = isOfFloat32 && isFloat32(attributes, "add_offset");
  return areBoth && !/^u?int32$/.test(dtype) ? "float32" : "float64";
}

/** numpy converts first, and then compares with fill values and scales. */
function roundedToFloat32(numbers: Numbers): Float32Array {
  return Float32Array.from<number | bigint>(numbers, Number);
}

function unpackedType(type: string): "float32" | "float64" | "int64" {
  if (type === "float16") return "float32";
  return type === "float32" || type === "int64" ? type : "float64";
}

function nameOfOther(dtype: string, { timeUnit }: Stored): string {
  if (dtype === "numpy.datetime64") return `datetime64[${timeUnit}]`;
  if (dtype === "numpy.timedelta64") return `timedelta64[${timeUnit}]`;
  return dtype === "fixed_length_utf32" ? "string" : dtype;
}

interface Fills {
  /** Values that mask an element; without NaN. */
  readonly values: readonly Fill[];
  /** Whether a fill value is given. NaN counts for floats, not for integers. */
  readonly isGiven: boolean;
  /** `_FillValue` as a number: the attribute, or the fill value of the array if that masks. */
  readonly fill: Fill | undefined;
}

function fillsOf(stored: Stored, take: (name: string) => Json | undefined, isInteger: boolean): Fills {
  const { path, attributes, fill, dtype } = stored;
  const values: Fill[] = [];
  let isGiven = false;
  const add = (name: string, candidates: readonly unknown[]): void => {
    const found = candidates
      .map((value) => fillNumber(value, name, path))
      .filter((value) => !Number.isNaN(value));
    // Like xarray, which drops a NaN fill value for integers.
    if (found.length === 0 && isInteger) return;
    isGiven = true;
    for (const value of found) values.push(value);
  };
  const missing = take("missing_value");
  if (missing !== undefined) add("missing_value", isJsonArray(missing) ? missing : [missing]);
  const fillValue = take("_FillValue");
  const asUnsigned = (value: unknown): unknown =>
    attributes._Unsigned === undefined ? value : unsignedFill(value, dtype, attributes._Unsigned);
  if (fill !== undefined) add("_FillValue", [asUnsigned(fill)]);
  else if (fillValue !== undefined)
    add("_FillValue", (isJsonArray(fillValue) ? fillValue : [fillValue]).map(asUnsigned));
  const [single] = isJsonArray(fillValue) ? fillValue : [fillValue];
  const stated = fill === undefined ? single : fill;
  const isStated = stated !== undefined && stated !== null;
  return { values, isGiven, fill: isStated ? fillNumber(stated, "_FillValue", path) : undefined };
}

/** Converts a fill value by `_Unsigned`: -1 as int8 is 255 as uint8. */
function unsignedFill(value: unknown, dtype: string, unsigned: Json): unknown {
  const [, , digits = 0] = INTEGER.exec(dtype) ?? [];
  const bits = Number(digits);
  if (
    bits === 0 ||
    (typeof value !== "number" && typeof value !== "bigint") ||
    !Number.isInteger(Number(value))
  )
    return value;
  if (integerAs(dtype, unsigned) === dtype) return value;
  const wrapped = dtype.startsWith("u")
    ? BigInt.asIntN(bits, BigInt(value))
    : BigInt.asUintN(bits, BigInt(value));
  return bits === 64 ? wrapped : Number(wrapped);
}

function factor(value: Json | undefined, name: string, path: string): number | undefined {
  const one = isJsonArray(value) && value.length === 1 ? value[0] : value;
  if (one === undefined || typeof one === "number") return one;
  if (typeof one === "bigint") return Number(one);
  throw undecodable(path, name, `expected a number in ${name}, got ${describe(value)}`);
}

/** The integer type that elements have after `_Unsigned`. */
export function integerAs(dtype: string, unsigned: Json | undefined): string {
  if (unsigned === "true" && /^int/.test(dtype)) return `u${dtype}`;
  if (unsigned === "false" && /^uint/.test(dtype)) return dtype.slice(1);
  return dtype;
}

function reinterpret(source: Numbers, to: string): Numbers {
  if (!isNumberType(to) || source instanceof NUMBER_CLASSES[to]) return source;
  return Reflect.construct(NUMBER_CLASSES[to], [source.buffer, source.byteOffset, source.length]);
}

function numbersOf(data: unknown, path: string): Numbers {
  if (isNumbers(data)) return data;
  if (isFloat16(data)) return Float32Array.from(data);
  throw new UnsupportedError(`expected numbers to decode, got ${describe(data)}`, { path });
}

function planBytes(
  { path, isText }: Stored,
  attributes: JsonObject,
  encoding: JsonObject,
  charset: Json | undefined,
): Decoding {
  if (charset !== undefined && !/^(utf-?8|ascii)$/i.test(String(charset)))
    throw undecodable(path, "_Encoding", `expected utf-8 as _Encoding, got ${describe(charset)}`);
  return {
    dtype: charset === undefined ? "bytes" : "string",
    attributes,
    encoding,
    packing: undefined,
    decode(data, shape) {
      if (!(data instanceof FixedBytesArray)) return data;
      const width = isText ? (shape.at(-1) ?? 1) : data.itemSize;
      const memory = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
      const texts = new FixedBytesArray(memory, Math.max(width, 1), true);
      return charset === undefined ? texts : texts.toStrings();
    },
  };
}
