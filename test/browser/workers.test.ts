/**
 * Workers in whatever browser runs this, from the sources as Vite serves them; into shared memory where the
 * page has it.
 */
import { afterAll, expect, test } from "vitest";
import { create, get, set } from "../../src/index.js";
import { WorkerPool } from "../../src/workers/pool.js";

const shape = [128, 128, 64];
const data = Float32Array.from({ length: 128 * 128 * 64 }, (_, i) => (i * 7919) % 1013);
const workers = new WorkerPool({
  size: 2,
  createWorker: () => new Worker(new URL("../../src/workers/worker.ts", import.meta.url), { type: "module" }),
});
afterAll(() => workers.close());

const same = (values: Float32Array): boolean => values.every((value, i) => value === data[i]);

test.each(["zstd", "gzip", "blosc", "numcodecs.lz4"])("%s", async (codec) => {
  for (const shards of [undefined, [128, 64, 64]]) {
    const store = new Map<string, Uint8Array>();
    const array = await create(store, {
      shape,
      chunkShape: [64, 64, 64],
      shards,
      dtype: "float32",
      codecs: [codec],
    });
    await set(array, null, { data, shape }, { workers });
    expect(workers.running).toBe(2);
    expect(same((await get(array)).data)).toBe(true);
    expect(same((await get(array, null, { workers })).data)).toBe(true);
    const shared = await get(array, null, { workers, shared: true });
    expect(shared.data.buffer).toBeInstanceOf(SharedArrayBuffer);
    expect(same(shared.data)).toBe(true);
  }
});

test("an abort ends a read", async () => {
  const array = await create(new Map(), {
    shape,
    chunkShape: [64, 64, 64],
    dtype: "float32",
    codecs: ["zstd"],
  });
  await set(array, null, { data, shape }, { workers });
  const controller = new AbortController();
  const reading = get(array, null, { workers, signal: controller.signal });
  controller.abort();
  await expect(reading).rejects.toMatchObject({ name: "AbortError" });
  expect(same((await get(array, null, { workers })).data)).toBe(true);
});

test("the page is isolated, as the tests' server asks", () => {
  expect(crossOriginIsolated).toBe(true);
});
