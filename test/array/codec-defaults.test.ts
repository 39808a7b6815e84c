/**
 * Documents say what a codec does that was named without its configuration: others have other defaults, or
 * none.
 */
import { expect, test } from "vitest";
import { create, type JsonObject, open, registry, set } from "../../src/index.js";
import type { CodecOption } from "../../src/main/codecs.js";
import { LITTLE, ZSTD } from "../setup/codecs.js";

const encode = (document: object) => new TextEncoder().encode(JSON.stringify(document));
const decode = (bytes: Uint8Array | undefined) => JSON.parse(new TextDecoder().decode(bytes));

const V3: [string, "float64" | "uint8", JsonObject][] = [
  ["gzip", "float64", { level: 5 }],
  ["zstd", "float64", { level: 0, checksum: false }],
  ["blosc", "float64", { cname: "lz4", clevel: 5, shuffle: "shuffle", typesize: 8, blocksize: 0 }],
  ["blosc", "uint8", { cname: "lz4", clevel: 5, shuffle: "bitshuffle", typesize: 1, blocksize: 0 }],
  ["numcodecs.gzip", "float64", { level: 5 }],
  ["numcodecs.zlib", "float64", { level: 1 }],
  ["numcodecs.zstd", "float64", { level: 0 }],
  ["numcodecs.lz4", "float64", { acceleration: 1 }],
  ["numcodecs.blosc", "float64", { cname: "lz4", clevel: 5, shuffle: 1, blocksize: 0 }],
  ["numcodecs.blosc", "uint8", { cname: "lz4", clevel: 5, shuffle: 2, blocksize: 0 }],
  ["numcodecs.shuffle", "float64", { elementsize: 8 }],
];

test.each(V3)("v3: %s of %s", async (name, dtype, configuration) => {
  const store = new Map<string, Uint8Array>();
  const shape = [1000];
  const array = await create(store, { shape, chunkShape: shape, dtype, codecs: [name] });
  const document = decode(store.get("/zarr.json"));
  expect(document.codecs[1]).toEqual({ name, configuration });
  const data = Array.from({ length: 1000 }, (_, i) => (i * i) % 100);
  await set(array, null, { data, shape });
  const written = store.get("/c/0");
  // What the encoder takes by itself.
  store.set("/zarr.json", encode({ ...document, codecs: [document.codecs[0], { name, configuration: {} }] }));
  await set(await open(store, { kind: "array" }), null, { data, shape });
  expect(written).toEqual(store.get("/c/0"));
});

test.each([
  ["zlib", { level: 1 }],
  ["gzip", { level: 5 }],
  ["zstd", { level: 0 }],
  ["lz4", { acceleration: 1 }],
  ["blosc", { cname: "lz4", clevel: 5, shuffle: 1, blocksize: 0 }],
])("v2: %s", async (id, members) => {
  for (const codecs of [[id], { compressor: { id } }]) {
    const store = new Map<string, Uint8Array>();
    await create(store, { shape: [4], dtype: "int16", zarrFormat: 2, codecs });
    expect(decode(store.get("/.zarray")).compressor).toEqual({ id, ...members });
  }
});

test("v2: elements are shuffled by a size that is said, which is 4 to numcodecs otherwise", async () => {
  const store = new Map<string, Uint8Array>();
  const codecs = { filters: [{ id: "shuffle" }] };
  const array = await create(store, { shape: [2], dtype: "int16", zarrFormat: 2, codecs });
  await set(array, null, Int16Array.of(0x0201, 0x0403));
  expect(decode(store.get("/.zarray")).filters).toEqual([{ id: "shuffle", elementsize: 2 }]);
  expect(store.get("/0")).toEqual(Uint8Array.of(1, 3, 2, 4));
});

