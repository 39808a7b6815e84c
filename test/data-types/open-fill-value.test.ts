/** Fill values from metadata to elements, through the public API. */
import { describe, expect, it } from "vitest";
import { create, get, type Json, open } from "../../src/index.js";
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
    codecs: [{ name: "bytes", configuration: { endian: "little" } }],
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
    expect((await get(array)).data.ticks).toEqual(BigInt64Array.of(0n));
  });
});
