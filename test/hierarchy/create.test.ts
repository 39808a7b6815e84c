import { describe, expect, test } from "vitest";
import { create, get, isZarrError, open, root, set } from "../../src/index.js";
import { rejection } from "./untyped.js";

const decode = (bytes: Uint8Array | undefined) => JSON.parse(new TextDecoder().decode(bytes));

test("the documents are complete and valid without any option", async () => {
  const store = new Map<string, Uint8Array>();
  await create(store, { shape: [10], dtype: "float32" });
  expect(decode(store.get("/zarr.json"))).toMatchObject({
    zarr_format: 3,
    node_type: "array",
    data_type: "float32",
    codecs: [{ name: "bytes", configuration: { endian: "little" } }],
    fill_value: 0,
  });
});

test("64-bit fill values and attributes keep every digit", async () => {
  const store = new Map<string, Uint8Array>();
  const fillValue = 2n ** 63n - 1n;
  await create(store, { shape: [2], dtype: "int64", fillValue, attributes: { big: 2n ** 60n + 1n } });
  const array = await open(store, { kind: "array" });
  expect(array.fillValue).toBe(fillValue);
  expect(array.attrs.big).toBe(2n ** 60n + 1n);
  if (!array.is("int64")) throw new Error("expected int64");
  expect((await get(array)).data).toEqual(BigInt64Array.of(fillValue, fillValue));
});

test("NaN payloads and -0 survive opening and writing again", async () => {
  const store = new Map<string, Uint8Array>();
  await create(store, { shape: [1], dtype: "float32", fillValue: -0 });
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
  await create(root(store).resolve("a/b/c"), { shape: [1], dtype: "bool" });
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
  const array = await create(root(store).resolve("a"), { shape: [2], dtype: "int8" });
  await set(array, null, 1);
  await create(root(store).resolve("ab"), { shape: [2], dtype: "int8" });
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
  const wrong: [name: string, tag: string, options: Record<string, unknown>][] = [
    ["a fractional shape", "InvalidArgumentError", { shape: [1.5], dtype: "int8" }],
    ["a negative shape", "InvalidArgumentError", { shape: [-1], dtype: "int8" }],
    ["chunks of another rank", "InvalidArgumentError", { shape: [4], chunkShape: [2, 2], dtype: "int8" }],
    ["chunks of no elements", "InvalidArgumentError", { shape: [4], chunkShape: [0], dtype: "int8" }],
    [
      "too many dimension names",
      "InvalidArgumentError",
      { shape: [4], dimensionNames: ["a", "b"], dtype: "int8" },
    ],
    ["a fill value out of range", "InvalidArgumentError", { shape: [4], fillValue: 300, dtype: "int8" }],
    ["an unknown data type", "UnknownDataTypeError", { shape: [4], dtype: "int33" }],
    ["an unknown codec", "UnknownCodecError", { shape: [4], dtype: "int8", codecs: ["mystery"] }],
    [
      "a codec's bad configuration",
      "InvalidMetadataError",
      { shape: [4], dtype: "int8", codecs: [{ name: "gzip", configuration: { level: 99 } }] },
    ],
    [
      "a transpose of another rank",
      "InvalidMetadataError",
      { shape: [4], dtype: "int8", codecs: [{ name: "transpose", configuration: { order: [1, 0] } }] },
    ],
  ];
  test.each(wrong)("%s", async (_, tag, options) => {
    const store = new Map<string, Uint8Array>();
    const error = await rejection(create, [store, options]);
    expect(error).toMatchObject({ tag });
    expect(store.size).toBe(0);
  });
});

describe("what is no option is refused before anything is written", () => {
  test.each([
    { shape: 3 },
    { shape: null },
    { shape: "3" },
    { chunkShape: "x" },
    { chunkShape: 2 },
    { shards: 4 },
    { zarrFormat: 7 },
    { order: "Z" },
    { endian: "middle" },
    { chunkSeparator: "-" },
    { chunkKeyEncoding: "x" },
    { dimensionNames: "x" },
    { dimensionNames: [3] },
    { attributes: [1] },
    { attributes: "x" },
    { codecs: [null] },
    { codecs: [{}] },
    { codecs: [{ id: "gzip" }] },
  ])("%o", async (option) => {
    const store = new Map<string, Uint8Array>();
    const error = await rejection(create, [store, { shape: [3], dtype: "int16", ...option }]);
    if (!isZarrError(error, "InvalidArgumentError")) throw error;
    expect(error.message).toMatch(new RegExp(`^${Object.keys(option)[0]}: expected .*, got `));
    expect(store.size).toBe(0);
  });

  test("a group's attributes, too", async () => {
    const error = await rejection(create, [new Map(), { attributes: [1] }]);
    expect(isZarrError(error, "InvalidArgumentError")).toBe(true);
  });

  test("an array without a data type", async () => {
    const error = await rejection(create, [new Map(), { shape: [3] }]);
    if (!isZarrError(error, "UnknownDataTypeError")) throw error;
    expect(error.message).toMatch(/^expected a data type that one of .* accepts, got undefined/);
  });
});
