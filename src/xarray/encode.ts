/** CF encoding of values, as xarray does it: times, packed numbers, booleans, texts. The reverse of decode.ts. */
import { BoolArray } from "../data-types/bool.js";
import { TimeDeltaArray } from "../data-types/extra/datetime.js";
import { FixedBytesArray } from "../data-types/extra/fixed-bytes.js";
import { FLOAT16, SmallFloatArray } from "../data-types/small-float.js";
import { describe, InvalidArgumentError, UnsupportedError } from "../errors.js";
import { isJsonArray, type Json, type JsonObject } from "../metadata/json.js";
import { integerAs, isFloat16, isNumbers } from "./decode.js";
import { encodeTimedeltas, encodeTimes, isTimes } from "./encode-times.js";
import { isNumberType, type NumberType, numberTypeOf, pack } from "./pack.js";
import type { Numbers } from "./time.js";

/** What is stored of a variable. */
export interface Encoded {
  readonly data: unknown;
  readonly length: number;
  readonly dtype: string;
  /** Those of the variable, and those that decoding needs; without `_FillValue`, which each format has elsewhere. */
  readonly attributes: JsonObject;
  /** What stands for NaN. */
  readonly fill: number | bigint | undefined;
}

/** Elements in C order. Numbers, texts, booleans and Dates in lists too, and a single one for a variable without dimensions. */
export interface Given {
  readonly path: string;
  readonly data: unknown;
  readonly attrs: JsonObject;
  readonly encoding: JsonObject;
}

/** @throws InvalidArgumentError naming the variable and the attribute, UnsupportedError for data that no convention encodes */
export function encodeVariable({ path, data: given, attrs, encoding }: Given): Encoded {
  const data = typedElements(given);
  const attributes: Record<string, Json> = { ...attrs };
  const put = (name: string, value: Json): void => {
    if (attributes[name] !== undefined) {
      throw new InvalidArgumentError(
        `the encoding of this variable writes ${describe(name)}, which is among its attributes too`,
        {
          path,
          member: `attrs.${name}`,
        },
      );
    }
    attributes[name] = value;
  };
  const asked = dtypeAsked(encoding, path);
  if (isTimes(data) || data instanceof TimeDeltaArray) {
    const request = {
      units: textOf(encoding, "units", path),
      calendar: textOf(encoding, "calendar", path),
      isInteger: hasPacking(encoding) || asked === undefined ? undefined : !asked.startsWith("float"),
      path,
    };
    const times =
      data instanceof TimeDeltaArray ? encodeTimedeltas(data, request) : encodeTimes(data, request);
    for (const [name, value] of Object.entries(times.attributes)) put(name, value);
    return encodeNumbers(times.numbers, true, { path, attributes, put, encoding, asked });
  }
  const rest = { attributes, fill: undefined };
  if (data instanceof BoolArray) {
    if (asked === undefined) return { ...rest, data, length: data.length, dtype: "bool" };
    put("dtype", "bool");
    const numbers = Uint8Array.from(data, Number);
    return encodeNumbers(numbers, false, { path, attributes, put, encoding, asked });
  }
  if (isNumbers(data)) return encodeNumbers(data, false, { path, attributes, put, encoding, asked });
  if (isFloat16(data)) {
    const numbers = Float32Array.from(data);
    return encodeNumbers(numbers, false, { path, attributes, put, encoding, asked: asked ?? "float16" });
  }
  if (data instanceof FixedBytesArray && data.nullTerminated) {
    return { ...rest, data, length: data.length, dtype: `|S${data.itemSize}` };
  }
  const texts = textsOf(data);
  if (texts !== undefined) return { ...rest, data: texts, length: texts.length, dtype: "string" };
  throw new UnsupportedError(
    `expected numbers, times, booleans or texts, got ${describe(data)}; an array of another kind is copied where it is handed over as openDataset gives it`,
    { path },
  );
}

interface Rest {
  readonly path: string;
  readonly attributes: JsonObject;
  readonly put: (name: string, value: Json) => void;
  readonly encoding: JsonObject;
  readonly asked: NumberType | "float16" | undefined;
}

