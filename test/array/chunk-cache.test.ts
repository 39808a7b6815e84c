/**
 * Decoded chunks in memory: what is there is neither asked for nor decoded, and never what was written over.
 */

import { beforeEach, describe, expect, test } from "vitest";
import { crc32cFallback } from "../../src/core/codecs/checksums/fallback.js";
import {
  create,
  defineArrayExtension,
  deleteNode,
  get,
  getChunk,
  getCoordinates,
  getOrthogonal,
  isZarrError,
  MemoryStore,
  open,
  prefetch,
  read,
  registry,
  resize,
  root,
  set,
  slice,
  withByteCaching,
  Array as ZarrArray,
} from "../../src/index.js";
import { ChunkCache, LruCache } from "../../src/main/caches.js";
import type { CodecEntry } from "../../src/main/codecs.js";
import { copyNode } from "../../src/main/copy.js";
import { HeldStore, RangeStore, readOnly, SlowStore } from "../setup/stores.js";
import { kinds, made } from "./kinds.js";

const MiB = 1 << 20;
const COUNTED = "test.counted";
let decoded = 0;

beforeEach(() => {
  const entry: CodecEntry = {
    codecKind: "bytes_to_bytes",
    fromConfig: () => ({
      kind: "bytes_to_bytes",
      synchronous: true,
      encode: (bytes) => bytes.map((byte) => byte ^ 0xff),
      decode(bytes) {
        decoded++;
        return bytes.map((byte) => byte ^ 0xff);
      },
    }),
  };
  registry.set(COUNTED, () => entry);
  decoded = 0;
});

/** 0, 1, 2, ... as uint16, in chunks (inner chunks of shards) of 64 x 64. */
async function written(length: number, shards?: readonly number[]): Promise<Map<string, Uint8Array>> {
  const values = new Map<string, Uint8Array>();
  const shape = [length, length];
  const layout = { shape, chunkShape: [64, 64], dtype: "uint16", codecs: [COUNTED] } as const;
  const array = await create(values, shards === undefined ? layout : { ...layout, shards });
  await set(array, null, { data: Uint16Array.from({ length: length ** 2 }, (_, i) => i), shape });
  decoded = 0;
  return values;
}
const openServer = async (values: Map<string, Uint8Array>) => {
  const server = new RangeStore(values);
  const array = await open.v3(readOnly(server), { kind: "array" });
  server.reset();
  return { server, array };
};
const tile = (row: number, column: number, length = 64) => [
  slice(row * length, (row + 1) * length),
  slice(column * length, (column + 1) * length),
];

describe.each(kinds)("%s", (_, options, value) => {
  test("reads the same with a cache, and from it", async () => {
    const array = await made(options, value);
    const cache = new ChunkCache({ maxBytes: MiB });
    const cached = new ChunkCache({ maxBytes: MiB }).inFrontOf(array);
    expect(cached).toBeInstanceOf(ZarrArray);
    const selection = [slice(4, 0, -2), slice(1, 6)];
    const lists = [
      [4, 0, 0],
      [true, false, false, true, false, false, false],
    ];
    const points = [
      [0, 4, 4],
      [6, 0, 3],
    ];
    for (let i = 0; i < 2; i++) {
      expect(await get(array, null, { cache })).toEqual(await get(array));
      expect(await get(cached, selection)).toEqual(await get(array, selection));
      expect(await get(array, [3, 5], { cache })).toEqual(await get(array, [3, 5]));
      expect(await getChunk(array, [0, 1], { cache })).toEqual(await getChunk(array, [0, 1]));
      expect(await array.getChunk([0, 1], { cache })).toEqual(await getChunk(array, [0, 1]));
      expect(await cached.getChunk([1, 0])).toEqual(await array.getChunk([1, 0]));
      expect(await getOrthogonal(array, lists, { cache })).toEqual(await getOrthogonal(array, lists));
      expect(await getCoordinates(cached, points)).toEqual(await getCoordinates(array, points));
      for await (const slab of read(array, null, { cache }))
        expect(slab.data).toEqual((await get(array)).data);
    }
    expect(cache.stats.misses).toBeLessThanOrEqual(6);
    expect(cache.stats.hits).toBeGreaterThan(10);
    expect(cache.stats.bytes).toBeGreaterThan(0);
    // Through either.
    await Reflect.apply(set, undefined, [cached, [0, 0], value(7)]);
    expect(await get(cached)).toEqual(await get(array));
    expect(await get(array, null, { cache })).toEqual(await get(array));
  });
});

