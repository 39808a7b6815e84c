/** The rarer built-in families, loaded on demand by registry.ts. */

import { didYouMean } from "../errors.js";
import { isJsonObject } from "../metadata/json.js";
import { bool } from "./bool.js";
import { complexType } from "./complex.js";
import type { DataTypeFamily } from "./data-type.js";
import { datetimeFamily, timedeltaFamily } from "./datetime.js";
import { fallbackFamily } from "./fallback.js";
import { singleFamily } from "./family.js";
import { nullTerminatedBytesFamily, rawBytesFamily } from "./fixed-bytes.js";
import { fixedLengthUtf32Family } from "./fixed-length-utf32.js";
import { float32, float64 } from "./float.js";
import { FLOAT16 } from "./float-format.js";
import { float16 } from "./float16.js";
import type { Advice } from "./registry.js";
import { SMALL_FLOAT_FORMATS, smallFloat } from "./small-float.js";
import { structFamily } from "./struct-family.js";
import { subByteIntegers } from "./sub-byte-integer.js";
import { variableLengthFamilies } from "./variable-length.js";

const smallFloats = SMALL_FLOAT_FORMATS.map(smallFloat);
/** complex_float16 as well has SmallFloatArrays as parts, on platforms with Float16Array too: one kind everywhere. */
const smallParts = [smallFloat(FLOAT16), ...smallFloats];

export const extraFamilies: readonly DataTypeFamily[] = [
  // Rarer than those with a typed array, and they want a view class, float16 on some platforms only.
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

/** What to do about a data type that none, or more than one, accepts. */
export const adviceOnUnknown: Advice = (json, accepting, registered) => {
  if (accepting.length > 1) return "; register one of them under the other's name to replace it";
  const names = [...registered];
  const nearest = didYouMean(isJsonObject(json) ? json.name : json, names);
  return ` of ${names.join(", ")}${nearest || "; registerDataType adds others"}`;
};