function encodeNumbers(
  source: Numbers,
  isTime: boolean,
  { path, attributes, put, encoding, asked }: Rest,
): Encoded {
  const scale = numberOf(encoding, "scale_factor", path);
  const offset = numberOf(encoding, "add_offset", path);
  if (scale === 0) {
    throw new InvalidArgumentError("expected a scale other than 0", {
      path,
      member: "encoding.scale_factor",
    });
  }
  const isPacked = scale !== undefined || offset !== undefined;
  const stored = asked ?? (isPacked ? "float64" : numberTypeOf(source));
  const dtype = stored === "float16" ? "float64" : stored;
  const unsigned = encoding._Unsigned;
  const readAs = integerAs(dtype, unsigned);
  const [missing] = isJsonArray(encoding.missing_value) ? encoding.missing_value : [encoding.missing_value];
  const given = fillOf(encoding._FillValue, "_FillValue", path) ?? fillOf(missing, "missing_value", path);
  const isFloat = dtype.startsWith("float");
  // The smallest integer, as numpy has it, where times have no other.
  const noTime =
    isTime && dtype === "int64" && source instanceof BigInt64Array && source.includes(-(2n ** 63n));
  // Readers take the type of packed floats from whether they have a fill value.
  const own = isFloat && !isPacked ? Number.NaN : noTime ? -(2n ** 63n) : undefined;
  const fill = given ?? own;
  const data = pack(source, {
    path,
    dtype,
    readAs: isNumberType(readAs) ? readAs : dtype,
    scale,
    offset,
    fill: fill !== undefined && Number.isNaN(Number(fill)) && !isFloat ? undefined : fill,
    isTime,
  });
  if (scale !== undefined) put("scale_factor", scale);
  if (offset !== undefined) put("add_offset", offset);
  if (unsigned !== undefined) put("_Unsigned", unsigned);
  if (encoding.missing_value !== undefined) put("missing_value", encoding.missing_value);
  const halves =
    stored === "float16" && data instanceof Float64Array ? SmallFloatArray.from(FLOAT16, data) : data;
  return { data: halves, length: data.length, dtype: stored, attributes, fill };
}

/** Lists and single values as typed arrays, where there are such. */
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
  if (typeof data !== "object" || data === null || !isIterable(data)) return undefined;
  const texts: string[] = [];
  for (const each of data) {
    if (typeof each !== "string") return undefined;
    texts.push(each);
  }
  return texts;
}
function isIterable(data: object): data is Iterable<unknown> {
  return Symbol.iterator in data;
}
const hasPacking = ({ scale_factor, add_offset }: JsonObject): boolean =>
  scale_factor !== undefined || add_offset !== undefined;

function dtypeAsked({ dtype }: JsonObject, path: string): NumberType | "float16" | undefined {
  if (dtype === undefined || dtype === "float16") return dtype;
  if (typeof dtype === "string" && isNumberType(dtype)) return dtype;
  throw new InvalidArgumentError(
    `expected the name of an integer or a float type, such as "int16", got ${describe(dtype)}`,
    {
      path,
      member: "encoding.dtype",
    },
  );
}

function textOf(encoding: JsonObject, name: string, path: string): string | undefined {
  const value = encoding[name];
  if (value === undefined || typeof value === "string") return value;
  throw new InvalidArgumentError(`expected text, got ${describe(value)}`, {
    path,
    member: `encoding.${name}`,
  });
}

function numberOf(encoding: JsonObject, name: string, path: string): number | undefined {
  const value = encoding[name];
  const one = isJsonArray(value) && value.length === 1 ? value[0] : value;
  if (one === undefined || (typeof one === "number" && Number.isFinite(one))) return one;
  if (typeof one === "bigint") return Number(one);
  throw new InvalidArgumentError(`expected a number, got ${describe(value)}`, {
    path,
    member: `encoding.${name}`,
  });
}

function fillOf(value: Json | undefined, name: string, path: string): number | bigint | undefined {
  if (value === undefined || value === null || typeof value === "number" || typeof value === "bigint")
    return value ?? undefined;
  throw new InvalidArgumentError(`expected a number, got ${describe(value)}`, {
    path,
    member: `encoding.${name}`,
  });
}
