/** Objects of v2, and the same codecs in v3, where what they hold is text or bytes. */
import { describe, expect, it } from "vitest";
import { dataTypeFromV2, withAllDataTypes } from "../../../src/data-types/registry.js";
import { create, get, isZarrError, type JsonObject, open, set, slice } from "../../../src/index.js";
import type { CodecOption } from "../../../src/main/codecs.js";
import { copyNode } from "../../../src/main/copy.js";
import { GZIP } from "../../setup/codecs.js";
import { TEXTS, toBytes } from "./elements.js";

type MapStore = Map<string, Uint8Array>;
const SHAPE = [4, 5];
const texts = Array.from({ length: 20 }, (_, i) => TEXTS[(i * 7) % TEXTS.length] ?? "");

const codec = (name: string) => ({ name, configuration: {} });

async function write(codecs: readonly CodecOption[], dtype: string, data: unknown[]): Promise<MapStore> {
  const store: MapStore = new Map();
  const options = { shape: SHAPE, chunkShape: [2, 3], dtype, codecs };
  await set(await create(store, options), null, Object({ data, shape: SHAPE }));
  return store;
}

/** The same elements as objects of v2. */
async function writeObjects(id: string, data: unknown[]): Promise<MapStore> {
  const store: MapStore = new Map();
  const dtype = await withAllDataTypes(() => dataTypeFromV2("|O", id).dataType);
  const codecs = { filters: [{ id }], compressor: null };
  const options = { shape: SHAPE, chunkShape: [2, 3], dtype, codecs, zarrFormat: 2, fillValue: "" } as const;
  await set(await create(store, options), null, Object({ data, shape: SHAPE }), { writeEmptyChunks: true });
  return store;
}

describe.each([
  ["numcodecs.json2", "string", texts],
  ["json2", "large_string", texts],
  ["numcodecs.msgpack2", "string", texts],
  ["msgpack2", "bytes", texts.map(toBytes)],
  ["numcodecs.msgpack2", "large_binary", texts.map(toBytes)],
  ["numcodecs.vlen-array", "string", texts],
  ["vlen-array", "bytes", texts.map(toBytes)],
] as const)("%s of %s in v3", (name, dtype, data) => {
  it("gives what was written: values, columns, parts, twice", async () => {
    const store = await write([codec(name)], dtype, [...data]);
    const before = [...store].map(([key, value]) => [key, value.slice()]);
    const array = await open(store, { kind: "array" });
    for (let twice = 0; twice < 2; twice++) {
      expect((await get(array)).data).toEqual(data);
      const { data: column } = await get(array, null, { as: "column" });
      expect(column.toArray()).toEqual(data);
      expect(column.offsets).toBeInstanceOf(dtype.startsWith("large") ? BigInt64Array : Int32Array);
      const [row] = [await get(array, [1, slice(null, null, -1)])];
      expect(row.data).toEqual(data.slice(5, 10).toReversed());
    }
    expect([...store]).toEqual(before);
  });

  it("is read and changed in parts, compressed, transposed and in shards", async () => {
    for (const layout of [{}, { order: "F" }, { shards: [4, 6] }] as const) {
      const codecs = [codec(name), GZIP];
      const array = await create(new Map(), { shape: SHAPE, chunkShape: [2, 3], dtype, codecs, ...layout });
      await set(array, null, Object({ data: [...data], shape: SHAPE }));
      await set(array, [1, 2], Object({ data: [data[18]], shape: [] }));
      const expected = [...data];
      expected[7] = data[18] ?? "";
      expect((await get(array)).data).toEqual(expected);
    }
  });
});

describe.each(["json2", "msgpack2"])("%s", (id) => {
  it("makes the same bytes of strings in v2, which zarr-python reads, and in v3, which it has no codec for", async () => {
    const v2 = await writeObjects(id, texts);
    const v3 = await write([codec(`numcodecs.${id}`)], "string", texts);
    for (const [y, x] of [
      [0, 0],
      [0, 1],
      [1, 0],
      [1, 1],
    ]) {
      expect(v3.get(`/c/${y}/${x}`)).toEqual(v2.get(`/${y}.${x}`));
    }
  });

  it("of strings is copied from v3 to v2 and back", async () => {
    const v3 = await write([codec(`numcodecs.${id}`)], "string", texts);
    const v2: MapStore = new Map();
    await copyNode(v3, v2, { zarrFormat: 2 });
    expect(JSON.parse(new TextDecoder().decode(v2.get("/.zarray")))).toMatchObject({
      dtype: "|O",
      filters: [{ id }],
    });
    expect((await get(await open(v2, { kind: "array" }))).data).toEqual(texts);
  });

  it("refuses other values than the data type's with the element, and other data types", async () => {
    const store = await write([codec(id)], "string", texts);
    const objects = await writeObjects(id, [...texts.slice(0, 6), 5, ...texts.slice(7)]);
    store.set("/c/0/0", objects.get("/0.0") ?? new Uint8Array());
    const array = await open(store, { kind: "array" });
    const error: unknown = await get(array).catch((reason: unknown) => reason);
    if (!isZarrError(error, "CodecError")) throw new Error(`expected a CodecError, got ${String(error)}`);
    expect([error.codec, error.chunk, error.offset]).toEqual([id, [0, 0], 4]);
    expect(error.message).toMatch(/expected string in element 4, got 5/);
    await expect(create(new Map(), { shape: [1], dtype: "complex64", codecs: [codec(id)] })).rejects.toThrow(
      /a data type of variable length/,
    );
  });
});

