/**
 * Documents that earlier versions of zarr-python wrote and that are no valid ones, or that numpy reads with
 * some licence: wazarr reads them as zarr-python 3.4 does. Chunks are given as bytes.
 */
import { describe, expect, it } from "vitest";
import { append, get, type Json, type JsonObject, open, resize, set } from "../../src/index.js";
import { copyNode } from "../../src/main/copy.js";
import { LITTLE } from "../setup/codecs.js";
import { ask, type Refusal, zarrPython, zarrPythonRectilinear } from "../setup/python.js";
import { encodeStore } from "./wazarr.js";

type MapStore = Map<string, Uint8Array>;
type Case = readonly [
  title: string,
  format: 2 | 3,
  members: JsonObject,
  chunks: Readonly<Record<string, string>>,
  hex: string,
];

const V2 = { zarr_format: 2, compressor: null, filters: null, order: "C", fill_value: null };
const V3 = {
  zarr_format: 3,
  node_type: "array",
  data_type: "uint8",
  chunk_key_encoding: { name: "default", configuration: { separator: "/" } },
  fill_value: 7,
  codecs: [{ name: "bytes" }],
  attributes: {},
};
const grid = (chunk_shape: Json): JsonObject => ({
  chunk_grid: { name: "regular", configuration: { chunk_shape } },
});
const rectilinear = (chunk_shapes: Json): JsonObject => ({
  chunk_grid: { name: "rectilinear", configuration: { kind: "inline", chunk_shapes } },
});
const sharded = (chunk_shape: Json): JsonObject => ({
  codecs: [
    {
      name: "sharding_indexed",
      configuration: {
        chunk_shape,
        codecs: [{ name: "bytes" }],
        index_codecs: [LITTLE],
        index_location: "end",
      },
    },
  ],
});
/** Two inner chunks of one element each. */
const SHARD = `0506${"0000000000000000"}${"0100000000000000".repeat(3)}`;

const cases: readonly Case[] = [
  // A byte order that says nothing.
  ...[">i1", ">u1", "<i1"].map(
    (dtype): Case => [`v2 ${dtype}`, 2, { dtype, shape: [3], chunks: [3] }, { "/0": "01ff03" }, "01ff03"],
  ),
  ["v2 >b1", 2, { dtype: ">b1", shape: [2], chunks: [2] }, { "/0": "0100" }, "0100"],
  ["v2 <V4", 2, { dtype: "<V4", shape: [2], chunks: [2] }, { "/0": "0102030405060708" }, "0102030405060708"],
  ["v2 >V2", 2, { dtype: ">V2", shape: [2], chunks: [2] }, { "/0": "01020304" }, "01020304"],
  [
    "v2 struct with such fields",
    2,
    {
      dtype: [
        ["a", ">i1"],
        ["b", "<V2"],
        ["c", ">b1"],
        ["d", "<i2"],
      ],
      shape: [2],
      chunks: [2],
    },
    { "/0": "0102030104050a0b0c000d0e" },
    "0102030104050a0b0c000d0e",
  ],
  // Elements of fixed size stored as if they had none: zarr-python 3.0.8 wrote these bytes; 3.4 refuses them.
  [
    "v2 <U4 with vlen-utf8, of 3.0",
    2,
    { dtype: "<U4", shape: [4], chunks: [3], filters: [{ id: "vlen-utf8" }] },
    {
      "/0": "03000000010000006102000000c3a900000000",
      "/1": "0300000004000000616263640000000000000000",
    },
    `61${"00".repeat(15)}e9${"00".repeat(15)}${"00".repeat(16)}61000000620000006300000064000000`,
  ],
  [
    "v2 |S4 with vlen-bytes, of 3.0",
    2,
    { dtype: "|S4", shape: [4], chunks: [3], filters: [{ id: "vlen-bytes" }] },
    {
      "/0": "03000000010000006103000000ff006200000000",
      "/1": "0300000004000000616263640000000000000000",
    },
    "61000000ff0062000000000061626364",
  ],
  // Lengths of 0, and booleans.
  ["v2 [0, 0] without elements", 2, { dtype: "|u1", shape: [0, 0], chunks: [0, 0], fill_value: 7 }, {}, ""],
  [
    "v2 [0, 2] after growth",
    2,
    { dtype: "|u1", shape: [2, 2], chunks: [0, 2], fill_value: 7 },
    {},
    "07070707",
  ],
  [
    "v2 [0, 2] written since",
    2,
    { dtype: "|u1", shape: [2, 2], chunks: [0, 2], fill_value: 7 },
    { "/1.0": "0506" },
    "07070506",
  ],
  [
    "v2 [true, false]",
    2,
    { dtype: "|u1", shape: [2, 2], chunks: [true, false], fill_value: 7 },
    { "/1.1": "05" },
    "07070705",
  ],
  ["v3 [0] without elements", 3, { shape: [0], ...grid([0]) }, {}, ""],
  ["v3 [0, 3] beside a length", 3, { shape: [0, 3], ...grid([0, 3]) }, {}, ""],
  ["v3 [0] after growth", 3, { shape: [3], ...grid([0]) }, { "/c/1": "05" }, "070507"],
  ["v3 [true, false]", 3, { shape: [2, 2], ...grid([true, false]) }, { "/c/0/1": "05" }, "07050707"],
  ["v3 shards of 0", 3, { shape: [4], ...grid([0]), ...sharded([2]) }, {}, "07070707"],
  ["v3 inner chunks of true", 3, { shape: [2], ...grid([2]), ...sharded([true]) }, { "/c/0": SHARD }, "0506"],
  // Lists of lengths in a regular grid: zarr-python 3.2.1.
  [
    "v3 [2, [1, 2]]",
    3,
    { shape: [3, 3], ...grid([2, [1, 2]]) },
    { "/c/0/1": "01020304", "/c/1/0": "0506" },
    "070102070304050707",
  ],
  ["v3 [[1, true], 2]", 3, { shape: [2, 2], ...grid([[1, true], 2]) }, { "/c/1/0": "0102" }, "07070102"],
  ["v3 rectilinear with true", 3, { shape: [3], ...rectilinear([[true, 2]]) }, { "/c/1": "0102" }, "070102"],
  [
    "v3 rectilinear with a run of true",
    3,
    { shape: [3], ...rectilinear([[[true, 3]]]) },
    { "/c/1": "05" },
    "070507",
  ],
];

