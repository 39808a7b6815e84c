/** Shards that another process replaces, where nothing but the index that is kept says what is in them. */
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { FileSystemStore } from "../../../src/core/stores/files/file-system.js";
import {
  type AbsolutePath,
  create,
  get,
  getCoordinates,
  getOrthogonal,
  HttpStore,
  MemoryStore,
  open,
  type RangeQuery,
  type Store,
  set,
  slice,
} from "../../../src/index.js";
import type { CodecOption } from "../../../src/main/codecs.js";
import { serve } from "../../core/stores/server.js";
import { GZIP, LITTLE } from "../../setup/codecs.js";
import { RangeStore, rangeOf, readOnly } from "../../setup/stores.js";

type Values = Map<string, Uint8Array>;

const scratch = mkdtempSync(join(tmpdir(), "wazarr-stale-"));
afterAll(() => rmSync(scratch, { recursive: true }));
let count = 0;

/** Values in a place that somebody else writes to. */
interface Place {
  /** A store object of its own each time. */
  openStore(): Store;
  /** Makes the values those of `next`, each replaced as a whole, as another process would. */
  replace(next: Values): void;
}

const copyInto = (target: Values, next: Values): void => {
  for (const key of target.keys()) if (!next.has(key)) target.delete(key);
  for (const [key, value] of next) target.set(key, value.slice());
};

async function behindServer(header: "etag" | "last-modified" | undefined): Promise<Place> {
  const values: Values = new Map();
  const server = await serve(values);
  server.versionHeader = header;
  onTestFinished(() => server.close());
  return { openStore: () => new HttpStore(server.url), replace: (next) => copyInto(values, next) };
}

function inMemory(openStore: (values: Values) => Store): () => Promise<Place> {
  return async () => {
    const values: Values = new Map();
    return { openStore: () => openStore(values), replace: (next) => copyInto(values, next) };
  };
}

const places: Record<string, () => Promise<Place>> = {
  async "a directory"() {
    const root = join(scratch, String(count++));
    return {
      openStore: () => new FileSystemStore(root),
      replace(next) {
        for (const [key, value] of next) {
          const path = join(root, key);
          mkdirSync(dirname(path), { recursive: true });
          writeFileSync(`${path}.new`, value);
          renameSync(`${path}.new`, path);
        }
      },
    };
  },
  "a URL with ETags": () => behindServer("etag"),
  "a URL with Last-Modified": () => behindServer("last-modified"),
  "a URL without versions": () => behindServer(undefined),
  "a MemoryStore": inMemory((values) => new MemoryStore(values)),
  "a Map": inMemory((values) => values),
  "a store that tells no versions": inMemory((values) => readOnly(new RangeStore(values))),
};

const index = [LITTLE, { name: "crc32c" }];
const sharding = (chunk: number, codecs: readonly CodecOption[]): CodecOption => ({
  name: "sharding_indexed",
  configuration: { chunk_shape: [chunk], codecs, index_codecs: index, index_location: "end" },
});

const layouts: Record<
  string,
  { readonly dtype: "uint16" | "string"; readonly codecs: readonly CodecOption[] }
> = {
  "one level": { dtype: "uint16", codecs: [sharding(2, [LITTLE])] },
  "one level, gzip inside": {
    dtype: "uint16",
    codecs: [sharding(2, [LITTLE, GZIP])],
  },
  "shards in shards": { dtype: "uint16", codecs: [sharding(8, [sharding(2, [LITTLE])])] },
  strings: { dtype: "string", codecs: [sharding(2, [{ name: "vlen-utf8" }])] },
};

const LENGTH = 32;
const SHARD = 16;

/** The array with only the elements of `from` to `to` of each shard written, as 1 + their number. */
async function version(
  { dtype, codecs }: { dtype: "uint16" | "string"; codecs: readonly CodecOption[] },
  from: number,
  to: number,
) {
  const values: Values = new Map();
  const array = await create(values, { shape: [LENGTH], chunkShape: [SHARD], dtype, codecs });
  for (let shard = 0; shard < LENGTH; shard += SHARD) {
    for (let i = shard + from; i < shard + to; i++) {
      if (array.is("string")) await set(array, [i], String(i + 1));
      else if (array.is("uint16")) await set(array, [i], i + 1);
    }
  }
  return values;
}

type Reads = (store: Store) => Promise<unknown>;
const element = 5;
const reads: Record<string, Reads> = {
  "a slice": async (store) => [
    ...(await get(await open.v3(store, { kind: "array" }), [slice(element, element + 1)])).data,
  ],
  "a single element": async (store) => [await get(await open.v3(store, { kind: "array" }), [element])],
  coordinates: async (store) => [
    ...(await getCoordinates(await open.v3(store, { kind: "array" }), [[element]])).data,
  ],
  "orthogonal indices": async (store) => [
    ...(await getOrthogonal(await open.v3(store, { kind: "array" }), [[element]])).data,
  ],
  "both shards": async (store) => {
    const { data } = await get(await open.v3(store, { kind: "array" }), [slice(element, null, SHARD)]);
    return [...data].slice(0, 1);
  },
};

