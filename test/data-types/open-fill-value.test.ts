/** Fill values from metadata to elements, through the public API. */
import { describe, expect, it } from "vitest";
import { create, get, type Json, open, resize, set } from "../../src/index.js";
import { LITTLE } from "../setup/codecs.js";
import { toHex } from "./support.js";

async function openWithFill(data_type: Json, fill_value: Json) {
  const metadata = {
    zarr_format: 3,
    node_type: "array",
    shape: [2],
    data_type,
    chunk_grid: { name: "regular", configuration: { chunk_shape: [2] } },
    chunk_key_encoding: { name: "default" },
    fill_value,
    codecs: [LITTLE],
    attributes: {},
  };
  return open(new Map([["/zarr.json", new TextEncoder().encode(JSON.stringify(metadata))]]), {
    kind: "array",
  });
}

describe("a fill value that was read", () => {
  it.each<[Json, Json, unknown, string]>([
    ["float32", "0x7fc00001", Number.NaN, "0100c07f0100c07f"],
    ["float32", "-Infinity", Number.NEGATIVE_INFINITY, "000080ff000080ff"],
    ["complex64", ["0x7fa00000", 1], { re: Number.NaN, im: 1 }, "0000a07f0000803f".repeat(2)],
    [{ name: "fixed_length_utf32", configuration: { length_bytes: 4 } }, "é", "é", "e9000000e9000000"],
    [
      {
        name: "struct",
        configuration: {
          fields: [
            { name: "a", data_type: "float16" },
            { name: "b", data_type: "r8" },
          ],
        },
      },
      { a: "0x7e01", b: [9] },
      { a: Number.NaN, b: Uint8Array.of(9) },
      "017e09017e09",
    ],
  ])(
    "%j %j is a plain value to a user, and every bit of it in the elements",
    async (dataType, fill, value, hex) => {
      const array = await openWithFill(dataType, fill);
      expect(array.fillValue).toEqual(value);
      const { data } = await get(array);
      expect(toHex(array.dataType.bytesOf(data) ?? new Uint8Array(0))).toBe(hex);
    },
  );

  it("is null where v2 says null", async () => {
    const array = await create(new Map<string, Uint8Array>(), {
      shape: [1],
      dtype: "<M8[s]",
      zarrFormat: 2,
      fillValue: null,
    });
    expect(array.fillValue).toBeNull();
    // As zarr-python 3: zero would be 1970-01-01, a moment like any other.
    expect((await get(array)).data.toISOString(0)).toBe("NaT");
    const longer = await resize(array, [3]);
    await set(longer, [1], 18_262n * 86_400n);
    const { data } = await get(longer);
    expect([0, 1, 2].map((i) => data.toISOString(i))).toEqual(["NaT", "2020-01-01T00:00:00", "NaT"]);
  });
});
