/** Long rows of many chunks, which are copied from the same places of scratch memory again and again. */
import { describe, expect, test, vi } from "vitest";
import { create, get, MemoryStore, set, slice } from "../../src/index.js";
import { opened } from "./opened.js";

const SHAPE = [331, 2900];
const data = Uint16Array.from({ length: 331 * 2900 }, (_, i) => (i * 40503) >>> (i % 2900 > 1200 ? 9 : 3));
/**
 * The first element that is not as it was written; -1: none. (Comparing such arrays with `toEqual` takes a
 * second.)
 */
const wrongIn = (read: ArrayLike<number>): number => data.findIndex((value, i) => value !== read[i]);
const codecs = {
  "as they are": [],
  "zstd, each of another length": ["zstd"],
  "gzip, two at a time": ["gzip"],
  "shuffled blocks": ["blosc"],
} as const;

async function arrayOf(
  own: readonly ("zstd" | "gzip" | "blosc")[],
  store = new MemoryStore(),
  shards?: readonly number[],
) {
  const layout = { chunkShape: [64, 600], shards };
  const array = await create(store, { shape: SHAPE, dtype: "uint16", ...layout, codecs: own });
  await set(array, null, { data, shape: SHAPE });
  return array;
}

/** Answers into the memory that it is given, as files do: scratch memory, for whoever reads at once. */
class Into extends MemoryStore {
  override openNow(key: `/${string}`) {
    const value = this.get(key);
    return value && opened(value, { bytes: 0, open: 0 });
  }
}

describe.each(Object.entries(codecs))("%s", (_, own) => {
  test.each([
    ["Map", MemoryStore],
    ["scratch memory", Into],
  ])("from a %s, time and again", async (_, Store) => {
    const array = await arrayOf(own, new Store());
    const out = new Uint16Array(data.length);
    for (let time = 0; time < 3; time++) {
      expect(wrongIn((await get(array)).data)).toBe(-1);
      await get(array, null, { out: out.fill(0) });
      expect(wrongIn(out)).toBe(-1);
      // Other rows of the same chunks, and other memory: a larger batch makes room.
      const part = await get(array, [slice(5, 320), slice(30, 2890)]);
      expect(part.data[0]).toBe(data[5 * 2900 + 30]);
      expect(part.data.at(-1)).toBe(data[319 * 2900 + 2889]);
      expect(part.data[1000 + 2860 * 200]).toBe(data[205 * 2900 + 1030]);
      const backwards = await get(array, [slice(null, null, -1), null]);
      expect(backwards.data.subarray(0, 2900)).toEqual(data.subarray(330 * 2900));
      const larger = await create(new Store(), {
        shape: [1500 * (time + 1), 3000],
        dtype: "uint8",
        chunkShape: [1500 * (time + 1), 1000],
        codecs: own,
        fillValue: 3,
      });
      await set(larger, [0, null], 4);
      expect((await get(larger)).data[3000]).toBe(3);
    }
  });
});

test("inner chunks of shards", async () => {
  for (const own of Object.values(codecs)) {
    const array = await arrayOf(own, new Into(), [128, 1800]);
    for (let time = 0; time < 3; time++) expect(wrongIn((await get(array)).data)).toBe(-1);
  }
});

describe("rows of a box within shards, which lie in two dimensions", () => {
  const shape = [70, 60, 50];
  const values = Uint16Array.from({ length: 70 * 60 * 50 }, (_, i) => (i * 40503) >>> 5);
  const shards = { shape, shards: [32, 64, 32], chunkShape: [16, 16, 16], dtype: "uint16" } as const;

  test.each(Object.entries(codecs))("%s", async (_, own) => {
    const array = await create(new Into(), { ...shards, codecs: own });
    await set(array, null, { data: values, shape });
    for (let time = 0; time < 4; time++) {
      for (const [a, b, c] of [
        [0, 0, 0],
        [10, 7, 20],
        [33, 20, 3],
      ] as const) {
        const part = await get(array, [slice(a, 68), slice(b, 60), slice(c, 49)]);
        const [, rows = 0, columns = 0] = part.shape;
        const wrong = part.data.findIndex((value, i) => {
          const x = a + Math.floor(i / (rows * columns));
          const y = b + (Math.floor(i / columns) % rows);
          return value !== values[(x * 60 + y) * 50 + c + (i % columns)];
        });
        expect([part.shape, wrong]).toEqual([[68 - a, 60 - b, 49 - c], -1]);
      }
    }
  });

  test("no view of them is made twice", async () => {
    const array = await create(new Into(), { ...shards, codecs: ["zstd"] });
    await set(array, null, { data: values, shape });
    const part = [slice(10, 68), slice(7, 60), slice(20, 49)] as const;
    await get(array, part);
    await get(array, part);
    const subarray = vi.spyOn(Uint8Array.prototype, "subarray");
    try {
      await get(array, part);
      // 6,148 rows, of inner chunks in 6 shards.
      expect(subarray.mock.calls.length).toBeLessThan(6000 / 4);
    } finally {
      subarray.mockRestore();
    }
  });
});
