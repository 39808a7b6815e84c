/**
 * What the caller asks for is what is used: requests under way, aborts through either signal, turns for the
 * event loop.
 */
import { describe, expect, test } from "vitest";
import type { AbsolutePath } from "../../src/core/stores/store.js";
import { create, get, set, slice } from "../../src/index.js";
import { SlowStore } from "../setup/stores.js";

describe.each([
  ["one band", { shape: [64], chunkShape: [4] }],
  ["a band a chunk", { shape: [12, 1024, 512], chunkShape: [1, 1024, 512] }],
  ["shards", { shape: [64, 64], chunkShape: [8, 8], shards: [16, 16] }],
  ["a rectilinear grid", { shape: [40, 6], chunkShape: [[7, 13, 20], 2] }],
  ["a rectilinear grid of many blocks", { shape: [40], chunkShape: [[1, 2, 3, 4, 5, 6, 7, 12]] }],
] as const)("requests under way: %s", (_, layout) => {
  test.each([1, 2, 3, 7])("concurrency %i", async (concurrency) => {
    const store = new SlowStore();
    const array = await create(store, { ...layout, dtype: "float64" });
    store.reset();
    await set(array, null, 1.5, { concurrency });
    expect(store.mostUnderWay).toBeLessThanOrEqual(concurrency);
    store.reset();
    const { data } = await get(array, null, { concurrency });
    expect(store.mostUnderWay).toBeLessThanOrEqual(concurrency);
    expect(data.every((value) => value === 1.5)).toBe(true);
  });
});

test("a concurrency that is given is used, whatever the size of chunks", async () => {
  const store = new SlowStore();
  const array = await create(store, {
    shape: [12, 512, 1024],
    chunkShape: [1, 512, 1024],
    dtype: "float64",
    codecs: [],
  });
  await set(array, null, 2);
  store.reset();
  await get(array, null, { concurrency: 12 });
  expect(store.mostUnderWay).toBe(12);
  store.reset();
  // Otherwise 16 MiB of chunks at once.
  await get(array, null);
  expect(store.mostUnderWay).toBeLessThanOrEqual(5);
});

test("a concurrency that is given is used for writing shards as well, whatever their size", async () => {
  let underWay = 0;
  let most = 0;
  let isFirst = true;
  let allAreThere: () => void = () => {};
  const all = new Promise<void>((resolve) => {
    allAreThere = resolve;
  });
  const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
  /** At first it answers no write before four are under way. */
  const store = new (class extends SlowStore {
    override async set(key: AbsolutePath, value: Uint8Array): Promise<void> {
      most = Math.max(most, ++underWay);
      if (underWay === 4) allAreThere();
      if (key.startsWith("/c/")) await (isFirst ? Promise.race([all, pause(10_000)]) : pause(100));
      underWay--;
      await super.set(key, value);
    }
  })();
  const layout = { shape: [8, 512, 8192], chunkShape: [1, 256, 8192], shards: [2, 512, 8192] };
  const array = await create(store, { ...layout, dtype: "uint16", codecs: [] });
  await set(array, null, 3, { concurrency: 4 });
  expect(most).toBe(4);
  most = 0;
  isFirst = false;
  // Otherwise 32 MiB of shards at once.
  await set(array, null, 4);
  expect(most).toBeLessThanOrEqual(2);
});

test.each(["signal", "opts"] as const)("either signal aborts: %s", async (which) => {
  const store = new SlowStore();
  const array = await create(store, { shape: [4096], chunkShape: [4], dtype: "int32" });
  const abort = new AbortController();
  const signals = {
    signal: new AbortController().signal,
    opts: new AbortController().signal,
    [which]: abort.signal,
  };
  const reading = get(array, null, {
    signal: signals.signal,
    opts: { signal: signals.opts },
    concurrency: 4,
  });
  setTimeout(() => abort.abort(new Error("enough")), 10);
  await expect(reading).rejects.toThrow("enough");
});

test("an abort is heard inside a band of many chunks, although the store answers at once", async () => {
  const store = new Map<AbsolutePath, Uint8Array>();
  const array = await create(store, {
    shape: [2_000_000],
    chunkShape: [250],
    dtype: "uint8",
    codecs: ["gzip"],
  });
  await set(array, null, 7);
  const abort = new AbortController();
  setTimeout(() => abort.abort(new Error("enough")), 1);
  await expect(get(array, null, { signal: abort.signal })).rejects.toThrow("enough");
});

test("a selection of more chunks than memory has room for is planned as it is read", async () => {
  const store = new Map<AbsolutePath, Uint8Array>();
  const array = await create(store, { shape: [2 ** 45], chunkShape: [1], dtype: "uint8" });
  const abort = new AbortController();
  setTimeout(() => abort.abort(new Error("enough")), 50);
  await expect(get(array, [slice(0, 2 ** 31)], { signal: abort.signal })).rejects.toThrow(/enough/);
});
