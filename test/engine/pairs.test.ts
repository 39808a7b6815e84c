/** Chunks decoded two at a time: the same elements and errors as one after the other. */
import { afterAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { PairDecoder } from "../../src/core/codecs/codec.js";
import type { AbsolutePath, OpenValue, RangeQuery, ValueParts } from "../../src/core/stores/store.js";
import { setKernels } from "../../src/extend.js";
import { create, get, set, slice } from "../../src/index.js";
import { firstDifference } from "../kernels/reference.js";
import { rangeOf } from "../setup/stores.js";
import { opened } from "./opened.js";

/** Whether each of the pairs that were tried was decoded as one. */
const tried = vi.hoisted((): boolean[] => []);
vi.mock("../../src/core/codecs/gzip/inflate.js", async (importOriginal) => {
  const original = await importOriginal<typeof import("../../src/core/codecs/gzip/inflate.js")>();
  const pairDecoder: typeof original.pairDecoder = async (...how) => {
    const decode = await original.pairDecoder(...how);
    const watched: PairDecoder = (...values) => {
      const pair = decode?.(...values);
      tried.push(pair !== undefined);
      return pair;
    };
    return decode && watched;
  };
  return { ...original, pairDecoder };
});
vi.mock("../../src/core/codecs/blosc/streams.js", async (importOriginal) => {
  const original = await importOriginal<typeof import("../../src/core/codecs/blosc/streams.js")>();
  const loadBlockPairs: typeof original.loadBlockPairs = async (kernels, decoders) => {
    await original.loadBlockPairs(kernels, decoders);
    const { decodePair } = decoders;
    if (decodePair === undefined) return undefined;
    decoders.decodePair = (...operands) => {
      const taken = decodePair(...operands);
      tried.push(taken !== undefined);
      return taken;
    };
    return undefined;
  };
  return { ...original, loadBlockPairs };
});
beforeEach(() => {
  tried.length = 0;
});
afterAll(() => setKernels("auto"));

/** Answers at once, into memory that it is given: the arena. */
class ArenaStore {
  readonly kind = "files";
  readonly map = new Map<AbsolutePath, Uint8Array>();
  /** Keys that are answered later. */
  readonly slow = new Set<AbsolutePath>();

  get(key: AbsolutePath): Uint8Array | undefined {
    return this.map.get(key);
  }

  set(key: AbsolutePath, value: Uint8Array): void {
    this.map.set(key, value);
  }

  delete(key: AbsolutePath): void {
    this.map.delete(key);
  }

  openNow(key: AbsolutePath): OpenValue | "later" | undefined {
    if (this.slow.has(key)) return "later";
    const value = this.map.get(key);
    return value && opened(value, { bytes: 0, open: 0 });
  }

  async getParts(
    key: AbsolutePath,
    ranges: readonly RangeQuery[] | undefined,
  ): Promise<ValueParts | undefined> {
    await new Promise((resolve) => setTimeout(resolve, 1));
    const value = this.map.get(key)?.slice();
    return value && { parts: ranges?.map((range) => rangeOf(value, range)) ?? [value] };
  }
}

/** Next to incompressible, so that pairs are worthwhile. */
const noise = (length: number) =>
  Float32Array.from({ length }, (_, i) => Math.sin(i * i) * 1e3 ** Math.cos(i));

async function sample(codecs: readonly string[], options: object = {}, store = new ArenaStore()) {
  const shape = [60, 70];
  const array = await create(store, { shape, chunkShape: [20, 10], dtype: "float32", codecs, ...options });
  const data = noise(60 * 70);
  await set(array, null, { data, shape });
  return { store, array, data };
}

const chunksOf = (store: ArenaStore): AbsolutePath[] => {
  const keys = [...store.map.keys()].filter((key) => key.startsWith("/c/"));
  expect(keys).toHaveLength(21);
  return keys;
};

function rowsOf(data: Float32Array, rows: readonly number[], columns: readonly number[]): number[] {
  return rows.flatMap((row) => columns.map((column) => data[row * 70 + column] ?? 0));
}
const every = (length: number, step = 1, from = 0) =>
  Array.from({ length: Math.ceil((length - from) / step) }, (_, i) => from + i * step);

describe.each([["gzip"], ["shuffle", "gzip"], ["numcodecs.zlib"], ["crc32c", "gzip"]])("%s", (...codecs) => {
  test.each([
    ["C order", {}],
    ["F order", { order: "F" }],
    ["big endian", { endian: "big" }],
    ["in shards", { shards: [60, 40] }],
    ["rows of chunks that are long", { chunkShape: [3, 70] }],
    [
      "chunks of lengths in turn",
      {
        chunkShape: [
          [19, 21, 20],
          [9, 11, 10, 9, 11, 20],
        ],
      },
    ],
    ["chunks of any lengths", { chunkShape: [[1, 2, [3, 7], 36], 70] }],
  ])("%s", async (_, options) => {
    const { array, data } = await sample(codecs, options);
    for (let twice = 0; twice < 2; twice++) {
      expect([...(await get(array)).data]).toEqual([...data]);
      const part = await get(array, [slice(5, 50, 3), slice(null, null, -1)]);
      expect([...part.data]).toEqual(rowsOf(data, every(50, 3, 5), every(70).reverse()));
    }
    expect(tried.length).toBeGreaterThan(4);
    expect(tried).not.toContain(false);
  });
});

test("an absent chunk anywhere", async () => {
  const { store, array, data } = await sample(["gzip"], { fillValue: -5 });
  for (const key of chunksOf(store)) {
    const [row, column] = key.split("/").slice(-2).map(Number);
    const value = store.map.get(key);
    store.delete(key);
    const result = await get(array);
    const isAbsent = (at: number) => Math.floor(at / 1400) === row && Math.floor((at % 70) / 10) === column;
    expect([...result.data]).toEqual([...data].map((element, at) => (isAbsent(at) ? -5 : element)));
    if (value) store.map.set(key, value);
  }
  expect(tried).not.toContain(false);
});

test("damage to any chunk is its error, and the chunk beside it is none the worse", async () => {
  const { store, array, data } = await sample(["gzip"]);
  const keys = chunksOf(store);
  for (const [i, key] of keys.entries()) {
    const value = store.map.get(key) ?? new Uint8Array();
    const damaged = value.slice(0, i % 3 === 0 ? value.length - 9 : value.length);
    if (i % 3 === 1) damaged[value.length >> 1] = (damaged[value.length >> 1] ?? 0) ^ 255;
    if (i % 3 === 2) damaged[0] = 0;
    store.map.set(key, damaged);
    const [row = 0, column = 0] = key.split("/").slice(-2).map(Number);
    const alone = await get(array, [
      slice(20 * row, 20 * row + 1),
      slice(10 * column, 10 * column + 1),
    ]).catch((error: unknown) => error);
    expect(alone).toMatchObject({ tag: "CodecError", key, chunk: [row, column], codec: "gzip" });
    await expect(get(array)).rejects.toEqual(alone);
    store.map.set(key, value);
    expect([...(await get(array)).data]).toEqual([...data]);
  }
  expect(tried).toContain(false);
});

test("a store that answers later from some chunk on", async () => {
  const { store, array, data } = await sample(["gzip"]);
  for (const key of chunksOf(store)) {
    store.slow.add(key);
    expect([...(await get(array)).data]).toEqual([...data]);
    store.slow.delete(key);
  }
  for (const key of chunksOf(store)) store.slow.add(key);
  expect([...(await get(array)).data]).toEqual([...data]);
  expect(tried).not.toContain(false);
});

test("members that follow each other, and chunks of mostly matches, are decoded alone", async () => {
  const { store, array, data } = await sample(["gzip"]);
  const empty = Uint8Array.of(31, 139, 8, 0, 0, 0, 0, 0, 0, 255, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0);
  for (const key of chunksOf(store)) {
    store.map.set(key, Uint8Array.of(...(store.map.get(key) ?? []), ...empty));
  }
  expect([...(await get(array)).data]).toEqual([...data]);
  expect(tried).not.toContain(true);
  const zeros = await sample(["gzip"], { fillValue: 1 });
  await set(zeros.array, null, 0);
  expect([...(await get(zeros.array)).data]).toEqual(new Array(4200).fill(0));
  expect(tried).not.toContain(true);
});

test("not in the fallback, nor where a checksum comes first, nor with elements of variable length", async () => {
  const checked = await sample(["gzip", "crc32c"]);
  expect([...(await get(checked.array)).data]).toEqual([...checked.data]);
  setKernels("javascript");
  const { array, data } = await sample(["gzip"]);
  expect([...(await get(array)).data]).toEqual([...data]);
  setKernels("auto");
  const strings = await create(new ArenaStore(), {
    shape: [9],
    chunkShape: [2],
    dtype: "string",
    codecs: ["gzip"],
  });
  const values = ["a", "", "b", "cc", "ddd", "e", "f", "g", "ü"];
  await set(strings, null, { data: values, shape: [9] });
  expect((await get(strings)).data).toEqual(values);
  expect(tried).not.toContain(true);
});

describe("blocks inside of chunks of blosc", () => {
  const bloscOf = (shuffle: string, cname = "lz4", blocksize = 2 ** 16) => ({
    name: "blosc",
    configuration: { cname, shuffle, clevel: 5, typesize: 1, blocksize },
  });
  /** Every block of it becomes shorter. */
  const bytes = (length: number) => Uint8Array.from({ length }, (_, i) => ((i * 7) % 97) + (i >> 9));

  async function readBack(
    codec: ReturnType<typeof bloscOf>,
    [rows, columns]: readonly [rows: number, columns: number],
    options: object = {},
  ): Promise<void> {
    const shape = [rows, 2 * columns];
    const array = await create(new ArenaStore(), {
      shape,
      chunkShape: [rows, columns],
      dtype: "uint8",
      codecs: [codec],
      ...options,
    });
    const data = bytes(rows * 2 * columns);
    await set(array, null, { data, shape });
    expect(firstDifference((await get(array)).data, data)).toBe(-1);
    const row = await get(array, [slice(rows - 1, rows), null]);
    expect([...row.data]).toEqual([...data.subarray(2 * columns * (rows - 1))]);
  }

  test("of LZ4 that is not shuffled: two by two, and what is left alone", async () => {
    for (const codec of [bloscOf("noshuffle"), bloscOf("shuffle"), bloscOf("noshuffle", "lz4hc")]) {
      for (const options of [{}, { order: "F" }, { shards: [300, 1000] }]) {
        tried.length = 0;
        await readBack(codec, [300, 500], options);
        // Three blocks in each of two chunks: the last one has none to go with.
        expect(tried.slice(0, 2)).toEqual([true, true]);
      }
    }
  });

  test("of chunks that are too large to be decoded in pairs themselves", async () => {
    await readBack(bloscOf("noshuffle", "lz4", 2 ** 20), [1200, 5000]);
    expect(tried).toContain(true);
  });

  test("not of other compressors, nor of one block, nor in the fallback", async () => {
    await readBack(bloscOf("noshuffle", "zstd"), [300, 500]);
    await readBack(bloscOf("noshuffle", "lz4", 2 ** 18), [300, 500]);
    setKernels("javascript");
    await readBack(bloscOf("noshuffle"), [300, 500]);
    setKernels("auto");
    expect(tried).not.toContain(true);
  });
});

test("a value that two chunks share is decoded for each: by itself in a later band", async () => {
  const length = 1 << 19;
  const map = new Map<string, Uint8Array>();
  // Two chunks a band; the last one is alone, and the bytes of the first one.
  const array = await create(map, {
    shape: [5 * length],
    chunkShape: [length],
    dtype: "float32",
    codecs: ["gzip"],
  });
  const data = noise(5 * length);
  data.copyWithin(4 * length, 0, length);
  await set(array, null, data);
  map.set("/c/4", map.get("/c/0") ?? expect.unreachable("it was written"));
  const got = await get(array);
  expect(tried).toEqual([true, true]);
  expect(firstDifference(new Uint8Array(got.data.buffer), new Uint8Array(data.buffer))).toBe(-1);
});
