/**
 * Encodes values by CF as xarray does: times, packed numbers, booleans, strings, and the layout in
 * `encoding`. The reverse of decode.ts.
 */
import {
  ComplexArray,
  codecsOfJson,
  describe,
  type Fill,
  FixedBytesArray,
  FLOAT16,
  isJsonArray,
  isNumbers,
  isNumberType,
  keepSpellings,
  type Numbers,
  type NumberType,
  numberTypeOf,
  SmallFloatArray,
  spellAsFloats,
  TimeDeltaArray,
} from "../../extend.js";
import {
  BoolArray,
  type CreateArrayOptions,
  InvalidArgumentError,
  type Json,
  type JsonObject,
  UnsupportedError,
} from "../../index.js";
import { NAT } from "../../main/data-types.js";
import { integerAs } from "./decode.js";
import { isFloat16, isIterable, unencodable } from "./elements.js";
import { encodeTimedeltas, encodeTimes, isTimes } from "./encode-times.js";
import { pack } from "./packing.js";

/** A variable in its stored form. */
export interface Encoded {
  readonly data: unknown;
  readonly length: number;
  readonly dtype: string;
  /**
   * Attributes of the variable and those that decoding needs, without `_FillValue`: its place depends on the
   * format.
   */
  readonly attributes: JsonObject;
  /** Stored value of NaN and NaT. */
  readonly fill: Fill | undefined;
}

/**
 * A variable to encode. `data` is in C order: typed arrays, lists of numbers, strings, booleans or Dates, or
 * a single element.
 */
interface VariableParts {
  readonly path: string;
  readonly data: unknown;
  readonly attrs: JsonObject;
  readonly encoding: JsonObject;
}

/**
 * @throws InvalidArgumentError with the variable and the attribute, UnsupportedError for data without a CF
 * encoding
 */
export function encodeVariable({ path, data: values, attrs, encoding }: VariableParts): Encoded {
  const data = typedElements(values);
  const attributes: Record<string, Json> = keepSpellings({ ...attrs }, attrs);
  const put = (name: string, value: Json): void => {
    if (attributes[name] !== undefined) {
      const message = `the encoding of this variable writes the attribute ${describe(name)}; remove it from attrs`;
      throw new InvalidArgumentError(message, { path, member: `attrs.${name}` });
    }
    attributes[name] = value;
  };
  const dtype = dtypeAsked(encoding, path);
  const rest = { path, attributes, put, encoding };
  if (isTimes(data) || data instanceof TimeDeltaArray) {
    const request = {
      units: textOf(encoding, "units", path),
      calendar: textOf(encoding, "calendar", path),
      isInteger: hasPacking(encoding) || dtype === undefined ? undefined : !dtype.startsWith("float"),
      path,
    };
    const times =
      data instanceof TimeDeltaArray ? encodeTimedeltas(data, request) : encodeTimes(data, request);
    for (const [name, value] of Object.entries(times.attributes)) put(name, value);
    return encodeNumbers(times.numbers, true, dtype, rest);
  }
  const plain = { attributes, fill: undefined };
  if (data instanceof BoolArray) {
    if (dtype === undefined) return { ...plain, data, length: data.length, dtype: "bool" };
    put("dtype", "bool");
    return encodeNumbers(Uint8Array.from(data, Number), false, dtype, rest);
  }
  if (isNumbers(data)) return encodeNumbers(data, false, dtype, rest);
  if (isFloat16(data)) return encodeNumbers(Float32Array.from(data), false, dtype ?? "float16", rest);
  if (data instanceof FixedBytesArray && data.nullTerminated) {
    return { ...plain, data, length: data.length, dtype: `|S${data.itemSize}` };
  }
  const complex = data instanceof ComplexArray ? complexType(data) : undefined;
  if (complex !== undefined && data instanceof ComplexArray)
    return { ...plain, data, length: data.length, dtype: complex };
  const texts = textsOf(data);
  if (texts !== undefined) return { ...plain, data: texts, length: texts.length, dtype: "string" };
  throw new UnsupportedError(
    `expected numbers, times, booleans or strings, got ${describe(data)}; elements of other data types are copied from variables of openDataset`,
    { path },
  );
}

/** The data type of complex numbers that numpy has. */
function complexType({ parts }: ComplexArray): "complex64" | "complex128" | undefined {
  if (parts instanceof Float32Array) return "complex64";
  return parts instanceof Float64Array ? "complex128" : undefined;
}

interface Rest {
  readonly path: string;
  readonly attributes: JsonObject;
  readonly put: (name: string, value: Json) => void;
  readonly encoding: JsonObject;
}

