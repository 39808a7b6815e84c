/**
 * Stores as applications wrap them: in a Proxy, an object with some members of another, a subclass, an
 * extension, or written for zarrita. Their own `get` and `getRange` are what is called, whatever else the
 * store inside has.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { wayOf } from "../../src/core/stores/faster-ways.js";
import { FileSystemStore } from "../../src/core/stores/files/file-system.js";
import { storageOf } from "../../src/core/stores/storage-identity.js";
import {
  type AbsolutePath,
  create,
  defineStoreExtension,
  FetchStore,
  get,
  MemoryStore,
  members,
  open,
  type RangeQuery,
  root,
  type Store,
  set,
  slice,
  withByteCaching,
  withConsolidatedMetadata,
  withRangeCoalescing,
  withRetry,
} from "../../src/index.js";
import { withRequests } from "../../src/main/stores.js";
import { LmdbStore } from "../../src/stores/lmdb/lmdb.js";
import { serve, type TestServer } from "../core/stores/server.js";

const values = new Map<AbsolutePath, Uint8Array>();
const expected = Int16Array.from({ length: 40 * 64 }, (_, i) => i * 7);
const scratch = mkdtempSync(join(tmpdir(), "wazarr-applications-"));
let server: TestServer;

beforeAll(async () => {
  const shape = [64, 64];
  const data = Int16Array.from({ length: 64 * 64 }, (_, i) => i * 7);
  const common = { shape, chunkShape: [8, 8], dtype: "int16", codecs: ["gzip"] } as const;
  await create(root(values));
  await set(await create(root(values).resolve("plain"), common), null, { data, shape });
  await set(await create(root(values).resolve("sharded"), { ...common, shards: [32, 32] }), null, {
    data,
    shape,
  });
  server = await serve(values);
});
beforeEach(() => server.reset());
afterAll(async () => {
  await server.close();
  rmSync(scratch, { recursive: true });
});

/** The answers that a wrapper gave itself. */
type Asked = string[];
type Wrap = (store: Store, asked: Asked) => Store;

const nameOf = (key: string, range?: RangeQuery): string =>
  range === undefined ? key : `${key} ${JSON.stringify(range)}`;

/** The cached, bound methods that a wrapper puts in place of those of a store. */
function caching(store: Store, asked: Asked) {
  const answers = new Map<string, Promise<Uint8Array | undefined>>();
  const once = (name: string, ask: () => Promise<Uint8Array | undefined>) => {
    asked.push(name);
    const answer = answers.get(name) ?? ask();
    answers.set(name, answer);
    return answer;
  };
  const { getRange } = store;
  return {
    get: (key: AbsolutePath, options?: object) => once(key, async () => store.get(key, options)),
    ...(getRange && {
      getRange: (key: AbsolutePath, range: RangeQuery, options?: object) =>
        once(nameOf(key, range), async () => getRange.call(store, key, range, options)),
    }),
  };
}

/** As vizarr: a Proxy that replaces both methods and passes on the rest, with itself as the receiver. */
const proxied: Wrap = (store, asked) => {
  const own = caching(store, asked);
  return new Proxy(store, {
    get: (target, name, receiver) =>
      name === "get" || name === "getRange" ? own[name] : Reflect.get(target, name, receiver),
  });
};

