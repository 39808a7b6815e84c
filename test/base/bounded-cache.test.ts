import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { BoundedCache } from "../../src/base/bounded-cache.js";

test("the entry used longest ago goes first; a peek is no use", () => {
  const cache = new BoundedCache<string, number>({ entries: 2 });
  cache.set("a", 1);
  cache.set("b", 2);
  expect(cache.get("a")).toBe(1);
  expect(cache.peek("b")).toBe(2);
  cache.set("c", 3);
  expect([...cache.keys()]).toEqual(["a", "c"]);
  expect(cache.evictions).toBe(1);
});

test("an entry that grows makes others go, and goes itself if it is larger than the bound", () => {
  const cache = new BoundedCache<string, string>({ bytes: 10 });
  cache.set("a", "a", 4);
  cache.set("b", "b", 4);
  cache.set("b", "b", 7);
  expect([[...cache.keys()], cache.bytes]).toEqual([["b"], 7]);
  cache.set("b", "b", 11);
  expect([cache.size, cache.bytes, cache.get("b")]).toEqual([0, 0, undefined]);
});

test("never more than the bounds, and the bytes are those of the entries", () => {
  const cache = new BoundedCache<number, number>({ entries: 5, bytes: 100 });
  const known = new Map<number, number>();
  for (let i = 0, n = 1; i < 2000; i++) {
    n = (n * 48271) % 2147483647;
    const key = n % 13;
    if (n % 7 === 0) cache.delete(key);
    else if (n % 3 === 0) cache.get(key);
    else {
      cache.set(key, n, n % 60);
      known.set(key, n % 60);
    }
    if (n % 211 === 0) cache.clear();
    const total = [...cache.keys()].reduce((sum, each) => sum + (known.get(each) ?? Number.NaN), 0);
    expect(cache.bytes).toBe(total);
    expect(cache.size).toBeLessThanOrEqual(5);
    expect(total).toBeLessThanOrEqual(100);
  }
  expect(cache.evictions).toBeGreaterThan(0);
});

test("keys may be deleted while they are walked", () => {
  const cache = new BoundedCache<string, number>({ entries: 9 });
  for (const key of "abcde") cache.set(key, 1);
  cache.get("b");
  for (const key of cache.keys()) if (key !== "d") cache.delete(key);
  expect([[...cache.keys()], cache.size]).toEqual([["d"], 1]);
});

test("uses take no memory, although nothing is evicted", () => {
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  const cache = new BoundedCache<string, number>({ bytes: 1000 });
  const keys = Array.from({ length: 50 }, (_, i) => `key ${i}`);
  for (const key of keys) cache.set(key, 0, 10);
  const heapAfter = (uses: number): number => {
    for (let i = 0; i < uses; i++) cache.get(`key ${i % keys.length}`);
    collect();
    return process.memoryUsage().heapUsed;
  };
  // 61 bytes a use were 24 MB.
  const before = heapAfter(1000);
  expect(heapAfter(400_000) - before).toBeLessThan(4e6);
});