it("json2 refuses half a surrogate pair, which JSON can say and UTF-8 cannot", async () => {
  const store = await write([codec("json2")], "string", texts);
  store.set("/c/1/1", toBytes('["a","\\ud83d","c","d","e","f","|O",[6]]'));
  const error: unknown = await get(await open(store, { kind: "array" })).catch((reason: unknown) => reason);
  expect(isZarrError(error, "CodecError") && [error.codec, error.offset]).toEqual(["json2", 1]);
});

it("json2 does not hold bytes", async () => {
  await expect(create(new Map(), { shape: [1], dtype: "bytes", codecs: [codec("json2")] })).rejects.toThrow(
    /"string"/,
  );
});

describe("json2 writes as its configuration says", () => {
  async function chunkOf(configuration: JsonObject, values: unknown[]): Promise<string> {
    const dtype = await withAllDataTypes(() => dataTypeFromV2("|O", "json2").dataType);
    const store: MapStore = new Map();
    const codecs = { filters: [{ id: "json2", ...configuration }], compressor: null };
    const options = { shape: [values.length], dtype, codecs, zarrFormat: 2, fillValue: null } as const;
    const array = await create(store, options);
    await set(array, null, values);
    expect((await get(await open(store, { kind: "array" }))).data).toEqual(values);
    return new TextDecoder().decode(store.get("/0"));
  }
  const odd = ["é😀", '\u2028"\\\n', { ü: ["ä"] }];

  // The bytes are those of numcodecs 0.17.1.
  it("ensure_ascii false: UTF-8, but for what has to be escaped", async () => {
    expect(await chunkOf({ ensure_ascii: false }, odd)).toBe(
      '["é😀","\u2028\\"\\\\\\n",{"ü":["ä"]},"|O",[3]]',
    );
    for (const configuration of [{}, { ensure_ascii: true }]) {
      expect(await chunkOf(configuration, odd)).toBe(
        '["\\u00e9\\ud83d\\ude00","\\u2028\\"\\\\\\n",{"\\u00fc":["\\u00e4"]},"|O",[3]]',
      );
    }
  });

  it("allow_nan false: NaN and infinities are refused, wherever they stand", async () => {
    expect(await chunkOf({}, [1.5, { x: [Number.NaN] }])).toBe('[1.5,{"x":[NaN]},"|O",[2]]');
    expect(await chunkOf({ allow_nan: false }, [1.5, "NaN"])).toBe('[1.5,"NaN","|O",[2]]');
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, { x: [Number.NEGATIVE_INFINITY] }]) {
      await expect(chunkOf({ allow_nan: false }, [1.5, value])).rejects.toMatchObject({
        tag: "CodecError",
        codec: "numcodecs.json2",
        offset: 1,
      });
    }
  });
});

it("the first JSON codec of numcodecs is read: nested lists and a data type, without a shape", async () => {
  const store: MapStore = new Map();
  const put = (key: string, text: string) => store.set(key, new TextEncoder().encode(text));
  const document = {
    ...{ zarr_format: 2, shape: [3, 2], chunks: [2, 2], dtype: "|O", order: "C", fill_value: null },
    ...{ compressor: null, filters: [{ id: "json", encoding: "utf-8", sort_keys: true }] },
  };
  put("/.zarray", JSON.stringify(document));
  // Made by numcodecs 0.5.5.
  put("/0.0", '[["a","\\u00e9"],[1,[2,3]],"|O"]');
  put("/1.0", '[[null,{"x":1}],["",""],"|O"]');
  const array = await open(store, { kind: "array" });
  expect((await get(array)).data).toEqual(["a", "é", 1, [2, 3], null, { x: 1 }]);
  await expect(set(array, null, "x")).rejects.toMatchObject({ tag: "UnsupportedError", codec: "json" });
  put("/0.0", '[["a","b"],"|O"]');
  await expect(get(array)).rejects.toMatchObject({ tag: "CodecError" });
});

it.each([
  ["|S0", "vlen-bytes", [Uint8Array.of(97, 98), Uint8Array.of()]],
  ["<U0", "vlen-utf8", ["ab", ""]],
])("%s with %s has elements of any length, as zarr-python 3.0.8 wrote them", async (dtype, id, expected) => {
  const store: MapStore = new Map();
  const document = {
    ...{ zarr_format: 2, shape: [2], chunks: [2], dtype, order: "C", fill_value: null },
    ...{ compressor: null, filters: [{ id }] },
  };
  store.set("/.zarray", new TextEncoder().encode(JSON.stringify(document)));
  store.set("/0", Uint8Array.of(2, 0, 0, 0, 2, 0, 0, 0, 97, 98, 0, 0, 0, 0));
  const array = await open(store, { kind: "array" });
  expect((await get(array)).data).toEqual(expected);
});
