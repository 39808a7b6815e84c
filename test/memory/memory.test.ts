/**
 * How much memory reading takes, each measured in a process of its own. memory.nightly.test.ts
 * has the other stores, codecs and layouts, and says what the bounds are made of.
 */
import { describe, expect, test } from "vitest";
import { create, get, getChunk, isZarrError, read } from "../../src/index.js";
import { beyondResult, large, small } from "./measure.js";

describe("reading 512 MiB takes the result, 32 MiB a worker, and at most", () => {
  test.each([
    { bound: 112, store: "files", codecs: ["zstd"], chunk: small, workers: 2, shard: 4 * large },
    { bound: 128, store: "http", codecs: ["zstd"], chunk: small, shard: 16 * large },
    { bound: 160, store: "now", codecs: ["zstd"], chunk: small, shard: 4 * large },
  ])("$bound MiB: $store, $codecs, $shard", async ({ bound, ...options }) => {
    const isCollected = /files|http/.test(options.store);
    const flags = isCollected ? [] : ["--no-concurrent-array-buffer-sweeping"];
    // When the engine collects the answers is not ours to say: what counts is the better of two reads.
    const first = await beyondResult(options, ...flags);
    const beyond = first <= bound ? first : await beyondResult(options, ...flags);
    expect(beyond).toBeLessThanOrEqual(bound);
  });
});

describe("what no memory holds", () => {
  const store = new Map<string, Uint8Array>();

  test.each([{}, { shared: true }])(
    "a result beyond an ArrayBuffer is refused with advice: %o",
    async (options) => {
      // 2^53 - 8 bytes: more than any engine allocates.
      const array = await create(store, {
        codecs: [],
        shape: [2 ** 50 - 1],
        chunkShape: [1024],
        dtype: "float64",
        overwrite: true,
      });
      const error = await get(array, null, options).catch((reason: unknown) => reason);
      if (!isZarrError(error, "InvalidArgumentError")) throw error;
      expect(error.message).toContain("read less at a time, with `read` or a smaller selection");
    },
  );

  test("the same in pieces", async () => {
    const array = await create(store, {
      codecs: [],
      shape: [2 ** 50 - 1],
      chunkShape: [2 ** 20],
      dtype: "float64",
      fillValue: 3,
      overwrite: true,
    });
    const starts: number[] = [];
    for await (const { start, data, shape } of read(array)) {
      expect(shape).toEqual([2 ** 22]);
      expect([data.length, data[0], data.at(-1)]).toEqual([2 ** 22, 3, 3]);
      starts.push(start);
      if (starts.length === 3) break;
    }
    expect(starts).toEqual([0, 2 ** 22, 2 ** 23]);
    // Beyond 2^32 elements, too.
    expect(await get(array, [2 ** 50 - 2])).toBe(3);
  });

  test("a chunk of more than 4 GiB is refused", async () => {
    const array = await create(store, {
      codecs: [],
      shape: [2 ** 31],
      chunkShape: [2 ** 31],
      dtype: "float64",
      overwrite: true,
    });
    store.set("/c/0", new Uint8Array(8));
    for (const reading of [get(array, [5]), getChunk(array, [0])]) {
      const error = await reading.catch((reason: unknown) => reason);
      expect(isZarrError(error) && error.message).toMatch(/chunk|smaller|bytes/);
    }
    store.delete("/c/0");
  });
});
