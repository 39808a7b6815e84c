/** Whether two data types are the same, byte order aside, although made separately. */

import { describe } from "../errors.js";
import type { DataType } from "./data-type.js";
import { isStruct } from "./struct-array.js";
import { isSubarray } from "./subarray.js";

export function isSameDataType(a: DataType, b: DataType): boolean {
  if (a === b) return true;
  if (a.name !== b.name || a.itemSize !== b.itemSize) return false;
  if (isStruct(a)) {
    return (
      isStruct(b) &&
      a.fields.length === b.fields.length &&
      a.fields.every((field, index) => {
        const other = b.fields[index];
        return other?.name === field.name && isSameDataType(field.dataType, other.dataType);
      })
    );
  }
  if (isSubarray(a)) return isSubarray(b) && isSameDataType(a.base, b.base);
  if (a.variable === "object") return b.variable === "object" && a.objectCodec === b.objectCodec;
  return describe(a.toV3()) === describe(b.toV3());
}
