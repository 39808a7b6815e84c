/**
 * Shards of a store that opens values for reading at once: inner chunk after inner chunk, straight into
 * scratch memory.
 */
import { describe, expect, test } from "vitest";
import type { OpenValue, ValueParts } from "../../../src/core/stores/store.js";
import {
  type AbsolutePath,
  create,
  get,
  isZarrError,
  open,
  type RangeQuery,
  type Selection,
  type Store,
  set,
  slice,
} from "../../../src/index.js";
import { copiedInto, rangeOf } from "../../setup/stores.js";

type Values = Map<string, Uint8Array>;

class OpeningStore implements Store {
  readonly kind = "files";
  values: Values;
  version = 1;
  opened = 0;
  closed = 0;
  reads = 0;
  /** How often it opens something before it is too slow for that. */
  readonly #limit: number;
  beforeOpening: () => void = () => {};

  constructor(values: Values, limit = Number.POSITIVE_INFINITY) {
    this.values = values;
    this.#limit = limit;
  }

  get(key: AbsolutePath): Uint8Array | undefined {
    return this.values.get(key);
  }

  async getParts(
    key: AbsolutePath,
    ranges: readonly RangeQuery[] | undefined,
  ): Promise<ValueParts | undefined> {
    const value = this.values.get(key);
    const parts = value && (ranges?.map((range) => rangeOf(value, range)) ?? [value]);
    return parts && { parts, byteLength: value?.length, version: this.version };
  }

  openNow(key: AbsolutePath): OpenValue | "later" | undefined {
    if (this.opened === this.#limit) return "later";
    this.beforeOpening();
    const value = this.values.get(key);
    if (value === undefined) return undefined;
    this.opened++;
    const read: OpenValue["read"] = (range, allocate) => {
      this.reads++;
      return copiedInto(rangeOf(value, range), allocate);
    };
    return {
      byteLength: value.length,
      version: this.version,
      whole: (allocate) => read({ offset: 0, length: value.length }, allocate),
      read,
      close: () => {
        this.closed++;
      },
    };
  }
}

const SIDE = 70;
const COUNT = SIDE ** 3;

/**
 * In shards of 1 MiB, two by two by two; corners and one inner chunk in the middle of a shard are missing.
 */
async function written(codecs: readonly string[], first: number): Promise<Values> {
  const values: Values = new Map();
  const array = await create(values, {
    shape: [SIDE, SIDE, SIDE],
    dtype: "float32",
    chunkShape: [16, 16, 16],
    shards: [64, 64, 64],
    codecs,
    fillValue: 7,
  });
  await set(
    array,
    null,
    Float32Array.from({ length: COUNT }, (_, i) => first + (i % 1000)),
  );
  await set(array, [slice(16, 32), slice(16, 32), slice(32, 48)], 7);
  await set(array, [slice(64, 70), slice(64, 70), null], 7);
  return values;
}

const selections: Record<string, Selection> = {
  everything: null,
  "one plane": [null, null, 5],
  "every second element": [slice(null, null, 2), slice(null, null, -2), slice(null, null, 2)],
  "a box": [slice(10, 50), slice(20, 66), slice(1, 40)],
};

async function read(store: Store, selection: Selection): Promise<Float32Array> {
  const { data } = await get(await open(store, { kind: "array" }), selection);
  return data instanceof Float32Array ? data : expect.fail("expected float32");
}

describe.each([[["bytes"]], [["zstd"]]])("%j", (codecs) => {
  test.each(Object.entries(selections))(
    "%s is what a Map gives, however often the store opens",
    async (_, selection) => {
      const values = await written(codecs, 1);
      const expected = await read(values, selection);
      for (const limit of [0, 1, 3, Number.POSITIVE_INFINITY]) {
        const store = new OpeningStore(values, limit);
        const found = await read(store, selection);
        // Not `toEqual`, which takes 10 us an element.
        expect(found).toHaveLength(expected.length);
        expect(found.findIndex((value, i) => value !== expected[i])).toBe(-1);
        expect(store.opened).toBe(store.closed);
        if (limit === 0) expect(store.reads).toBe(0);
        if (limit > 2) expect(store.reads).toBeGreaterThan(0);
      }
    },
  );

  test("a shard that is replaced after its index was cached is read with its new index", async () => {
    const [old, changed] = [await written(codecs, 1), await written(codecs, 5000)];
    const store = new OpeningStore(old);
    const array = await open(store, { kind: "array" });
    await get(array, [0, 0, 0]);
    store.beforeOpening = () => {
      store.values = changed;
      store.version = 2;
    };
    const selection = [slice(0, 64), slice(0, 64), slice(0, 64)];
    expect((await get(array, selection)).data).toEqual(await read(changed, selection));
    expect(store.opened).toBe(store.closed);
  });
});

test("a shard that is replaced between two bands is read again", async () => {
  // Two bands of 800 inner chunks each, across 100 shards: more than are open at once.
  const write = async (value: number): Promise<Values> => {
    const values: Values = new Map();
    const layout = { shape: [16, 1600], chunkShape: [4, 4], shards: [16, 16], codecs: ["zstd"] };
    await set(await create(values, { ...layout, dtype: "float32" }), null, value);
    return values;
  };
  const changed = await write(2);
  for (const isReplaced of [false, true]) {
    const store = new OpeningStore(await write(1));
    store.beforeOpening = () => {
      if (!isReplaced || store.opened !== 100) return;
      store.values = changed;
      store.version = 2;
    };
    const found = await read(store, null);
    expect(found.every((value) => value === (isReplaced ? 2 : 1))).toBe(true);
    expect(store.opened).toBeGreaterThan(100);
    expect(store.opened).toBe(store.closed);
  }
});

test("a shard that ends too early is an error, and is closed", async () => {
  const values = await written(["bytes"], 1);
  const store = new OpeningStore(values);
  const array = await open(store, { kind: "array" });
  // The index is known from here on.
  await get(array, [0, 0, 0]);
  const shard = values.get("/c/0/0/0");
  if (shard === undefined) throw new Error("expected a shard");
  values.set("/c/0/0/0", shard.subarray(0, 20_000));
  const error: unknown = await get(array, [null, null, 5]).catch((reason) => reason);
  expect(isZarrError(error, "CodecError")).toBe(true);
  expect(error).toMatchObject({ key: "/c/0/0/0" });
  expect(store.opened).toBe(store.closed);
});

test("short inner chunks are read together, by shard", async () => {
  const values: Values = new Map();
  const options = {
    shape: [128, 128],
    dtype: "uint8",
    chunkShape: [8, 8],
    shards: [64, 64],
    codecs: ["bytes"],
  } as const;
  await set(await create(values, options), null, new Uint8Array(128 ** 2).fill(3));
  const store = new OpeningStore(values);
  const array = await open(store, { kind: "array" });
  // The index of each shard, and the inner chunks of each, of which neighbours come in one read.
  await get(array, null);
  expect([store.opened, store.reads]).toEqual([8, 8]);
  await get(array, [null, 3]);
  expect([store.opened, store.reads]).toEqual([10, 10]);
  expect(store.closed).toBe(10);
});
