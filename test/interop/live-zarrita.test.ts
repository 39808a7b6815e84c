/** zarrita reads what wazarr writes, in the same process: in Node and in the browser. */
import { describe, expect, it } from "vitest";
import * as zarrita from "zarrita";
import { describeCase, sampleCases } from "./cases.js";
import { expectElements, hexFromBytes, itemSizeOf, scalarFromHex } from "./elements.js";
import { writeCase } from "./wazarr.js";

/**
 * Not for zarrita 0.7.5: empty arrays, half floats where JavaScript has no Float16Array, and fill values
 * beyond 2^53, which it reads as doubles.
 */
const cases = sampleCases([2, 3], 300).filter(
  ({ shape, data_type, fill_value }) =>
    !shape.includes(0) &&
    (data_type !== "float16" || "Float16Array" in globalThis) &&
    (!data_type.endsWith("int64") || Number.isSafeInteger(Number(scalarFromHex(data_type, fill_value)))),
);

/** zarrita keeps a transposed array's memory layout: elements by their strides, as hex in C order. */
function hexInCOrder({ data, shape, stride }: zarrita.Chunk<zarrita.DataType>, itemSize: number): string {
  if (!("buffer" in data)) throw new Error("expected elements over a buffer");
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  const offsets = shape.reduce<number[]>(
    (outer, length, axis) =>
      outer.flatMap((offset) => Array.from({ length }, (_, i) => offset + i * (stride[axis] ?? 0))),
    [0],
  );
  return offsets
    .map((offset) => hexFromBytes(bytes.subarray(offset * itemSize, (offset + 1) * itemSize)))
    .join("");
}

describe("zarrita", () => {
  for (const each of cases) {
    it(`wazarr -> it: ${describeCase(each)}`, async () => {
      const array = await zarrita.open(await writeCase(each), { kind: "array" });
      expect(array.dtype).toBe(each.data_type);
      const result = await zarrita.get(array);
      if (each.shape.length === 0) return expectElements(result, each);
      expect(result.shape).toEqual(each.shape);
      expect(hexInCOrder(result, itemSizeOf(each.data_type))).toBe(each.data);
    });
  }
});
