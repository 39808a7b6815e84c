/**
 * Ways of chunks to a store: straight from the caller's elements or by way of scratch, at once or later, in
 * memory of their own or not.
 */
import { describe, expect, test } from "vitest";
import type { AbsolutePath, OpenValue, WritableStore } from "../../src/core/stores/store.js";
import { create, get, isZarrError, registry, set, slice } from "../../src/index.js";
import type { Codec } from "../../src/main/codecs.js";
import { rejection } from "../array/untyped.js";
import { SlowStore } from "../setup/stores.js";
import { opened } from "./opened.js";

/**
 * Stores at once, into memory of its own; every `refusal`-th time it has to be asked to `set`, which answers
 * later.
 */
class CopyingStore {
  readonly map = new Map<string, Uint8Array>();
  readonly copiesValues = true;
  atOnce = 0;
  later = 0;
  #calls = 0;
  readonly #refusal: number;
  readonly #wait: (key: string) => Promise<void>;

  constructor(refusal: number, wait = (_: string) => new Promise<void>((resolve) => setTimeout(resolve, 1))) {
    this.#refusal = refusal;
    this.#wait = wait;
  }

  get(key: AbsolutePath): Uint8Array | undefined {
    return this.map.get(key);
  }

  setNow(key: AbsolutePath, value: Uint8Array): boolean {
    if (++this.#calls % this.#refusal === 0) return false;
    this.atOnce++;
    this.map.set(key, value.slice());
    return true;
  }

  async set(key: AbsolutePath, value: Uint8Array): Promise<void> {
    this.later++;
    await this.#wait(key);
    this.map.set(key, value.slice());
  }
}

/** Many elements, compared without a list of what differs. */
function expectSame(got: Float32Array | Float64Array, expected: Float32Array | Float64Array): void {
  expect(got.length).toBe(expected.length);
  expect(got.every((value, i) => Object.is(value, expected[i]))).toBe(true);
}

const stores: readonly [name: string, make: () => WritableStore][] = [
  ["a Map", () => new Map<string, Uint8Array>()],
  ["a store that stores at once", () => new CopyingStore(Number.POSITIVE_INFINITY)],
  ["one that stores at once now and then", () => new CopyingStore(3)],
];

describe.each(stores)("%s", (_, makeStore) => {
  const shape = [70, 900];
  const count = 63_000;
  const value = (i: number): number => (i * 2654435761) % 251;

  // Rows of chunks: short, long, long and as they lie in the caller's memory; whole chunks and such beyond
  // the edge.
  test.each([
    { chunkShape: [16, 100] },
    { chunkShape: [16, 600] },
    { chunkShape: [10, 900] },
    { chunkShape: [32, 900] },
    { chunkShape: [70, 900] },
    { chunkShape: [1, 600] },
  ])("chunks of $chunkShape", async ({ chunkShape }) => {
    for (const codecs of [[], ["crc32c"], ["gzip"]]) {
      const store = makeStore();
      const array = await create(store, { shape, chunkShape, dtype: "float32", codecs, fillValue: 1 });
      const data = Float32Array.from({ length: count }, (_, i) => value(i));
      const expected = data.slice();
      await set(array, null, { data, shape });
      // What is stored is the store's own.
      data.fill(-1);
      expectSame((await get(array)).data, expected);

      const part = Float32Array.from({ length: 30 * 880 }, (_, i) => value(i) + 0.5);
      await set(array, [slice(5, 35), slice(10, 890)], { data: part, shape: [30, 880] });
      for (let y = 0; y < 30; y++) {
        expected.set(part.subarray(y * 880, (y + 1) * 880), (y + 5) * 900 + 10);
      }
      expectSame((await get(array)).data, expected);

      // Nothing but fill value is left of the first rows of chunks.
      await set(array, [slice(0, 32), null], 1);
      expected.fill(1, 0, 32 * 900);
      expectSame((await get(array)).data, expected);
    }
  });

  test("columns of the caller's become rows of chunks", async () => {
    const array = await create(makeStore(), {
      codecs: [],
      shape: [40, 600],
      chunkShape: [16, 300],
      dtype: "float32",
    });
    const data = Float32Array.from({ length: 24_000 }, (_, i) => value(i) + 1);
    await set(array, null, { data, shape: [40, 600], stride: [1, 40] });
    const expected = data.map((_, i) => data[(i % 600) * 40 + Math.floor(i / 600)] ?? 0);
    expectSame((await get(array)).data, expected);
  });
});

test("a store that stores at once is not asked to do it later", async () => {
  const store = new CopyingStore(Number.POSITIVE_INFINITY);
  const array = await create(store, { codecs: [], shape: [64, 64], chunkShape: [16, 16], dtype: "uint8" });
  const before = store.later;
  await set(array, null, 3);
  expect([store.atOnce, store.later - before]).toEqual([16, 0]);
});

test("a chunk of which some stays is read into memory that is lent and stored at once, too", async () => {
  class LentStore extends CopyingStore {
    readonly lent: Uint8Array[] = [];
    readonly kind = "files";
    openNow(key: AbsolutePath): OpenValue | undefined {
      const value = this.map.get(key);
      if (value === undefined) return undefined;
      const { whole, ...open } = opened(value, { bytes: 0, open: 0 });
      return {
        ...open,
        whole: (allocate) => {
          const memory = whole(allocate);
          if (memory !== undefined) this.lent.push(memory);
          return memory;
        },
      };
    }
  }
  for (const codecs of [[], ["gzip"]]) {
    const store = new LentStore(Number.POSITIVE_INFINITY);
    const shape = [4, 40_000];
    const array = await create(store, { shape, chunkShape: [2, 20_000], dtype: "float32", codecs });
    const data = Float32Array.from({ length: 160_000 }, (_, i) => i % 1009);
    await set(array, null, { data, shape });
    const before = store.atOnce;
    store.later = 0;
    // A row through two chunks, twice: the memory of the first write is used again.
    for (const at of [1, 2]) {
      const row = Float32Array.from({ length: 40_000 }, (_, i) => -i - at);
      await set(array, [at, null], { data: row, shape: [40_000] });
      data.set(row, at * 40_000);
    }
    expect([store.atOnce - before, store.later, store.lent.length]).toEqual([4, 0, 4]);
    expectSame((await get(array)).data, data);
  }
});

test("no more is under way than is asked for, from the first chunk that takes its time", async () => {
  let running = 0;
  let most = 0;
  const store = new CopyingStore(2, async () => {
    most = Math.max(most, ++running);
    await new Promise((resolve) => setTimeout(resolve, 1));
    running--;
  });
  const array = await create(store, { codecs: [], shape: [64, 64], chunkShape: [8, 8], dtype: "uint8" });
  await set(array, null, 3, { concurrency: 2 });
  expect([most, running, store.map.size]).toEqual([2, 0, 65]);
});

test("when a chunk cannot be stored no further one begins", async () => {
  let begun = 0;
  let running = 0;
  let fourHaveBegun = () => {};
  let secondHasFailed = () => {};
  const four = new Promise<void>((resolve) => (fourHaveBegun = resolve));
  const failure = new Promise<void>((resolve) => (secondHasFailed = resolve));
  const store = new CopyingStore(1, async (key) => {
    if (key.endsWith("zarr.json")) return;
    running++;
    begun++;
    if (begun === 4) fourHaveBegun();
    if (begun !== 2) {
      await failure;
      await new Promise((resolve) => setTimeout(resolve, 5));
      running--;
      return;
    }
    await four;
    running--;
    setTimeout(secondHasFailed);
    throw new Error("full");
  });
  const array = await create(store, { codecs: [], shape: [64], chunkShape: [2], dtype: "uint8" });
  const error = await rejection(set, [array, null, 3, { concurrency: 4 }]);
  expect(isZarrError(error, "StoreError") && error.cause).toMatchObject({ message: "full" });
  // The other three of the four that were under way are awaited.
  expect([begun, running]).toEqual([4, 0]);
});

test("memory that is used again is not used again before a slow store is done with it", async () => {
  const store = new CopyingStore(2);
  const array = await create(store, {
    codecs: [],
    shape: [512, 512],
    chunkShape: [128, 128],
    dtype: "float64",
  });
  const written = [1, 2, 3].map((factor) => Float64Array.from({ length: 2 ** 18 }, (_, i) => factor * i));
  for (const data of written) {
    await set(array, null, data);
    expectSame((await get(array)).data, data);
  }
});

test("when a later chunk cannot be encoded, what was begun is awaited", async () => {
  let encoded = 0;
  const codec: Codec = {
    kind: "bytes_to_bytes",
    synchronous: true,
    decode: (bytes) => bytes,
    encode(bytes) {
      if (++encoded === 3) throw new Error("no more");
      return bytes;
    },
  };
  registry.set("test.third-fails", async () => ({ codecKind: "bytes_to_bytes", fromConfig: () => codec }));
  let underWay = 0;
  const store = new CopyingStore(1, async () => {
    underWay++;
    await new Promise((resolve) => setTimeout(resolve, 5));
    underWay--;
  });
  const array = await create(store, {
    shape: [8],
    chunkShape: [2],
    dtype: "uint8",
    codecs: ["test.third-fails"],
  });
  encoded = 0;
  const error = await rejection(set, [array, null, 5]);
  expect(isZarrError(error, "CodecError")).toBe(true);
  expect(underWay).toBe(0);
  // Its lock is not held any more either.
  encoded = 10;
  await set(array, null, 5);
  expect((await get(array)).data).toEqual(new Uint8Array(8).fill(5));
});

test("small chunks in a Map share memory, but little of it, and nothing else", async () => {
  const store = new Map<string, Uint8Array>();
  const array = await create(store, { codecs: [], shape: [3000], chunkShape: [25], dtype: "float64" });
  const data = Float64Array.from({ length: 3000 }, (_, i) => i + 1);
  await set(array, null, data);
  const values = [...store].filter(([key]) => key.startsWith("/c/")).map(([, value]) => value);
  expect(values).toHaveLength(120);
  expect(new Set(values.map(({ buffer }) => buffer)).size).toBe(1);
  const most = Math.max(...values.map(({ buffer }) => buffer.byteLength));
  expect(most).toBeLessThanOrEqual(2 ** 16);
  await set(array, [slice(25, 50)], 0.5);
  data.fill(0.5, 25, 50);
  expectSame((await get(array)).data, data);
  const one = store.get("/c/1");
  expect([one?.byteLength, one?.buffer.byteLength]).toEqual([200, 200]);
});

test("a failure while other blocks of a rectilinear array keep the store busy is that of the write, and nobody else's", async () => {
  const store: WritableStore = {
    get: () => undefined,
    async set(key) {
      // The first chunk of the last block is begun while all places are taken.
      await new Promise((resolve) => setTimeout(resolve, key === "/c/24" ? 1 : 20));
      if (key === "/c/24") throw new Error("full");
    },
  };
  const lengths = [40, 30, 20, 10];
  const array = await create(store, {
    codecs: [],
    shape: [800],
    chunkShape: [lengths.map((length) => [length, 8] as const)],
    dtype: "uint8",
  });
  const error = await rejection(set, [array, null, new Uint8Array(800).fill(1), { concurrency: 25 }]);
  expect(error).toMatchObject({ tag: "StoreError", key: "/c/24" });
});

test("no more than `concurrency` chunks are on their way to the store, whose answers come later", async () => {
  const store = new SlowStore();
  // A chunk of 4 MiB is a band of its own.
  const array = await create(store, { codecs: [], shape: [5 << 22], chunkShape: [1 << 22], dtype: "uint8" });
  await set(array, null, 1, { concurrency: 2 });
  expect([store.mostUnderWay, store.underWay]).toEqual([2, 0]);
});

test("a store whose answers only look like promises is waited for", async () => {
  const map = new Map<string, Uint8Array>();
  const store: WritableStore = {
    get: (key) => map.get(key),
    set(key, value) {
      const settle = (resolve: () => void): void => {
        setTimeout(() => {
          map.set(key, value);
          resolve();
        }, 1);
      };
      return Object.fromEntries(["then"].map((name) => [name, settle]));
    },
  };
  const array = await create(store, { codecs: [], shape: [4], dtype: "int8" });
  await set(array, null, 3);
  expect((await get(array)).data).toEqual(Int8Array.of(3, 3, 3, 3));
});

test("a whole chunk waits for a writer of a part of it that has read it already", async () => {
  const map = new Map<string, Uint8Array>();
  let isSlow = false;
  const store: WritableStore = {
    async get(key) {
      const value = map.get(key);
      if (isSlow) await new Promise((resolve) => setTimeout(resolve, 10));
      return value;
    },
    set: (key, value) => map.set(key, value),
  };
  const array = await create(store, { codecs: [], shape: [4], dtype: "int8" });
  await set(array, null, 1);
  isSlow = true;
  const part = set(array, [0], 2);
  await new Promise((resolve) => setTimeout(resolve, 2));
  await Promise.all([part, set(array, null, 3)]);
  expect((await get(array)).data).toEqual(Int8Array.of(3, 3, 3, 3));
});
