/** What goes with requests so that a server answers them, and where it never goes. */
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import type { HttpRequest } from "../../../src/core/stores/http/credentials.js";
import { create, get, HttpStore, open, root, set } from "../../../src/index.js";
import { RequestQueue } from "../../../src/main/stores.js";
import { packZip, ZipStore } from "../../../src/stores/zip/zip.js";
import { expectBytes, pattern } from "../../stores/conformance.js";
import { serve, type TestRequest } from "./server.js";

const VALUE = pattern(1000);
const keys = Array.from({ length: 20 }, (_, i) => `/v${i}` as const);
const values = new Map([["/v", VALUE], ...keys.map((key) => [key, VALUE] as const)]);
const server = await serve(values);
const other = await serve(values);
afterAll(() => Promise.all([server.close(), other.close()]));
afterEach(() => {
  server.reset();
  other.reset();
  vi.unstubAllGlobals();
});

const SECRET = "geheim";
/** Answers 401, or another status, to requests that are not as they should be. */
function demand(isRight: (request: TestRequest) => boolean, status = 401): void {
  server.onRequest = (request) => {
    server.misbehaviour = isRight(request) ? undefined : { status };
  };
}
const bearerOf = ({ headers }: TestRequest): string | undefined =>
  headers.authorization?.replace("Bearer ", "");

async function failureOf(work: Promise<unknown>): Promise<Error> {
  const [settled] = await Promise.allSettled([work]);
  if (settled.status === "rejected" && settled.reason instanceof Error) return settled.reason;
  throw new Error("expected a failure");
}

describe("headers", () => {
  it("may be a function, which is called for every request", async () => {
    let count = 0;
    const store = new HttpStore(server.url, {
      overrides: { headers: { "x-a": "1", "x-b": "1" } },
      headers: async () => ({ "x-b": "2", authorization: `Bearer ${count++}` }),
    });
    await store.get("/v");
    await store.getRange("/v", { offset: 1, length: 2 });
    await store.has("/v");
    expect(
      server.requests.map(({ method, range, headers }) => [method, range, headers["x-a"], headers["x-b"]]),
    ).toEqual([
      ["GET", undefined, "1", "2"],
      ["GET", "bytes=1-2", "1", "2"],
      ["HEAD", undefined, "1", "2"],
    ]);
    expect(server.requests.map(bearerOf)).toEqual(["0", "1", "2"]);
  });

  it("that cannot be had are the failure of the read, as they are", async () => {
    const failure = new Error("no token");
    const store = new HttpStore(server.url, { headers: () => Promise.reject(failure) });
    await expect(store.get("/v")).rejects.toBe(failure);
    expect(server.requests).toEqual([]);
  });
});

