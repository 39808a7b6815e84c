import { beforeEach, describe, expect, test } from "vitest";
import { create, get, isZarrError, open, type RangeQuery, set, slice } from "../../../src/index.js";
import { rejection } from "../../array/untyped.js";
import { CRC32C, LITTLE } from "../../setup/codecs.js";
import { rangeOf, SlowStore } from "../../setup/stores.js";

const INDEX_BYTES = 4 * 16 + 4;
const KEY = "/c/0/0";

async function shardedStore(location: "start" | "end", checksum: boolean): Promise<Map<string, Uint8Array>> {
  const store = new Map<string, Uint8Array>();
  const array = await create(store, {
    shape: [8, 8],
    chunkShape: [8, 8],
    dtype: "uint8",
    codecs: [
      {
        name: "sharding_indexed",
        configuration: {
          chunk_shape: [4, 4],
          codecs: [{ name: "bytes", configuration: {} }],
          index_codecs: checksum ? [LITTLE, CRC32C] : [LITTLE],
          index_location: location,
        },
      },
    ],
  });
  await set(
    array,
    null,
    Uint8Array.from({ length: 64 }, (_, i) => i + 1),
  );
  return store;
}

/** Reads the whole array, and one inner chunk, which takes another way. */
async function failures(store: Map<string, Uint8Array>): Promise<unknown[]> {
  const ranged = {
    get: (key: string) => store.get(key),
    getRange: (key: string, range: RangeQuery) => rangeOf(store.get(key), range),
  };
  const array = await open(ranged, { kind: "array" });
  return [await rejection(get, [array]), await rejection(get, [array, [slice(4, 8), slice(4, 8)]])];
}

function expectCodecErrors(errors: readonly unknown[]): void {
  for (const error of errors) {
    if (!isZarrError(error, "CodecError")) throw error;
    expect(error.key).toBe(KEY);
    expect(error.chunk).toBeDefined();
  }
}

/** Overwrites the entry of the last inner chunk. */
function patchEntry(
  store: Map<string, Uint8Array>,
  location: "start" | "end",
  offset: bigint,
  length: bigint,
): void {
  const shard = (store.get(KEY) ?? new Uint8Array()).slice();
  const view = new DataView(shard.buffer);
  const at = (location === "start" ? 0 : shard.length - 4 * 16) + 3 * 16;
  view.setBigUint64(at, offset, true);
  view.setBigUint64(at + 8, length, true);
  store.set(KEY, shard);
}

describe.each(["start", "end"] as const)("a damaged shard with its index at the %s", (location) => {
  let store: Map<string, Uint8Array>;
  beforeEach(async () => {
    store = await shardedStore(location, true);
  });

  test("a wrong checksum of the index", async () => {
    const shard = (store.get(KEY) ?? new Uint8Array()).slice();
    const at = location === "start" ? 3 : shard.length - INDEX_BYTES + 3;
    shard[at] = (shard[at] ?? 0) ^ 1;
    store.set(KEY, shard);
    expectCodecErrors(await failures(store));
  });

  test.each([0, 1, 20, INDEX_BYTES - 1])("truncated to %i bytes", async (length) => {
    store.set(KEY, (store.get(KEY) ?? new Uint8Array()).slice(0, length));
    expectCodecErrors(await failures(store));
  });
});

describe.each(["start", "end"] as const)("entries that lie, with the index at the %s", (location) => {
  const lies: [name: string, offset: bigint, length: bigint][] = [
    ["an offset outside the shard", 1000n, 16n],
    ["a length that leaves the shard", 60n, 1000n],
    ["a length beyond 2^53", 0n, 2n ** 60n],
    ["an offset beyond 2^53", 2n ** 60n, 16n],
    ["an offset that says missing with a length that does not", 2n ** 64n - 1n, 16n],
    ["a length that says missing with an offset that does not", 64n, 2n ** 64n - 1n],
    ["an inner chunk of another length", location === "start" ? 64n : 0n, 15n],
  ];
  test.each(lies)("%s", async (_, offset, length) => {
    const store = await shardedStore(location, false);
    patchEntry(store, location, offset, length);
    expectCodecErrors(await failures(store));
  });

  test("an entry of no bytes is an absent inner chunk", async () => {
    const store = await shardedStore(location, false);
    patchEntry(store, location, 64n, 0n);
    const array = await open(store, { kind: "array" });
    expect(await get(array, [7, 7])).toBe(0);
    expect(await get(array, [0, 0])).toBe(1);
  });

  test("gaps and overlaps are read as the index says", async () => {
    const store = await shardedStore(location, false);
    const first = location === "start" ? 64n : 0n;
    patchEntry(store, location, first, 16n);
    const array = await open(store, { kind: "array" });
    expect(await get(array, [4, 4])).toBe(1);
    expect(await get(array, [7, 7])).toBe(28);
  });
});