describe("what is there", () => {
  test.each([
    ["chunks", undefined],
    ["shards", [256, 256]],
  ])("panning back over 200 tiles of %s asks for nothing and decodes nothing", async (__, shards) => {
    const { server, array } = await openServer(await written(1024, shards));
    const cache = new ChunkCache({ maxBytes: 4 * MiB });
    // Out over 200 tiles, each half way into the next chunk, and back.
    const tiles = Array.from({ length: 200 }, (_, i) => {
      const [top, left] = [(i % 14) * 68 + 3, Math.floor(i / 14) * 65 + 5];
      return [slice(top, top + 64), slice(left, left + 64)];
    });
    const first = [];
    for (const each of tiles) first.push(await get(array, each, { cache }));
    const { misses } = cache.stats;
    expect(decoded).toBe(misses);
    expect(misses).toBeLessThanOrEqual(256);
    expect(misses).toBeGreaterThan(200);
    expect(cache.stats).toMatchObject({ evictions: 0, bytes: misses * 64 * 64 * 2 });
    server.reset();
    decoded = 0;
    const back = [];
    for (const each of tiles.toReversed()) back.push(await get(array, each, { cache }));
    expect(server.requests).toEqual([]);
    expect(decoded).toBe(0);
    expect(cache.stats.misses).toBe(misses);
    for (const [i, { data }] of back.toReversed().entries()) expect(data).toEqual(first[i]?.data);
    // The row and column of the last element of some tile.
    expect(Reflect.get(first[20]?.data ?? [], 64 * 64 - 1)).toBe(((6 * 68 + 66) * 1024 + 65 + 68) % 65536);
  });

  describe("inner chunks of a shard are asked for together", () => {
    const cold = async () => {
      const values = await written(512, [256, 256]);
      return { values, ...(await openServer(values)), cache: new ChunkCache({ maxBytes: 4 * MiB }) };
    };

    test("whole shards take no more requests than without a cache", async () => {
      const without = await cold();
      await get(without.array, tile(0, 0, 256));
      const { server, array, cache } = await cold();
      expect((await get(array, tile(0, 0, 256), { cache })).data).toEqual(
        (await get(array, tile(0, 0, 256))).data,
      );
      server.reset();
      await get(array, tile(1, 0, 256), { cache });
      expect(server.requests.length).toBeLessThanOrEqual(without.server.requests.length);
      expect(cache.stats.misses).toBe(32);
    });

    test("those that are there are neither asked for nor decoded again", async () => {
      const { server, array, cache } = await cold();
      await get(array, [slice(64, 128), slice(64, 128)], { cache });
      const once = decoded;
      server.reset();
      await get(array, tile(0, 0, 256), { cache });
      // Two whole rows, and the row that has one already in two pieces.
      expect(server.requests.length).toBeLessThanOrEqual(5);
      expect([once, decoded]).toEqual([1, 16]);
    });

    test("those of one read are given up when nobody wants any of them", async () => {
      const { server, array, cache } = await cold();
      const [first, second] = [new AbortController(), new AbortController()];
      const reads = [first, second].map(({ signal }, i) =>
        get(array, [slice(0, 64), slice(128 * i, 128 * (i + 1))], { cache, signal }),
      );
      first.abort(new Error("first"));
      await expect(reads[0]).rejects.toThrow("first");
      expect((await reads[1])?.shape).toEqual([64, 128]);
      expect(server.aborted).toEqual([]);
    });

    test("one that is damaged fails by itself", async () => {
      const { values, array, cache } = await cold();
      const shard = values.get("/c/0/0")?.slice() ?? new Uint8Array();
      // Its bytes are cut: nothing of the index, which is at the end, is touched but one length.
      new DataView(shard.buffer).setBigUint64(shard.length - 4 - 16 * 16 + 8, 5n, true);
      new DataView(shard.buffer).setUint32(
        shard.length - 4,
        crc32cFallback(shard.subarray(-4 - 256, -4)),
        true,
      );
      values.set("/c/0/0", shard);
      await expect(get(array, tile(0, 0, 256), { cache })).rejects.toThrow("[0, 0]");
      expect((await get(array, [slice(0, 64), slice(64, 256)], { cache })).shape).toEqual([64, 192]);
    });
  });

  test("is what fits: the least recently used goes first", async () => {
    const { server, array } = await openServer(await written(256));
    const cache = new ChunkCache({ maxBytes: 3 * 8192 + 100 });
    const look = async (row: number) => {
      const before = server.requests.length;
      await get(array, tile(row, 0), { cache });
      return server.requests.length - before;
    };
    expect([await look(0), await look(1), await look(2)]).toEqual([1, 1, 1]);
    expect(cache.stats.bytes).toBe(3 * 8192);
    expect([await look(0), await look(3)]).toEqual([0, 1]);
    expect([await look(0), await look(2), await look(3)]).toEqual([0, 0, 0]);
    expect(await look(1)).toBe(1);
    expect(cache.stats).toEqual({ hits: 4, misses: 5, bytes: 3 * 8192, evictions: 2 });
    cache.clear();
    expect(cache.stats.bytes).toBe(0);
    expect(await look(1)).toBe(1);
  });

  test("may be too much: reads work, and nothing stays", async () => {
    const { array } = await openServer(await written(128));
    const cache = new ChunkCache({ maxBytes: 8191 });
    for (let i = 0; i < 2; i++) expect(await get(array, null, { cache })).toEqual(await get(array));
    expect(cache.stats).toMatchObject({ misses: 8, bytes: 0 });
  });

  test("is shared by handles and arrays of one storage, and apart for others", async () => {
    const [values, others] = [await written(128), await written(128)];
    const cache = new ChunkCache({ maxBytes: MiB });
    const store = new MemoryStore(values);
    await get(await open(values, { kind: "array" }), null, { cache });
    await get(await open(store, { kind: "array" }), null, { cache });
    await get(await open(store, { kind: "array" }), null, { cache });
    expect(cache.stats).toMatchObject({ misses: 4, hits: 8 });
    const other = await open(others, { kind: "array" });
    await set(other, null, 7);
    expect(await get(other, [5, 5], { cache })).toBe(7);
    expect(cache.stats).toMatchObject({ misses: 5, hits: 8 });
  });

  test("is never handed out to be changed", async () => {
    const values = new Map<string, Uint8Array>();
    const text = await create(root(values).resolve("t"), {
      shape: [4],
      chunkShape: [4],
      dtype: "string",
      codecs: ["bytes"],
    });
    await set(text, null, ["a", "bb", "", "d"]);
    const numbers = await open(await written(64), { kind: "array" });
    const cache = new ChunkCache({ maxBytes: MiB });
    for (let i = 0; i < 3; i++) {
      const column = await get(text, null, { cache, as: "column" });
      expect(new TextDecoder().decode(column.data.data)).toBe("abbd");
      column.data.data.fill(0);
      for (const { data } of [
        await get(numbers, null, { cache }),
        await getChunk(numbers, [0, 0], { cache }),
      ]) {
        if (!(data instanceof Uint16Array)) throw new Error("expected numbers");
        expect([data[1], data[100]]).toEqual([1, 100]);
        data.fill(9);
      }
    }
  });

  test("may be nothing: missing chunks, and those of nothing but fill value, cost 64 bytes", async () => {
    const values = new Map<string, Uint8Array>();
    const array = await create(values, {
      shape: [4, 64],
      chunkShape: [1, 64],
      dtype: "float64",
      fillValue: Number.NaN,
    });
    await set(array, [1, null], Number.NaN, { writeEmptyChunks: true });
    await set(array, [2, null], 1);
    const { server, array: remote } = await openServer(values);
    const cache = new ChunkCache({ maxBytes: MiB });
    for (let i = 0; i < 2; i++) expect(await get(remote, null, { cache })).toEqual(await get(array));
    expect(server.requests).toHaveLength(4);
    expect(cache.stats).toEqual({ hits: 4, misses: 4, bytes: 3 * 64 + 64 * 8, evictions: 0 });
  });

  test("is put into shared memory and into `out`", async () => {
    const values = new Map<string, Uint8Array>();
    const shape = [512, 512];
    const array = await create(values, { shape, chunkShape: [256, 256], dtype: "float32", codecs: ["zstd"] });
    const data = Float32Array.from({ length: 512 * 512 }, (_, i) => Math.sin(i));
    await set(array, null, { data, shape });
    const cache = new ChunkCache({ maxBytes: 4 * MiB });
    expect((await get(array, null, { cache })).data).toEqual(data);
    const shared = await get(array, null, { cache, shared: true });
    expect(shared.data.buffer).toBeInstanceOf(SharedArrayBuffer);
    expect(shared.data).toEqual(data);
    const out = new Float32Array(data.length);
    await get(array, null, { cache, out });
    expect(out).toEqual(data);
    expect(cache.stats).toMatchObject({ misses: 4, hits: 8, bytes: data.byteLength });
  });
});

