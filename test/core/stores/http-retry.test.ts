/** Servers that fail and recover. */
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { OpenBytes } from "../../../src/core/stores/open-bytes.js";
import {
  CodecError,
  create,
  get,
  HttpStore,
  open,
  root,
  type Store,
  StoreError,
  set,
  withByteCaching,
  withConsolidatedMetadata,
  withRetry,
} from "../../../src/index.js";
import type { RetryReport } from "../../../src/main/stores.js";
import { packZip, ZipStore } from "../../../src/stores/zip/zip.js";
import { expectBytes, pattern } from "../../stores/conformance.js";
import { type Misbehaviour, serve } from "./server.js";

const VALUE = pattern(1000);
const server = await serve(new Map([["/v", VALUE]]));
afterAll(() => server.close());
afterEach(() => {
  server.reset();
});

const retry = { baseDelay: 1 };
const unavailable: Misbehaviour = { status: 503 };
const reads: Readonly<Record<string, (store: HttpStore) => Promise<unknown>>> = {
  "a value": async (store) => expectBytes(await store.get("/v"), VALUE),
  "a range": async (store) =>
    expectBytes(await store.getRange("/v", { offset: 10, length: 500 }), VALUE.subarray(10, 510)),
  "a suffix": async (store) =>
    expectBytes(await store.getRange("/v", { suffixLength: 500 }), VALUE.subarray(500)),
};