describe("authorize", () => {
  it("is told what is asked for, and says what is sent", async () => {
    const seen: Omit<HttpRequest, "headers">[] = [];
    const store = new HttpStore(`${server.url}?a=1`, {
      headers: { "x-a": "1" },
      authorize({ headers, ...request }) {
        seen.push(request);
        const url = new URL(request.url);
        url.searchParams.set("signature", `${request.method} ${request.range} ${headers.get("x-a")}`);
        return { url, headers: { "x-b": "2" } };
      },
    });
    expectBytes(await store.get("/v"), VALUE);
    expectBytes(await store.getRange("/v", { suffixLength: 10 }), VALUE.subarray(-10));
    expect(await store.has("/v")).toBe(true);
    const url = new URL(`${server.url}/v?a=1`);
    expect(seen).toEqual([
      { url, method: "GET", range: undefined, expired: false },
      { url, method: "GET", range: "bytes=-10", expired: false },
      { url, method: "HEAD", range: undefined, expired: false },
    ]);
    expect(server.requests.map(({ search }) => new URLSearchParams(search).get("signature"))).toEqual([
      "GET undefined 1",
      "GET bytes=-10 1",
      "HEAD undefined 1",
    ]);
    expect(server.requests.map(({ headers }) => [headers["x-a"], headers["x-b"]])).toEqual(
      Array(3).fill(["1", "2"]),
    );
  });

  it("may give a Request, or nothing", async () => {
    demand((request) => bearerOf(request) === SECRET);
    const store = new HttpStore(server.url, {
      authorize: async ({ url, method, headers, range }) => {
        if (range) return undefined;
        const request = new Request(url, { method, headers });
        request.headers.set("authorization", `Bearer ${SECRET}`);
        return request;
      },
    });
    expectBytes(await store.get("/v"), VALUE);
    await expect(store.getRange("/v", { offset: 0, length: 1 })).rejects.toMatchObject({ status: 401 });
  });

  it.each([401, 403])("is called once more after %i, and no third time", async (status) => {
    let token = 0;
    const calls: boolean[] = [];
    demand((request) => bearerOf(request) === "2", status);
    const store = new HttpStore(server.url, {
      authorize({ expired }) {
        calls.push(expired);
        if (expired) token++;
        return { headers: { authorization: `Bearer ${token}` } };
      },
    });
    await expect(store.get("/v")).rejects.toMatchObject({ tag: "StoreError", status, isTransient: false });
    expectBytes(await store.get("/v"), VALUE);
    expectBytes(await store.get("/v"), VALUE);
    expect(calls).toEqual([false, true, false, true, false]);
    expect(server.requests.length).toBe(5);
  });

  it("is called once more for many that are refused at the same time", async () => {
    let token = 0;
    let renewals = 0;
    demand((request) => bearerOf(request) === "1");
    const store = new HttpStore(server.url, {
      async authorize({ expired }) {
        if (expired) {
          renewals++;
          await new Promise((resolve) => setTimeout(resolve, 30));
          token = 1;
        }
        return { headers: { authorization: `Bearer ${token}` } };
      },
    });
    const all = await Promise.all(keys.map((key) => store.get(key)));
    for (const value of all) expectBytes(value, VALUE);
    expect(renewals).toBe(1);
    expect(server.requests.length).toBe(2 * keys.length);
  });

  it("is called once more, too, if the event loop was busy while the refusals came", async () => {
    let token = 0;
    let renewals = 0;
    const store = new HttpStore("https://example.com/", {
      async fetch({ headers }) {
        if (headers.get("authorization") === "Bearer 1") return new Response("value");
        const end = performance.now() + 20;
        while (performance.now() < end);
        return new Response(null, { status: 401 });
      },
      async authorize({ expired }) {
        if (expired) {
          renewals++;
          await new Promise((resolve) => setTimeout(resolve, 1));
          token = 1;
        }
        return { headers: { authorization: `Bearer ${token}` } };
      },
    });
    await Promise.all(keys.slice(0, 5).map((key) => store.get(key)));
    expect(renewals).toBe(1);
  });

  it("that fails is the failure of one, and of nobody who comes later", async () => {
    const failure = new Error("login cancelled");
    let isCancelled = true;
    demand((request) => bearerOf(request) === SECRET);
    const store = new HttpStore(server.url, {
      authorize({ expired }) {
        if (expired && isCancelled) throw failure;
        return { headers: { authorization: `Bearer ${isCancelled ? "" : SECRET}` } };
      },
    });
    await expect(store.get("/v")).rejects.toBe(failure);
    isCancelled = false;
    expectBytes(await store.get("/v"), VALUE);
  });

  it("is left alone when the signal aborts, however long it takes", async () => {
    const abort = new AbortController();
    const reason = new Error("enough");
    const store = new HttpStore(server.url, { authorize: () => new Promise(() => {}) });
    const value = store.get("/v", { signal: abort.signal });
    setTimeout(() => abort.abort(reason), 5);
    await expect(value).rejects.toBe(reason);
    expect(server.requests).toEqual([]);
  });

  it("is asked again for each attempt after a failure", async () => {
    let count = 0;
    server.misbehaviour = { status: 503 };
    server.misbehavingRequests = 2;
    const store = new HttpStore(server.url, {
      retry: { baseDelay: 1 },
      authorize: () => ({ headers: { authorization: `Bearer ${count++}` } }),
    });
    expectBytes(await store.get("/v"), VALUE);
    expect(server.requests.map(bearerOf)).toEqual(["0", "1", "2"]);
  });

  it("and the headers of the store: these do not go to another origin, where it sends a request", async () => {
    const store = new HttpStore(server.url, {
      headers: { authorization: `Bearer ${SECRET}`, "x-api-key": SECRET },
      authorize: ({ url }) => ({ url: `${other.url}${url.pathname}?signature=1`, headers: { "x-b": "2" } }),
    });
    expectBytes(await store.getRange("/v", { offset: 5, length: 5 }), VALUE.subarray(5, 10));
    const [request] = other.requests;
    expect([request?.range, request?.search, request?.headers["x-b"]]).toEqual([
      "bytes=5-9",
      "?signature=1",
      "2",
    ]);
    expect(JSON.stringify(other.requests)).not.toContain(SECRET);
    expect(server.requests).toEqual([]);
  });

  it("for archives and arrays", async () => {
    const stored = new Map<string, Uint8Array>();
    await set(
      await create(root(stored).resolve("a"), { shape: [6], chunkShape: [2], dtype: "uint8" }),
      null,
      5,
    );
    const parts: Uint8Array[] = [];
    for await (const part of packZip(stored)) parts.push(part.slice());
    values.set("/a.zip", new Uint8Array(Buffer.concat(parts)));
    for (const [key, value] of stored) values.set(key, value);
    let isNew = false;
    demand((request) => request.search === "?signature=new", 403);
    const options = {
      authorize({ url, expired }: HttpRequest) {
        isNew ||= expired;
        return { url: `${url}?signature=${isNew ? "new" : "old"}` };
      },
    };
    const stores = [ZipStore.fromUrl(`${server.url}/a.zip`, options), new HttpStore(server.url, options)];
    for (const store of stores) {
      isNew = false;
      const array = await open(root(store).resolve("a"), { kind: "array", dtype: "uint8" });
      expect(Array.from((await get(array)).data)).toEqual(Array(6).fill(5));
    }
  });
});