test("elements that a filter stores as others are shuffled by the size of these", async () => {
  const store = new Map<string, Uint8Array>();
  const filters = [{ id: "astype", encode_dtype: "<f4", decode_dtype: "<f8" }, { id: "shuffle" }];
  const codecs = { filters, compressor: { id: "blosc" } };
  await create(store, { shape: [3], dtype: "float64", zarrFormat: 2, codecs });
  expect(decode(store.get("/.zarray")).filters[1]).toEqual({ id: "shuffle", elementsize: 4 });
  const cast = { name: "cast_value", configuration: { data_type: "uint8" } };
  await create(store, { shape: [3], dtype: "float64", codecs: [cast, "blosc"], overwrite: true });
  expect(decode(store.get("/zarr.json")).codecs[2].configuration).toMatchObject({
    shuffle: "bitshuffle",
    typesize: 1,
  });
});

test("what is given stays, and what it leaves out is added", async () => {
  const store = new Map<string, Uint8Array>();
  const codecs = [{ name: "zstd", configuration: { level: 3 } }, "crc32c"];
  await create(store, { shape: [4], dtype: "int16", codecs });
  expect(decode(store.get("/zarr.json")).codecs.slice(1)).toEqual([ZSTD, { name: "crc32c" }]);
});

test("inside of shards, too", async () => {
  const store = new Map<string, Uint8Array>();
  const gzip = { name: "gzip", configuration: { level: 5 } };
  await create(store, { shape: [8], chunkShape: [2], shards: [4], dtype: "int16", codecs: ["gzip"] });
  expect(decode(store.get("/zarr.json")).codecs[0].configuration.codecs).toEqual([LITTLE, gzip]);
  const sharding = (codecs: JsonObject[], length: number): { name: string; configuration: JsonObject } => ({
    name: "sharding_indexed",
    configuration: { chunk_shape: [length], codecs, index_codecs: [LITTLE], index_location: "end" },
  });
  const nested: CodecOption[] = [sharding([sharding([LITTLE, { name: "gzip" }], 2)], 4)];
  await create(store, { shape: [8], chunkShape: [8], dtype: "int16", codecs: nested, overwrite: true });
  const [outer] = decode(store.get("/zarr.json")).codecs;
  expect(outer.configuration.codecs[0].configuration.codecs).toEqual([LITTLE, gzip]);
});

test("codecs that v3 has from numcodecs alone stand in documents by their full names", async () => {
  const store = new Map<string, Uint8Array>();
  const layout = { shape: [4], dtype: "int16" } as const;
  const nameOf = (codec: { name: string }): string => codec.name;
  await create(store, { ...layout, codecs: ["shuffle", "zlib", "fletcher32", "crc32c"] });
  const { codecs } = decode(store.get("/zarr.json"));
  const names = ["bytes", "numcodecs.shuffle", "numcodecs.zlib", "numcodecs.fletcher32"];
  expect(codecs.map(nameOf)).toEqual([...names, "crc32c"]);

  const inner = [LITTLE, "lz4"];
  const index_codecs = [LITTLE];
  const configuration = { chunk_shape: [2], codecs: inner, index_codecs };
  const sharded = [{ name: "sharding_indexed", configuration }];
  await create(store, { ...layout, chunkShape: [4], codecs: sharded, overwrite: true });
  const [shards] = decode(store.get("/zarr.json")).codecs;
  expect(shards.configuration.codecs.map(nameOf)).toEqual(["bytes", "numcodecs.lz4"]);
});

test("a codec that the application registered keeps its name", async () => {
  const store = new Map<string, Uint8Array>();
  registry.set("zlib", async () => ({
    codecKind: "bytes_to_bytes",
    fromConfig: () => ({ kind: "bytes_to_bytes", encode: (bytes) => bytes, decode: (bytes) => bytes }),
  }));
  try {
    await create(store, { shape: [4], dtype: "int16", codecs: ["zlib"] });
  } finally {
    registry.delete("zlib");
  }
  expect(decode(store.get("/zarr.json")).codecs[1].name).toBe("zlib");
});