describe("HttpStore asks again", () => {
  const passing: readonly Misbehaviour[] = [
    unavailable,
    { status: 408 },
    { status: 429, headers: { "retry-after": "0" } },
    { status: 500 },
    { status: 504 },
    "hang-up",
    "half",
    "silent",
    "stall",
  ];
  it.each(passing.flatMap((how) => Object.keys(reads).map((what) => ({ how, what }))))(
    "after $how, for $what",
    async ({ how, what }) => {
      server.misbehaviour = how;
      server.misbehavingRequests = 2;
      const timeout = how === "silent" || how === "stall" ? 200 : undefined;
      await reads[what]?.(new HttpStore(server.url, { timeout, retry }));
      // Each of them the same request.
      expect(server.requests.map(({ method, range }) => [method, range])).toEqual(
        Array(3).fill(["GET", server.requests[0]?.range]),
      );
    },
  );

  it("whether there is a value", async () => {
    server.misbehaviour = unavailable;
    // HEAD, and GET, since some servers refuse HEAD.
    server.misbehavingRequests = 2;
    expect(await new HttpStore(server.url, { retry }).has("/v")).toBe(true);
  });

  it.each([
    { status: 400 },
    { status: 401 },
    { status: 403 },
    { status: 404 },
    { status: 409 },
    "html",
    "wrong-content-range",
  ] as const)("never after %j", async (how) => {
    server.misbehaviour = how;
    const store = new HttpStore(server.url, { retry });
    await store.getRange("/v", { offset: 10, length: 20 }).catch((error) => {
      expect(error).toMatchObject({ tag: "StoreError", isTransient: false });
    });
    expect(server.requests.length).toBe(1);
  });

  it("three times unless told otherwise, and then says what the last answer was", async () => {
    server.misbehaviour = unavailable;
    const error = { tag: "StoreError", status: 503, isTransient: true, retryAfter: undefined };
    await expect(new HttpStore(server.url).get("/v")).rejects.toMatchObject(error);
    expect(server.requests.length).toBe(3);
    await expect(new HttpStore(server.url, { retry: false }).get("/v")).rejects.toMatchObject(error);
    expect(server.requests.length).toBe(4);
    const five = new HttpStore(server.url, { retry: { attempts: 5, baseDelay: 0 } });
    await expect(five.get("/v")).rejects.toMatchObject(error);
    expect(server.requests.length).toBe(9);
  });

  it("and its message begins as zarrita's, which applications parse, through wrappers too", async () => {
    const values = new Map<string, Uint8Array>();
    await create(root(values).resolve("a"), { shape: [2], dtype: "int8", shards: [2] });
    const chunks = new Map([...values, ["/a/c/0", VALUE]]);
    let status = 200;
    const fetch = async ({ url }: Request) =>
      new Response(status === 200 ? chunks.get(new URL(url).pathname)?.slice() : null, { status });
    const store = new HttpStore("https://data.test", { fetch, retry: { attempts: 2, baseDelay: 0 } });
    for (const wrapped of [store, withRetry(store, { baseDelay: 0 }), withByteCaching(store)]) {
      status = 200;
      const where = root(wrapped).resolve("a");
      const array = await open(where, { kind: "array" });
      status = 503;
      const reads = [
        () => open(where.resolve("b")),
        () => get(array),
        () => array.getChunk([0]),
        () => withConsolidatedMetadata(store),
      ];
      for (const read of reads) await expect(read()).rejects.toThrow(/^Unexpected response status 503/);
    }
  });

  it("what `retryIf` wants, which sees the status", async () => {
    server.misbehaviour = { status: 403, headers: { "retry-after": "2" } };
    const seen: unknown[] = [];
    const retryIf = (error: unknown): boolean => seen.push(error) < 3;
    await expect(
      new HttpStore(server.url, { retry: { attempts: 9, baseDelay: 0, maxDelay: 3, retryIf } }).get("/v"),
    ).rejects.toMatchObject({ status: 403, retryAfter: "2" });
    expect(seen).toEqual([]);
    server.misbehaviour = { status: 403 };
    await expect(
      new HttpStore(server.url, { retry: { attempts: 9, baseDelay: 0, retryIf } }).get("/v"),
    ).rejects.toMatchObject({ status: 403 });
    expect(seen).toEqual(Array(3).fill(expect.objectContaining({ status: 403, isTransient: false })));
  });

  it("for archives", async () => {
    const parts: Uint8Array[] = [];
    for await (const part of packZip(new Map([["/a", pattern(50)]]))) parts.push(part);
    const zip = await serve(new Map([["/a.zip", Buffer.concat(parts)]]));
    zip.misbehaviour = "half";
    zip.misbehavingRequests = 1;
    try {
      expectBytes(await ZipStore.fromUrl(`${zip.url}/a.zip`, { retry }).get("/a"), pattern(50));
      zip.misbehavingRequests = 1;
      await expect(ZipStore.fromUrl(`${zip.url}/a.zip`, { retry: false }).get("/a")).rejects.toMatchObject({
        tag: "StoreError",
        isTransient: true,
      });
    } finally {
      await zip.close();
    }
  });

  it("for shards, and takes no parts of two versions together when one is replaced meanwhile", async () => {
    const shape = [64, 64];
    const options = { shape, chunkShape: [8, 8], shards: shape, dtype: "int32", codecs: ["gzip"] } as const;
    const values = new Map<string, Uint8Array>();
    const array = await create(values, options);
    await set(array, null, 1);
    const shards = await serve(values);
    try {
      shards.versionHeader = "etag";
      shards.misbehavingKeys = /c\/0/;
      const store = new HttpStore(shards.url, { retry: { ...retry, attempts: 4 } });
      const remote = await open(store, { kind: "array" });
      const expectAll = async (value: number): Promise<void> => {
        const { data } = await get(remote, null, { coalesce: { maximumSize: 1000 } });
        expect(new Set(Array.from(Object(data)))).toEqual(new Set([value]));
      };
      shards.misbehaviour = "half";
      shards.misbehavingRequests = 3;
      await expectAll(1);
      await set(array, null, 2);
      const two = new Map(values);
      await set(array, null, 1);
      let count = 0;
      shards.misbehaviour = unavailable;
      shards.misbehavingRequests = 0;
      shards.onRequest = () => {
        if (++count !== 2) return;
        // Between a failure and the next attempt.
        shards.misbehavingRequests = 1;
        for (const [key, value] of two) values.set(key, value);
      };
      await expectAll(2);
      expect(count).toBeGreaterThan(3);
    } finally {
      await shards.close();
    }
  });
});

describe("waits", () => {
  it("end when the signal aborts", async () => {
    server.misbehaviour = { status: 429, headers: { "retry-after": "9" } };
    const abort = new AbortController();
    const reason = new Error("enough");
    const onRetry = (): unknown => setTimeout(() => abort.abort(reason), 5);
    const store = new HttpStore(server.url, { retry: { onRetry } });
    await expect(store.get("/v", { signal: abort.signal })).rejects.toBe(reason);
    const overridden = new AbortController();
    const other = new HttpStore(server.url, {
      overrides: { signal: overridden.signal },
      retry: { onRetry: () => setTimeout(() => overridden.abort(reason), 5) },
    });
    await expect(other.get("/v")).rejects.toBe(reason);
    expect(server.requests.length).toBe(2);
  });
});

