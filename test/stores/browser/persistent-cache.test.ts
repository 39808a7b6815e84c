/** Answers that outlive a page, with the browser's Cache Storage in memory. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { putInFrontOfStore } from "../../../src/core/stores/in-front.js";
import {
  type AbsolutePath,
  create,
  get,
  HttpStore,
  type HttpStoreOptions,
  MemoryStore,
  open,
  type RangeQuery,
  set,
  slice,
  withRetry,
} from "../../../src/index.js";
import {
  type PersistentCacheOptions,
  withPersistentCache,
} from "../../../src/stores/browser/persistent-cache.js";
import { MemoryCaches } from "./persistent-caches.js";

const given = Object.getOwnPropertyDescriptor(globalThis, "caches");
let caches: MemoryCaches;
/** Answers that are on their way into a cache. */
let digests = 0;
beforeEach(() => {
  const digest = crypto.subtle.digest.bind(crypto.subtle);
  vi.spyOn(crypto.subtle, "digest").mockImplementation(async (...of) => {
    digests++;
    try {
      return await digest(...of);
    } finally {
      digests--;
    }
  });
  caches = new MemoryCaches();
  Object.defineProperty(globalThis, "caches", { value: caches, configurable: true });
});
afterEach(() => {
  vi.restoreAllMocks();
  Reflect.deleteProperty(globalThis, "caches");
  if (given) Object.defineProperty(globalThis, "caches", given);
});

const SMALL = { maxBytes: 1 << 20, name: "small" };

/** A store behind a network that tells what it is asked. */
function counted(values: Map<AbsolutePath, Uint8Array>) {
  const requests: string[] = [];
  const inner = new MemoryStore(values);
  const store = putInFrontOfStore(
    { kind: "network" as const, get: inner.get.bind(inner) },
    {
      get: inner.get.bind(inner),
      getParts: (key: AbsolutePath, ranges: readonly RangeQuery[] | undefined) => {
        requests.push(`${key}${ranges ? ` ${JSON.stringify(ranges)}` : ""}`);
        return inner.getParts(key, ranges);
      },
      getRange: inner.getRange.bind(inner),
    },
  );
  return { requests, store };
}

/** Until what is kept does not change any more. */
async function settled(): Promise<void> {
  for (let [before, same] = [-1, 0]; same < 8; ) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    const now = Array.from(caches.opened.values()).reduce(
      (total, { responses }) => total + responses.size,
      0,
    );
    [before, same] = [now, now === before && digests === 0 ? same + 1 : 0];
  }
}

describe.each([
  ["chunks", { chunkShape: [16, 16] }],
  ["shards", { chunkShape: [8, 8], shards: [32, 32] }],
])("%s", (_, layout) => {
  test("are read once: the next page makes no request, also for missing values", async () => {
    const values = new Map<AbsolutePath, Uint8Array>();
    const array = await create(values, { shape: [64, 64], dtype: "int32", codecs: ["zstd"], ...layout });
    await set(array, [slice(0, 40), null], 7);
    const { requests, store } = counted(values);
    async function picture() {
      // Of one format: which documents of others are asked for is a matter of whose answer comes first.
      const opened = await open.v3(withPersistentCache(store, SMALL), { kind: "array" });
      return [await get(opened, [slice(3, 20), slice(5, 30)]), await get(opened, [slice(30, 64), null])];
    }
    const first = await picture();
    expect(requests.length).toBeGreaterThan(3);
    await settled();
    requests.length = 0;
    expect(await picture()).toEqual(first);
    expect(requests).toEqual([]);
  });
});

test("what changed is read anew with `validate`, by one request for each value", async () => {
  const values = new Map<AbsolutePath, Uint8Array>([
    ["/same", Uint8Array.of(1, 2, 3, 4)],
    ["/changes", Uint8Array.of(1, 2, 3, 4)],
    ["/goes", Uint8Array.of(5)],
  ]);
  const { requests, store } = counted(values);
  async function page() {
    const cached = withPersistentCache(store, { ...SMALL, validate: true });
    const found = [];
    for (const key of ["/same", "/changes", "/goes", "/comes", "/none"] as const)
      found.push([await cached.get(key), await cached.getRange(key, { offset: 1, length: 2 })]);
    return found;
  }
  const first = await page();
  await settled();
  requests.length = 0;
  expect(await page()).toEqual(first);
  const one = '[{"offset":0,"length":1}]';
  const looks = ["/same", "/changes", "/goes", "/comes", "/none"].map((key) => `${key} ${one}`);
  expect(requests).toEqual(looks);
  values.set("/changes", Uint8Array.of(9, 8, 7, 6));
  values.set("/comes", Uint8Array.of(4, 4, 4));
  values.delete("/goes");
  requests.length = 0;
  expect(await page()).toEqual([
    [Uint8Array.of(1, 2, 3, 4), Uint8Array.of(2, 3)],
    [Uint8Array.of(9, 8, 7, 6), Uint8Array.of(8, 7)],
    [undefined, undefined],
    [Uint8Array.of(4, 4, 4), Uint8Array.of(4, 4)],
    [undefined, undefined],
  ]);
  expect(requests.filter((request) => request.endsWith(one))).toEqual(looks);
});