describe("reads at the same time", () => {
  test("share one request and one decode", async () => {
    const { server, array } = await openServer(await written(128));
    const cache = new ChunkCache({ maxBytes: MiB });
    const all = await Promise.all([
      get(array, null, { cache }),
      getChunk(array, [0, 0], { cache }),
      get(array, tile(1, 1), { cache, signal: new AbortController().signal }),
      getOrthogonal(array, [[0, 127], [3]], { cache }),
    ]);
    expect(server.requests).toHaveLength(4);
    expect(decoded).toBe(4);
    expect(cache.stats).toMatchObject({ misses: 4, hits: 4 });
    expect(all[3].data).toEqual(Uint16Array.of(3, 127 * 128 + 3));
  });

  test("are aborted one by one, their request with the last", async () => {
    const server = new HeldStore(await written(64));
    const array = await open.v3(readOnly(server), { kind: "array" });
    const cache = new ChunkCache({ maxBytes: MiB });
    const controllers = [new AbortController(), new AbortController()];
    const begin = () => controllers.map(({ signal }) => get(array, null, { cache, signal }));
    const [one, two] = begin();
    await server.untilAsked(1);
    controllers[0]?.abort(new Error("enough"));
    await expect(one).rejects.toThrow("enough");
    server.answer();
    await expect(two).resolves.toHaveProperty("shape", [64, 64]);
    expect([server.requests.length, server.aborted.length]).toEqual([1, 0]);
    cache.clear();
    controllers[0] = new AbortController();
    const both = begin();
    await server.untilAsked(2);
    for (const each of controllers) each.abort(new Error("enough"));
    for (const each of both) await expect(each).rejects.toThrow("enough");
    expect([server.requests.length, server.aborted.length]).toEqual([2, 1]);
    expect(cache.stats.bytes).toBe(0);
    const next = get(array, [0, 5], { cache });
    await server.untilAsked(3);
    server.answer();
    expect(await next).toBe(5);
  });

  test("fail together, and nothing of that stays", async () => {
    const values = await written(64);
    const { array } = await openServer(values);
    const cache = new ChunkCache({ maxBytes: MiB });
    const chunk = values.get("/c/0/0");
    values.set("/c/0/0", new Uint8Array(3));
    const failed = await Promise.allSettled([get(array, null, { cache }), get(array, [0, 0], { cache })]);
    for (const each of failed) {
      expect(each.status === "rejected" && isZarrError(each.reason, "CodecError")).toBe(true);
    }
    if (chunk) values.set("/c/0/0", chunk);
    expect(await get(array, [0, 9], { cache })).toBe(9);
  });
});