/** As adapters for older libraries: a Proxy that replaces `get` and binds everything else. */
const bound: Wrap = (store, asked) => {
  const own = caching(store, asked);
  return new Proxy(store, {
    get(target, name) {
      if (name === "get") return own.get;
      if (name === "getRange") return own.getRange;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
};

/** As pluot: extensions that add `getRange` to any store, and then cache. */
const extended: Wrap = (store, asked) =>
  defineStoreExtension((inner: Store) => ({ ...caching(inner, asked), clearCache: () => {} }))(
    defineStoreExtension((inner) => ({
      async getRange(key: AbsolutePath, range: RangeQuery, options?: object) {
        if (typeof inner.getRange === "function") return inner.getRange(key, range, options);
        throw new Error("expected a store of ranges");
      },
    }))(store),
  );

/** As SpatialData.js: a plain object with the two methods; another with all members that it can copy. */
const plainObject: Wrap = (store, asked) => caching(store, asked);
const spread: Wrap = (store, asked) => ({ ...store, ...caching(store, asked) });
const inherited: Wrap = (store, asked) => Object.assign(Object.create(store), caching(store, asked));
/** As code that patches the store it was given. */
const patched: Wrap = (store, asked) => Object.assign(store, caching(boundOf(store), asked));

function boundOf(store: Store): Store {
  const { getRange } = store;
  return { get: store.get.bind(store), ...(getRange && { getRange: getRange.bind(store) }) };
}

const WRAPS: readonly (readonly [string, Wrap])[] = [
  ["a Proxy that replaces get and getRange", proxied],
  ["a Proxy that binds the rest", bound],
  ["extensions", extended],
  ["an object with get and getRange", plainObject],
  ["an object with the members of a store", spread],
  ["an object that inherits", inherited],
  ["a store with methods of its own", patched],
];

/** Stores to wrap. The methods of some are fast, and bypass `get`. */
const INNER: readonly (readonly [string, () => Store | Promise<Store>])[] = [
  ["FetchStore", () => new FetchStore(server.url)],
  ["FetchStore with merged ranges", () => withRangeCoalescing(new FetchStore(server.url))],
  ["FetchStore with a cache", () => withByteCaching(new FetchStore(server.url))],
  ["FetchStore with retries", () => withRetry(new FetchStore(server.url))],
  ["FetchStore with reports", () => withRequests(new FetchStore(server.url), () => {})],
  ["MemoryStore", () => new MemoryStore(new Map(values))],
  ["FileSystemStore", () => stored(new FileSystemStore(join(scratch, "files")))],
  ["LmdbStore", () => stored(new LmdbStore(join(scratch, "database")))],
  ["an object with every method", withEveryMethod],
];

async function stored<S extends MemoryStore | FileSystemStore | LmdbStore>(store: S): Promise<S> {
  for (const [key, value] of values) await store.set(key, value);
  return store;
}

function withEveryMethod(): Store {
  const inner = new MemoryStore(new Map(values));
  return {
    get: (key) => inner.get(key),
    getRange: (key, range) => inner.getRange(key, range),
    getParts: (key, ranges) => inner.getParts(key, ranges),
    openNow: (key, options) => inner.openNow(key, options),
    has: (key) => inner.get(key) !== undefined,
  };
}

const openAt = (store: Store, name: string) => open(root(store).resolve(name), { kind: "array" });

describe.each(WRAPS)("%s", (_, wrap) => {
  // An object that has all methods itself, and then another `get`, may mean both.
  const inner =
    wrap === spread || wrap === patched ? INNER.filter(([, each]) => each !== withEveryMethod) : INNER;
  describe.each(inner)("around %s", (__, makeInner) => {
    test.each(["plain", "sharded"])("reads a %s array through its own methods", async (name) => {
      const asked: Asked = [];
      const array = await openAt(wrap(await makeInner(), asked), name);
      const read = () => get(array, [slice(0, 40), null]);
      expect((await read()).data).toEqual(expected);
      // Each chunk, or each shard.
      const chunks = asked.filter((key) => key.startsWith(`/${name}/c/`));
      expect(new Set(chunks.map((key) => key.split(" ")[0])).size).toBe(name === "plain" ? 40 : 4);
      server.reset();
      expect((await read()).data).toEqual(expected);
      // All is in the wrapper's cache.
      expect(server.requests).toEqual([]);
    });
  });

  test("says what is missing, and where", async () => {
    const store = wrap(new FetchStore(server.url), []);
    await expect(openAt(store, "missing")).rejects.toMatchObject({ name: "NotFoundError" });
    server.misbehaviour = "html";
    await expect(openAt(wrap(new FetchStore(server.url), []), "x")).rejects.toThrow("no Zarr array");
  });
});

test("an object that reads files of a map, and throws for a missing key as its author likes", async () => {
  class Files {
    readonly #files = new Map(
      [...values].map(([key, value]) => [key.slice(1), new Blob([new Uint8Array(value)])]),
    );
    async get(key: string): Promise<Uint8Array | undefined> {
      const file = this.#files.get(key.replace(/^\//, ""));
      return file && new Uint8Array(await file.arrayBuffer());
    }
  }
  for (const name of ["plain", "sharded"])
    expect((await get(await openAt(new Files(), name), [slice(0, 40), null])).data).toEqual(expected);
});

test("a view below a prefix", async () => {
  const store = new FetchStore(server.url);
  const below: Store = {
    get: (key, options) => store.get(`/sharded${key}`, options),
    getRange: (key, range, options) => store.getRange(`/sharded${key}`, range, options),
  };
  const array = await open(below, { kind: "array" });
  expect((await get(array, [slice(0, 40), null])).data).toEqual(expected);
});

describe("a subclass", () => {
  const decoded = (bytes: Uint8Array | undefined) => bytes?.map((byte) => byte ^ 0x55);
  /** Decodes what it reads. */
  class Disguised extends FileSystemStore {
    override get(key: AbsolutePath) {
      const value = super.get(key);
      return value instanceof Promise ? value.then(decoded) : decoded(value);
    }
    override getRange(key: AbsolutePath, range: RangeQuery) {
      const value = super.getRange(key, range);
      return value instanceof Promise ? value.then(decoded) : decoded(value);
    }
  }

  test("that replaces get is not bypassed, nor are its files given to workers", async () => {
    const directory = join(scratch, "disguised");
    const plain = new FileSystemStore(directory);
    for (const [key, value] of values)
      await plain.set(
        key,
        value.map((byte) => byte ^ 0x55),
      );
    const store = new Disguised(directory);
    const array = await openAt(store, "sharded");
    expect((await get(array, [slice(0, 40), null])).data).toEqual(expected);
    expect(wayOf(store, "files")).toBeUndefined();
    // What is remembered of the directory's files is not true of its values.
    expect(storageOf(store)).not.toBe(storageOf(plain));
  });

  test("that replaces set does not promise that values are copied", async () => {
    const kept = new Map<AbsolutePath, Uint8Array>();
    class Keeping extends FileSystemStore {
      override set(key: AbsolutePath, value: Uint8Array) {
        kept.set(key, value);
      }
    }
    const directory = join(scratch, "keeping");
    const length = 1 << 18;
    const data = Int32Array.from({ length }, (_, i) => i);
    const array = await create(new Keeping(directory), {
      shape: [length],
      chunkShape: [1 << 14],
      dtype: "int32",
      endian: "big",
      codecs: [],
    });
    await set(array, null, { data, shape: [length] });
    expect((await get(await open(kept, { kind: "array" }))).data).toEqual(data);
  });

  test("that replaces delete is emptied through it", async () => {
    const deleted: string[] = [];
    class Noting extends MemoryStore {
      override delete(key: AbsolutePath) {
        deleted.push(key);
        super.delete(key);
      }
    }
    const store = new Noting(new Map(values));
    const { deleteNode } = await import("../../src/index.js");
    await deleteNode(root(store).resolve("sharded"));
    expect(deleted).toContain("/sharded/c/0/0");
    expect([...store.values.keys()].filter((key) => key.startsWith("/sharded"))).toEqual([]);
  });
});

test("a wrapper keeps the fast methods of the store inside", async () => {
  const directory = await stored(new FileSystemStore(join(scratch, "fast")));
  const named = defineStoreExtension(() => ({ title: "mine" }))(directory);
  for (const name of ["getParts", "openNow", "setNow", "files"] as const) expect(named[name]).toBeDefined();
  const names: string[] = [];
  for await (const { path } of members(named)) names.push(path);
  expect(names).toEqual(["/plain", "/sharded"]);
});

test("consolidated metadata in front of a Proxy reads chunks through it", async () => {
  const asked: Asked = [];
  const written = new Map(values);
  const { consolidateMetadata } = await import("../../src/index.js");
  await consolidateMetadata(written);
  const store = await withConsolidatedMetadata(proxied(new MemoryStore(written), asked));
  const array = await openAt(store, "plain");
  expect((await get(array, [slice(0, 40), null])).data).toEqual(expected);
  expect(asked.filter((key) => key.startsWith("/plain/c/"))).toHaveLength(40);
});
