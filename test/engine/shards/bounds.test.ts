/** What is bounded while shards are read: indexes kept, requests under way. */
import { describe, expect, test } from "vitest";
import { IndexCache } from "../../../src/engine/shards/index-cache.js";
import { create, get, open, type Store, set } from "../../../src/index.js";
import { MemoryStore } from "../../../src/stores/memory.js";

const MIB = 1 << 20;

describe("indexes kept", () => {
  const signal = new AbortController().signal;
  const known = (byteLength: number) => ({
    index: { offsets: new Float64Array(byteLength / 16), lengths: new Float64Array(byteLength / 16) },
    version: { version: 1 },
  });

  test("are those used last, 16 MiB of them", async () => {
    const cache = new IndexCache();
    let fetched = 0;
    const fetch = async () => {
      fetched++;
      return known(MIB);
    };
    const read = (name: number) => cache.get({ key: `/c/${name}`, nesting: "" }, signal, fetch);
    for (let i = 0; i < 16; i++) await read(i);
    for (let i = 0; i < 16; i++) await read(i);
    expect(fetched).toBe(16);
    // The first is used again, so that the second goes.
    await read(0);
    await read(16);
    expect([0, 1, 2, 16].map((i) => cache.has({ key: `/c/${i}`, nesting: "" }))).toEqual([
      true,
      false,
      true,
      true,
    ]);
  });

  test("of a nested shard go with the shard's", async () => {
    const cache = new IndexCache();
    const places = ["", "/0+100", "/0+100/5+20"].map((nesting) => ({ key: "/c/0", nesting }) as const);
    for (const place of places) await cache.get(place, signal, async () => known(1024));
    cache.forget("/c/0");
    for (const place of places) expect(cache.has(place)).toBe(false);
  });
});

test.each([1, 3, 8])("%i requests under way at most, and as many", async (concurrency) => {
  const store = new MemoryStore();
  const array = await create(store, {
    shape: [64, 64],
    dtype: "uint8",
    chunkShape: [4, 4],
    shards: [16, 16],
  });
  await set(array, null, 5);
  let underWay = 0;
  let most = 0;
  const late = async <T>(answer: T): Promise<T> => {
    most = Math.max(most, ++underWay);
    await new Promise((resolve) => setTimeout(resolve, 1));
    underWay--;
    return answer;
  };
  const slow: Store = {
    get: (key) => late(store.get(key)),
    getRange: (key, range) => late(store.getRange(key, range)),
  };
  const reader = await open(slow, { kind: "array" });
  most = 0;
  const { data } = await get(reader, [null, 5], { concurrency, coalesce: { maximumGap: 0 } });
  expect(data).toEqual(new Uint8Array(64).fill(5));
  expect(most).toBe(concurrency);
});