function storeOf([, format, members, chunks]: Case): MapStore {
  const [key, common] = format === 2 ? ["/.zarray", V2] : ["/zarr.json", V3];
  const store: MapStore = new Map([
    [key, new TextEncoder().encode(JSON.stringify({ ...common, ...members }))],
  ]);
  for (const [chunk, hex] of Object.entries(chunks))
    store.set(chunk, Uint8Array.from(Buffer.from(hex, "hex")));
  return store;
}

async function elementsOf(store: MapStore): Promise<string> {
  const array = await open(store, { kind: "array" });
  return Buffer.from(array.dataType.bytesOf((await get(array)).data) ?? []).toString("hex");
}

it.each(cases)("%s", async (...each) => {
  const [, , , , hex] = each;
  expect(await elementsOf(storeOf(each))).toBe(hex);
});

it.each(cases.filter(([title]) => title.includes("[0") || title.includes("lists")))(
  "%s: a changed shape comes with a valid grid",
  async (...each) => {
    const [, format] = each;
    const store = storeOf(each);
    const array = await open(store, { kind: "array" });
    await resize(
      array,
      array.shape.map((length) => length + 1),
    );
    const document = JSON.parse(
      new TextDecoder().decode(store.get(format === 2 ? "/.zarray" : "/zarr.json")),
    );
    const lengths = format === 2 ? document.chunks : document.chunk_grid.configuration.chunk_shape;
    expect(lengths.every((length: unknown) => Number(length) > 0)).toBe(true);
    const grown = await open(store, { kind: "array" });
    await set(grown, null, 9);
    expect(new Set(Buffer.from(await elementsOf(store), "hex"))).toEqual(new Set([9]));
  },
);

it.each(cases.filter(([title]) => title.endsWith("of 3.0")))(
  "%s: written as it was, and copied",
  async (...each) => {
    const [, , , chunks, hex] = each;
    const store = storeOf(each);
    const array = await open(store, { kind: "array" });
    const { data } = await get(array);
    for (const key of Object.keys(chunks)) store.delete(key);
    await set(array, null, data);
    for (const [key, encoded] of Object.entries(chunks))
      expect(Buffer.from(store.get(key) ?? []).toString("hex")).toBe(encoded);
    // v3 has no such codec for elements of fixed size.
    for (const options of [{ zarrFormat: 3 }, { zarrFormat: 2, chunkShape: [2], order: "F" }] as const) {
      const copy: MapStore = new Map();
      await copyNode(store, copy, options);
      expect(await elementsOf(copy)).toBe(hex);
      const { codecs } = (await open(copy, { kind: "array" })).metadata;
      expect(codecs.map(({ name }) => name.startsWith("numcodecs.vlen"))).toEqual([options.zarrFormat === 2]);
    }
  },
);

it("elements that are longer than the type has room for, or no text, are told", async () => {
  const strings = (...chunk: string[]) =>
    storeOf([
      "",
      2,
      { dtype: "<U1", shape: [1], chunks: [1], filters: [{ id: "vlen-utf8" }] },
      { "/0": chunk.join("") },
      "",
    ]);
  await expect(elementsOf(strings("01000000", "02000000", "6162"))).rejects.toThrow("at most 4 bytes");
  await expect(elementsOf(strings("01000000", "01000000", "ff"))).rejects.toThrow("expected UTF-8");
  await expect(elementsOf(strings("02000000", "01000000", "61"))).rejects.toThrow("expected 1 elements");
});

it("an array that was created empty takes rows", async () => {
  const store = storeOf(["", 3, { shape: [0], ...grid([0]) }, {}, ""]);
  await append(await open(store, { kind: "array" }), { data: Uint8Array.of(1, 2), shape: [2] });
  expect(await elementsOf(store)).toBe("0102");
});

const isRectilinear = ([title]: Case): boolean => /\[\[|, \[|rectilinear/.test(title);

describe.each([
  [zarrPython(), cases.filter((each) => !isRectilinear(each) && !each[0].endsWith("of 3.0"))],
  // Which has them behind a flag.
  [zarrPythonRectilinear(), cases.filter(isRectilinear)],
] as const)("$title", (python, readable) => {
  it.skipIf(python.executable === undefined)("reads the same", async () => {
    const read = readable.map((each) => ({
      store: encodeStore(storeOf(each)),
      path: "/",
      zarr_format: each[1],
    }));
    const { read: answers } = await ask(python, { write: [], read });
    const told = answers.map((answer) => ("data" in answer ? answer.data : lastLine(answer)));
    expect(Object.fromEntries(readable.map(([title], i) => [title, told[i]]))).toEqual(
      Object.fromEntries(readable.map(([title, , , , hex]) => [title, hex])),
    );
  });
});

function lastLine(refusal: Refusal | object): string {
  return "error" in refusal ? (refusal.error.trim().split("\n").at(-1) ?? "") : "no answer";
}