describe("withRetry", () => {
  /** Fails so often, then does what `inner` does. */
  function flaky<Inner extends Store>(inner: Inner, makeError: () => unknown, failures: number): Inner {
    let left = failures;
    return new Proxy(inner, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== "function") return value;
        return (...given: unknown[]) => {
          if (left-- > 0) throw makeError();
          return value.apply(target, given);
        };
      },
    });
  }
  const reset = (): Error => Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" });
  const withStatus = (status: number): Error => Object.assign(new Error("no"), { status });

  const failures: readonly [makeError: () => unknown, attempts: number][] = [
    [reset, 3],
    [() => new TypeError("fetch failed"), 3],
    [() => withStatus(502), 3],
    [() => new StoreError("", { isTransient: true }), 3],
    [() => withStatus(404), 1],
    [() => new StoreError("", { status: 503 }), 1],
    [() => new CodecError("checksum"), 1],
    [() => new TypeError("x is not a function"), 1],
    [() => new DOMException("", "AbortError"), 1],
    [() => "text", 1],
  ];
  it.each(failures)("%s is worth %i attempts", async (makeError, attempts) => {
    const error = makeError();
    const read = vi.fn((): Promise<Uint8Array> => Promise.reject(error));
    await expect(withRetry<Store>({ get: read }, retry).get("/v")).rejects.toBe(error);
    expect(read).toHaveBeenCalledTimes(attempts);
  });

  it("leaves what is there at once as it is, and keeps every way", async () => {
    const opened = new OpenBytes(VALUE, "/v");
    const inner = {
      kind: "files",
      get: vi.fn((): Uint8Array => VALUE),
      getRange: vi.fn((): Uint8Array => VALUE),
      getParts: vi.fn(async () => ({ parts: [VALUE] })),
      has: vi.fn(() => true),
      openNow: vi.fn(() => opened),
    } as const;
    const store = withRetry(inner, retry);
    const range = { offset: 0, length: 1 };
    expect(Object(store).get("/v")).toBe(VALUE);
    expect(await Object(store).getParts("/v", [range])).toEqual({ parts: [VALUE] });
    await Object(store).getRange("/v", range);
    await Object(store).has("/v");
    expect(Object(store).openNow("/v")).toBe(opened);
    const { kind, ...methods } = inner;
    expect(store.kind).toBe(kind);
    for (const [name, method] of Object.entries(methods)) expect(method, name).toHaveBeenCalledOnce();
    const plain: Store = withRetry({ get: () => VALUE }, retry);
    expect([plain.getRange, plain.set, plain.list]).toEqual(Array(3).fill(undefined));
  });

  it("asks for memory of the store's own after a failure", async () => {
    const allocate = vi.fn((length: number) => new Uint8Array(length));
    let calls = 0;
    const inner: Store = {
      get: () => VALUE,
      async getParts(_key, _ranges, options) {
        calls++;
        if (options?.allocate === undefined) return { parts: [VALUE] };
        options.allocate(1000);
        throw reset();
      },
    };
    const store = withRetry(inner, retry);
    expectBytes((await store.getParts?.("/v", undefined, { allocate }))?.parts[0], VALUE);
    expect([calls, allocate.mock.calls.length]).toEqual([2, 1]);
  });

  it("leaves a failure at once to the read that can wait", async () => {
    const inner: Store = {
      kind: "files",
      get: () => VALUE,
      openNow: () => {
        throw reset();
      },
    };
    const store = withRetry(inner, retry);
    expect(store.openNow?.("/v")).toBe("later");
  });

  it("repeats writes only when told to", async () => {
    const map = new Map<string, Uint8Array>();
    expect(() => Object(withRetry(flaky(map, reset, 1), retry)).set("/v", VALUE)).toThrow("ECONNRESET");
    const store = withRetry(flaky(map, reset, 2), { ...retry, writes: true });
    await store.set("/v", VALUE);
    expect(map.get("/v")).toBe(VALUE);
  });

  it("stands in front of HttpStore, whose ranges stay", async () => {
    const inner = new HttpStore(server.url, { retry: false });
    const seen: RetryReport[] = [];
    const store = withRetry(inner, { ...retry, onRetry: (report) => seen.push(report) });
    server.misbehaviour = "half";
    server.misbehavingRequests = 2;
    expectBytes(await store.getRange("/v", { offset: 3, length: 20 }), VALUE.subarray(3, 23));
    expect(seen.map(({ key, attempt, error }) => [key, attempt, Object(error).status])).toEqual([
      ["/v", 1, 206],
      ["/v", 2, 206],
    ]);
  });
});
