/** The checklist of README.md: array documents. */
import { afterEach, expect, test } from "vitest";
import { create, get, type JsonObject, open, registry, root, set } from "../../../src/index.js";
import { type CodecEntry, draftExtensions } from "../../../src/main/codecs.js";
import {
  arrayDocument,
  decode,
  failure,
  GZIP,
  hierarchy,
  numbers,
  openChanged,
  openDocument,
  RecordingStore,
} from "./hierarchy.js";

const CODEC = "http://example.org/codec/xor";

afterEach(() => {
  draftExtensions.clear();
  registry.delete(CODEC);
});

async function expectRefused(...changes: JsonObject[]): Promise<void> {
  for (const change of changes) expect(await failure(openChanged(change))).toBe("InvalidMetadataError");
}

test("29. An array has a document, a JSON object", async () => {
  for (const document of [[], null, 3, "array"]) {
    expect(await failure(openDocument(document))).toBe("InvalidMetadataError");
  }
  for (const text of ["", "{", '{"shape": [2],}']) {
    const store = hierarchy({ "meta/root/a.array.json": {} });
    store.values.set("/meta/root/a.array.json", new TextEncoder().encode(text));
    expect(await failure(open(root(store).resolve("a")))).toBe("InvalidMetadataError");
  }
  for (const name of ["shape", "data_type", "chunk_grid", "chunk_memory_layout"]) {
    const { [name]: _, ...others } = arrayDocument();
    expect(await failure(openDocument(others))).toBe("InvalidMetadataError");
  }
  // Chunks without a document are no array.
  const store = hierarchy({}, { "data/root/a/c0": [1, 2] });
  expect(await failure(open(root(store).resolve("a")))).toBe("NotFoundError");
});

test("30. shape is an array of integers", async () => {
  await expectRefused(
    ...[null, 2, "2", [-1], [1.5], ["2"], [2 ** 53], [2 ** 30, 2 ** 30], [null]].map((shape) => ({ shape })),
  );
  expect((await openChanged({ shape: [0] })).shape).toEqual([0]);
});

test("31. data_type is a core identifier, or an object with extension and type, and perhaps a fallback", async () => {
  for (const data_type of [
    "i3",
    "<i1x",
    "=i4",
    "float",
    "",
    null,
    5,
    [],
    {},
    { type: "x" },
    { extension: "http://example.org/x" },
    { extension: 1, type: "x", fallback: "u1" },
    { extension: "http://example.org/x", type: "x", fallback: "other" },
    { extension: "http://example.org/x", type: "x", fallback: {} },
  ]) {
    expect(await failure(openChanged({ data_type }))).toMatch(/InvalidMetadataError|UnknownDataTypeError/);
  }
});

test("32. An extension that is not known is read through its fallback", async () => {
  const data_type = { extension: "http://example.org/x", type: { any: "json" }, fallback: ">u2" };
  const array = await openChanged({ data_type, fill_value: null }, { "data/root/a/c0": [0, 1, 1, 0] });
  expect(numbers(await get(array))).toEqual([1, 256]);
  for (const fallback of [null, undefined]) {
    const { fallback: _, ...without } = data_type;
    const none = fallback === null ? { ...data_type, fallback } : without;
    expect(await failure(openChanged({ data_type: none }))).toBe("UnknownDataTypeError");
  }
});

test("33. chunk_grid is regular, or an extension that is known", async () => {
  await expectRefused(
    ...[null, "regular", {}, { type: "hexagonal" }, { type: "regular" }, { chunk_shape: [2] }].map(
      (chunk_grid) => ({
        chunk_grid,
      }),
    ),
  );
  const chunk_grid = { extension: "http://example.org/square", type: { side: 2 } };
  await expectRefused({ chunk_grid });
  draftExtensions.set("http://example.org/square", {
    chunkGrid: ({ type }, shape) => ({
      name: "regular",
      chunkShape: shape.map(() => Number(Object(type).side)),
    }),
  });
  const array = await openChanged({ chunk_grid, shape: [3] }, { "data/root/a/c1": [7, 0] });
  expect(numbers(await get(array))).toEqual([0, 0, 7]);
});

