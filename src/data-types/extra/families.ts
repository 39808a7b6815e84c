/** The rarer built-in families, which registry.ts loads on demand. */
import { didYouMean, isZarrError } from "../../errors.js";
import { isJsonObject, type Json, type JsonObject } from "../../metadata/json.js";
import { bool } from "../bool.js";
import type { DataType, DataTypeFamily } from "../data-type.js";
import { singleFamily } from "../family.js";
import { float32, float64 } from "../float.js";
import { FLOAT16 } from "../float-format.js";
import type { Advice } from "../registry.js";
import { float16, SMALL_FLOAT_FORMATS, smallFloat } from "../small-float.js";
import { complexType } from "./complex.js";
import { datetimeFamily, timedeltaFamily } from "./datetime.js";
import { nullTerminatedBytesFamily, rawBytesFamily } from "./fixed-bytes.js";
import { fixedLengthUtf32Family } from "./fixed-length-utf32.js";
import { structFamily } from "./struct-family.js";
import { subByteIntegers } from "./sub-byte-integer.js";
import { variableLengthFamilies } from "./variable-length.js";

/**
 * Unknown data types whose metadata name a known one to read them as: `{"name": "https://example.org/text", "fallback": "binary"}`, as
 * in ZEP 7 and, for every extension, in the 2020 draft.
 * https://zarr.dev/zeps/draft/ZEP0007.html
 */
export const fallbackFamily: DataTypeFamily = {
  name: "fallback",
  fromV3(json, resolve) {
    if (!isJsonObject(json) || json.fallback === undefined || json.fallback === null) return undefined;
    const { fallback, ...own } = json;
    return isKnown(own, resolve) ? undefined : resolve(fallback);
  },
  fromV2: () => undefined,
};

/** Whether another family accepts it. A malformed type of a known family counts: it has no fallback. */
function isKnown(json: JsonObject, resolve: (json: Json) => DataType): boolean {
  try {
    resolve(json);
    return true;
  } catch (error) {
    return !isZarrError(error, "UnknownDataTypeError");
  }
}

const smallFloats = SMALL_FLOAT_FORMATS.map(smallFloat);
/** The parts of complex_float16 are a SmallFloatArray even on platforms with Float16Array. */
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
  ...variableLengthFamilies,
  fallbackFamily,
];

/** Advice for a data type that no family or several accept. */
export const adviceOnUnknown: Advice = (json, accepting, registered) => {
  if (accepting.length > 1) return "; register one of them under the other's name to replace it";
  const names = [...registered];
  const nearest = didYouMean(isJsonObject(json) ? json.name : json, names);
  return ` of ${names.join(", ")}${nearest || "; registerDataType adds others"}`;
};
