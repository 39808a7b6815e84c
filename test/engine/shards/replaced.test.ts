/**
 * Shards that somebody else replaces: nobody may see the bytes of one version where the index of another
 * says.
 */
import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { FileSystemStore } from "../../../src/core/stores/files/file-system.js";
import {
  type AbsolutePath,
  create,
  get,
  HttpStore,
  isZarrError,
  MemoryStore,
  open,
  type RangeQuery,
  type Store,
  type StoreOptions,
  set,
  slice,
} from "../../../src/index.js";
import { rejection } from "../../array/untyped.js";
import { serve } from "../../core/stores/server.js";
import { rangeOf } from "../../setup/stores.js";
import { documentOf, INDEX_BYTES, makeShard, openBytes, SHARD_KEY } from "./hand-made.js";

const LOCATION = "end";
/** Of the same length, so that no length tells; every inner chunk stands elsewhere. */
const before = makeShard(LOCATION, [1, 2, 3, 4], [0, 1, 2, 3]);
const after = makeShard(LOCATION, [11, 12, 13, 14], [3, 2, 1, 0]);

const scratch = mkdtempSync(join(tmpdir(), "wazarr-replaced-"));
afterAll(() => rmSync(scratch, { recursive: true }));
let count = 0;

interface Place {
  readonly store: Store;
  /** Replaces the shard as another process would. */
  replace(shard: Uint8Array | undefined): void;
}

async function behindServer(header: "etag" | "last-modified"): Promise<Place> {
  const values = new Map([
    ["/zarr.json", documentOf(LOCATION)],
    [SHARD_KEY, before],
  ]);
  const server = await serve(values);
  server.versionHeader = header;
  onTestFinished(() => server.close());
  return { store: new HttpStore(server.url), replace: (shard) => replaceIn(values, shard) };
}

function replaceIn(values: Map<string, Uint8Array>, shard: Uint8Array | undefined): void {
  if (shard === undefined) values.delete(SHARD_KEY);
  else values.set(SHARD_KEY, shard);
}

const places: Record<string, () => Promise<Place>> = {
  async "a file"() {
    const root = join(scratch, String(count++));
    const store = new FileSystemStore(root);
    await store.set("/zarr.json", documentOf(LOCATION));
    await store.set(SHARD_KEY, before);
    const path = join(root, SHARD_KEY);
    return {
      store,
      replace(shard) {
        rmSync(`${path}.new`, { force: true });
        if (shard === undefined) rmSync(path);
        else {
          writeFileSync(`${path}.new`, shard);
          renameSync(`${path}.new`, path);
        }
      },
    };
  },
  "a URL with ETags": () => behindServer("etag"),
  "a URL with Last-Modified": () => behindServer("last-modified"),
  async "a MemoryStore"() {
    const store = new MemoryStore();
    store.set("/zarr.json", documentOf(LOCATION));
    store.set(SHARD_KEY, before);
    return { store, replace: (shard) => replaceIn(store.values, shard) };
  },
  async "a Map"() {
    const store = new Map([
      ["/zarr.json", documentOf(LOCATION)],
      [SHARD_KEY, before],
    ]);
    return { store, replace: (shard) => replaceIn(store, shard) };
  },
};

describe.each(Object.keys(places))("%s", (name) => {
  const make = () => places[name]?.() ?? Promise.reject(new Error("no such place"));

  test("is read anew once another shard stands there", async () => {
    const { store, replace } = await make();
    const array = await openBytes(store);
    expect(await get(array, [0, 0])).toBe(1);
    replace(after);
    expect(await get(array, [0, 0])).toBe(11);
    expect(await get(array, [7, 7])).toBe(14);
    replace(before);
    expect(await get(array, [0, 7])).toBe(2);
    replace(undefined);
    expect(await get(array, [0, 7])).toBe(0);
    replace(after);
    expect(await get(array, [0, 7])).toBe(12);
  });

  test("is of one version, whenever it is replaced while it is read", async () => {
    const { store, replace } = await make();
    const array = await openBytes(store);
    for (let round = 0; round < 30; round++) {
      const reading = get(array, [null, slice(0, 6)], { coalesce: { maximumGap: 0, maximumSize: 16 } });
      for (let wait = 0; wait < round % 10; wait++) await new Promise(setImmediate);
      replace(round % 2 === 0 ? after : before);
      const { data } = await reading;
      const found = [0, 4, 24, 28].map((at) => data[at]);
      expect([
        [1, 2, 3, 4],
        [11, 12, 13, 14],
      ]).toContainEqual(found);
    }
  });
});

