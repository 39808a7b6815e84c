/** ZEP 7 point by point: metadata, bytes of a chunk, byte orders, what may follow, fill values. */
import { describe, expect, it } from "vitest";
import { create, get, isZarrError, type Json, open, set } from "../../../src/index.js";
import { registerDataType } from "../../../src/main/data-types.js";
import { hex, TEXTS, toBytes } from "./elements.js";

type MapStore = Map<string, Uint8Array>;
type Kind = "string" | "binary";

const encode = (document: unknown): Uint8Array => toBytes(JSON.stringify(document));
const words = ["the", "quick", "brown", "fox"];

function metadata(data_type: Json, options: { fill_value?: Json; endian?: string; codecs?: Json[] } = {}) {
  const { fill_value = "", endian = "little", codecs = [] } = options;
  return {
    zarr_format: 3,
    node_type: "array",
    shape: [4],
    data_type,
    chunk_grid: { name: "regular", configuration: { chunk_shape: [4] } },
    chunk_key_encoding: { name: "default", configuration: { separator: "/" } },
    fill_value,
    codecs: [{ name: "bytes", configuration: { endian } }, ...codecs],
    attributes: {},
  };
}

/** As the ZEP's own code writes a chunk, with a DataView in place of numpy. */
function chunkOf(elements: readonly string[], width: 4 | 8, littleEndian: boolean): Uint8Array {
  const bytes = elements.map(toBytes);
  const offsetsLength = (elements.length + 1) * width;
  const dataStart = Math.ceil(offsetsLength / 64) * 64;
  const chunk = new Uint8Array(dataStart + bytes.reduce((sum, { length }) => sum + length, 0));
  const view = new DataView(chunk.buffer);
  let end = 0;
  for (const [i, element] of bytes.entries()) {
    chunk.set(element, dataStart + end);
    end += element.length;
    if (width === 8) view.setBigInt64(width * (i + 1), BigInt(end), littleEndian);
    else view.setInt32(width * (i + 1), end, littleEndian);
  }
  return chunk;
}

async function openWith(document: object, chunk?: Uint8Array) {
  const store: MapStore = new Map([["/zarr.json", encode(document)]]);
  if (chunk !== undefined) store.set("/c/0", chunk);
  return open(store, { kind: "array" });
}

describe.each<[Kind, readonly [Json, string, 4 | 8][]]>([
  [
    "string",
    [
      [{ name: "string" }, "string", 4],
      ["string", "string", 4],
      [{ name: "string", configuration: {} }, "string", 4],
      [{ name: "string", fallback: "binary" }, "string", 4],
      [{ name: "large_string" }, "large_string", 8],
      [{ name: "LargeString" }, "large_string", 8],
      [{ name: "LargeString", fallback: "LargeBinary" }, "large_string", 8],
    ],
  ],
  [
    "binary",
    [
      [{ name: "binary" }, "binary", 4],
      ["binary", "binary", 4],
      [{ name: "large_binary" }, "large_binary", 8],
      ["LargeBinary", "large_binary", 8],
    ],
  ],
])("%s", (kind, spellings) => {
  const expected = kind === "string" ? words : words.map(toBytes);

  it.each(spellings)("%j is %s with offsets of %d bytes, in either byte order", async (json, name, width) => {
    for (const endian of ["little", "big"]) {
      const chunk = chunkOf(words, width, endian === "little");
      const array = await openWith(metadata(json, { endian }), chunk);
      expect(array.dtype).toBe(name);
      for (let twice = 0; twice < 2; twice++) {
        expect((await get(array)).data).toEqual(expected);
        expect((await get(array, null, { as: "column" })).data.toArray()).toEqual(expected);
      }
      expect(hex(chunk)).toBe(hex(chunkOf(words, width, endian === "little")));
      array.store.delete("/c/0");
      await set(array, null, Object({ data: expected, shape: [4] }));
      expect(hex(array.store.get("/c/0") ?? new Uint8Array())).toBe(hex(chunk));
    }
  });
});

