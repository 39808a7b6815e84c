import { createServer } from "node:http";
import { FetchStore as ZarritaFetchStore } from "@zarrita/storage";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { HttpStore } from "../../../src/core/stores/http/http.js";
import { type Conformance, describeStore, expectBytes, pattern } from "../../stores/conformance.js";
import { asAnotherOrigin, type Misbehaviour, serve, type TestServer } from "./server.js";

const readOnly = { canWrite: false, canDelete: false, canList: false, isExact: true };
const servers = new Map<unknown, TestServer>();

function conformance(
  name: string,
  misbehaviour?: Misbehaviour,
  tells: Conformance["tells"] = ["length", "version"],
): void {
  describeStore(
    name,
    async (values) => {
      const server = await serve(values);
      server.misbehaviour = misbehaviour;
      server.versionHeader = "etag";
      const isHidden = misbehaviour === "hide-content-range";
      const store = new HttpStore(server.url, isHidden ? { fetch: asAnotherOrigin } : {});
      servers.set(store, server);
      return store;
    },
    { ...readOnly, tells, close: async (store) => servers.get(store)?.close() },
  );
}
conformance("HttpStore");
conformance("HttpStore, no ranges", "ignore-range");
conformance("HttpStore, no HEAD", "refuse-head");
conformance("HttpStore, no suffix ranges", "refuse-suffix");
conformance("HttpStore, suffix ranges misread", "suffix-as-prefix");
conformance("HttpStore, Content-Range hidden", "hide-content-range", ["version"]);
conformance("HttpStore, compressed", "gzip");
conformance("HttpStore, compressed parts", "gzip-part");

const values = new Map<string, Uint8Array>([
  ["/v", pattern(1000)],
  ["/empty", new Uint8Array(0)],
  ["/data/ü b.zarr/c/0", pattern(30)],
  ["/zarr.json", new TextEncoder().encode(' {"zarr_format": 3}')],
]);
const server = await serve(values);
afterAll(() => server.close());
afterEach(() => server.reset());

describe("FetchStore of @zarrita/storage", () => {
  it("reads from the same server", async () => {
    const store = new ZarritaFetchStore(server.url);
    expectBytes(await store.get("/v"), pattern(1000));
    expectBytes(await store.getRange("/v", { offset: 10, length: 20 }), pattern(1000).subarray(10, 30));
    expectBytes(await store.getRange("/v", { suffixLength: 20 }), pattern(1000).subarray(980));
    expect(await store.get("/missing")).toBeUndefined();
  });
});

