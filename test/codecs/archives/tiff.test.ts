/** TIFF's compressors and predictors: the data of scripts/oracles/make_tiff_fixtures.py, and damaged ones. */
import { describe, expect, it } from "vitest";
import { product } from "../../../src/base/shape.js";
import { get, isZarrError, open } from "../../../src/index.js";
import type { JsonObject } from "../../../src/metadata/json.js";
import { encodeJson } from "../../../src/metadata/json-text.js";
import { vectorSpec } from "../../core/codecs/array-harness.js";
import { expectSame, fromBase64 } from "../../core/codecs/harness.js";
import { loadEntry } from "../../core/codecs/load-entry.js";
import fixtures from "../../fixtures/codecs/tiff.json" with { type: "json" };
import { BIG } from "../../setup/codecs.js";
import { decode } from "./tiff-decode.js";

const CASES = fixtures.cases.map(({ encoded, decoded, ...rest }) => ({
  ...rest,
  encoded: fromBase64(encoded),
  decoded: fromBase64(decoded),
}));

it.each(CASES)("$codec of $type $shape", async ({ codec, type, shape, configuration, encoded, decoded }) => {
  expectSame(await decode(`imagecodecs_${codec}`, configuration, encoded, type, shape), decoded);
  if (codec === "lzw" || codec === "packbits") return;
  const dtype = `<${type[0]}${encoded.length / product(shape)}`;
  const stated = { ...configuration, shape, dtype };
  expectSame(await decode(`imagecodecs_${codec}`, stated, encoded, type, shape), decoded);
});

it.each([
  ["imagecodecs_deflate", { level: 6, raw: false }, "eJxjYGBkYGJgZmBhYGVgY2CgGw8AKXQArw=="],
  ["imagecodecs_zlib", { level: 6 }, "eJxjYGBkYGJgZmBhYGVgY2CgGw8AKXQArw=="],
  ["imagecodecs_zstd", { level: null }, "KLUv/SB4rQAAcAAAAQACAAMABAAFAAYAAQAn0qkE"],
])("%s, as imagecodecs 2026.10.10 encodes it", async (name, configuration, encoded) => {
  const decoded = await decode(name, configuration, fromBase64(encoded), "uint16", [60]);
  expect([...new Uint16Array(decoded.buffer, 0, 60)]).toEqual(Array.from({ length: 60 }, (_, i) => i % 7));
});

it("a code of 12 bits for an entry that the table has no room for is an error, and the last ones are not", async () => {
  // 256, then 0 without an end: entries until the table is full, with codes that grow.
  const bits: string[] = [(256).toString(2).padStart(9, "0")];
  let free = 258;
  for (let i = 0; i < 5000; i++) {
    const width = Math.min(12, Math.max(9, Math.ceil(Math.log2(free + 2))));
    bits.push("0".repeat(width));
    if (i > 0) free = Math.min(free + 1, 4096);
  }
  const text = bits.join("");
  const encoded = Uint8Array.from({ length: Math.floor(text.length / 8) }, (_, i) =>
    Number.parseInt(text.slice(8 * i, 8 * i + 8), 2),
  );
  const decoded = await decode("imagecodecs_lzw", {}, encoded, "uint8", [5000]);
  expectSame(decoded, new Uint8Array(decoded.length));
  expect(decoded.length).toBeGreaterThan(4990);
});

async function messageOf(run: () => Promise<unknown>): Promise<string> {
  try {
    await run();
  } catch (error) {
    if (isZarrError(error)) return `${error.tag}: ${error.message}`;
    throw error;
  }
  return "no error";
}

describe("what is refused", () => {
  it.each([
    ["lzw", [0, 1, 2], "at byte 0: the data have another format"],
    // 256, 0, 300.
    ["lzw", [0x80, 0x00, 0x25, 0x80], "at byte 2: a match begins before the data"],
    // 256, 258.
    ["lzw", [0x80, 0x40, 0x80], "at byte 1: a match begins before the data"],
    ["packbits", [0xff], "at byte 0: the data end too early"],
    ["packbits", [0, 7, 5, 1, 2], "at byte 2: the data end too early"],
    ["packbits", [0x81, 7, 0x81, 7], "of at most 20 decoded bytes"],
  ])("%s of %j", async (codec, bytes, expected) => {
    const text = await messageOf(() =>
      decode(`imagecodecs_${codec}`, {}, Uint8Array.from(bytes), "uint8", [20]),
    );
    expect(text).toContain("CodecError");
    expect(text).toContain(expected);
  });

  it.each([
    ["imagecodecs_lzw", { level: 1 }, "uint8", 'got "level"'],
    ["imagecodecs_deflate", { raw: true }, "uint8", '"raw": false, got true'],
    ["imagecodecs_zfp", { header: false }, "float32", '"header": true, got false'],
    ["imagecodecs_zstd", { checksum: true }, "uint8", 'got "checksum"'],
    ["imagecodecs_delta", { dist: 2 }, "uint8", "dist"],
    ["imagecodecs_delta", { axis: 1 }, "uint8", "axis"],
    ["imagecodecs_delta", { shape: [5] }, "uint8", "shape"],
    ["imagecodecs_delta", { dtype: "<u2" }, "int16", "the data type of the chunk, int16"],
    ["imagecodecs_delta", {}, "bool", "got data type bool"],
    ["HorizontalDeltaCodec", {}, "complex64", "got data type complex64"],
    ["imagecodecs_floatpred", {}, "uint8", "several bytes"],
    ["imagecodecs_floatpred", { dist: 3 }, "float32", "dist"],
    ["imagecodecs_floatpred", { shape: [2, 1, 2], axis: 0 }, "float32", "one of the last two"],
  ])("%s with %j of %s", async (name, configuration, type, expected) => {
    const { fromConfig, checkWriting } = await loadEntry(name);
    expect(() => fromConfig(configuration, vectorSpec(type, 4))).toThrow(expected);
    expect(() => checkWriting?.({}, name)).toThrow(/does not write/);
  });
});

