/** What is bounded while shards are read: requests and bytes under way. */
import { describe, expect, test } from "vitest";
import { create, get, open, type Store, set, slice } from "../../../src/index.js";
import { RangeStore, rangeOf, readOnly } from "../../setup/stores.js";

const MIB = 1 << 20;

test.each([1, 3, 8])("%i requests under way at most, and as many", async (concurrency) => {
  const store = new RangeStore();
  const array = await create(store, {
    codecs: [],
    shape: [64, 64],
    dtype: "uint8",
    chunkShape: [4, 4],
    shards: [16, 16],
  });
  await set(array, null, 5);
  const reader = await open.v3(readOnly(store), { kind: "array" });
  store.reset();
  const { data } = await get(reader, [null, 5], { concurrency, coalesce: { maximumGap: 0 } });
  expect(data).toEqual(new Uint8Array(64).fill(5));
  expect(store.mostUnderWay).toBe(concurrency);
});

describe("bytes under way", () => {
  /** Answers with these bytes, each after a while, and counts what it was asked for. */
  function counting(values: ReadonlyMap<string, Uint8Array>) {
    const seen = { most: 0, longest: 0, requests: 0 };
    let underWay = 0;
    const late = async (bytes: Uint8Array | undefined): Promise<Uint8Array | undefined> => {
      const { length } = bytes ?? [];
      seen.requests++;
      seen.longest = Math.max(seen.longest, length ?? 0);
      seen.most = Math.max(seen.most, (underWay += length ?? 0));
      // On a busy machine, what is asked for in one turn must not be answered in the middle of it.
      await new Promise((resolve) => setTimeout(resolve, 20));
      underWay -= length ?? 0;
      return bytes;
    };
    const store: Store = {
      get: (key) => late(values.get(key)),
      getRange: (key, range) => late(rangeOf(values.get(key), range)),
    };
    return { store, seen };
  }

  const SIZE = 24 * MIB;
  const INNER = MIB / 2;
  const data = new Uint8Array(SIZE).fill(7).map((value, i) => value + (i % 251));

  const isData = (got: unknown) =>
    got instanceof Uint8Array && got.length === SIZE && got.every((value, i) => value === data[i]);

  /** What is read of such shards, and how. */
  async function reader(shard: number, values = new Map<string, Uint8Array>()) {
    const options = { dtype: "uint8", chunkShape: [INNER], shards: [shard * MIB] } as const;
    await set(await create(values, { codecs: [], ...options, shape: [SIZE] }), null, data);
    const { store, seen } = counting(values);
    const array = await open.v3(store, { kind: "array" });
    seen.requests = 0;
    return { array, store, seen };
  }

  test.each([
    { shard: 6, requests: 4, most: 18 },
    { shard: 8, requests: 3, most: 16 },
    // The index, and parts of 4 MiB.
    { shard: 12, requests: 2 * (1 + 3), most: 20 },
    { shard: 24, requests: 1 + 6, most: 20 },
  ])("are $most MiB of shards of $shard MiB", async ({ shard, requests, most }) => {
    const { array, seen } = await reader(shard);
    const got = await get(array);
    expect(isData(got.data)).toBe(true);
    expect(seen.requests).toBe(requests);
    // And indexes.
    expect(Math.floor(seen.most / MIB)).toBe(most);
    expect(seen.most % MIB).toBeLessThan(4096);
    expect(seen.longest).toBeLessThan(8 * MIB + 4096);
  });

  test("are more where requests may be longer", async () => {
    const { array, seen } = await reader(24);
    const got = await get(array, null, { coalesce: { maximumSize: 12 * MIB } });
    expect(isData(got.data)).toBe(true);
    expect(seen).toMatchObject({ requests: 1 + 2, longest: 12 * MIB, most: 24 * MIB });
  });

  test("are those of many shards where little is wanted of each", async () => {
    const { array, seen } = await reader(2);
    const got = await get(array, [slice(0, SIZE, 2 * MIB)]);
    expect(got.data).toEqual(data.filter((_, i) => i % (2 * MIB) === 0));
    expect(seen.most).toBe((SIZE / (2 * MIB)) * INNER);
  });

  test("are given back by a part that fails, and no further is asked for", async () => {
    const { array, store, seen } = await reader(24);
    let requests = 0;
    const breaking: Store = {
      ...store,
      getRange: async (key, range, options) => {
        const fails = ++requests === 2;
        const bytes = await store.getRange?.(key, range, options);
        if (fails) throw new Error("connection lost");
        return bytes;
      },
    };
    await expect(get(await open.v3(breaking, { kind: "array" }))).rejects.toThrow("connection lost");
    // The index, the part that fails, and those beside it.
    expect(requests).toBe(6);
    expect(seen.requests).toBe(1 + requests);
    expect(await get(array, [5])).toBe(12);
  });
});