describe("what this process writes is not what is there", () => {
  const layouts = [
    ["chunks", {}],
    ["shards", { shards: [4, 4] }],
    ["shards in v3 with keys of v2", { shards: [4, 4], chunkKeyEncoding: "v2" }],
    ["v2", { zarrFormat: 2 }],
    ["the draft", { zarrFormat: "draft" }],
    ["chunks of different lengths", { chunkShape: [[2, 2, 4], 2] }],
    ["strings", { dtype: "string", fillValue: "" }],
  ] as const;
  const filled = async (store: MemoryStore | SlowStore, options: object) => {
    const layout: object = { shape: [8, 8], chunkShape: [2, 2], dtype: "int16", ...options };
    const array: ZarrArray = await Reflect.apply(create, undefined, [root(store).resolve("a"), layout]);
    const at = (i: number) => (array.dtype === "string" ? `${i}` : i);
    const write = async (where: ZarrArray, selection: unknown, value: number): Promise<void> =>
      Reflect.apply(set, undefined, [where, selection, at(value)]);
    await write(array, null, 1);
    return { array, write, at };
  };

  test.each(layouts)("%s", async (_, options) => {
    for (const store of [new MemoryStore(), new SlowStore()]) {
      const { array, write, at } = await filled(store, options);
      const location = root(store).resolve("a");
      const cache = new ChunkCache({ maxBytes: MiB });
      const cached = cache.inFrontOf(await open(location, { kind: "array" }));
      const same = async () => expect(await get(cached)).toEqual(await get(array));
      await same();
      // Another handle, and the one in front; a part of a chunk, all of it, nothing but the fill value.
      for (const each of [array, cached]) {
        for (const [selection, value] of [
          [[3, 3], 5],
          [[slice(4, 6), slice(0, 2)], 6],
          [[slice(2, 8), 7], 0],
        ] as const) {
          await same();
          const { misses } = cache.stats;
          await same();
          expect(cache.stats.misses).toBe(misses);
          await write(each, selection, value);
          await same();
          expect(cache.stats.misses).toBeGreaterThan(misses);
          // Not everything.
          if (!("shards" in options)) expect(cache.stats.misses).toBeLessThan(misses + 8);
        }
      }
      expect(await get(cached, [3, 3])).toBe(at(5));
    }
  });

  test("chunks that `resize` clears and deletes", async () => {
    const { array } = await filled(new MemoryStore(), {});
    const cache = new ChunkCache({ maxBytes: MiB });
    await get(array, null, { cache });
    const grown = await resize(await resize(array, [3, 8]), [8, 8]);
    const expected = Int16Array.from({ length: 64 }, (_, i) => (i < 24 ? 1 : 0));
    expect((await get(grown)).data).toEqual(expected);
    expect((await get(grown, null, { cache })).data).toEqual(expected);
    expect((await get(array, null, { cache })).data).toEqual(expected);
  });

  test("arrays that are deleted, created anew with another data type, and copied to", async () => {
    const store = new MemoryStore();
    const { array } = await filled(store, {});
    const cache = new ChunkCache({ maxBytes: MiB });
    const location = root(store).resolve("a");
    await get(array, null, { cache });
    await deleteNode(location);
    expect((await get(array, null, { cache })).data).toEqual(new Int16Array(64));
    const floats = await create(location, {
      shape: [8, 8],
      chunkShape: [2, 2],
      dtype: "float32",
      fillValue: 2,
    });
    expect((await get(floats, null, { cache })).data).toEqual(new Float32Array(64).fill(2));
    expect(await get(floats, [0, 0], { cache })).toBe(2);
    await set(floats, null, 3);
    await get(floats, null, { cache });
    // Raw chunks.
    const source = await create(root().resolve("s"), {
      shape: [8, 8],
      chunkShape: [2, 2],
      dtype: "float32",
      fillValue: 2,
    });
    await set(source, null, 4);
    await copyNode(source, location, { overwrite: true });
    expect((await get(floats, null, { cache })).data).toEqual(new Float32Array(64).fill(4));
  });

  test("while a read is under way", async () => {
    const store = new SlowStore();
    const { array } = await filled(store, {});
    const cache = new ChunkCache({ maxBytes: MiB });
    const before = get(array, [0, 0], { cache });
    await new Promise((resolve) => setTimeout(resolve));
    const writing = set(array, [slice(0, 2), slice(0, 2)], 2);
    const during = get(array, [0, 0], { cache });
    await writing;
    const after = get(array, [0, 0], { cache });
    expect([1, 2]).toContain(await before);
    expect([1, 2]).toContain(await during);
    expect(await after).toBe(2);
    expect(await get(array, [0, 0], { cache })).toBe(2);
  });

  test("of other processes nobody knows, until `clear`", async () => {
    const store = new MemoryStore();
    const { array } = await filled(store, {});
    const cache = new ChunkCache({ maxBytes: MiB });
    await get(array, null, { cache });
    store.values.delete("/a/c/0/0");
    expect(await get(array, [0, 0], { cache })).toBe(1);
    cache.clear();
    expect(await get(array, [0, 0], { cache })).toBe(0);
  });

  test("an extension's values are apart from the array's", async () => {
    const { array } = await filled(new MemoryStore(), {});
    const doubled = defineArrayExtension((inner) => ({
      async getChunk(coordinates, options) {
        const chunk = await inner.getChunk(coordinates, options);
        return { ...chunk, data: Int16Array.from(Object.values(chunk.data), (value) => 2 * Number(value)) };
      },
    }))(array);
    const cache = new ChunkCache({ maxBytes: MiB });
    for (let i = 0; i < 2; i++) {
      expect(await get(doubled, [0, 0], { cache })).toBe(2);
      expect(await get(array, [0, 0], { cache })).toBe(1);
      expect(await get(cache.inFrontOf(doubled), [0, 0])).toBe(2);
    }
    expect(cache.stats.misses).toBe(2);
    await set(array, [1, 1], 7);
    expect(await get(doubled, [1, 1], { cache })).toBe(14);
  });
});