function encodeNumbers(
  source: Numbers,
  isTime: boolean,
  targetType: NumberType | "float16" | undefined,
  { path, attributes, put, encoding }: Rest,
): Encoded {
  const scale = numberOf(encoding, "scale_factor", path);
  const offset = numberOf(encoding, "add_offset", path);
  if (scale === 0) throw unencodable(path, "scale_factor", "expected a scale other than 0");
  const isPacked = scale !== undefined || offset !== undefined;
  const stored = targetType ?? (isPacked ? "float64" : numberTypeOf(source));
  const dtype = stored === "float16" ? "float64" : stored;
  const unsigned = encoding._Unsigned;
  const readAs = integerAs(dtype, unsigned);
  const [missing] = isJsonArray(encoding.missing_value) ? encoding.missing_value : [encoding.missing_value];
  const fillValue = fillOf(encoding._FillValue, "_FillValue", path) ?? fillOf(missing, "missing_value", path);
  const isFloat = dtype.startsWith("float");
  // Without a given fill value, NaT is stored as -(2^63), as in numpy.
  const noTime = isTime && dtype === "int64" && source instanceof BigInt64Array && source.includes(NAT);
  // No default fill value for packed floats: it would change the type that readers decode them to.
  const defaultFill = isFloat && !isPacked ? Number.NaN : noTime ? NAT : undefined;
  const fill = fillValue ?? defaultFill;
  const data = pack(source, {
    path,
    dtype,
    readAs: isNumberType(readAs) ? readAs : dtype,
    scale,
    offset,
    fill: fill !== undefined && Number.isNaN(Number(fill)) && !isFloat ? undefined : fill,
    isTime,
  });
  const { missing_value } = encoding;
  const used = { scale_factor: scale, add_offset: offset, _Unsigned: unsigned, missing_value };
  for (const [name, value] of Object.entries(used)) if (value !== undefined) put(name, value);
  // xarray takes 2 for an integer and decodes to integers, or refuses the variable.
  spellAsFloats(attributes, ["scale_factor", "add_offset"]);
  const halves =
    stored === "float16" && data instanceof Float64Array ? SmallFloatArray.from(FLOAT16, data) : data;
  return { data: halves, length: data.length, dtype: stored, attributes, fill };
}

/** Converts lists and single values to typed arrays or a BoolArray. Strings and Dates stay a list. */
function typedElements(data: unknown): unknown {
  const list: unknown =
    ["number", "bigint", "boolean", "string"].includes(typeof data) || data instanceof Date ? [data] : data;
  if (!Array.isArray(list) || list.length === 0) return list;
  if (list.every((each) => typeof each === "number")) return Float64Array.from(list);
  if (list.every((each) => typeof each === "bigint")) return BigInt64Array.from(list);
  if (list.every((each) => typeof each === "boolean")) return BoolArray.from(list);
  return list;
}

function textsOf(data: unknown): string[] | undefined {
  if (!isIterable(data)) return undefined;
  const texts: string[] = [];
  for (const each of data) {
    if (typeof each !== "string") return undefined;
    texts.push(each);
  }
  return texts;
}
const hasPacking = ({ scale_factor, add_offset }: JsonObject): boolean =>
  scale_factor !== undefined || add_offset !== undefined;

/** The error for a member of `encoding`. */
function wrong(encoding: JsonObject, name: string, path: string, expected: string): InvalidArgumentError {
  return unencodable(path, name, `expected ${expected}, got ${describe(encoding[name])}`);
}

function dtypeAsked(encoding: JsonObject, path: string): NumberType | "float16" | undefined {
  const { dtype } = encoding;
  if (dtype === undefined || dtype === "float16") return dtype;
  if (typeof dtype === "string" && isNumberType(dtype)) return dtype;
  throw wrong(encoding, "dtype", path, 'the name of an integer or a float type, such as "int16"');
}

function textOf(encoding: JsonObject, name: string, path: string): string | undefined {
  const value = encoding[name];
  if (value === undefined || typeof value === "string") return value;
  throw wrong(encoding, name, path, "text");
}

function numberOf(encoding: JsonObject, name: string, path: string): number | undefined {
  const value = encoding[name];
  const one = isJsonArray(value) && value.length === 1 ? value[0] : value;
  if (one === undefined || (typeof one === "number" && Number.isFinite(one))) return one;
  if (typeof one === "bigint") return Number(one);
  throw wrong(encoding, name, path, "a number");
}

function fillOf(value: Json | undefined, name: string, path: string): Fill | undefined {
  if (value === undefined || value === null || typeof value === "number" || typeof value === "bigint")
    return value ?? undefined;
  throw unencodable(path, name, `expected a number, got ${describe(value)}`);
}

/** Chunk shape, shard shape and codecs of `encoding`, as options of `create`. */
export interface StoredLayout {
  readonly chunkShape: readonly number[] | undefined;
  readonly shards: readonly number[] | undefined;
  readonly codecs: CreateArrayOptions<unknown>["codecs"];
}

/**
 * Reads the layout from `encoding`. v2 has no shards, so they are ignored there.
 * @throws InvalidArgumentError with variable and attribute
 */
export function storedLayout(encoding: JsonObject, zarrFormat: 2 | 3, path: string): StoredLayout {
  const shards = lengthsOf(encoding, "shards", path);
  const codecs = encoding.codecs === undefined ? undefined : codecsOfJson(encoding.codecs);
  if (codecs === undefined && encoding.codecs !== undefined)
    throw wrong(encoding, "codecs", path, "codecs as create takes them");
  return {
    chunkShape: lengthsOf(encoding, "chunks", path),
    shards: zarrFormat === 3 ? shards : undefined,
    codecs,
  };
}

function lengthsOf(encoding: JsonObject, name: "chunks" | "shards", path: string): number[] | undefined {
  const value = encoding[name];
  if (value === undefined || value === null) return undefined;
  const lengths = isJsonArray(value) ? value.filter((length) => typeof length === "number") : [];
  if (isJsonArray(value) && lengths.length === value.length) return lengths;
  throw wrong(encoding, name, path, "a list of lengths");
}
