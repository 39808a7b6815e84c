/** Hostile stores: values longer than they can be are cut off, and refused by name. */
import { mkdtemp, rm, truncate } from "node:fs/promises";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import { FileSystemStore } from "../../../src/core/stores/files/file-system.js";
import { HttpStore } from "../../../src/core/stores/http/http.js";
import type { AbsolutePath } from "../../../src/core/stores/store.js";
import { create, get, open, type Store, set, slice } from "../../../src/index.js";
import { GZIP } from "../../setup/codecs.js";

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function serving(listener: RequestListener): Promise<HttpStore> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return new HttpStore(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

const PIECE = new Uint8Array(64 << 10).fill(32);
/** Bytes that a server sends for nothing: sockets hold some. */
const PATIENCE = 64 << 20;

/** Serves the values, and to `key` a body that never ends. */
async function endless(
  values: ReadonlyMap<string, Uint8Array>,
  key: RegExp,
  { status = 200, headers = {} }: { status?: number; headers?: Record<string, string> } = {},
): Promise<{ store: HttpStore; sent: () => number }> {
  let sent = 0;
  const store = await serving(({ url = "", method }, response) => {
    const value = values.get(url);
    if (!key.test(url)) {
      response.writeHead(value ? 200 : 404).end(value);
      return;
    }
    response.writeHead(status, headers);
    if (method === "HEAD") {
      response.end();
      return;
    }
    const more = (): void => {
      while (!response.destroyed && sent < PATIENCE) {
        sent += PIECE.length;
        if (!response.write(PIECE)) {
          response.once("drain", more);
          return;
        }
      }
      response.end();
    };
    more();
  });
  return { store, sent: () => sent };
}

async function written(options: object): Promise<Map<AbsolutePath, Uint8Array>> {
  const values = new Map<AbsolutePath, Uint8Array>();
  const array = await create(values, { shape: [16], chunkShape: [4], dtype: "float32", ...options });
  await set(array, null, 1.5);
  return values;
}

describe("an endless body", () => {
  it.each([
    ["without codecs", {}],
    ["with gzip", { codecs: [GZIP] }],
    ["in shards", { shards: [8] }],
    ["in a rectilinear grid", { chunkShape: [[4, 8, 4]] }],
  ])("in place of a chunk is cut off: %s", async (_, options) => {
    const { store, sent } = await endless(await written(options), /\/c\/1$/);
    const array = await open(store, { kind: "array" });
    await expect(get(array)).rejects.toMatchObject({
      tag: "StoreError",
      key: "/c/1",
      message: expect.stringContaining("expected a body of at most"),
    });
    expect(sent()).toBeLessThan(PATIENCE / 2);
  });

  it("in place of a metadata document is cut off", async () => {
    const announced = await serving((_, response) => {
      response.writeHead(200, { "content-length": `${2 ** 40}` }).write(PIECE);
    });
    await expect(open(announced)).rejects.toMatchObject({
      tag: "StoreError",
      key: "/zarr.json",
      message: expect.stringContaining(`at most ${64 << 20} bytes, got ${2 ** 40}`),
    });
    // White space, in half a megabyte.
    const bomb = gzipSync(new Uint8Array(128 << 20).fill(32), { level: 1 });
    const compressed = await serving((_, response) => {
      response.writeHead(200, { "content-encoding": "gzip" }).end(bomb);
    });
    await expect(open(compressed)).rejects.toMatchObject({ tag: "StoreError", key: "/zarr.json" });
  });

  it("in place of a range is cut off", async () => {
    for (const range of [{ offset: 3, length: 16 }, { suffixLength: 16 }] as const) {
      const headers = { "content-range": "bytes 3-18/100" };
      const { store, sent } = await endless(new Map(), /\/v$/, { status: 206, headers });
      await expect(store.getRange("/v", range, { maximumBytes: 1000 })).rejects.toMatchObject({
        tag: "StoreError",
        key: "/v",
      });
      expect(sent()).toBeLessThan(PATIENCE / 2);
      // The whole value in place of the range.
      const ignoring = await endless(new Map(), /\/v$/);
      await expect(ignoring.store.getRange("/v", range, { maximumBytes: 1000 })).rejects.toMatchObject({
        tag: "StoreError",
        key: "/v",
      });
      expect(ignoring.sent()).toBeLessThan(PATIENCE / 2);
    }
  });
});

describe("a value that is too long", () => {
  /** Such as an application makes: looks at no options. */
  const own = (values: Map<AbsolutePath, Uint8Array>, isLater: boolean): Store => ({
    get: (key) => (isLater ? Promise.resolve(values.get(key)) : values.get(key)),
  });

  it.each([
    ["at once", {}, false],
    ["later", {}, true],
    ["at once, gzip", { codecs: [GZIP] }, false],
    ["later, in shards", { shards: [8] }, true],
  ])("of a store that does not look is refused: %s", async (_, options, isLater) => {
    const values = await written(options);
    values.set("/c/1", new Uint8Array(8 << 20));
    const array = await open(own(values, isLater), { kind: "array" });
    await expect(get(array)).rejects.toMatchObject({
      tag: "StoreError",
      key: "/c/1",
      message: expect.stringMatching(/at most \d+ bytes.*got 8388608/),
    });
    const writable = await open<Store>(values, { kind: "array" });
    await expect(set(writable, [slice(5, 14)], 2)).rejects.toMatchObject({ tag: "StoreError", key: "/c/1" });
  });

  it("in a file is not read", async () => {
    const root = await mkdtemp(join(tmpdir(), "wazarr-bounded-"));
    try {
      const store = new FileSystemStore(root);
      const array = await create(store, { shape: [16], chunkShape: [4], dtype: "float32", codecs: ["gzip"] });
      await set(array, null, 1.5);
      // More than any memory has, and nothing on the disk.
      await truncate(join(root, "c", "1"), 2 ** 40);
      await expect(get(array)).rejects.toMatchObject({
        tag: "StoreError",
        key: "/c/1",
        message: expect.stringContaining(`got ${2 ** 40}`),
      });
      await truncate(join(root, "zarr.json"), 2 ** 40);
      await expect(open(store)).rejects.toMatchObject({ tag: "StoreError", key: "/zarr.json" });
    } finally {
      await rm(root, { recursive: true });
    }
  });
});

describe("suffix ranges", () => {
  const value = Uint8Array.from({ length: 100 }, (_, i) => i);

  /** A server that knows suffix ranges, and closes the first connection without an answer. */
  async function resetting(): Promise<{ store: HttpStore; asked: string[] }> {
    const asked: string[] = [];
    const store = await serving((request, response) => {
      asked.push(`${request.method} ${request.headers.range ?? ""}`.trim());
      if (asked.length === 1) {
        request.socket.destroy();
        return;
      }
      response.writeHead(206, { "content-range": "bytes 90-99/100" }).end(value.subarray(90));
    });
    return { store, asked };
  }

  it("are not given up when a connection breaks", async () => {
    const { store, asked } = await resetting();
    expect(await store.getRange("/v", { suffixLength: 10 })).toEqual(value.subarray(90));
    expect(asked).toEqual(["GET bytes=-10", "GET bytes=-10"]);
  });

  it("and others are refused without the Content-Range that a status of 206 must have", async () => {
    const store = await serving((_, response) => {
      response.writeHead(206).end(value.subarray(0, 10));
    });
    for (const range of [{ offset: 50, length: 10 }, { suffixLength: 10 }] as const)
      await expect(store.getRange("/v", range)).rejects.toMatchObject({
        tag: "StoreError",
        key: "/v",
        status: 206,
      });
  });
});
