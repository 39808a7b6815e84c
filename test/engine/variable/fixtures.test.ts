/**
 * Elements of variable length as zarr-python, zarrs and pyarrow wrote them, read by both kinds of kernels.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { setKernels } from "../../../src/extend.js";
import { get, open, slice } from "../../../src/index.js";
import type { Json } from "../../../src/metadata/json.js";
import text from "../../fixtures/variable-length.json?raw";
import { base64FromBytes } from "../../interop/elements.js";
import { decodeStore } from "../../interop/wazarr.js";

interface Fixture {
  readonly writer: string;
  readonly name: string;
  readonly zarr_format: 2 | 3;
  readonly data_type: string;
  readonly object_codec?: string;
  readonly shape: readonly number[];
  /**
   * Strings, base64 of byte strings (and of everything that pyarrow wrote), or what the object codec holds.
   */
  readonly elements: readonly Json[];
  readonly store: Readonly<Record<string, string>>;
}
const fixtures: readonly Fixture[] = JSON.parse(text);

function elementsOf(result: unknown, { writer }: Fixture): unknown[] {
  const data: readonly unknown[] = Array.from(Object(result).data);
  return data.map((value) => {
    if (value instanceof Uint8Array) return base64FromBytes(value);
    if (value instanceof Int32Array) return Array.from(value);
    const isBase64 = writer.startsWith("pyarrow") && typeof value === "string";
    return isBase64 ? base64FromBytes(new TextEncoder().encode(value)) : value;
  });
}

describe.each(["wasm", "javascript"] as const)("%s kernels", (kernels) => {
  beforeAll(() => setKernels(kernels));
  afterAll(() => setKernels("auto"));

  for (const fixture of fixtures) {
    it(`${fixture.writer}: ${fixture.name}, ${fixture.data_type}`, async () => {
      const { shape, elements, zarr_format } = fixture;
      const [rows = 0, columns = 0] = shape;
      const store = decodeStore(fixture.store);
      const array = await open(store, { kind: "array" });
      expect([array.metadata.zarrFormat, array.shape]).toEqual([zarr_format, shape]);
      expect(elementsOf(await get(array), fixture)).toEqual(elements);
      const backwards = await get(array, [slice(null, null, -2), slice(null, null, -2)]);
      const expected: unknown[] = [];
      for (let y = rows - 1; y >= 0; y -= 2)
        for (let x = columns - 1; x >= 0; x -= 2) expected.push(elements[y * columns + x]);
      expect(elementsOf(backwards, fixture)).toEqual(expected);
      if (fixture.data_type !== "object") {
        expect(elementsOf(await get(array, null, { as: "column" }), fixture)).toEqual(elements);
      }
      // Again, and of the very same stored bytes: reading must not have changed them.
      expect(elementsOf(await get(array), fixture)).toEqual(elements);
      expect(store).toEqual(decodeStore(fixture.store));
    });
  }
});