describe("redirects", () => {
  const headers = { authorization: `Bearer ${SECRET}`, "x-api-key": SECRET, cookie: `a=${SECRET}` };

  it.each([
    ["headers", { headers }],
    ["overrides", { overrides: { headers } }],
    ["authorize", { authorize: () => ({ headers }) }],
  ])("to another origin lose all that the application gave as %s, and keep the range", async (_, options) => {
    server.misbehaviour = { status: 302, headers: { location: `${other.url}/v` } };
    const store = new HttpStore(server.url, options);
    expectBytes(await store.getRange("/v", { offset: 5, length: 5 }), VALUE.subarray(5, 10));
    expect(other.requests.map(({ range }) => range)).toEqual(["bytes=5-9"]);
    expect(JSON.stringify(other.requests)).not.toContain(SECRET);
    expect(JSON.stringify(server.requests)).toContain(SECRET);
  });

  it("within an origin keep them", async () => {
    server.onRequest = ({ key }) => {
      server.misbehaviour = key === "/v" ? { status: 307, headers: { location: "/v1?a=1" } } : undefined;
    };
    expectBytes(await new HttpStore(server.url, { headers }).get("/v"), VALUE);
    expect(server.requests.map((request) => [request.key, request.headers["x-api-key"]])).toEqual([
      ["/v", SECRET],
      ["/v1", SECRET],
    ]);
  });

  it("without end are an error, and those that `overrides` forbids too", async () => {
    server.misbehaviour = { status: 302, headers: { location: "/v" } };
    for (const overrides of [{ headers }, { headers, redirect: "error" }] as const)
      await expect(new HttpStore(server.url, { overrides, retry: false }).get("/v")).rejects.toMatchObject({
        tag: "StoreError",
      });
    expect(server.requests.length).toBe(22);
  });
});

describe("messages", () => {
  const authorize = ({ url }: HttpRequest) => ({ url: `${url}?signature=${SECRET}` });
  /** Everything that a log shows of an error. */
  const shown = (error: Error): string =>
    `${error.stack} ${JSON.stringify(error)} ${error.cause instanceof Error ? error.cause.stack : error.cause}`;

  it.each([{ status: 403 }, { status: 500 }, "html", "half", "hang-up", "wrong-content-range"] as const)(
    "do not show a signature after %j",
    async (how) => {
      server.misbehaviour = how;
      const options = { retry: false } as const;
      for (const store of [
        new HttpStore(server.url, { ...options, authorize }),
        new HttpStore(`${server.url}?signature=${SECRET}`, options),
        ZipStore.fromUrl(`${server.url}/v?signature=${SECRET}`, options),
      ]) {
        const error = await failureOf(store.getRange("/v", { offset: 0, length: 100 }));
        expect(error).toMatchObject({ tag: "StoreError" });
        expect(shown(error)).not.toContain(SECRET);
      }
    },
  );

  it("do not show what the platform says of a URL: a password, a signature", async () => {
    const { host } = new URL(server.url);
    const errors = [
      await failureOf(new HttpStore(`http://user:${SECRET}@${host}`).get("/v")),
      await failureOf(open(new HttpStore(`${server.url}/nothing?signature=${SECRET}`))),
      await failureOf(
        new HttpStore(server.url, {
          retry: false,
          authorize,
          // As Deno's.
          fetch: async ({ url }) => {
            throw new TypeError(`error sending request for url (${url})`);
          },
        }).get("/v"),
      ),
      await failureOf((async () => new HttpStore(`//?signature=${SECRET}`))()),
      await failureOf((async () => new HttpStore(`http://user:${SECRET}@[x`))()),
      ...(await Promise.all(
        [{ url: `http://[x?signature=${SECRET}` }, { headers: { authorization: `${SECRET}\n1` } }].map(
          (given) => failureOf(new HttpStore(server.url, { authorize: () => given }).get("/v")),
        ),
      )),
      await failureOf(new HttpStore(server.url, { headers: { authorization: `${SECRET}\u0100` } }).get("/v")),
      await failureOf((async () => new HttpStore(`s3://bucket?signature=${SECRET}`))()),
    ];
    for (const error of errors) expect(shown(error)).not.toContain(SECRET);
  });
});

