/** The checklist of docs/draft-v3.md: array documents. */
import { afterEach, describe, expect, test } from "vitest";
import type { CodecEntry } from "../../../src/index.js";
import {
  copyNode,
  create,
  draftExtensions,
  get,
  getChunk,
  type Json,
  type JsonObject,
  open,
  registry,
  root,
  set,
  type Array as ZarrArray,
} from "../../../src/index.js";
import {
  arrayDocument,
  decode,
  encode,
  failure,
  GZIP,
  groupDocument,
  hierarchy,
  numbers,
  RecordingStore,
} from "./hierarchy.js";

const CODEC = "http://example.org/codec/xor";

afterEach(() => {
  draftExtensions.clear();
  registry.delete(CODEC);
});

function openDocument(document: Json, chunks?: Record<string, readonly number[]>): Promise<ZarrArray> {
  const store = hierarchy({ "meta/root/a.array.json": document }, chunks);
  return open(root(store).resolve("a"), { kind: "array" });
}
const openChanged = (changes: JsonObject, chunks?: Record<string, readonly number[]>) =>
  openDocument(arrayDocument(changes), chunks);

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

const fillOf = async (data_type: Json, fill_value: Json): Promise<unknown> =>
  (await openDocument(JSON.parse(JSON.stringify(arrayDocument({ data_type, fill_value }))))).fillValue;

