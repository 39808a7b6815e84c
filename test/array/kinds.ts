/** Small arrays for tests of what stands in front of arrays. */
import { create, open, set, type Array as ZarrArray } from "../../src/index.js";

/** `create` makes no arrays of objects. */
const OBJECTS = JSON.stringify({
  zarr_format: 2,
  shape: [5, 7],
  chunks: [2, 4],
  dtype: "|O",
  filters: [{ id: "json2" }],
  compressor: { id: "zlib" },
  fill_value: null,
  order: "C",
});

/** Small arrays of every kind that is read in a way of its own. */
export const kinds: readonly [name: string, options: object, value: (i: number) => unknown][] = [
  ["int16", { dtype: "int16" }, (i) => i - 9],
  ["big-endian", { dtype: "float64", endian: "big" }, (i) => i / 3],
  ["compressed", { dtype: "uint8", codecs: ["zstd"] }, (i) => i],
  ["F order", { dtype: "int32", order: "F" }, (i) => i],
  ["v2 in F order", { dtype: ">i4", zarrFormat: 2, order: "F" }, (i) => i],
  ["sharded", { dtype: "uint16", shards: [4, 8] }, (i) => i],
  ["chunks of different lengths", { dtype: "uint16", chunkShape: [[2, 3], 4] }, (i) => i],
  ["bool", { dtype: "bool" }, (i) => i % 3 === 0],
  ["int64", { dtype: "int64" }, (i) => BigInt(i) << 40n],
  ["float16", { dtype: "float16" }, (i) => i / 4],
  ["<U3", { dtype: "<U3", zarrFormat: 2 }, (i) => "é".repeat(i % 4)],
  ["|S2", { dtype: "|S2", zarrFormat: 2 }, (i) => Uint8Array.of(65 + i)],
  ["complex64", { dtype: "complex64" }, (i) => ({ re: i, im: -i })],
  ["string", { dtype: "string" }, (i) => `text ${i}`],
  ["large_string", { dtype: "large_string", codecs: ["bytes"] }, (i) => "a".repeat(i)],
  ["bytes", { dtype: "bytes", shards: "auto" }, (i) => new Uint8Array(i % 5)],
  ["objects of v2", { document: OBJECTS }, (i) => ({ i })],
  [
    "struct with two byte orders",
    {
      dtype: [
        ["a", "<i2"],
        ["b", ">i4"],
      ],
      zarrFormat: 2,
    },
    (i) => ({ a: i, b: -i }),
  ],
];

/** 5 x 7 elements in chunks of 2 x 4 unless `options` say otherwise. */
export async function made(options: object, value: (i: number) => unknown): Promise<ZarrArray> {
  const layout: object = { shape: [5, 7], chunkShape: [2, 4], ...options };
  const store = new Map<string, Uint8Array>();
  if ("document" in options) store.set("/.zarray", new TextEncoder().encode(OBJECTS));
  else await Reflect.apply(create, undefined, [store, layout]);
  const array = await open(store, { kind: "array" });
  for (let i = 0; i < 35; i++) {
    await Reflect.apply(set, undefined, [array, [Math.floor(i / 7), i % 7], value(i)]);
  }
  return array;
}
