import { describe, expect, test } from "vitest";
import { type CreateArrayOptions, create, get, isZarrError, open, root, set } from "../../src/index.js";
import type { DataTypeOption } from "../../src/main/data-types.js";
import { LITTLE, TRANSPOSED, ZSTD } from "../setup/codecs.js";
import { rejection } from "./untyped.js";

const decode = (bytes: Uint8Array | undefined) => JSON.parse(new TextDecoder().decode(bytes));

test("the documents are complete and valid without any option", async () => {
  const store = new Map<string, Uint8Array>();
  await create(store, { codecs: [], shape: [10], dtype: "float32" });
  expect(decode(store.get("/zarr.json"))).toMatchObject({
    zarr_format: 3,
    node_type: "array",
    data_type: "float32",
    codecs: [LITTLE],
    fill_value: 0,
  });
});

test("64-bit fill values and attributes keep every digit", async () => {
  const store = new Map<string, Uint8Array>();
  const fillValue = 2n ** 63n - 1n;
  await create(store, {
    codecs: [],
    shape: [2],
    dtype: "int64",
    fillValue,
    attributes: { big: 2n ** 60n + 1n },
  });
  const array = await open(store, { kind: "array" });
  expect(array.fillValue).toBe(fillValue);
  expect(array.attrs.big).toBe(2n ** 60n + 1n);
  if (!array.is("int64")) throw new Error("expected int64");
  expect((await get(array)).data).toEqual(BigInt64Array.of(fillValue, fillValue));
});

test("NaN payloads and -0 survive opening and writing again", async () => {
  const store = new Map<string, Uint8Array>();
  await create(store, { codecs: [], shape: [1], dtype: "float32", fillValue: -0 });
  const document = decode(store.get("/zarr.json"));
  store.set(
    "/zarr.json",
    new TextEncoder().encode(JSON.stringify({ ...document, fill_value: "0x7fa00001" })),
  );
  const array = await open(store, { kind: "array" });
  const out = new Float32Array(1);
  if (!array.is("float32")) throw new Error("expected float32");
  await get(array, null, { out });
  expect(new Uint32Array(out.buffer)[0]).toBe(0x7fa00001);
});

test("groups above are created where they are missing, and arrays have nothing below", async () => {
  const store = new Map<string, Uint8Array>();
  await create(root(store).resolve("a/b/c"), { codecs: [], shape: [1], dtype: "bool" });
  expect([...store.keys()].sort()).toEqual([
    "/a/b/c/zarr.json",
    "/a/b/zarr.json",
    "/a/zarr.json",
    "/zarr.json",
  ]);
  const error = await create(root(store).resolve("a/b/c/d")).catch((reason: unknown) => reason);
  expect(isZarrError(error, "InvalidArgumentError")).toBe(true);
});

test("an existing node is replaced only when asked, with everything below it", async () => {
  const store = new Map<string, Uint8Array>();
  const array = await create(root(store).resolve("a"), { codecs: [], shape: [2], dtype: "int8" });
  await set(array, null, 1);
  await create(root(store).resolve("ab"), { codecs: [], shape: [2], dtype: "int8" });
  const error = await create(root(store).resolve("a")).catch((reason: unknown) => reason);
  expect(isZarrError(error, "AlreadyExistsError")).toBe(true);
  await create(root(store).resolve("a"), { overwrite: true });
  expect([...store.keys()].sort()).toEqual(["/a/zarr.json", "/ab/zarr.json", "/zarr.json"]);
});