describe("prefetch", () => {
  test("brings the chunks of a selection, a few at a time, and a read takes them from there", async () => {
    const { server, array } = await openServer(await written(512));
    const cache = new ChunkCache({ maxBytes: MiB });
    const selection = [slice(10, 200), slice(500, 100, -130)];
    await prefetch(array, selection, { cache });
    // Rows 0 to 3; columns 500, 370, 240 and 110.
    const expected = [0, 1, 2, 3].flatMap((row) => [7, 5, 3, 1].map((column) => `/c/${row}/${column}`));
    expect(server.requests).toEqual(expected);
    expect(await get(array, selection, { cache })).toEqual(
      await get(await open(await written(512), { kind: "array" }), selection),
    );
    expect(server.requests).toHaveLength(16);
    expect(cache.stats).toEqual({ hits: 16, misses: 16, bytes: 16 * 8192, evictions: 0 });
    await prefetch(array, selection, { cache, concurrency: 8 });
    expect(server.requests).toHaveLength(16);
  });

  test.each(kinds)("of %s", async (_, options, value) => {
    const array = await made(options, value);
    const cache = new ChunkCache({ maxBytes: MiB });
    await prefetch(array, null, { cache });
    const { misses } = cache.stats;
    expect(misses).toBeGreaterThanOrEqual(4);
    expect(await get(array, null, { cache })).toEqual(await get(array));
    expect(cache.stats.misses).toBe(misses);
  });

  test("shares requests with reads, fails as they do, and ends with its signal", async () => {
    const values = await written(256);
    const { server, array } = await openServer(values);
    const cache = new ChunkCache({ maxBytes: MiB });
    const controller = new AbortController();
    const ahead = prefetch(array, null, { cache, signal: controller.signal });
    const reading = get(array, tile(0, 0), { cache });
    await reading;
    controller.abort(new Error("enough"));
    await expect(ahead).rejects.toThrow("enough");
    expect(server.requests.filter((key) => key === "/c/0/0")).toHaveLength(1);
    expect(server.requests.length).toBeLessThan(8);
    values.set("/c/3/3", new Uint8Array(1));
    const error: unknown = await prefetch(array, null, { cache }).catch((reason: unknown) => reason);
    expect(isZarrError(error, "CodecError"), String(error)).toBe(true);
  });
});

