/** One signal for many operations, such as that of a page or a server: nothing of them stays with it. */
import { getEventListeners } from "node:events";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, describe, expect, test } from "vitest";
import { HttpStore } from "../../src/core/stores/http/http.js";
import {
  append,
  create,
  get,
  getCoordinates,
  getOrthogonal,
  open,
  read,
  root,
  type Store,
  set,
  setCoordinates,
} from "../../src/index.js";
import { ChunkCache } from "../../src/main/caches.js";
import { RequestQueue } from "../../src/main/stores.js";
import { MergedReads } from "../../src/stores/file-ranges/file-ranges.js";
import { serve } from "../core/stores/server.js";

const map = new Map<string, Uint8Array>();
const plain = await create(root(map).resolve("plain"), { shape: [40], chunkShape: [4], dtype: "uint8" });
const sharded = await create(root(map).resolve("sharded"), {
  shape: [40],
  chunkShape: [4],
  shards: [20],
  dtype: "uint8",
});
for (const each of [plain, sharded]) await set(each, null, 1);
const server = await serve(map);
afterAll(() => server.close());

/** Answers later, as a store over a network does. */
const later: Store = { get: async (key) => map.get(key) };
const http = new HttpStore(server.url);
const listeners = ({ signal }: AbortController): number => getEventListeners(signal, "abort").length;

const operations: Record<string, (signal: AbortSignal) => Promise<unknown>> = {
  "get, at once": (signal) => get(plain, null, { signal }),
  "get, later": async (signal) =>
    get(await open(root(later).resolve("plain"), { kind: "array", signal }), null, { signal }),
  "get over HTTP": async (signal) =>
    get(await open(root(http).resolve("plain"), { kind: "array", signal }), null, { signal }),
  "get of shards over HTTP": async (signal) =>
    get(await open(root(http).resolve("sharded"), { kind: "array", signal }), [7], { signal }),
  "get with two signals": (signal) =>
    get(plain, [3], { signal, opts: { signal: new AbortController().signal } }),
  "get through a cache": async (signal) =>
    get(await open(root(later).resolve("plain"), { kind: "array" }), null, {
      signal,
      cache: new ChunkCache({ maxBytes: 1e6 }),
    }),
  getOrthogonal: (signal) => getOrthogonal(plain, [[1, 30]], { signal }),
  getCoordinates: (signal) =>
    getCoordinates(plain, [[1, 30]], { signal, opts: { signal: AbortSignal.timeout(1e6) } }),
  read: async (signal) => {
    for await (const slab of read(plain, null, { signal, maximumBytes: 8 })) expect(slab.data.length).toBe(8);
  },
  set: (signal) => set(plain, [3], 1, { signal }),
  setCoordinates: (signal) => setCoordinates(plain, [[3]], 1, { signal }),
  append: async (signal) => {
    const own = await create(root(map).resolve("own"), { shape: [1], dtype: "uint8", overwrite: true });
    await append(own, { data: Uint8Array.of(1), shape: [1] }, { signal });
  },
  "a queue": (signal) => new RequestQueue().run(async () => {}, { signal }),
  "merged ranges": (signal) =>
    new MergedReads(map.size > 0 ? later : http, "/plain/zarr.json").read(
      { offset: 0, length: 2 },
      { signal },
    ),
};

test.each(Object.keys(operations))("%s leaves no listener, whether it ends or is aborted", async (name) => {
  const operation = operations[name];
  const abort = new AbortController();
  await operation?.(abort.signal);
  expect(listeners(abort)).toBe(0);
  await Promise.all([1, 2, 3].map(() => operation?.(abort.signal)));
  expect(listeners(abort)).toBe(0);
  const aborted = Promise.allSettled([operation?.(abort.signal)]);
  abort.abort();
  await aborted;
  expect(listeners(abort)).toBe(0);
});

describe("memory", () => {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  const heap = async (): Promise<number> => {
    for (let i = 0; i < 3; i++) {
      if (typeof collect === "function") collect();
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    return process.memoryUsage().heapUsed;
  };

  test.each([
    ["reads", 1000, async () => open(root(later).resolve("plain"), { kind: "array" })],
    [
      "requests",
      500,
      async () => new HttpStore("http://localhost", { fetch: async () => new Response("{}") }),
    ],
  ] as const)("of %s does not grow with their number", async (_, count, prepare) => {
    const { signal } = new AbortController();
    const target = await prepare();
    const once = (): Promise<unknown> =>
      target instanceof HttpStore
        ? target.get("/plain/zarr.json", { signal })
        : get(target, null, { signal });
    for (let i = 0; i < 200; i++) await once();
    const before = await heap();
    for (let i = 0; i < count; i++) await once();
    // 3.4 kB a read and 8.5 kB a request before, a tenth of a kilobyte now.
    expect((await heap()) - before).toBeLessThan(count * 1500);
  });
});