test("v2 documents", async () => {
  const store = new Map<string, Uint8Array>();
  const array = await create(store, {
    zarrFormat: 2,
    shape: [4, 4],
    chunkShape: [2, 2],
    dtype: "uint16",
    endian: "big",
    order: "F",
    fillValue: null,
    chunkSeparator: "/",
    codecs: { compressor: { id: "zlib", level: 1 } },
    dimensionNames: ["y", "x"],
  });
  expect(decode(store.get("/.zarray"))).toEqual({
    zarr_format: 2,
    shape: [4, 4],
    chunks: [2, 2],
    dtype: ">u2",
    order: "F",
    fill_value: null,
    dimension_separator: "/",
    filters: null,
    compressor: { id: "zlib", level: 1 },
  });
  expect(decode(store.get("/.zattrs"))).toEqual({ _ARRAY_DIMENSIONS: ["y", "x"] });
  await set(
    array,
    null,
    Uint16Array.from({ length: 16 }, (_, i) => i),
  );
  expect([...store.keys()]).toContain("/1/1");
  const again = await open(store, { kind: "array" });
  expect(again.dimensionNames).toEqual(["y", "x"]);
  expect((await get(again)).data).toEqual(Uint16Array.from({ length: 16 }, (_, i) => i));
});

describe("options that do not fit are refused before anything is written", () => {
  /** InvalidArgumentError where no other tag is named, and what the message has to say. */
  const wrong: [name: string, options: Record<string, unknown>, message?: string, tag?: string][] = [
    ["a fractional shape", { shape: [1.5], dtype: "int8" }],
    ["a negative shape", { shape: [-1], dtype: "int8" }],
    ["chunks of another rank", { shape: [4], chunkShape: [2, 2], dtype: "int8" }],
    ["chunks of no elements", { shape: [4], chunkShape: [0], dtype: "int8" }],
    ["too many dimension names", { shape: [4], dimensionNames: ["a", "b"], dtype: "int8" }],
    ["a fill value out of range", { shape: [4], fillValue: 300, dtype: "int8" }],
    ["an unknown data type", { shape: [4], dtype: "int33" }, "int33", "UnknownDataTypeError"],
    ["an unknown codec", { shape: [4], dtype: "int8", codecs: ["mystery"] }, "mystery", "UnknownCodecError"],
    [
      "a codec's bad configuration",
      { shape: [4], dtype: "int8", codecs: [{ name: "gzip", configuration: { level: 99 } }] },
      "99",
      "InvalidMetadataError",
    ],
    [
      "a transpose of another rank",
      { shape: [4], dtype: "int8", codecs: [TRANSPOSED] },
      "order",
      "InvalidMetadataError",
    ],
    ["a number for a shape", { shape: 5, dtype: "int8" }, "shape: expected a list"],
    ["null for a shape", { shape: null, dtype: "int8" }, "shape: expected a list"],
    ["bigints in a shape", { shape: [5n], dtype: "int8" }, "shape: expected 1 integers"],
    ["a number for chunks", { shape: [4], chunkShape: 4, dtype: "int8" }, "chunkShape: expected a list"],
    ["bigints for chunks", { shape: [4], chunkShape: [4n], dtype: "int8" }, "got [4n]"],
    [
      "a number for shards",
      { shape: [4], chunkShape: [2], shards: 4, dtype: "int8" },
      "shards: expected a list",
    ],
    [
      "a separator of no format",
      { shape: [4], dtype: "int8", chunkSeparator: "-" },
      'expected "/" or ".", got "-"',
    ],
    ["one in v2", { shape: [4], dtype: "int8", chunkSeparator: "_", zarrFormat: 2 }, "chunkSeparator"],
    ["keys of no format", { shape: [4], dtype: "int8", chunkKeyEncoding: "v3" }, "chunkKeyEncoding"],
    ["an order in small letters", { shape: [4], dtype: "int8", order: "f" }, 'expected "C" or "F", got "f"'],
    ["another byte order", { shape: [4], dtype: "int16", endian: "middle" }, "endian"],
    ["a format to come", { shape: [4], dtype: "int8", zarrFormat: 4 }, 'expected 2 or 3 or "draft", got 4'],
    ["a format in quotes", { zarrFormat: "2" }, 'got "2"'],
    ["a string for attributes", { attributes: "x" }, 'attributes: expected an object, got "x"'],
    [
      "a list for attributes",
      { shape: [4], dtype: "int8", attributes: [1] },
      "attributes: expected an object",
    ],
    ["functions in attributes", { attributes: { a: () => 1 } }, "expected a JSON value"],
    ["numbers for dimension names", { shape: [4], dtype: "int8", dimensionNames: [1] }, "dimensionNames"],
    ["a string for dimension names", { shape: [1], dtype: "int8", dimensionNames: "y" }, "dimensionNames"],
    ["no data type", { shape: [1] }, "dtype: expected a data type, got undefined"],
    [
      "a data type and no shape",
      { dtype: "int8" },
      "shape: expected a list of lengths, because dtype is an option of arrays",
    ],
    [
      "chunks and no shape",
      { chunkShape: [1] },
      "shape: expected a list of lengths, because chunkShape is an option of arrays",
    ],
    ["a codec of v2", { shape: [4], dtype: "int8", codecs: [{ id: "gzip" }] }, 'got {"id":"gzip"}'],
    ["no codec", { shape: [4], dtype: "int8", codecs: [null] }, "codecs: expected a name or"],
    [
      "a name for codecs",
      { shape: [4], dtype: "int8", codecs: "gzip", zarrFormat: 2 },
      "expected a list of codecs",
    ],
    ["no filter", { shape: [4], dtype: "int8", codecs: { filters: [null] }, zarrFormat: 2 }, "got null"],
    [
      "bz2",
      { shape: [4], dtype: "int8", codecs: ["bz2"] },
      "does not write it; use zstd",
      "UnsupportedError",
    ],
    [
      "lzma in v2",
      { shape: [4], dtype: "int8", codecs: { compressor: { id: "lzma" } }, zarrFormat: 2 },
      "does not write it",
      "UnsupportedError",
    ],
    [
      "bz2 in shards",
      { shape: [4], chunkShape: [2], shards: [4], dtype: "int8", codecs: ["bz2"] },
      "does not write it",
      "UnsupportedError",
    ],
  ];
  test.each(wrong)("%s", async (_, options, message = "", tag = "InvalidArgumentError") => {
    const store = new Map([["/c/0", Uint8Array.of(1)]]);
    const error = await rejection(create, [store, { overwrite: true, ...options }]);
    expect(error).toMatchObject({ tag, message: expect.stringContaining(message) });
    expect([...store.keys()]).toEqual(["/c/0"]);
  });
});