describe("fill values", () => {
  async function expectFills(data_type: Json, wrong: readonly Json[]): Promise<void> {
    for (const fill_value of wrong) {
      const message = `${JSON.stringify(data_type)} ${JSON.stringify(fill_value)}`;
      expect([message, await failure(openChanged({ data_type, fill_value }))]).toEqual([
        message,
        "InvalidMetadataError",
      ]);
    }
  }

  /** With a fill value in digits that JSON.stringify would not write. */
  function openFill(data_type: Json, digits: string): Promise<ZarrArray> {
    const document = JSON.stringify(arrayDocument({ data_type, fill_value: "FILL" })).replace(
      '"FILL"',
      digits,
    );
    const store = hierarchy({});
    store.values.set("/meta/root/a.array.json", new TextEncoder().encode(document));
    return open(root(store).resolve("a"), { kind: "array" });
  }

  test("35. The fill value of a bool is true or false, nothing else", async () => {
    expect(await fillOf("bool", true)).toBe(true);
    expect(await fillOf("bool", false)).toBe(false);
    await expectFills("bool", [0, 1, "true", "false", "0x01", "0b00000001", [], {}]);
  });

  test("36. The fill value of an integer is a number without fraction or exponent, in range", async () => {
    await expectFills("<i4", [1.5, 2 ** 31, -(2 ** 31) - 1, "1.0", "NaN", true, [], {}, ""]);
    await expectFills("u1", [256, -1]);
    await expectFills("<u2", [-1, 65536]);
    for (const text of ["1.5", "1e-1", "1e30", "18446744073709551616", "-9223372036854775809"]) {
      expect([text, await failure(openFill("<i8", text))]).toEqual([text, "InvalidMetadataError"]);
    }
    // A whole number in another notation is still that number.
    for (const text of ["10.0", "1e1", "100e-1"]) expect((await openFill("<i8", text)).fillValue).toBe(10n);
    for (const [data_type, digits] of [
      ["<u8", "18446744073709551615"],
      ["<i8", "-9223372036854775808"],
      [">i8", "9007199254740993"],
    ] as const) {
      const array = await openFill(data_type, digits);
      expect(array.fillValue).toBe(BigInt(digits));
      const copy = new RecordingStore();
      await create(copy, {
        zarrFormat: "draft",
        shape: [1],
        dtype: array.dataType,
        fillValue: BigInt(digits),
      });
      const written = new TextDecoder().decode(copy.values.get("/meta/root.array.json"));
      expect(written).toContain(`"fill_value": ${digits},`);
    }
  });

  test("37. The fill value null is undefined: read as zeros, and every chunk is written", async () => {
    const array = await openChanged({ fill_value: null });
    expect(array.fillValue).toBeUndefined();
    expect(numbers(await get(array))).toEqual([0, 0]);
    const store = new RecordingStore();
    const options = { zarrFormat: "draft", shape: [2], dtype: "uint8" } as const;
    await set(await create(store, { ...options, fillValue: null }), null, Uint8Array.of(0, 0));
    expect(decode(store.values.get("/meta/root.array.json"))).toMatchObject({ fill_value: null });
    expect(store.values.get("/data/root/c0")).toEqual(Uint8Array.of(0, 0));
    const { fill_value: _, ...without } = arrayDocument();
    expect((await openDocument(without)).fillValue).toBeUndefined();
  });

  test("38. The fill value of an extension type is the extension's", async () => {
    const complex = {
      extension: "https://purl.org/zarr/spec/protocol/extensions/complex-dtypes/1.0",
      type: "<c8",
    };
    expect(await fillOf(complex, [1, "NaN"])).toEqual({ re: 1, im: Number.NaN });
    const text = { extension: "TODO: unicode array protocol URL", type: "<U3" };
    expect(await fillOf(text, "abc")).toBe("abc");
  });

  test("39. 0x and 0b are the bits of a number, in full width", async () => {
    expect(await fillOf("<f4", "0x3fc00000")).toBe(1.5);
    expect(await fillOf(">f4", "0x3fc00000")).toBe(1.5);
    expect(await fillOf("<f2", "0b0011111000000000")).toBe(1.5);
    expect(await fillOf("<i2", "0xfffe")).toBe(-2);
    expect(await fillOf(">u8", "0xffffffffffffffff")).toBe(2n ** 64n - 1n);
    expect(await fillOf("r16", "0x01ff")).toEqual(Uint8Array.of(1, 255));
    await expectFills("<f8", [
      "0x7ff8",
      "0x",
      "0b1",
      "0x7ff80000000000000",
      "0x7ff800000000000g",
      "7ff8000000000000",
    ]);
    await expectFills("<i2", ["0xfff", "0xfffff", "0b1"]);
    await expectFills("r16", ["0x01", "0x010203", "0b1"]);
    // The bits of a NaN survive, read and written.
    const store = hierarchy({
      "meta/root/a.array.json": arrayDocument({ data_type: "<f4", fill_value: "0x7fa00001" }),
    });
    const array = await open(root(store).resolve("a"), { kind: "array" });
    const { data } = await getChunk(array, [0]);
    expect([...(array.dataType.bytesOf(data) ?? [])]).toEqual([1, 0, 0xa0, 0x7f, 1, 0, 0xa0, 0x7f]);
    const copy = new RecordingStore();
    await copyNode(array, copy);
    expect(decode(copy.values.get("/meta/root.array.json"))).toMatchObject({ fill_value: "0x7fa00001" });
  });

  test("40. NaN, +Infinity, -Infinity for floats; Infinity as zarr-python and GDAL write it", async () => {
    for (const type of ["<f2", ">f4", "<f8"]) {
      expect(await fillOf(type, "NaN")).toBeNaN();
      expect(await fillOf(type, "+Infinity")).toBe(Number.POSITIVE_INFINITY);
      expect(await fillOf(type, "Infinity")).toBe(Number.POSITIVE_INFINITY);
      expect(await fillOf(type, "-Infinity")).toBe(Number.NEGATIVE_INFINITY);
      await expectFills(type, ["text", "", true, [], {}]);
    }
    const store = new RecordingStore();
    const fillValue = Number.POSITIVE_INFINITY;
    await create(store, { zarrFormat: "draft", shape: [1], dtype: "float64", fillValue });
    expect(decode(store.values.get("/meta/root.array.json"))).toMatchObject({ fill_value: "+Infinity" });
  });
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

test("46. A group document holds attributes, other names are reserved", async () => {
  const store = hierarchy({ "meta/root/g.group.json": groupDocument });
  const at = root(store).resolve("g");
  const openGroup = (document: Json) => {
    store.values.set("/meta/root/g.group.json", encode(document));
    return open(at, { kind: "group" });
  };
  expect((await openGroup({ attributes: { spam: "ham" }, extensions: [] })).attrs).toEqual({ spam: "ham" });
  expect((await openGroup({ attributes: null })).attrs).toEqual({});
  for (const document of [
    [],
    "x",
    { attributes: [] },
    { attributes: {}, extensions: [{ extension: "x", must_understand: true }] },
  ]) {
    expect(await failure(openGroup(document))).toBe("InvalidMetadataError");
  }
  await create(at, { overwrite: true, zarrFormat: "draft", attributes: { eggs: 42 } });
  expect(decode(store.values.get("/meta/root/g.group.json"))).toEqual({ attributes: { eggs: 42 } });
});

test("47. A group needs no document", async () => {
  const store = hierarchy({ "meta/root/a/b/c.array.json": arrayDocument() });
  for (const path of ["/", "/a", "/a/b"]) {
    const group = await open(root(store).resolve(path), { kind: "group" });
    expect([group.path, group.attrs, group.metadata.isImplicit]).toEqual([path, {}, true]);
  }
  expect(await failure(open(root(store).resolve("a/c")))).toBe("NotFoundError");
});