describe("chunks", () => {
  it.each([0, 1, 14, 15, 16, 17, 63])("of %d elements are padded to 64 bytes", async (count) => {
    const elements = Array.from({ length: count }, (_, i) => TEXTS[i % TEXTS.length] ?? "");
    for (const [dtype, width] of [
      ["string", 4],
      ["large_string", 8],
    ] as const) {
      const store: MapStore = new Map();
      const chunkShape = [Math.max(count, 1)];
      const array = await create(store, { shape: [count], chunkShape, dtype, codecs: ["bytes"] });
      await set(array, null, elements);
      const chunk = store.get("/c/0");
      // Nothing but empty strings is not stored.
      if (count < 2) expect(chunk).toBeUndefined();
      else expect(hex(chunk ?? new Uint8Array())).toBe(hex(chunkOf(elements, width, true)));
      expect((await get(array)).data).toEqual(elements);
    }
  });

  it("of nothing but empty elements may leave out the padding", async () => {
    const array = await openWith(metadata("string"), new Uint8Array(20));
    expect((await get(array)).data).toEqual(["", "", "", ""]);
  });

  it.each(["gzip", "zstd", "blosc", "crc32c"])("may be followed by %s", async (codec) => {
    for (const dtype of ["string", "large_binary"]) {
      const array = await create(new Map(), { shape: [4], dtype, codecs: ["bytes", codec], endian: "big" });
      const data = dtype === "string" ? words : words.map(toBytes);
      await set(array, null, Object({ data, shape: [4] }));
      expect((await get(array)).data).toEqual(data);
      expect((await get(array, null, { as: "column" })).data.toArray()).toEqual(data);
    }
  });
});

describe("fill values", () => {
  it.each<[Json, Json, unknown]>([
    ["string", null, ""],
    ["string", "", ""],
    ["string", "füll 😀", "füll 😀"],
    ["large_string", null, ""],
    ["large_string", "x", "x"],
    ["binary", null, new Uint8Array(0)],
    ["binary", "", new Uint8Array(0)],
    ["binary", "AP8=", Uint8Array.of(0, 255)],
    ["binary", [0, 255], Uint8Array.of(0, 255)],
    ["large_binary", "AP8=", Uint8Array.of(0, 255)],
  ])("%j %j", async (dataType, fill, expected) => {
    const array = await openWith(metadata(dataType, { fill_value: fill }));
    expect(array.fillValue).toEqual(expected);
    expect((await get(array)).data).toEqual([expected, expected, expected, expected]);
    expect((await get(array, null, { as: "column" })).data.toArray()).toEqual(new Array(4).fill(expected));
    await set(array, [2], Object({ data: [expected], shape: [] }));
    expect(array.store.has("/c/0")).toBe(false);
  });

  it("are written as zarr.json has them", async () => {
    for (const [dtype, fillValue, json] of [
      ["string", "é", "é"],
      ["string", null, ""],
      ["binary", Uint8Array.of(0, 255), "AP8="],
      ["binary", undefined, ""],
    ] as const) {
      const store: MapStore = new Map();
      await create(store, Object({ shape: [1], dtype, fillValue, codecs: ["bytes"] }));
      expect(JSON.parse(new TextDecoder().decode(store.get("/zarr.json"))).fill_value).toBe(json);
    }
  });
});

describe("fallback", () => {
  const text = { name: "https://example.org/text", configuration: { language: "la" }, fallback: "binary" };

  it("is the type of elements that nobody here knows", async () => {
    const array = await openWith(metadata(text), chunkOf(words, 4, true));
    expect(array.dtype).toBe("binary");
    expect((await get(array)).data).toEqual(words.map(toBytes));
    const numbers = await openWith(
      metadata({ name: "https://example.org/n", fallback: "uint16" }, { fill_value: 7 }),
    );
    expect((await get(numbers)).data).toEqual(Uint16Array.of(7, 7, 7, 7));
  });

  it("is not asked for a type that is known, nor for one that is known and malformed", async () => {
    const known = await openWith(metadata({ name: "string", fallback: "int8" }), chunkOf(words, 4, true));
    expect(known.dtype).toBe("string");
    for (const data_type of [
      { name: "string", configuration: { size: 4 }, fallback: "binary" },
      { name: "https://example.org/text", fallback: "https://example.org/other" },
      { name: "https://example.org/text", fallback: 5 },
    ]) {
      await expect(openWith(metadata(data_type))).rejects.toSatisfy((error) =>
        isZarrError(error, "InvalidMetadataError", "UnknownDataTypeError"),
      );
    }
  });

  it("gives way to a family that the application registers", async () => {
    registerDataType({
      name: "latin",
      fromV3: (json, resolve) => (Object(json).name === text.name ? resolve("string") : undefined),
      fromV2: () => undefined,
    });
    expect((await openWith(metadata(text))).dtype).toBe("string");
  });
});