test("at most maxBytes are kept, and the oldest go first", async () => {
  const values = new Map<AbsolutePath, Uint8Array>();
  for (let i = 0; i < 10; i++) values.set(`/${i}`, new Uint8Array(1000).fill(i));
  values.set("/large", new Uint8Array(5000));
  const { requests, store } = counted(values);
  const cached = withPersistentCache(store, { name: "bounded", maxBytes: 4 * 1256 });
  for (const key of values.keys()) await cached.get(key);
  await settled();
  expect(caches.opened.get("wazarr bounded")?.bytes).toBe(4000);
  requests.length = 0;
  const next = withPersistentCache(store, { name: "bounded", maxBytes: 4 * 1256 });
  for (const key of ["/6", "/9", "/5", "/large"] as const)
    expect(await next.get(key)).toEqual(values.get(key));
  expect(requests).toEqual(["/5", "/large"]);
});

test("a page without space, with a damaged cache, or without any, reads as without", async () => {
  const { requests, store } = counted(new Map([["/a", Uint8Array.of(1, 2, 3)]]));
  const cache = await caches.open("wazarr small");
  cache.onPut = () => {
    throw new DOMException("no space", "QuotaExceededError");
  };
  for (let i = 0; i < 2; i++)
    expect(await withPersistentCache(store, SMALL).get("/a")).toEqual(Uint8Array.of(1, 2, 3));
  expect(requests.length).toBe(2);
  cache.onPut = () => {};
  await withPersistentCache(store, SMALL).get("/a");
  await settled();
  const [[url, kept] = []] = cache.responses;
  expect(cache.responses.size).toBe(1);
  for (const damaged of [
    { body: Uint8Array.of(1, 2), headers: kept?.headers ?? new Headers() },
    { body: Uint8Array.of(1, 2, 3), headers: new Headers() },
    { body: Uint8Array.of(1, 2, 3), headers: new Headers({ "x-wazarr-state": "%" }) },
  ]) {
    cache.responses.set(url ?? "", damaged);
    cache.responses.set("https://kept.invalid/%", damaged);
    expect(await withPersistentCache(store, SMALL).get("/a")).toEqual(Uint8Array.of(1, 2, 3));
  }
  Reflect.deleteProperty(globalThis, "caches");
  expect(await withPersistentCache(store, SMALL).get("/a")).toEqual(Uint8Array.of(1, 2, 3));
});

test("what is wrong with its use, and what is read as it is now", async () => {
  const values = new Map<AbsolutePath, Uint8Array>([["/a", Uint8Array.of(1)]]);
  expect(() => withPersistentCache(values, { maxBytes: 1000 })).toThrow("expected a name");
  expect(() => withPersistentCache(values, { maxBytes: Number.NaN, name: "a" })).toThrow("maxBytes");
  const cached = withPersistentCache(values, SMALL);
  expect(() => cached.set("/a", Uint8Array.of(2))).toThrow("cannot be written");
  expect(await cached.get("/a")).toEqual(Uint8Array.of(1));
  values.set("/a", Uint8Array.of(3));
  expect(await cached.getParts("/a", undefined, { current: true })).toMatchObject({
    parts: [Uint8Array.of(3)],
  });
  await settled();
  expect(await cached.get("/a")).toEqual(Uint8Array.of(3));
  await expect(cached.getParts("/a", undefined, { maximumBytes: 0 })).rejects.toMatchObject({
    tag: "StoreError",
  });
  await expect(cached.getParts("/a", undefined, { signal: AbortSignal.abort("gone") })).rejects.toBe("gone");
});

