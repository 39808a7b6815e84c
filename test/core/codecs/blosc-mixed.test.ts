/**
 * Chunks compressed with another compressor than the metadata name, as numcodecs wrote them. Every test has
 * modules of its own, in which nothing but what the metadata name is loaded before.
 */
import { beforeEach, describe, expect, test, vi } from "vitest";
import fixtures from "../../fixtures/codecs/blosc.json" with { type: "json" };
import snappyFixtures from "../../fixtures/codecs/blosc-snappy.json" with { type: "json" };
import { LITTLE } from "../../setup/codecs.js";
import { expectSame, fromBase64 } from "./harness.js";
import { makeData } from "./recipes.js";

type Api = typeof import("../../../src/index.js");

const LENGTH = 700;
const WORDS = makeData("words", LENGTH);
/** Of every compressor, several each. */
const CHUNKS = [...fixtures.cases, ...snappyFixtures.cases]
  .filter(({ codec, length, recipe }) => codec === "blosc" && length === LENGTH && recipe === "words")
  .map(({ encoded, configuration }) => ({ encoded: fromBase64(encoded), cname: configuration.cname }));

let api: Api;
beforeEach(async () => {
  vi.resetModules();
  api = await import("../../../src/index.js");
});

function storeOf(cname: string, codecs?: unknown): Map<`/${string}`, Uint8Array> {
  const blosc = { name: "blosc", configuration: { cname, clevel: 5, shuffle: "noshuffle", blocksize: 0 } };
  const metadata = {
    zarr_format: 3,
    node_type: "array",
    shape: [CHUNKS.length * LENGTH],
    data_type: "uint8",
    chunk_grid: { name: "regular", configuration: { chunk_shape: [LENGTH] } },
    chunk_key_encoding: { name: "default", configuration: { separator: "/" } },
    fill_value: 0,
    codecs: codecs ?? [{ name: "bytes" }, blosc],
  };
  const store = new Map<`/${string}`, Uint8Array>();
  store.set("/zarr.json", new TextEncoder().encode(JSON.stringify(metadata)));
  CHUNKS.forEach(({ encoded }, i) => {
    store.set(`/c/${i}`, encoded);
  });
  return store;
}

/** A store that never answers at once. */
function slow(store: Map<`/${string}`, Uint8Array>) {
  return { get: async (key: `/${string}`) => store.get(key) };
}

function bytesOf({ data }: { readonly data: unknown }): Uint8Array {
  if (data instanceof Uint8Array) return data;
  throw new TypeError("expected uint8");
}

function expectWords(result: { readonly data: unknown }): void {
  const bytes = bytesOf(result);
  expect(bytes).toHaveLength(CHUNKS.length * LENGTH);
  for (let i = 0; i < CHUNKS.length; i++) {
    expectSame(bytes.subarray(i * LENGTH, (i + 1) * LENGTH), WORDS);
  }
}

test("numcodecs wrote chunks of every compressor", () => {
  expect(new Set(CHUNKS.map(({ cname }) => cname))).toEqual(
    new Set(["blosclz", "lz4", "lz4hc", "snappy", "zlib", "zstd"]),
  );
});

describe.each(["lz4", "zstd", "zlib"])("metadata that name %s", (cname) => {
  test("read from a store that answers at once, and again", async () => {
    const array = await api.open(storeOf(cname), { kind: "array" });
    for (let i = 0; i < 2; i++) expectWords(await api.get(array));
  });

  test("read from a store that answers later, by two readers", async () => {
    const array = await api.open(slow(storeOf(cname)), { kind: "array" });
    const [first, second] = await Promise.all([api.get(array), api.get(array)]);
    expectWords(first);
    expectWords(second);
  });

  test("read in part", async () => {
    const array = await api.open(storeOf(cname), { kind: "array" });
    for (let i = 0; i < CHUNKS.length; i++) {
      const part = await api.get(array, [api.slice(i * LENGTH + 3, i * LENGTH + 10)]);
      expectSame(bytesOf(part), WORDS.subarray(3, 10));
    }
  });

  test("written in part", async () => {
    const array = await api.open(storeOf(cname), { kind: "array" });
    for (let i = 0; i < CHUNKS.length; i++) {
      await api.set(array, [api.slice(i * LENGTH, i * LENGTH + 3)], WORDS[i % 3] ?? 0);
    }
    const bytes = bytesOf(await api.get(array));
    for (let i = 0; i < CHUNKS.length; i++) {
      const chunk = WORDS.slice().fill(WORDS[i % 3] ?? 0, 0, 3);
      expectSame(bytes.subarray(i * LENGTH, (i + 1) * LENGTH), chunk);
    }
  });
});

test("inside of shards", async () => {
  const blosc = {
    name: "blosc",
    configuration: { cname: "lz4", clevel: 5, shuffle: "noshuffle", blocksize: 0 },
  };
  const index_codecs = [LITTLE];
  const codecs = [
    {
      name: "sharding_indexed",
      configuration: { chunk_shape: [LENGTH], codecs: [{ name: "bytes" }, blosc], index_codecs },
    },
  ];
  const store = storeOf("lz4", codecs);
  CHUNKS.forEach(({ encoded }, i) => {
    const shard = new Uint8Array(encoded.length + 16);
    shard.set(encoded);
    new DataView(shard.buffer).setBigUint64(encoded.length + 8, BigInt(encoded.length), true);
    store.set(`/c/${i}`, shard);
  });
  const array = await api.open(store, { kind: "array" });
  expectWords(await api.get(array));
});

test("a damaged chunk of another compressor is refused as damaged", async () => {
  const store = storeOf("lz4");
  const at = CHUNKS.findIndex(({ cname }) => cname === "zstd");
  const damaged = (CHUNKS[at]?.encoded ?? new Uint8Array()).slice();
  damaged.fill(0xff, 24);
  store.set(`/c/${at}`, damaged);
  const array = await api.open(store, { kind: "array" });
  await expect(api.get(array)).rejects.toMatchObject({ tag: "CodecError", key: `/c/${at}` });
});