test("a length that reaches into the index at the end is refused when the shard's size is known", async () => {
  const store = await shardedStore("end", false);
  patchEntry(store, "end", 60n, 16n);
  const array = await open(store, { kind: "array" });
  const error = await rejection(get, [array]);
  if (!isZarrError(error, "CodecError")) throw error;
  expect(error.message).toContain("inner chunk 3");
});

test.each([0n, 48n, 63n])("an inner chunk at %i is refused when the index is there", async (offset) => {
  const store = await shardedStore("start", false);
  patchEntry(store, "start", offset, 16n);
  for (const error of await failures(store)) {
    if (!isZarrError(error, "CodecError")) throw error;
    expect(error.message).toContain("inner chunk 3: expected a range from byte 64");
  }
});

describe("configurations that make no shards", () => {
  const sharding = (change: object) => [
    {
      name: "sharding_indexed",
      configuration: {
        chunk_shape: [4, 4],
        codecs: [{ name: "bytes", configuration: {} }],
        index_codecs: [LITTLE],
        ...change,
      },
    },
  ];
  const wrong: [name: string, change: object][] = [
    ["inner chunks that do not divide the shard", { chunk_shape: [3, 4] }],
    ["inner chunks of another rank", { chunk_shape: [4] }],
    ["inner chunks of no elements", { chunk_shape: [0, 4] }],
    ["a fractional shape", { chunk_shape: [2.5, 4] }],
    ["no shape", { chunk_shape: null }],
    ["no inner codecs", { codecs: [] }],
    ["inner codecs without a serialiser", { codecs: [{ name: "gzip", configuration: {} }] }],
    ["no index codecs", { index_codecs: [] }],
    ["index codecs of no fixed length", { index_codecs: [LITTLE, { name: "gzip", configuration: {} }] }],
    ["another index location", { index_location: "middle" }],
    ["an unknown member", { surprise: 1 }],
  ];
  test.each(wrong)("%s", async (_, change) => {
    const store = new Map<string, Uint8Array>();
    const error = await rejection(create, [
      store,
      {
        shape: [8, 8],
        chunkShape: [8, 8],
        dtype: "uint8",
        codecs: sharding(JSON.parse(JSON.stringify(change))),
      },
    ]);
    if (!isZarrError(error, "InvalidMetadataError")) throw error;
    expect(store.size).toBe(0);
  });
});

describe("shards by option", () => {
  test("given, or chosen", async () => {
    const store = new Map<string, Uint8Array>();
    const array = await create(store, {
      shape: [100, 100],
      dtype: "int16",
      chunkShape: [10, 10],
      shards: [50, 20],
    });
    expect(array.shards).toEqual([50, 20]);
    expect(array.chunks).toEqual([10, 10]);
    const chosen = await create(store, {
      shape: [4096, 4096],
      dtype: "float32",
      shards: "auto",
      overwrite: true,
    });
    expect(chosen.chunks).toEqual([128, 256]);
    expect(chosen.shards).toEqual([4096, 2048]);
  });

  test("refused where they do not fit", async () => {
    const options = { shape: [100], dtype: "int16", chunkShape: [10] };
    for (const wrong of [
      { shards: [25] },
      { shards: [10, 10] },
      { shards: [20], zarrFormat: 2, codecs: [] },
      { shards: [20], zarrFormat: 2 },
      { shards: [20], zarrFormat: 2, codecs: { compressor: null } },
      { shards: "auto", zarrFormat: "draft" },
      { shards: [20], zarrFormat: "draft", codecs: { codec: "https://purl.org/zarr/spec/codec/gzip/1.0" } },
    ]) {
      const error = await rejection(create, [new Map(), { ...options, ...wrong }]);
      expect(isZarrError(error, "InvalidArgumentError")).toBe(true);
    }
  });
});

test("two writers of one shard lose nothing", async () => {
  const slow = new SlowStore();
  const array = await create(slow, { shape: [16, 16], dtype: "int32", chunkShape: [4, 4], shards: [8, 8] });
  await Promise.all(
    Array.from({ length: 16 }, (_, i) =>
      set(
        array,
        [i, null],
        Int32Array.from({ length: 16 }, () => i + 1),
      ),
    ),
  );
  expect((await get(array)).data).toEqual(Int32Array.from({ length: 256 }, (_, i) => Math.floor(i / 16) + 1));
});