describe("HttpStore: requests", () => {
  it("makes one request for a value, a range, a suffix and a missing value", async () => {
    const store = new HttpStore(server.url);
    await store.get("/v");
    await store.getRange("/v", { offset: 5, length: 10 });
    await store.getRange("/v", { suffixLength: 10 });
    await store.get("/missing");
    expect(server.requests.map(({ method, key, range }) => [method, key, range])).toEqual([
      ["GET", "/v", undefined],
      ["GET", "/v", "bytes=5-14"],
      ["GET", "/v", "bytes=-10"],
      ["GET", "/missing", undefined],
    ]);
    expect(server.bytesSent).toBe(1000 + 10 + 10 + "not found".length);
  });

  it("keeps the query and the path of the base URL, with or without a slash at its end", async () => {
    for (const base of ["/data/ü b.zarr?token=a%20b&c", "/data/%C3%BC%20b.zarr/?token=a%20b&c"]) {
      const store = new HttpStore(`${server.url}${base}`);
      expectBytes(await store.get("/c/0"), pattern(30));
      expect(server.requests.at(-1)?.search).toBe("?token=a%20b&c");
    }
    expectBytes(await new HttpStore(new URL("data/ü b.zarr", server.url)).get("/c/0"), pattern(30));
  });

  it("refuses keys that a URL cannot name", async () => {
    const store = new HttpStore(`${server.url}/data`);
    for (const key of ["/../v", "/a//b", "/./v", "/", "/v/", "/\ud800"] as const) {
      await expect(store.get(key), key).rejects.toMatchObject({ tag: "StoreError", key });
    }
    expect(server.requests).toEqual([]);
    expect(() => new HttpStore("no URL")).toThrow(expect.objectContaining({ tag: "InvalidArgumentError" }));
  });

  it("sends headers of every form with every request", async () => {
    const store = new HttpStore(server.url, {
      headers: [["x-two", "2"]],
      overrides: { headers: new Headers({ "x-one": "1", "x-two": "overridden" }) },
    });
    await store.get("/v");
    await store.getRange("/v", { offset: 0, length: 2 });
    await store.has("/v");
    for (const { headers } of server.requests) expect(headers).toMatchObject({ "x-one": "1", "x-two": "2" });
    expect(server.requests[1]?.headers.range).toBe("bytes=0-1");
  });

  it("calls a fetch of the caller's with complete requests", async () => {
    const store = new HttpStore(`${server.url}/?q`, {
      async fetch(request) {
        expect(request).toBeInstanceOf(Request);
        const response = await fetch(request);
        return response.status === 403 ? new Response(null, { status: 404 }) : response;
      },
    });
    expectBytes(await store.getRange("/v", { offset: 3, length: 4 }), pattern(1000).subarray(3, 7));
    server.misbehaviour = { status: 403 };
    expect(await store.get("/v")).toBeUndefined();
  });

  it("asks for the length first when told to, or when suffix ranges were refused once", async () => {
    const told = new HttpStore(server.url, { useSuffixRequest: false });
    expectBytes(await told.getRange("/v", { suffixLength: 3 }), pattern(1000).subarray(997));
    expect(server.requests.map(({ method, range }) => [method, range])).toEqual([
      ["HEAD", undefined],
      ["GET", expect.stringMatching(/^bytes=997-/)],
    ]);
    server.reset();
    server.misbehaviour = "refuse-suffix";
    const refused = new HttpStore(server.url);
    for (const _ of [1, 2]) {
      expectBytes(await refused.getRange("/v", { suffixLength: 3 }), pattern(1000).subarray(997));
    }
    expect(server.requests.map(({ method }) => method)).toEqual(["GET", "HEAD", "GET", "HEAD", "GET"]);
  });

  it("asks for the length first when a suffix range was ignored once, as whole values cost more", async () => {
    server.misbehaviour = "ignore-suffix";
    const store = new HttpStore(server.url);
    for (const _ of [1, 2]) {
      expectBytes(await store.getRange("/v", { suffixLength: 3 }), pattern(1000).subarray(997));
    }
    expect(server.requests.map(({ method }) => method)).toEqual(["GET", "HEAD", "GET"]);
    expect(server.bytesSent).toBe(1000 + 3);
  });

  it("takes the end of the whole value when the server hides lengths", async () => {
    server.misbehaviour = "hide-length";
    const store = new HttpStore(server.url, { useSuffixRequest: false });
    expectBytes(await store.getRange("/v", { suffixLength: 3 }), pattern(1000).subarray(997));
    expect(server.requests.map(({ method, range }) => [method, range])).toEqual([
      ["HEAD", undefined],
      ["GET", undefined],
    ]);
  });

  it("keeps little of a whole value that came for a range", async () => {
    server.misbehaviour = "ignore-range";
    const range = await new HttpStore(server.url).getRange("/v", { offset: 10, length: 20 });
    expect(range?.buffer.byteLength).toBe(20);
  });

  it("uses few connections for many missing values", async () => {
    const store = new HttpStore(server.url);
    for (let index = 0; index < 50; index++) await store.get(`/missing/${index}`);
    expect(server.requests.length).toBe(50);
    expect(server.connections).toBeLessThan(10);
  });
});