describe("whose values they are", () => {
  /** A server that has other values for each user and for each query; without a user it refuses. */
  function serve() {
    const requests: Request[] = [];
    const fetch = async (request: Request): Promise<Response> => {
      requests.push(request);
      const user = request.headers.get("authorization");
      if (user === null) return new Response(null, { status: 401 });
      const body = `${user} ${new URL(request.url).search}`;
      return new Response(body, { headers: { etag: `"${body}"` } });
    };
    const text = async (
      options: HttpStoreOptions,
      more: Partial<PersistentCacheOptions> = {},
      url = "https://data.test/a",
    ) => {
      const store = new HttpStore(url, { fetch, retry: false, ...options });
      const found = await withPersistentCache(store, { maxBytes: 1 << 20, ...more }).get("/k");
      await settled();
      return new TextDecoder().decode(found);
    };
    return { requests, text };
  }
  const as = (user: string) => ({ headers: { authorization: user } });

  test.each([{}, { name: "mine" }])("users do not see each other's: %o", async (more) => {
    const { requests, text } = serve();
    for (let i = 0; i < 2; i++) {
      expect(await text(as("alice"), more)).toBe("alice ");
      expect(await text({ overrides: as("bob") }, more)).toBe("bob ");
    }
    expect(requests.length).toBe(2);
    await expect(text({}, more)).rejects.toMatchObject({ status: 401 });
    expect([...caches.opened.keys()].join()).not.toMatch(/alice|bob/);
  });

  test("a query is part of what was asked for", async () => {
    const { requests, text } = serve();
    for (let i = 0; i < 2; i++)
      for (const v of ["?v=1", "?v=2"])
        expect(await text(as("alice"), {}, `https://data.test/a${v}`)).toBe(`alice ${v}`);
    expect(requests.length).toBe(2);
  });

  test.each<[string, HttpStoreOptions]>([
    ["headers", { headers: () => ({ authorization: "alice" }) }],
    ["authorize", { authorize: () => ({ headers: { authorization: "alice" } }) }],
    ["cookies", { overrides: { credentials: "include", headers: { authorization: "alice" } } }],
  ])("of a store whose user nobody knows before it asks, `scope` says it: %s", async (_, options) => {
    const { requests, text } = serve();
    await expect(text(options)).rejects.toThrow("withPersistentCache: scope: expected whose values");
    for (const scope of ["alice", "alice", "bob"]) expect(await text(options, { scope })).toBe("alice ");
    expect(requests.length).toBe(2);
  });

  test("through wrappers, too", () => {
    const store = withRetry(new HttpStore("https://data.test", { headers: () => ({}) }));
    expect(() => withPersistentCache(store, { maxBytes: 1 })).toThrow("scope: expected");
    expect(() => withPersistentCache(store, { ...SMALL, scope: Object(1) })).toThrow(
      "scope: expected a text",
    );
  });

  test("signatures that are new each time do not fill the disk", async () => {
    const { text } = serve();
    for (let i = 0; i < 20; i++) await text(as("alice"), {}, `https://data.test/a?sig=${i}`);
    await text(as("alice"), {}, "https://data.test/a b");
    expect(caches.opened.size).toBe(9);
  });
});

test("bytes that the disk changed are read again", async () => {
  const { requests, store } = counted(new Map([["/a", Uint8Array.of(1, 2, 3)]]));
  await withPersistentCache(store, SMALL).get("/a");
  await settled();
  const cache = await caches.open("wazarr small");
  const [[url, kept] = []] = cache.responses;
  cache.responses.set(url ?? "", { body: Uint8Array.of(1, 2, 7), headers: kept?.headers ?? new Headers() });
  for (let i = 0; i < 2; i++) {
    expect(await withPersistentCache(store, SMALL).get("/a")).toEqual(Uint8Array.of(1, 2, 3));
    await settled();
  }
  expect(requests).toEqual(["/a", "/a"]);
});

test("a cache that never opens does not hold reads up, nor the signal", async () => {
  const { store } = counted(new Map([["/a", Uint8Array.of(1)]]));
  Object.defineProperty(caches, "open", { value: () => new Promise(() => {}) });
  const cached = withPersistentCache(store, SMALL);
  const caller = new AbortController();
  const aborted = cached.get("/a", { signal: caller.signal });
  caller.abort(new Error("gone"));
  await expect(aborted).rejects.toThrow("gone");
  expect(await cached.get("/a")).toEqual(Uint8Array.of(1));
});
