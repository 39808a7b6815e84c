/** The rarer built-in families, which registry.ts loads on demand. */
import { didYouMean, isZarrError } from "../../base/errors.js";
import { isJsonObject, type Json, type JsonObject } from "../../metadata/json.js";
import { bool } from "../bool.js";
import type { DataType } from "../data-type.js";
import { type DataTypeFamily, singleFamily } from "../family.js";
import { float32, float64 } from "../float.js";
import { FLOAT16, SMALL_FLOAT_FORMATS } from "../float-formats.js";
import type { Advice } from "../registry.js";
import { float16, smallFloat } from "../small-float.js";
import { complexType } from "./complex.js";
import { datetimeFamily, timedeltaFamily } from "./datetime.js";
import { nullTerminatedBytesFamily, rawBytesFamily } from "./fixed-bytes.js";
import { fixedLengthUtf32Family } from "./fixed-length-utf32.js";
import { optionalFamily } from "./optional.js";
import { structFamily } from "./struct-family.js";
import { subByteIntegers } from "./sub-byte-integer.js";
import { variableLengthFamilies } from "./variable-length.js";

/**
 * Unknown data types whose metadata name a known type in `fallback`: `{"name": "https://example.org/text",
 * "fallback": "binary"}` is read as `binary`. From ZEP 7, and in the 2020 draft for every extension.
 * https://zarr.dev/zeps/draft/ZEP0007.html
 */
const fallbackFamily: DataTypeFamily = {
  name: "fallback",
  fromV3(json, resolve) {
    if (!isJsonObject(json) || json.fallback === undefined || json.fallback === null) return undefined;
    const { fallback, ...configuration } = json;
    return isKnown(configuration, resolve) ? undefined : resolve(fallback);
  },
  fromV2: () => undefined,
};

/**
 * Whether another family accepts `json`. Also true for a malformed type of a known family, so that it does
 * not use its fallback.
 */
function isKnown(json: JsonObject, resolve: (json: Json) => DataType): boolean {
  try {
    resolve(json);
    return true;
  } catch (error) {
    return !isZarrError(error, "UnknownDataTypeError");
  }
}

const smallFloats = SMALL_FLOAT_FORMATS.map(smallFloat);
/**
 * Complex numbers of small floats use SmallFloatArray for their parts, complex_float16 also in engines with
 * Float16Array.
 */
const smallParts = [smallFloat(FLOAT16), ...smallFloats];

export const extraFamilies: readonly DataTypeFamily[] = [
  singleFamily(bool),
  singleFamily(float16),
  singleFamily(complexType("complex64", float32, "c8"), ["complex_float32"]),
  singleFamily(complexType("complex128", float64, "c16"), ["complex_float64"]),
  ...smallFloats.map((type) => singleFamily(type)),
  ...smallParts.map((part) => singleFamily(complexType(`complex_${part.name}`, part))),
  ...subByteIntegers.map((type) => singleFamily(type)),
  rawBytesFamily,
  nullTerminatedBytesFamily,
  fixedLengthUtf32Family,
  datetimeFamily,
  timedeltaFamily,
  structFamily,
  optionalFamily,
  ...variableLengthFamilies,
  fallbackFamily,
];

/** Advice for type names of numpy, C and Python. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  float: 'did you mean "float32" or "float64"?',
  double: 'did you mean "float64"?',
  half: 'did you mean "float16"?',
  int: 'did you mean "int32" or "int64"?',
  object: 'v3 has no objects; did you mean "string" or "bytes"? v2 has "|O" with a filter such as json2',
  "|O": "objects need a filter that says what they are: vlen-utf8, vlen-bytes, vlen-array, json2 or msgpack2 of v2; pickle is refused, because reading it runs code that the file names",
};

/** Advice for a data type that no family or more than one accepts. */
export const adviceOnUnknown: Advice = (json, accepting, registered) => {
  if (accepting.length > 1) return "; register one of them under the other's name to replace it";
  const name = isJsonObject(json) ? json.name : json;
  const other = typeof name === "string" && Object.hasOwn(OTHER_NAMES, name) ? OTHER_NAMES[name] : undefined;
  if (other !== undefined) return `: ${other}`;
  // "object" and "fallback" are names of families but not of data types.
  const names = [...registered].filter((one) => one !== "object" && one !== "fallback");
  const nearest = didYouMean(name, names);
  return `${nearest || ";"} registerDataType adds others. Registered: ${names.join(", ")}`;
};
