/**
 * What `withByteCaching` passes on between the store and its readers: checked answers, `onValue`,
 * `maximumBytes`.
 */
import { expect, test } from "vitest";
import {
  type AbsolutePath,
  create,
  get,
  isZarrError,
  MemoryStore,
  open,
  type RangeQuery,
  type StoreOptions,
  set,
  slice,
  withByteCaching,
} from "../../../src/index.js";
import { LruCache } from "../../../src/main/caches.js";
import { rejection } from "../../array/untyped.js";

const bytes = Uint8Array.from({ length: 100 }, (_, i) => i);

test.each([new Map<string, Uint8Array | undefined>(), new LruCache({ maxBytes: 1000 })])(
  "null is a missing key, and what is not bytes a StoreError: cache %#",
  async (cache) => {
    let answer: unknown = null;
    const given = { get: async () => answer, getRange: async () => answer };
    // @ts-expect-error such stores are written in JavaScript
    const store = withByteCaching(given, { cache });
    for (let i = 0; i < 2; i++) {
      expect(await store.get("/nothing")).toBeUndefined();
      expect(await store.getRange("/nothing", { offset: 0, length: 1 })).toBeUndefined();
    }
    for (answer of ["text", 7, false, new ArrayBuffer(3), [1, 2], { length: 3 }, new Uint16Array(2)]) {
      for (const options of [{}, { current: true }, { maximumBytes: 1 }]) {
        const errors = await Promise.all(
          [
            store.get("/value", options),
            store.get("/value", options),
            store.getRange("/value", { suffixLength: 1 }, options),
          ].map((each) => rejection(async () => each, [])),
        );
        for (const error of errors) {
          expect(isZarrError(error, "StoreError") && error.message).toMatch(/expected a Uint8Array/);
          expect(isZarrError(error, "StoreError") && error.key).toBe("/value");
        }
      }
    }
    answer = bytes;
    expect(await store.get("/value")).toEqual(bytes);
  },
);

test.each([
  () => new Map<string, Uint8Array | undefined>(),
  () => new LruCache({ maxBytes: 1000 }),
  () => new LruCache({ maxBytes: 0 }),
])("every reader learns length and version of the value: cache %#", async (newCache) => {
  const value = { byteLength: 100, version: "one" };
  const store = withByteCaching(
    {
      get: () => bytes,
      async getParts(_: AbsolutePath, ranges: readonly RangeQuery[] | undefined) {
        return { parts: [ranges === undefined ? bytes : bytes.subarray(0, 4)], ...value };
      },
    },
    { cache: newCache() },
  );
  for (const ranges of [undefined, [{ offset: 0, length: 4 }]]) {
    const read = async (options: StoreOptions) => {
      const found = await store.getParts("/value", ranges, options);
      return [found?.byteLength, found?.version, found?.parts[0]?.length];
    };
    value.version = "one";
    const length = ranges === undefined ? 100 : 4;
    const one = [100, "one", length];
    expect(await Promise.all([read({}), read({}), read({})])).toEqual([one, one, one]);
    expect(await read({})).toEqual(one);
    value.version = "two";
    expect(await read({ current: true })).toEqual([100, "two", length]);
    expect(await read({})).toEqual([100, "two", length]);
  }
});

test("ranges that were cached at different times are read again: they may be of two versions", async () => {
  let version = 1;
  let requests = 0;
  const store = withByteCaching({
    get: () => bytes,
    async getParts(_: AbsolutePath, ranges: readonly RangeQuery[] | undefined) {
      requests++;
      return { parts: (ranges ?? []).map(() => Uint8Array.of(version)), version };
    },
  });
  const [first, second] = [
    { offset: 0, length: 1 },
    { offset: 9, length: 1 },
  ] as const;
  expect(await store.getRange("/value", first)).toEqual(Uint8Array.of(1));
  version = 2;
  expect(await store.getRange("/value", second)).toEqual(Uint8Array.of(2));
  const found = await store.getParts("/value", [first, second]);
  expect(found).toEqual({ parts: [Uint8Array.of(2), Uint8Array.of(2)], version: 2 });
  expect(requests).toBe(3);
});

test("`maximumBytes` holds for what is cached, and for requests that are under way", async () => {
  const asked: (number | undefined)[] = [];
  const store = withByteCaching({
    async get(_: AbsolutePath, options?: StoreOptions) {
      asked.push(options?.maximumBytes);
      return bytes;
    },
  });
  const read = (maximumBytes?: number) => store.get("/value", { maximumBytes });
  const settled = await Promise.allSettled([read(), read(50), read(50), read(100), read()]);
  expect(settled.map(({ status }) => status)).toEqual([
    "fulfilled",
    "rejected",
    "rejected",
    "fulfilled",
    "fulfilled",
  ]);
  expect(asked).toEqual([undefined, 50, 100]);
  const error = await read(99).catch((error: unknown) => error);
  expect(isZarrError(error, "StoreError") && error.message).toMatch(/at most 99 bytes.*got 100/);
  expect(await read(100)).toBe(bytes);
  expect(asked).toHaveLength(3);
});

test("a shard that was replaced is read as one version, though its index is cached", async () => {
  const memory = new MemoryStore();
  const given = { shape: [8], chunkShape: [2], shards: [8], dtype: "int32", codecs: [] } as const;
  const made = await create(memory, given);
  // The first inner chunk is not stored: the others move when it is.
  await set(made, null, Int32Array.of(0, 0, 2, 2, 3, 3, 4, 4));
  let version = 1;
  const array = await open(
    withByteCaching({
      get: async (key: AbsolutePath) => memory.values.get(key),
      getParts: async (key: AbsolutePath, ranges: readonly RangeQuery[] | undefined) => {
        const found = await memory.getParts(key, ranges);
        return found && { ...found, version };
      },
    }),
    { kind: "array" },
  );
  expect((await get(array, [slice(2, 4)])).data).toEqual(Int32Array.of(2, 2));
  await set(made, null, Int32Array.of(5, 5, 6, 6, 7, 7, 8, 8));
  version = 2;
  expect((await get(array, [slice(4, 6)])).data).toEqual(Int32Array.of(7, 7));
});