test("HTTP: statistics count no chunk twice that is read again in another version", async () => {
  const [old, next] = await Promise.all(
    [1, 11].map(async (value) => {
      const values = new Map<string, Uint8Array>();
      // Four inner chunks are a band.
      const options = { shape: [9216, 1024], chunkShape: [1024, 1024], shards: [9216, 1024], codecs: [] };
      await set(await create(values, { ...options, dtype: "uint8" }), null, value);
      return values;
    }),
  );
  const values = new Map(old);
  const server = await serve(values);
  onTestFinished(() => server.close());
  server.versionHeader = "etag";
  const array = await open(new HttpStore(server.url), { kind: "array" });
  server.requests.length = 0;
  server.onRequest = () => {
    if (server.requests.length === 9) values.set(SHARD_KEY, next?.get(SHARD_KEY) ?? new Uint8Array());
  };
  const { statistics } = await get(array, [slice(0, 8192), null], {
    as: "float32",
    statistics: { bins: 2, range: [0, 20] },
    coalesce: { maximumGap: 0, maximumSize: 1 },
    concurrency: 1,
  });
  expect(server.requests.length).toBeGreaterThan(9);
  expect(statistics).toEqual({
    count: 8192 * 1024,
    minimum: 11,
    maximum: 11,
    histogram: Float64Array.of(0, 8192 * 1024),
  });
});

test("HTTP: a change costs one request for the new index and one for the data", async () => {
  const values = new Map([
    ["/zarr.json", documentOf(LOCATION)],
    [SHARD_KEY, before],
  ]);
  const server = await serve(values);
  onTestFinished(() => server.close());
  server.versionHeader = "etag";
  const array = await openBytes(new HttpStore(server.url));
  await get(array, [0, 0]);
  server.requests.length = 0;
  expect(await get(array, [0, 0])).toBe(1);
  expect(server.requests.map(({ range }) => range)).toEqual(["bytes=0-15"]);
  values.set(SHARD_KEY, after);
  server.requests.length = 0;
  expect(await get(array, [0, 0])).toBe(11);
  expect(server.requests.map(({ range }) => range)).toEqual([
    "bytes=0-15",
    `bytes=-${INDEX_BYTES}`,
    "bytes=48-63",
  ]);
  // Nothing that a browser would have to ask permission for.
  for (const { headers } of server.requests) expect(headers["if-match"]).toBeUndefined();
});

test("HTTP: a shard that changes between any two requests is read in one", async () => {
  const values = new Map([
    ["/zarr.json", documentOf(LOCATION)],
    [SHARD_KEY, before],
  ]);
  const server = await serve(values);
  onTestFinished(() => server.close());
  server.versionHeader = "last-modified";
  const array = await openBytes(new HttpStore(server.url));
  server.requests.length = 0;
  server.onRequest = () => {
    values.set(SHARD_KEY, server.requests.length % 2 === 0 ? after : before);
  };
  const { data } = await get(array, [null, 0]);
  expect([...new Set(data)]).toEqual([1, 3]);
  expect(server.requests.map(({ range }) => range === undefined)).toEqual([
    ...[false, false],
    ...[false, false],
    true,
  ]);
});

/** Reads ranges, tells nothing about values, and answers late: the moments in between are the test's. */
class SilentStore implements Store {
  readonly values = new Map<string, Uint8Array>();
  onRequest: (() => Promise<void>) | undefined;

  async get(key: AbsolutePath, _options?: StoreOptions): Promise<Uint8Array | undefined> {
    await this.onRequest?.();
    return this.values.get(key);
  }
  async getRange(key: AbsolutePath, range: RangeQuery): Promise<Uint8Array | undefined> {
    await this.onRequest?.();
    return rangeOf(this.values.get(key), range);
  }
  async set(key: AbsolutePath, value: Uint8Array): Promise<void> {
    await new Promise(setImmediate);
    this.values.set(key, value);
    await new Promise(setImmediate);
  }
}

describe("a store that tells no versions", () => {
  test("readers notice writers of the same process", async () => {
    const store = new SilentStore();
    store.values.set("/zarr.json", documentOf(LOCATION));
    store.values.set(SHARD_KEY, before);
    const array = await openBytes(store);
    for (let round = 0; round < 60; round++) {
      store.onRequest = async () => {
        for (let wait = 0; wait < round % 5; wait++) await new Promise(setImmediate);
      };
      // Every write moves the inner chunks that stay: those of the upper half come and go.
      const value = round % 2 === 0 ? 0 : 9;
      const writing = set(array, [slice(0, 4), null], value);
      for (let wait = 0; wait < round % 8; wait++) await new Promise(setImmediate);
      const { data } = await get(array, [null, 0]);
      expect([
        [1, 3],
        [0, 3],
        [9, 3],
      ]).toContainEqual([...new Set(data)]);
      await writing;
      expect([...new Set((await get(array, [null, 0])).data)]).toEqual([value, 3]);
    }
  });
});

describe("an entry that reaches into the index at the end", () => {
  test.each(Object.keys(places))("is refused in %s when only ranges are read", async (name) => {
    const { store, replace } = (await places[name]?.()) ?? { store: new Map(), replace() {} };
    const shard = before.slice();
    new DataView(shard.buffer).setBigUint64(64 + 3 * 16, 52n, true);
    replace(shard);
    const array = await openBytes(store);
    const error = await rejection(get, [array, [7, 7]]);
    if (!isZarrError(error, "CodecError")) throw error;
    expect(error.key).toBe(SHARD_KEY);
    expect(error.message).toContain("inner chunk 3");
  });
});
