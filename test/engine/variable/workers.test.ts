/** Elements of variable length take a pool of workers and do without. */
import { expect, it } from "vitest";
import { create, get, set } from "../../../src/index.js";
import { WorkerPool } from "../../../src/workers/pool.js";

it("are read and written in the calling thread", async () => {
  let started = 0;
  const createWorker = (): never => {
    started++;
    throw new Error("expected no worker");
  };
  const workers = new WorkerPool({ size: 1, createWorker });
  const texts = Array.from({ length: 20_000 }, (_, i) => `text ${i}`);
  for (const shards of [undefined, [10_000]]) {
    const array = await create(new Map(), {
      shape: [20_000],
      chunkShape: [5000],
      dtype: "string",
      codecs: ["bytes", "gzip"],
      shards,
    });
    await set(array, null, texts, { workers });
    expect((await get(array, null, { workers })).data).toEqual(texts);
    expect((await get(array, null, { as: "column", workers })).data.toArray()).toEqual(texts);
  }
  expect(started).toBe(0);
  await workers.close();
});