describe("missingStatuses", () => {
  it("say which statuses stand for a missing value", async () => {
    server.misbehaviour = { status: 403 };
    const store = new HttpStore(server.url, { missingStatuses: [403] });
    expect(await store.get("/v")).toBeUndefined();
    expect(await store.getRange("/v", { offset: 0, length: 1 })).toBeUndefined();
    expect(await store.getRange("/v", { suffixLength: 1 })).toBeUndefined();
    expect(await store.has("/v")).toBe(false);
    expect((await failureOf(open(store))).message).toMatch(/no Zarr|not found/i);
    server.misbehaviour = { status: 401 };
    await expect(store.get("/v")).rejects.toMatchObject({ status: 401 });
  });

  it("are named where one would do", async () => {
    server.misbehaviour = { status: 403 };
    await expect(new HttpStore(server.url).get("/v")).rejects.toThrow("missingStatuses: [403]");
  });

  it("do not make expired credentials missing values: they are renewed first", async () => {
    let token = "old";
    demand((request) => bearerOf(request) === "new" && request.key !== "/hidden", 403);
    const store = new HttpStore(server.url, {
      missingStatuses: [403],
      authorize({ expired }) {
        if (expired) token = "new";
        return { headers: { authorization: `Bearer ${token}` } };
      },
    });
    expectBytes(await store.get("/v"), VALUE);
    expect(await store.get("/hidden")).toBeUndefined();
  });
});

describe("queues", () => {
  it("send the most urgent first, pass priorities on to fetch, and send nothing that was aborted", async () => {
    const seen: unknown[] = [];
    const { fetch } = globalThis;
    vi.stubGlobal("fetch", (url: string, init: RequestInit) => {
      seen.push([new URL(url).pathname, init.priority]);
      return fetch(url, init);
    });
    const store = new HttpStore(server.url, { queue: new RequestQueue({ limit: 1 }) });
    const abort = new AbortController();
    const all = [
      store.get("/v0"),
      store.get("/v1", { priority: -1 }),
      store.get("/v2", { signal: abort.signal, priority: 9 }),
      store.get("/v3", { priority: () => 2 }),
      store.get("/v4"),
    ];
    abort.abort(new Error("scrolled away"));
    const settled = await Promise.allSettled(all);
    expect(settled.map(({ status }) => status)).toEqual([
      "fulfilled",
      "fulfilled",
      "rejected",
      "fulfilled",
      "fulfilled",
    ]);
    expect(seen).toEqual([
      ["/v0", undefined],
      ["/v3", "high"],
      ["/v4", undefined],
      ["/v1", "low"],
    ]);
    expect(server.requests.map(({ key }) => key)).toEqual(["/v0", "/v3", "/v4", "/v1"]);
  });

  it("are one for all stores of an origin: prefetches of one wait for reads of another", async () => {
    let running = 0;
    let most = 0;
    const options = {
      fetch: async (request: Request) => {
        most = Math.max(most, ++running);
        await new Promise((resolve) => setTimeout(resolve, 2));
        running--;
        return fetch(request);
      },
    };
    const stores = [`${server.url}/a`, `${server.url}/b`].map((url) => new HttpStore(url, options));
    const all = stores.flatMap((store) => keys.map((key) => store.get(key, { priority: -1 })));
    await Promise.all(all);
    expect(most).toBe(4);
  });

  it("are free again during the wait before another attempt", async () => {
    server.misbehaviour = { status: 503 };
    server.misbehavingKeys = /v0/;
    server.misbehavingRequests = 1;
    const store = new HttpStore(server.url, {
      queue: new RequestQueue({ limit: 1 }),
      retry: { baseDelay: 100 },
    });
    vi.spyOn(Math, "random").mockReturnValue(0.9);
    await Promise.all([store.get("/v0"), store.get("/v1")]);
    vi.restoreAllMocks();
    expect(server.requests.map(({ key }) => key)).toEqual(["/v0", "/v1", "/v0"]);
  });
});
