/** Fill values as a Zarr v3 document has them. */
import { type Json, toBase64 } from "../../../core/for-stores.js";
import { floatFill } from "../documents.js";
import { textOf } from "./cursor.js";
import type { Hdf5Type } from "./data-type.js";
import { isBoolean, numberOf } from "./elements.js";
import type { GlobalHeap } from "./global-heap.js";

/** @param bytes of the fill value in the file; undefined: zeros */
export async function fillAsJson(
  heap: GlobalHeap,
  type: Hdf5Type,
  bytes: Uint8Array | undefined,
): Promise<Json> {
  const stored = bytes !== undefined && bytes.length >= type.size ? bytes : new Uint8Array(type.size);
  switch (type.class) {
    case "integer":
      return numberOf(type, stored);
    case "float":
      return floatFill(Number(numberOf(type, stored)));
    case "enumeration":
      return isBoolean(type) ? stored[0] !== 0 : fillAsJson(heap, type.base, stored);
    case "string":
      return toBase64(stored.subarray(0, type.size));
    case "opaque":
      return [...stored.subarray(0, type.size)];
    case "complex":
      return [
        await fillAsJson(heap, type.base, stored),
        await fillAsJson(heap, type.base, stored.subarray(type.base.size)),
      ];
    case "compound": {
      const members: [string, Json][] = [];
      for (const { name, offset, type: memberType } of type.members)
        members.push([
          name,
          await fillAsJson(heap, memberType, stored.subarray(offset, offset + memberType.size)),
        ]);
      const values = members.map(([, value]) => value);
      const isComplex = members.map(([name]) => name).join() === "r,i";
      return isComplex ? values : Object.fromEntries(members);
    }
    case "array":
      return fillAsJson(heap, type.base, stored.subarray(0, type.base.size));
    case "variable":
      return type.isText ? textOf(await heap.read(stored, 1)) : null;
    case "other":
      return null;
  }
}