describe("without codecs, chunks are compressed as zarr-python does it", () => {
  const document = async (options: Partial<CreateArrayOptions<DataTypeOption>>, key: string) => {
    const store = new Map<string, Uint8Array>();
    await create(store, { shape: [8], chunkShape: [4], dtype: "float32", ...options });
    return JSON.parse(new TextDecoder().decode(store.get(key)));
  };

  test("v3, and inside of shards", async () => {
    expect((await document({}, "/zarr.json")).codecs).toEqual([LITTLE, ZSTD]);
    const [shards] = (await document({ shards: [8] }, "/zarr.json")).codecs;
    expect(shards.configuration.codecs).toEqual([LITTLE, ZSTD]);
  });
  test("text", async () => {
    const { codecs } = await document({ dtype: "string" }, "/zarr.json");
    expect(codecs).toEqual([{ name: "vlen-utf8", configuration: {} }, ZSTD]);
  });
  test("v2", async () => {
    const { filters, compressor } = await document({ zarrFormat: 2 }, "/.zarray");
    expect({ filters, compressor }).toEqual({ filters: null, compressor: { id: "zstd", level: 3 } });
    expect((await document({ zarrFormat: 2, dtype: "string" }, "/.zarray")).filters).toEqual([
      { id: "vlen-utf8" },
    ]);
  });
  test("none, if that is asked for", async () => {
    expect((await document({ codecs: [] }, "/zarr.json")).codecs).toEqual([LITTLE]);
    expect((await document({ codecs: [], zarrFormat: 2 }, "/.zarray")).compressor).toBe(null);
  });
});