test("what is no cache, and no number of bytes, is told as what it is", async () => {
  const array = await create(new Map(), { shape: [2], dtype: "int8" });
  for (const attempt of [
    () => Reflect.apply(get, undefined, [array, null, { cache: new Map() }]),
    () => Reflect.apply(getOrthogonal, undefined, [array, [null], { cache: {} }]),
    () => Reflect.apply(prefetch, undefined, [array, null]),
    () => Reflect.apply(prefetch, undefined, [array, null, {}]),
    () =>
      Reflect.apply(prefetch, undefined, [array, null, { cache: new ChunkCache({ maxBytes: 1 }), out: 1 }]),
    async () => Reflect.construct(ChunkCache, [{ maxBytes: "1" }]),
    async () => Reflect.construct(LruCache, [{ maxBytes: -1 }]),
    async () => Reflect.construct(LruCache, [{ maxBytes: Number.NaN }]),
  ]) {
    const error: unknown = await attempt().catch((reason: unknown) => reason);
    expect(isZarrError(error, "InvalidArgumentError"), String(error)).toBe(true);
  }
});

describe("LruCache", () => {
  test("keeps what was used last, and no more memory than it counts", () => {
    const cache = new LruCache({ maxBytes: 1000 });
    const large = new Uint8Array(4000);
    for (let i = 0; i < 100; i++) {
      cache.set(`${i}`, large.subarray(i, i + 100));
      expect(cache.get("0")?.length).toBe(100);
    }
    expect([...cache.keys()]).toEqual(
      ["92", "93", "94", "95", "96", "97", "98", "99", "0"].slice(-9).toSpliced(0, 0, "91"),
    );
    expect([cache.bytes, cache.size, cache.evictions]).toEqual([1000, 10, 90]);
    expect(cache.get("99")?.buffer.byteLength).toBe(100);
    cache.set("99", undefined).set("1", new Uint8Array(1001));
    expect([cache.bytes, cache.has("99"), cache.get("99"), cache.has("1")]).toEqual([
      964,
      true,
      undefined,
      false,
    ]);
    expect([cache.delete("99"), cache.delete("99"), cache.bytes]).toEqual([true, false, 900]);
    cache.clear();
    expect([cache.bytes, cache.size]).toEqual([0, 0]);
    for (let i = 0; i < 30; i++) cache.set(`${i}`, new Uint8Array(200));
    expect([...cache.keys()]).toEqual(["25", "26", "27", "28", "29"]);
  });

  test("bounds withByteCaching", async () => {
    const server = new RangeStore(await written(256));
    const cache = new LruCache({ maxBytes: 4 * 8192 + 5000 });
    const array = await open.v3(withByteCaching(readOnly(server), { cache }), { kind: "array" });
    for (let i = 0; i < 2; i++) for (const row of [0, 1, 2]) await get(array, tile(row, 0));
    // The document, and three chunks.
    expect(server.requests).toHaveLength(4);
    for (const row of [3, 2, 1, 0]) await get(array, tile(row, 0));
    expect(cache.bytes).toBeLessThanOrEqual(cache.maxBytes);
    expect(server.requests.length).toBeLessThanOrEqual(6);
  });
});

test("inner chunks that are read together have the fill value behind the edge of the array", async () => {
  const layout = { shape: [6], chunkShape: [4], shards: [8], dtype: "int16", fillValue: 900 } as const;
  const array = await create(new MemoryStore(), layout);
  await set(array, null, 7);
  const cache = new ChunkCache({ maxBytes: 1 << 20 });
  const [, last] = await Promise.all([getChunk(array, [0], { cache }), getChunk(array, [1], { cache })]);
  expect(last.data).toEqual(Int16Array.of(7, 7, 900, 900));
});