describe("HttpStore: bad answers", () => {
  const store = new HttpStore(`${server.url}/?signature=secret`, { retry: false });
  const failing = (fields: object) => ({ tag: "StoreError", key: "/v", ...fields });

  it("takes 404 and 410 for missing", async () => {
    for (const status of [404, 410]) {
      server.misbehaviour = { status };
      expect(await store.get("/v")).toBeUndefined();
      expect(await store.getRange("/v", { offset: 0, length: 4 })).toBeUndefined();
      expect(await store.getRange("/v", { suffixLength: 4 })).toBeUndefined();
      expect(await store.has("/v")).toBe(false);
    }
  });

  it("throws for every other status, with status and address, without the query", async () => {
    for (const status of [201, 204, 206, 304, 400, 401, 403, 405, 418, 429, 500, 501, 503]) {
      server.misbehaviour = { status };
      // As zarrita's message begins, of which applications read the status.
      const begin = `^Unexpected response status ${status}( [A-Z][A-Za-z' -]+)? from ${server.url}/v`;
      const error = failing({ status, message: expect.stringMatching(new RegExp(begin)) });
      await expect(store.get("/v"), String(status)).rejects.toMatchObject(error);
      await expect(store.getRange("/v", { suffixLength: 4 }), String(status)).rejects.toMatchObject({
        status,
      });
      await expect(store.has("/v"), String(status)).rejects.toMatchObject({ status });
      await expect(store.get("/v")).rejects.not.toThrow("secret");
    }
    server.misbehaviour = { status: 403 };
    await expect(store.get("/v")).rejects.toThrow("credentials");
  });

  it("throws for an HTML page in place of a chunk", async () => {
    server.misbehaviour = "html";
    const error = failing({ message: expect.stringContaining("HTML") });
    await expect(store.get("/v")).rejects.toMatchObject(error);
    await expect(store.getRange("/v", { offset: 0, length: 4 })).rejects.toMatchObject(error);
    await expect(store.getRange("/v", { suffixLength: 4 })).rejects.toMatchObject(error);
    await expect(store.has("/v")).rejects.toMatchObject(error);
  });

  it("looks at the status before the page that comes with it, for parts too", async () => {
    const answering = (status: number, headers: Record<string, string> = {}) =>
      new HttpStore(server.url, {
        fetch: async () =>
          new Response("<html>", { status, headers: { "content-type": "text/html", ...headers } }),
      });
    for (const range of [{ offset: 2, length: 4 }, { suffixLength: 4 }]) {
      const error = failing({ status: 403, message: expect.stringContaining("credentials") });
      await expect(answering(403).getRange("/v", range)).rejects.toMatchObject(error);
    }
    // nginx and others send a page with 416.
    const end = answering(416, { "content-range": "bytes */6" });
    expect(await end.getParts("/v", [{ offset: 8, length: 4 }])).toEqual({
      parts: [new Uint8Array(0)],
      byteLength: 6,
      version: undefined,
    });
  });

  it("takes an HTML page in place of metadata for missing, but not JSON that is called HTML", async () => {
    server.misbehaviour = "html";
    for (const key of [
      "/zarr.json",
      "/.zarray",
      "/a/.zgroup",
      "/.zattrs",
      "/.zmetadata",
      "/meta/root.array.json",
    ] as const) {
      expect(await store.get(key), key).toBeUndefined();
      expect(await store.has(key), key).toBe(false);
    }
    const misled = new HttpStore(server.url, {
      async fetch(request) {
        const response = await fetch(request);
        return new Response(response.body, { headers: { "content-type": "text/html" } });
      },
    });
    server.misbehaviour = undefined;
    expectBytes(await misled.get("/zarr.json"), values.get("/zarr.json") ?? pattern(0));
  });

  it("throws for half a body and for no answer", async () => {
    for (const misbehaviour of ["half", "hang-up"] as const) {
      server.misbehaviour = misbehaviour;
      await expect(store.get("/v"), misbehaviour).rejects.toMatchObject(failing({}));
      await expect(store.getRange("/v", { offset: 0, length: 100 }), misbehaviour).rejects.toMatchObject(
        failing({}),
      );
      await expect(store.getRange("/v", { suffixLength: 100 }), misbehaviour).rejects.toMatchObject(
        failing({}),
      );
    }
    const short = new HttpStore(server.url, {
      fetch: async () => new Response("half", { headers: { "content-length": "8" } }),
    });
    await expect(short.get("/v")).rejects.toThrow("expected a body of 8 bytes, got 4");
  });

  it("names the address that fetch has no protocol for", async () => {
    await expect(new HttpStore("ftp://bucket/a.zarr").get("/zarr.json")).rejects.toThrow(
      "no answer from ftp://bucket/a.zarr/zarr.json: ",
    );
  });

  it("says what to check when there is no server", async () => {
    const nobody = createServer();
    await new Promise<void>((listening) => nobody.listen(0, "127.0.0.1", listening));
    const address = nobody.address();
    await new Promise((closed) => nobody.close(closed));
    const port = typeof address === "object" ? address?.port : undefined;
    const error = {
      tag: "StoreError",
      key: "/v",
      status: undefined,
      message: expect.stringMatching(/ECONNREFUSED.*CORS/),
    };
    await expect(new HttpStore(`http://127.0.0.1:${port}`).get("/v")).rejects.toMatchObject(error);
  });

  it("stops waiting for an answer or the rest of one when the signal says so", async () => {
    for (const misbehaviour of ["silent", "stall"] as const) {
      server.misbehaviour = misbehaviour;
      const reason = new Error("enough");
      const controller = new AbortController();
      const value = store.get("/v", { signal: controller.signal });
      const range = store.getRange("/v", { suffixLength: 500 }, { signal: controller.signal });
      // A request that was aborted in the round before may still arrive.
      await vi.waitUntil(() => server.requests.length >= 2, { timeout: 30_000 });
      controller.abort(reason);
      await expect(value).rejects.toBe(reason);
      await expect(range).rejects.toBe(reason);
      await expect(store.get("/v", { signal: AbortSignal.timeout(20) })).rejects.toMatchObject({
        name: "TimeoutError",
      });
      server.reset();
    }
  });

  it("does not let one caller's abort stop another's request", async () => {
    const controller = new AbortController();
    const aborted = store.get("/v", { signal: controller.signal });
    const other = store.get("/v");
    controller.abort();
    await expect(aborted).rejects.toMatchObject({ name: "AbortError" });
    expectBytes(await other, pattern(1000));
  });

  it("does not take another range for the one asked for", async () => {
    for (const misbehaviour of ["wrong-range", "wrong-content-range"] as const) {
      server.misbehaviour = misbehaviour;
      await expect(store.getRange("/v", { offset: 10, length: 10 }), misbehaviour).rejects.toMatchObject(
        failing({ status: 206, message: expect.stringContaining("expected the range bytes=10-19") }),
      );
      await expect(store.getRange("/v", { suffixLength: 10 }), misbehaviour).rejects.toMatchObject(
        failing({ status: 206 }),
      );
    }
    for (const [header, body] of [
      ["bytes 10-19/1000", "123456789"],
      ["bytes 10-18/1000", "123456789"],
      ["bytes 10-20/1000", "1234567890A"],
      ["bytes 9-18/*", "1234567890"],
      ["10-19", "1234567890"],
      [undefined, "1234567890A"],
    ] as const) {
      const liar = new HttpStore(server.url, {
        fetch: async () =>
          new Response(body, {
            status: 206,
            headers: header === undefined ? {} : { "content-range": header },
          }),
      });
      await expect(liar.getRange("/v", { offset: 10, length: 10 }), header).rejects.toMatchObject(
        failing({}),
      );
    }
    const vague = new HttpStore(server.url, {
      fetch: async () =>
        new Response("1234567890", { status: 206, headers: { "content-range": "bytes 10-19/*" } }),
    });
    expect((await vague.getRange("/v", { offset: 10, length: 10 }))?.byteLength).toBe(10);
    // Names of units have no case.
    const shouting = new HttpStore(server.url, {
      fetch: async () =>
        new Response("1234567890", { status: 206, headers: { "content-range": "Bytes 10-19/1000" } }),
    });
    expect((await shouting.getRange("/v", { offset: 10, length: 10 }))?.byteLength).toBe(10);
  });

  it("does not take several parts for the one asked for", async () => {
    const body = `--B\r\nContent-Range: bytes 90-99/100\r\n\r\n1234567890\r\n--B--`;
    const several = new HttpStore(server.url, {
      fetch: async () =>
        new Response(body, { status: 206, headers: { "content-type": "multipart/byteranges; boundary=B" } }),
    });
    await expect(several.getRange("/v", { offset: 90, length: 100 })).rejects.toMatchObject(
      failing({ status: 206, message: expect.stringContaining("expected the range bytes=90-189") }),
    );
  });
});