test("34. chunk_memory_layout is C or F, or an extension that is known", async () => {
  await expectRefused(...[null, "c", "K", 1, {}].map((chunk_memory_layout) => ({ chunk_memory_layout })));
  const chunk_memory_layout = { extension: "http://example.org/layout", type: [1, 0] };
  await expectRefused({ chunk_memory_layout });
  draftExtensions.set("http://example.org/layout", { memoryLayout: () => [1, 0] });
  const square = { shape: [2, 2], chunk_grid: { type: "regular", chunk_shape: [2, 2] } };
  const array = await openChanged({ ...square, chunk_memory_layout }, { "data/root/a/c0/0": [1, 2, 3, 4] });
  expect(numbers(await get(array))).toEqual([1, 3, 2, 4]);
});

test("41. extensions of an array are as those of the entry point", async () => {
  const extension = "http://example.org/x";
  expect((await openChanged({ extensions: [{ extension, must_understand: false }] })).kind).toBe("array");
  await expectRefused(
    { extensions: [{ extension, must_understand: true }] },
    { extensions: [{ extension }] },
    { extensions: ["x"] },
    { extensions: {} },
  );
  draftExtensions.set(extension, {});
  expect((await openChanged({ extensions: [{ extension, must_understand: true }] })).kind).toBe("array");
  const { extensions: _, ...without } = arrayDocument();
  expect((await openDocument(without)).kind).toBe("array");
});

test("42. attributes are an object with any names", async () => {
  const attributes = { "": 1, "a b": [{ é: null }], toString: "x", big: 1.5 };
  expect((await openChanged({ attributes })).attrs).toEqual(attributes);
  await expectRefused({ attributes: [] }, { attributes: "x" }, { attributes: 1 });
  expect((await openChanged({ attributes: null })).attrs).toEqual({});
});

test("43. compressor is optional: an object with codec, a URI, and perhaps a configuration", async () => {
  await expectRefused(
    ...[{}, { codec: 5 }, "gzip", [], { codec: GZIP, configuration: [] }].map((compressor) => ({
      compressor,
    })),
  );
  const options = { zarrFormat: "draft", shape: [1], dtype: "uint8" } as const;
  const store = new RecordingStore();
  await create(root(store).resolve("none"), options);
  expect(decode(store.values.get("/meta/root/none.array.json"))).not.toHaveProperty("compressor");
  await create(root(store).resolve("gzip"), { ...options, codecs: { codec: GZIP } });
  const compressor = { codec: GZIP, configuration: {} };
  expect(decode(store.values.get("/meta/root/gzip.array.json"))).toMatchObject({ compressor });
});

test("44. A codec is named by its URI, and can be an application's", async () => {
  const compressor = { codec: CODEC, configuration: { key: 255 } };
  const array = await openChanged({ compressor }, { "data/root/a/c0": [0, 1] });
  expect(await failure(get(array))).toBe("UnknownCodecError");
  const xor: CodecEntry = {
    codecKind: "bytes_to_bytes",
    fromConfig: ({ key }) => {
      const flip = (bytes: Uint8Array) => bytes.map((byte) => byte ^ Number(key));
      return { kind: "bytes_to_bytes", encode: flip, decode: flip, synchronous: true };
    },
  };
  registry.set(CODEC, () => xor);
  const known = await openChanged({ compressor }, { "data/root/a/c0": [0, 1] });
  expect(numbers(await get(known))).toEqual([255, 254]);
  const store = new RecordingStore();
  const options = { zarrFormat: "draft", shape: [1], dtype: "uint8" } as const;
  await set(await create(store, { ...options, codecs: compressor }), null, 255);
  expect(decode(store.values.get("/meta/root.array.json"))).toMatchObject({ compressor });
  // The registry of codecs once had a plural and no version.
  for (const uri of ["http://purl.org/zarr/spec/codecs/gzip", "https://purl.org/zarr/spec/codecs/gzip/1.0"]) {
    expect((await openChanged({ compressor: { codec: uri } })).metadata.codecs[0]?.name).toBe(
      "numcodecs.gzip",
    );
  }
});

test("45. All other names are reserved: none is written, those that are there are ignored but for storage_transformers", async () => {
  const names = { a_future_name: 1, dimension_separator: "." };
  expect(numbers(await get(await openChanged(names, { "data/root/a/c0": [1, 2] })))).toEqual([1, 2]);
  await expectRefused({ storage_transformers: [{ type: "indexed" }] }, { storage_transformers: {} });
  expect((await openChanged({ storage_transformers: [] })).kind).toBe("array");
  const store = new RecordingStore();
  await create(store, { zarrFormat: "draft", shape: [1], dtype: "uint8" });
  expect(Object.keys(Object(decode(store.values.get("/meta/root.array.json")))).sort()).toEqual(
    Object.keys(arrayDocument()).sort(),
  );
});