describe.each(Object.keys(places))("%s", (name) => {
  describe.each(Object.keys(layouts))("%s", (layoutName) => {
    const layout = layouts[layoutName] ?? { dtype: "uint16", codecs: [] };
    const filled = layout.dtype === "string" ? "" : 0;
    const written = layout.dtype === "string" ? String(element + 1) : element + 1;

    test.each(Object.keys(reads))("an inner chunk that was missing: %s", async (readName) => {
      const place = (await places[name]?.()) ?? { openStore: () => new Map(), replace() {} };
      const read = reads[readName] ?? (async () => undefined);
      place.replace(await version(layout, 0, 1));
      const store = place.openStore();
      expect(await read(store)).toEqual([filled]);
      place.replace(await version(layout, 0, SHARD));
      expect(await read(store)).toEqual([written]);
      // And from a store that is opened later.
      place.replace(await version(layout, 8, 9));
      expect(await read(place.openStore())).toEqual([filled]);
      // Nothing tells that where a store says nothing: the bytes of another inner chunk may be there now.
      if (name !== "a store that tells no versions") expect(await read(store)).toEqual([filled]);
    });
  });
});

describe("what it costs when nothing is there that was asked for", () => {
  const oneLevel = layouts["one level"] ?? { dtype: "uint16", codecs: [] };
  const nested = layouts["shards in shards"] ?? oneLevel;
  const INDEX = -(16 * (SHARD / 2) + 4);

  async function watched(layout: typeof oneLevel, header: "etag" | undefined) {
    const values: Values = new Map();
    copyInto(values, await version(layout, 0, 1));
    const server = await serve(values);
    onTestFinished(() => server.close());
    server.versionHeader = header;
    const array = await open.v3(new HttpStore(server.url), { kind: "array" });
    const ranges = async (read: () => Promise<unknown>) => {
      server.requests.length = 0;
      await read();
      return server.requests.map(({ method, range }) => (method === "GET" ? range : method));
    };
    return { values, array, ranges };
  }

  test("one byte of the shard, where the server tells versions", async () => {
    const { values, array, ranges } = await watched(oneLevel, "etag");
    const read = () => get(array, [slice(2, SHARD)]);
    expect(await ranges(read)).toEqual([`bytes=${INDEX}`]);
    expect(await ranges(read)).toEqual(["bytes=0-0"]);
    expect(await ranges(read)).toEqual(["bytes=0-0"]);
    copyInto(values, await version(oneLevel, 4, 6));
    expect(await ranges(read)).toEqual(["bytes=0-0", `bytes=${INDEX}`, "bytes=0-3"]);
    expect(await ranges(read)).toEqual(["bytes=0-3"]);
  });

  test("the index, where it does not", async () => {
    const { values, array, ranges } = await watched(oneLevel, undefined);
    const read = () => get(array, [slice(2, SHARD)]);
    for (let i = 0; i < 3; i++) expect(await ranges(read)).toEqual([`bytes=${INDEX}`]);
    copyInto(values, await version(oneLevel, 4, 6));
    expect(await ranges(read)).toEqual([`bytes=${INDEX}`, "bytes=0-3"]);
  });

  test("once a shard, however many shards are in it", async () => {
    const { array, ranges } = await watched(nested, "etag");
    // Of one shard an inner chunk is there, the other one is missing.
    const read = () => get(array, [slice(2, SHARD)]);
    await ranges(read);
    expect(await ranges(read)).toEqual(["bytes=0-0"]);
  });
});

test("an index that another read asked for before the shard was replaced is not enough", async () => {
  const layout = layouts["one level"] ?? { dtype: "uint16", codecs: [] };
  const values: Values = new Map();
  copyInto(values, await version(layout, 0, 1));
  const waiting: (() => void)[] = [];
  const store: Store = {
    get: async (key: AbsolutePath) => values.get(key),
    async getRange(key: AbsolutePath, range: RangeQuery) {
      const value = values.get(key);
      // The bytes are on their way for a while.
      await new Promise<void>((arrive) => waiting.push(arrive));
      return rangeOf(value, range);
    },
  };
  const array = await open.v3(store, { kind: "array" });
  const first = get(array, [element]);
  while (waiting.length === 0) await new Promise(setImmediate);
  copyInto(values, await version(layout, 0, SHARD));
  const second = get(array, [element]);
  let settled = false;
  const both = Promise.all([first, second]).finally(() => {
    settled = true;
  });
  while (!settled) {
    waiting.shift()?.();
    await new Promise(setImmediate);
  }
  expect(await both).toEqual([0, element + 1]);
});
