/** What comes out is the same with workers as without, wherever the result lies. */
import { afterAll, describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/index.js";
import { LITTLE } from "../setup/codecs.js";
import { readOnly, SlowStore } from "../setup/stores.js";
import { expectTasks, loadApi, loadWorkers } from "./dist.js";

const api = await loadApi();
const { WorkerPool } = await loadWorkers();
const pool = new WorkerPool({ size: 2 });
afterAll(() => pool.close());

const SIDE = 256;
const SHAPE = [SIDE, SIDE];
const data = Float32Array.from({ length: SIDE * SIDE }, (_, i) => Math.sin(i / 50) * 100 + (i % 7));

const gzip = { name: "gzip", configuration: { level: 5 } };

function shardsOf(chunkShape: number[], codecs: JsonObject[]): { name: string; configuration: JsonObject } {
  return {
    name: "sharding_indexed",
    configuration: { chunk_shape: chunkShape, codecs, index_codecs: [LITTLE, { name: "crc32c" }] },
  };
}

const blosc = {
  name: "blosc",
  configuration: { cname: "lz4", clevel: 3, shuffle: "shuffle", typesize: 4, blocksize: 0 },
};
const layouts = [
  { name: "gzip", codecs: ["gzip"] },
  { name: "blosc", codecs: [blosc] },
  { name: "big-endian zlib in order F", codecs: ["zlib"], endian: "big", order: "F" },
  { name: "crc32c alone", codecs: ["crc32c"] },
  { name: "chunks that end beyond the array", codecs: ["gzip"], chunkShape: [100, 150] },
  {
    name: "v2 with a filter",
    zarrFormat: 2,
    codecs: { filters: [{ id: "shuffle", elementsize: 4 }], compressor: { id: "zlib", level: 1 } },
  },
  {
    name: "the 2020 draft",
    zarrFormat: "draft",
    codecs: { codec: "https://purl.org/zarr/spec/codec/gzip/1.0", configuration: { level: 1 } },
  },
  { name: "chunks of different shapes", codecs: ["gzip"], chunkShape: [[100, 28, 64, 64], [[128, 2]]] },
  {
    name: "small chunks of different shapes",
    codecs: ["zlib"],
    chunkShape: [
      [3, 61, 2, 64, 126],
      [9, 247],
    ],
  },
  { name: "shards of different shapes", codecs: ["gzip"], chunkShape: [64, 64], shards: [[64, 192], 128] },
  { name: "shards of gzip", codecs: ["gzip"], shards: [256, 256] },
  {
    name: "shards in shards",
    codecs: [shardsOf([128, 128], [shardsOf([64, 64], [LITTLE, gzip])])],
    chunkShape: SHAPE,
  },
  {
    name: "shards that are compressed themselves",
    codecs: [shardsOf([128, 128], [LITTLE, gzip]), "gzip"],
    chunkShape: SHAPE,
  },
] as const;

/** An array for the workers and one for the calling thread alone, each in a store of its own. */
async function createTwice(layout: Omit<(typeof layouts)[number], "name">) {
  const options = {
    shape: SHAPE,
    chunkShape: [128, 128],
    dtype: "float32",
    fillValue: 7,
    ...layout,
  } as const;
  const store = new Map<string, Uint8Array>();
  const plain = new Map<string, Uint8Array>();
  const array = await api.create(store, options);
  return { store, plain, array, reference: await api.create(plain, options) };
}

function expectSameStores(got: Map<string, Uint8Array>, expected: Map<string, Uint8Array>): void {
  expect([...got.keys()].sort()).toEqual([...expected.keys()].sort());
  for (const [key, value] of got) expectSame(value, expected.get(key) ?? []);
}

/** Element by element, without a list of all the elements that differ. */
function expectSame(got: ArrayLike<unknown>, expected: ArrayLike<unknown>): void {
  expect(got.length).toBe(expected.length);
  const different = Array.from(got).findIndex((value, i) => !Object.is(value, expected[i]));
  expect(different, `${got[different]} instead of ${expected[different]}`).toBe(-1);
}

describe("the same elements come out as without workers", () => {
  expectTasks();
  test.each(layouts)("$name", async ({ name: _, ...layout }) => {
    const { store, plain, array, reference } = await createTwice(layout);
    await api.set(array, null, data, { workers: pool });
    await api.set(reference, null, data);
    expectSameStores(store, plain);
    for (let twice = 0; twice < 2; twice++) {
      expectSame((await api.get(array, null, { workers: pool })).data, data);
      const { data: shared } = await api.get(array, null, { workers: pool, shared: true });
      expect(shared.buffer).toBeInstanceOf(SharedArrayBuffer);
      expectSame(shared, data);
    }
    const parts = [
      [api.slice(3, 200, 5), 130],
      [api.slice(null, null, -1), api.slice(200, 3, -2)],
    ] as const;
    for (const part of parts) {
      const expected = await api.get(reference, part);
      const plainly = await api.get(array, part, { workers: pool });
      expect([plainly.shape, plainly.stride]).toEqual([expected.shape, expected.stride]);
      expectSame(plainly.data, expected.data);
      const out = new Float32Array(new SharedArrayBuffer(expected.data.byteLength)).fill(-1);
      const got = await api.get(array, part, { workers: pool, out });
      expect(got.data).toBe(out);
      expectSame(out, expected.data);
      await api.set(array, part, 1, { workers: pool });
      await api.set(reference, part, 1);
      expectSameStores(store, plain);
    }
    // Absent chunks among present ones, in memory that is not zero.
    const absent = [...plain.keys()].find((key) => /[/.][01]$/.test(key)) ?? "";
    for (const values of [store, plain]) expect(values.delete(absent)).toBe(true);
    const out = new Float32Array(new SharedArrayBuffer(data.byteLength)).fill(-1);
    await api.get(array, null, { workers: pool, out });
    expectSame(out, (await api.get(reference)).data);
  });

  test.each(layouts)(
    "and what was appended stays when the array from before is written: $name",
    async ({ name: _, ...layout }) => {
      const { store, plain, array, reference } = await createTwice(layout);
      const added = { data: Float32Array.from({ length: 40 * SIDE }, (_, i) => i), shape: [40, SIDE] };
      const whole = [array, reference].map((each) => api.resize(each, [240, 230]));
      for (const [i, shrunk] of (await Promise.all(whole)).entries()) {
        const options = i === 0 ? { workers: pool } : {};
        const columns = { data: new Float32Array(240 * 26).fill(5), shape: [240, 26] };
        const wider = await api.append(shrunk, columns, { axis: 1, ...options });
        const longer = await api.append(wider, added, options);
        await api.set(shrunk, null, 2, options);
        const all = await api.get(longer);
        expectSame(all.data.subarray(240 * SIDE), added.data);
        expectSame(all.data.subarray(230, SIDE), new Float32Array(26).fill(5));
        expectSame(all.data.subarray(239 * SIDE, 239 * SIDE + 230), new Float32Array(230).fill(2));
      }
      expectSameStores(store, plain);
    },
  );

  test("chunk by chunk", async () => {
    const array = await api.create(new Map<string, Uint8Array>(), {
      shape: [200, 200],
      chunkShape: [128, 128],
      dtype: "float32",
      codecs: ["gzip"],
    });
    await api.set(array, null, { data: data.subarray(0, 40_000), shape: [200, 200] });
    for (const options of [{ workers: pool }, { workers: pool, shared: true }]) {
      const { data: chunk, shape } = await api.getChunk(array, [1, 0], options);
      expect(shape).toEqual([128, 128]);
      expectSame(chunk, (await api.getChunk(array, [1, 0])).data);
    }
  });

  test("by way of an extension's getChunk", async () => {
    const { array } = await createTwice({ codecs: ["gzip"] });
    await api.set(array, null, data);
    const extension = api.defineArrayExtension((inner) => ({
      getChunk: (coordinates, options) => inner.getChunk(coordinates, options),
    }));
    const own = new WorkerPool({ size: 1 });
    try {
      expectSame((await api.get(extension(array), null, { workers: own })).data, data);
      expect(own.running).toBe(1);
    } finally {
      await own.close();
    }
  });

  test("slab by slab, and copied", async () => {
    const options = { shape: SHAPE, chunkShape: [64, 64], dtype: "float32", codecs: ["gzip"] } as const;
    const array = await api.create(new Map<string, Uint8Array>(), options);
    await api.set(array, null, data);
    const target = new Map<string, Uint8Array>();
    await api.copyNode(array, target, { codecs: ["zlib"], workers: pool });
    const copied = await api.open(target, { kind: "array" });
    const values: number[] = [];
    for await (const slab of api.read(copied, null, {
      workers: pool,
      maximumBytes: 64 << 10,
      shared: true,
    })) {
      for (const value of slab.data) values.push(Number(value));
    }
    expectSame(values, data);
  });

  test.each(["bool", "int8", "uint64", "float16", "complex64", "numpy.datetime64"] as const)(
    "%s in shared memory",
    async (name) => {
      const dtype =
        name === "numpy.datetime64"
          ? ({ name, configuration: { unit: "s", scale_factor: 1 } } as const)
          : name;
      const array = await api.create(new Map<string, Uint8Array>(), {
        shape: [70_000],
        chunkShape: [70_000],
        dtype,
        codecs: ["gzip"],
      });
      const chunk = await api.get(array);
      const bytes = array.dataType.bytesOf(chunk.data);
      bytes?.forEach((_, i) => {
        bytes[i] = name === "bool" ? i % 2 : (i * 7) % 61;
      });
      await api.set(array, null, { data: chunk.data, shape: [70_000] });
      const shared = await api.get(array, null, { shared: true, workers: pool });
      const sharedBytes = array.dataType.bytesOf(shared.data);
      expect(sharedBytes?.buffer).toBeInstanceOf(SharedArrayBuffer);
      expectSame(sharedBytes ?? [], bytes ?? [0]);
    },
  );

  test.each(layouts)("and those that are chosen, of $name", async ({ name: _, ...layout }) => {
    const { store, plain, array, reference } = await createTwice(layout);
    const rows = Int32Array.from({ length: 400 }, (_, i) => (i * 89) % 190);
    const columns = Int32Array.from({ length: 400 }, (_, i) => -1 - ((i * 31) % 256));
    const crossing = [[4, 250, 130], api.slice(7, 200, 3)];
    for (const [each, more] of [
      [array, { workers: pool }],
      [reference, {}],
    ] as const) {
      await api.set(each, null, data);
      await api.setCoordinates(each, [rows, columns], data.subarray(0, 400), more);
      await api.setOrthogonal(each, crossing, 5, more);
    }
    expectSameStores(store, plain);
    const told: object[] = [];
    const onProgress = (progress: object): number => told.push(progress);
    const points = await api.getCoordinates(array, [columns, rows], { workers: pool, onProgress });
    const expected = await api.getCoordinates(reference, [columns, rows]);
    expect(points.shape).toEqual([400]);
    expectSame(points.data, expected.data);
    expect(told.at(-1)).toMatchObject({ bytes: 1600 });
    const crossed = await api.getOrthogonal(array, crossing, { workers: pool });
    expectSame(crossed.data, (await api.getOrthogonal(reference, crossing)).data);
  });
});

describe("where shared memory cannot be", () => {
  test("a page that is not cross-origin isolated is told what to send", async () => {
    const { SharedArrayBuffer: kept } = globalThis;
    Reflect.deleteProperty(globalThis, "SharedArrayBuffer");
    try {
      const array = await api.create(new Map(), { shape: [4], dtype: "int8" });
      const error = await api.get(array, null, { shared: true }).catch((reason: unknown) => reason);
      expect(api.isZarrError(error, "UnsupportedError") && error.message).toContain(
        "Cross-Origin-Opener-Policy",
      );
    } finally {
      globalThis.SharedArrayBuffer = kept;
    }
  });
  test("elements of variable length have no memory to share", async () => {
    const array = await api.create(new Map(), { shape: [4], dtype: "string" });
    await expect(api.get(array, null, { shared: true })).rejects.toThrow("shared: cannot be combined");
  });
});

describe("the calling thread does the work", () => {
  const reader = async (options: object) => {
    const array = await api.create(new Map<string, Uint8Array>(), {
      shape: SHAPE,
      dtype: "float32",
      chunkShape: [128, 128],
      codecs: ["gzip"],
      ...options,
    });
    const prepared = await array.prepare();
    return { prepared, remote: await pool.reader(prepared, new AbortController().signal) };
  };
  test("of what is little", async () => {
    expect((await reader({})).remote).toBeDefined();
    expect((await reader({ chunkShape: [16, 16] })).remote).toBeUndefined();
    expect((await reader({ codecs: [] })).remote).toBeUndefined();
    const codec = "https://purl.org/zarr/spec/codec/gzip/1.0";
    expect((await reader({ zarrFormat: "draft", codecs: { codec } })).remote).toBeDefined();
    // Of chunks that are small a block is enough work, one alone is not.
    const { prepared, remote } = await reader({ chunkShape: [64, 64] });
    const piece = { chunk: [0, 0], parts: [], whole: true };
    const block = { start: [0, 0], shape: [64, 64], pieces: [piece] };
    expect(remote?.takes(prepared.pipeline, block)).toBe(false);
    expect(remote?.takes(prepared.pipeline, { ...block, pieces: [piece, piece, piece, piece] })).toBe(true);
  });

  test("of variable length", async () => {
    const texts = await api.create(new Map<string, Uint8Array>(), {
      shape: [3],
      dtype: "string",
      codecs: ["gzip"],
    });
    await api.set(texts, null, ["a", "b", "c"], { workers: pool });
    expect((await api.get(texts, null, { workers: pool })).data).toEqual(["a", "b", "c"]);
  });

  test("of codecs of the application's own", async () => {
    const calls: number[] = [];
    api.registry.set("invert", () => ({
      codecKind: "bytes_to_bytes",
      fromConfig: () => ({
        kind: "bytes_to_bytes",
        encode: (bytes) => bytes.map((byte) => ~byte),
        decode: (bytes) => {
          calls.push(bytes.length);
          return bytes.map((byte) => ~byte);
        },
      }),
    }));
    const array = await api.create(new Map<string, Uint8Array>(), {
      shape: SHAPE,
      dtype: "float32",
      codecs: ["invert"],
    });
    await api.set(array, null, data, { workers: pool });
    expect((await api.get(array, null, { workers: pool, shared: true })).data[77]).toBe(data[77]);
    expect(calls.length).toBeGreaterThan(0);
  });
});

test("a store of the application's own is read in the calling thread, and its values stay as they are", async () => {
  const values = new Map<string, Uint8Array>();
  const array = await api.create(values, {
    shape: SHAPE,
    chunkShape: [128, 128],
    dtype: "float32",
    codecs: ["gzip"],
  });
  await api.set(array, null, data);
  const before = new Map([...values].map(([key, value]) => [key, value.slice()]));
  const store = new SlowStore(values);
  const own = await api.open(readOnly(store), { kind: "array" });
  const { data: read } = await api.get(own, null, { workers: pool, shared: true });
  expectSame(Array.from(read, Number), data);
  expect(store.requests.filter((key) => key.startsWith("/c/"))).toHaveLength(4);
  expectSameStores(values, before);
});

test.each([{}, { shared: true }, { codecs: ["gzip"], shards: SHAPE }])(
  "a damaged chunk is the same typed error: %o",
  async ({ shared, ...layout }: { shared?: boolean; shards?: number[] }) => {
    const store = new Map<string, Uint8Array>();
    const array = await api.create(store, {
      shape: SHAPE,
      chunkShape: [128, 128],
      dtype: "float32",
      codecs: ["gzip"],
      ...layout,
    });
    await api.set(array, null, data);
    const key = store.has("/c/1/0") ? "/c/1/0" : "/c/0/0";
    const value = store.get(key)?.slice() ?? new Uint8Array();
    // Of a shard, in the middle of the first inner chunk's deflated bytes.
    store.set(key, layout.shards === undefined ? value.subarray(0, 500) : value.fill(0xff, 100, 2000));
    const alone = await api.get(array).catch((reason: unknown) => reason);
    const error = await api
      .get(array, null, { workers: pool, ...(shared && { shared }) })
      .catch((reason: unknown) => reason);
    if (!api.isZarrError(error, "CodecError") || !api.isZarrError(alone, "CodecError")) throw error;
    expect(error.message).toBe(alone.message);
    expect([error.key, error.chunk, error.codec]).toEqual([alone.key, alone.chunk, alone.codec]);
  },
);

test("decodes for a cache of chunks, whose results may lie in shared memory", async () => {
  const { ChunkCache, create, get, set } = api;
  const shape = [1024, 1024];
  const layout = { shape, chunkShape: [512, 512], dtype: "float32", codecs: ["gzip"] } as const;
  const array = await create(new Map(), layout);
  const elements = Float32Array.from({ length: 1024 ** 2 }, (_, i) => Math.sin(i));
  await set(array, null, { data: elements, shape });
  const own = new WorkerPool({ size: 1 });
  try {
    const cache = new ChunkCache({ maxBytes: elements.byteLength });
    for (const shared of [false, true]) {
      const { data } = await get(array, null, { cache, workers: own, shared });
      expect(data).toEqual(elements);
      expect(data.buffer instanceof SharedArrayBuffer).toBe(shared);
    }
    expect(own.running).toBe(1);
    expect(cache.stats).toEqual({ hits: 4, misses: 4, bytes: elements.byteLength, evictions: 0 });
  } finally {
    await own.close();
  }
});