describe("in arrays", () => {
  const read = async (document: JsonObject, chunk: Uint8Array, key = "/c/0/0"): Promise<unknown> => {
    const isV2 = document.zarr_format === 2;
    const entries = {
      [isV2 ? "/.zarray" : "/zarr.json"]: encodeJson(document),
      [isV2 ? "/0.0" : key]: chunk,
    };
    return Array.from(
      (await get(await open(new Map(Object.entries(entries)), { kind: "array" }))).data,
      Number,
    );
  };
  const shape = [2, 3];
  const v2 = { zarr_format: 2, shape, chunks: shape, dtype: ">u2", fill_value: 0, order: "C" };
  const v3 = {
    zarr_format: 3,
    node_type: "array",
    shape,
    data_type: "uint16",
    fill_value: 0,
    chunk_grid: { name: "regular", configuration: { chunk_shape: shape } },
    chunk_key_encoding: { name: "default" },
  };
  const expected = [255, 256, 258, 1, 0, 1];
  // Big-endian differences, in one run of PackBits.
  const differences = [0, 255, 0, 1, 0, 2, 0, 1, 0xff, 0xff, 0, 1];
  const packed = Uint8Array.of(11, ...differences);
  const floats = [1, 2, 3, -1, 0.5, 1e9];
  const rows = [floats.slice(0, 3), floats.slice(3)].map((row) => {
    const numbers = new DataView(new ArrayBuffer(12));
    row.forEach((value, i) => {
      numbers.setFloat32(4 * i, value);
    });
    const planes = Array.from({ length: 12 }, (_, i) => numbers.getUint8(4 * (i % 3) + Math.floor(i / 3)));
    return planes.map((byte, i) => (byte - (planes[i - 1] ?? 0)) & 255);
  });

  it("as tifffile names them, v2 and v3", async () => {
    const filter = { id: "imagecodecs_delta", shape, dtype: ">u2", axis: -1, dist: 1 };
    expect(
      await read({ ...v2, filters: [filter], compressor: { id: "imagecodecs_packbits" } }, packed),
    ).toEqual(expected);
    const codecs = [
      { name: "imagecodecs_delta", configuration: { axis: -1, dist: 1 } },
      BIG,
      { name: "imagecodecs_packbits" },
    ];
    expect(await read({ ...v3, codecs }, packed)).toEqual(expected);
  });

  it("as virtual-tiff names them", async () => {
    const codecs = [{ name: "HorizontalDeltaCodec" }, BIG, { name: "imagecodecs_packbits" }];
    expect(await read({ ...v3, codecs }, packed)).toEqual(expected);
  });

  it("samples beside each other, as virtual-tiff 0.5.0 reads them", async () => {
    // Rows and columns of three samples: 0, 1, 2 are those of the first pixel.
    const chunk = Uint8Array.from({ length: 48 }, (_, i) => (i % 2 === 0 ? 0 : i >> 1));
    const samples = [3, 2, 4];
    const document = {
      ...{ ...v3, shape: samples, chunk_grid: { name: "regular", configuration: { chunk_shape: samples } } },
      codecs: [
        { name: "HorizontalDeltaCodec" },
        { name: "transpose", configuration: { order: [0, 2, 1] } },
        { name: "ChunkyCodec", configuration: { endian: "big" } },
      ],
    };
    const first = [0, 3, 9, 18, 12, 27, 45, 66];
    const second = [1, 5, 12, 22, 13, 29, 48, 70];
    const third = [2, 7, 15, 26, 14, 31, 51, 74];
    expect(await read(document, chunk, "/c/0/0/0")).toEqual([...first, ...second, ...third]);
    await expect(read(document, chunk.subarray(1), "/c/0/0/0")).rejects.toThrow(/expected 48 bytes/);
    const { fromConfig, checkWriting } = await loadEntry("ChunkyCodec");
    expect(() => fromConfig({ endian: "native" }, vectorSpec("uint16", 4))).toThrow(/endian/);
    expect(() => checkWriting?.({}, "ChunkyCodec")).toThrow(/does not write/);
  });

  it("floats: the same bytes, whatever the byte order", async () => {
    const encoded = Uint8Array.from(rows.flat());
    const filter = { shape, axis: -1, dist: 1 };
    for (const endian of ["little", "big"]) {
      const dtype = endian === "big" ? ">f4" : "<f4";
      const document = {
        ...v2,
        dtype,
        filters: [{ id: "imagecodecs_floatpred", dtype, ...filter }],
        compressor: null,
      };
      expect(await read(document, encoded)).toEqual(floats);
      const virtual = { name: "imagecodecs_floatpred", configuration: { dtype: "<f4", shape } };
      const codecs = [virtual, { name: "bytes", configuration: { endian } }];
      expect(await read({ ...v3, data_type: "float32", codecs }, encoded)).toEqual(floats);
    }
    const codecs = [{ name: "imagecodecs_floatpred", configuration: { axis: -1, dist: 1 } }];
    expect(await read({ ...v3, data_type: "float32", codecs }, encoded)).toEqual(floats);
  });
});
