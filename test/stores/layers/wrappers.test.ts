/**
 * What stores that read from other stores, and wrappers of stores, hand on: answers that are checked,
 * options, and fast methods.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { FileSystemStore } from "../../../src/core/stores/files/file-system.js";
import { HttpStore } from "../../../src/core/stores/http/http.js";
import {
  type AbsolutePath,
  consolidateMetadata,
  create,
  defineStoreExtension,
  deleteNode,
  get,
  isZarrError,
  open,
  type RangeQuery,
  type Readable,
  type StoreOptions,
  set,
  withByteCaching,
  withConsolidatedMetadata,
  withRangeCoalescing,
  withRetry,
} from "../../../src/index.js";
import { IcechunkStore } from "../../../src/stores/icechunk/icechunk.js";
import { ReferenceStore } from "../../../src/stores/references/reference.js";
import { packZip, ZipStore } from "../../../src/stores/zip/zip.js";

const KEY = "/value";
const RANGE = { offset: 0, length: 3 };

/** A store as JavaScript code may write it: every answer is this one. */
function answering(answer: unknown): Readable {
  const store = { get: async () => answer, getRange: async () => answer };
  // @ts-expect-error the answers are not bytes
  return store;
}

const references = { whole: ["memory:file"], part: ["memory:file", 0, 3] };

/** The store that reads `store` by references. */
const byReference = (store: Readable) =>
  new ReferenceStore(references, { open: () => ({ store, key: "/file" }) });

const reads: Record<string, (store: Readable) => unknown> = {
  withRangeCoalescing: (store) => withRangeCoalescing(store).getRange(KEY, RANGE),
  "withRangeCoalescing, a suffix": (store) => withRangeCoalescing(store).getRange(KEY, { suffixLength: 3 }),
  "withByteCaching over withRangeCoalescing": (store) =>
    withByteCaching(withRangeCoalescing(store)).getRange(KEY, RANGE),
  "withRangeCoalescing over withByteCaching": (store) =>
    withRangeCoalescing(withByteCaching(store)).getRange(KEY, RANGE),
  "withRetry over withRangeCoalescing": (store) => withRetry(withRangeCoalescing(store)).getRange(KEY, RANGE),
  ZipStore: (store) => new ZipStore(store, "/archive.zip").get(KEY),
  "ReferenceStore, a file": (store) => byReference(store).get("/whole"),
  "ReferenceStore, a part": (store) => byReference(store).get("/part"),
  "ReferenceStore, a range of a file": (store) => byReference(store).getRange("/whole", RANGE),
  "ReferenceStore, a range of a part": (store) => byReference(store).getRange("/part", RANGE),
  IcechunkStore: (store) => IcechunkStore.open(store),
  "IcechunkStore, a snapshot": (store) => IcechunkStore.open(store, { snapshot: "1CECHNKREP0F1RSTCMT0" }),
};

describe.each(Object.entries(reads))("%s", (_, read) => {
  test.each([["text"], [7], [[1, 2, 3]], [new ArrayBuffer(3)], [new Uint16Array(3)]])(
    "refuses an answer that is not bytes by a StoreError: %o",
    async (answer) => {
      const error = await Promise.resolve(read(answering(answer))).catch((error: unknown) => error);
      expect(isZarrError(error, "StoreError") && error.message).toContain("expected a Uint8Array");
    },
  );

  test("takes null for undefined", async () => {
    const settled = async (answer: unknown) =>
      Promise.resolve(read(answering(answer))).then(
        (value) => ["fulfilled", value],
        (error: unknown) => ["rejected", String(error)],
      );
    expect(await settled(null)).toEqual(await settled(undefined));
  });
});

test("a chunk whose file is missing is an error, also where the store of the files answers null", async () => {
  for (const key of ["/whole", "/part"] as const)
    await expect(byReference(answering(null)).get(key)).rejects.toMatchObject({ tag: "StoreError", key });
});

test("ReferenceStore hands `current` on to the files", async () => {
  const asked: (boolean | undefined)[] = [];
  const answer = (options?: StoreOptions) => {
    asked.push(options?.current);
    return Uint8Array.of(1, 2, 3);
  };
  const store = byReference({
    get: (_: AbsolutePath, options?: StoreOptions) => answer(options),
    getRange: (_: AbsolutePath, __: RangeQuery, options?: StoreOptions) => answer(options),
  });
  for (const key of ["/whole", "/part"] as const) {
    expect(await store.get(key, { current: true })).toEqual(Uint8Array.of(1, 2, 3));
    expect(await store.getRange(key, RANGE, { current: true })).toEqual(Uint8Array.of(1, 2, 3));
  }
  expect(asked).toEqual([true, true, true, true]);
});

test("a reference behind the end of a file fails alone, not the references that are read with it", async () => {
  const file = Uint8Array.from({ length: 10 }, (_, i) => i);
  const requests: RangeQuery[] = [];
  const store = {
    get: () => file,
    getRange(_: AbsolutePath, range: RangeQuery) {
      requests.push(range);
      return "offset" in range ? file.slice(range.offset, range.offset + range.length) : undefined;
    },
  };
  const extents: Record<string, [offset: number, length: number]> = {
    first: [0, 4],
    last: [4, 6],
    half: [8, 4],
    behind: [12, 4],
  };
  const references = Object.fromEntries(
    Object.entries(extents).map(([key, extent]) => [key, ["memory:file", ...extent]]),
  );
  const reading = new ReferenceStore(references, { open: () => ({ store, key: "/file" }) });
  const [first, last, half, behind] = await Promise.allSettled(
    Object.keys(extents).map((key) => reading.get(`/${key}`)),
  );
  expect(requests).toEqual([{ offset: 0, length: 16 }]);
  expect(first).toEqual({ status: "fulfilled", value: file.slice(0, 4) });
  expect(last).toEqual({ status: "fulfilled", value: file.slice(4) });
  const failed = (key: string, message: string) =>
    expect.objectContaining({
      reason: expect.objectContaining({
        tag: "StoreError",
        key,
        message: expect.stringContaining(`${message}: the file is truncated`),
      }),
    });
  expect(half).toEqual(failed("/half", "expected 4 bytes at byte 8, got 2"));
  expect(behind).toEqual(failed("/behind", "expected 4 bytes at byte 12, got 0"));
});

test("ZipStore reads no stored entry that is longer than maximumBytes", async () => {
  const values = new Map<AbsolutePath, Uint8Array>([
    ["/long", new Uint8Array(200_000).fill(7)],
    ["/zarr.json", new Uint8Array(100_000)],
  ]);
  const pieces: Uint8Array[] = [];
  for await (const piece of packZip(values)) pieces.push(piece);
  const archive = new Uint8Array(await new Blob(pieces.map((piece) => piece.slice())).arrayBuffer());
  let read = 0;
  const store = new ZipStore(
    {
      get: () => archive,
      getRange(_, range) {
        const part =
          "suffixLength" in range
            ? archive.slice(-range.suffixLength)
            : archive.slice(range.offset, range.offset + range.length);
        read += part.length;
        return part;
      },
    },
    "/archive.zip",
  );
  expect(await store.has("/long")).toBe(true);
  read = 0;
  const error = await store.get("/long", { maximumBytes: 199_999 }).catch((error: unknown) => error);
  expect(isZarrError(error, "StoreError") && error.message).toMatch(/at most 199999 bytes.*got 200000/);
  expect(read).toBe(0);
  // The bound of a range is for what is read, and a stored entry is read in part.
  const range = { offset: 199_998, length: 2 };
  expect(await store.getRange("/long", range, { maximumBytes: 2 })).toEqual(Uint8Array.of(7, 7));
  expect(await store.get("/long", { maximumBytes: 200_000 })).toHaveLength(200_000);
});

describe("a directory", () => {
  async function directory(action: (store: FileSystemStore) => Promise<void>): Promise<void> {
    const path = await mkdtemp(join(tmpdir(), "wazarr-wrappers-"));
    try {
      await action(new FileSystemStore(path));
    } finally {
      await rm(path, { recursive: true });
    }
  }
  const given = { shape: [8], chunkShape: [2], shards: [8], dtype: "uint8", codecs: [] } as const;

  test("behind consolidated metadata is read as fast as without", () =>
    directory(async (store) => {
      await create(store, {});
      await consolidateMetadata(store);
      const consolidated = await withConsolidatedMetadata(store);
      for (const name of ["getRange", "getParts", "openNow"] as const)
        expect(consolidated[name]).toBeTypeOf("function");
      expect(consolidated.kind).toBe("files");
    }));

  test("whose `get` an extension replaces is read through it, also whole shards", () =>
    directory(async (store) => {
      await set(await create(store, given), null, 1);
      const twos = defineStoreExtension((inner) => ({
        async get(key: AbsolutePath, options?: StoreOptions) {
          const value = await inner.get(key, options);
          return key.endsWith(".json") ? value : value?.map((byte) => (byte === 1 ? 2 : byte));
        },
      }));
      const array = await open(twos(store), { kind: "array" });
      expect((await get(array)).data).toEqual(new Uint8Array(8).fill(2));
    }));

  test("whose `set` an extension replaces does not promise that values are copied", () =>
    directory(async (store) => {
      const pending = new Map<AbsolutePath, Uint8Array>();
      const late = defineStoreExtension(() => ({
        set: async (key: AbsolutePath, value: Uint8Array) => {
          pending.set(key, value);
        },
      }));
      // Values of 128 KiB, in memory that is used again for the values that follow.
      const count = 1 << 21;
      const elements = Int32Array.from({ length: count }, (_, i) => i);
      for (const shards of [undefined, [1 << 15]]) {
        const chunkShape = shards ? [1 << 12] : [1 << 15];
        const given = { shape: [count], chunkShape, dtype: "int32", endian: "big", codecs: [] } as const;
        await set(await create(late(store), { ...given, ...(shards && { shards }) }), null, {
          data: elements,
          shape: [count],
        });
        const { data } = await get(await open(pending, { kind: "array", dtype: "int32" }));
        expect(data.findIndex((element, i) => element !== elements[i])).toBe(-1);
        pending.clear();
      }
      await create(store, {});
      await consolidateMetadata(store);
      for (const each of [await withConsolidatedMetadata(store), withRetry(store, { writes: true })])
        expect(each.copiesValues).toBe(true);
    }));

  test("whose `delete` an extension replaces is emptied through it", () =>
    directory(async (store) => {
      await set(await create(store, given), null, 1);
      const kept: AbsolutePath[] = [];
      const keeping = defineStoreExtension(() => ({
        delete: async (key: AbsolutePath) => {
          kept.push(key);
        },
      }));
      await deleteNode(keeping(store));
      expect([...new Set(kept)].sort()).toEqual(["/.zarray", "/.zgroup", "/c/0", "/zarr.json"]);
      expect(store.has("/c/0")).toBe(true);
    }));
});

describe("HttpStore in a page", () => {
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  test("asks the server for what is stored now, not the browser's cache", async () => {
    vi.stubGlobal("location", new URL("http://127.0.0.1/"));
    const modes: string[] = [];
    const fetch = async ({ cache }: Request) => {
      modes.push(cache);
      return new Response(Uint8Array.of(1, 2, 3));
    };
    const store = new HttpStore("http://127.0.0.1/data.zarr", { fetch });
    for (const current of [false, true]) {
      await store.get(KEY, { current });
      await store.getRange(KEY, RANGE, { current });
    }
    expect(modes).toEqual(["default", "default", "no-cache", "no-cache"]);
    modes.length = 0;
    const own = new HttpStore("http://127.0.0.1/data.zarr", { fetch, overrides: { cache: "reload" } });
    await own.get(KEY, { current: true });
    expect(modes).toEqual(["reload"]);
  });
});

test("a store whose members cannot be changed is written, read and wrapped like any other", async () => {
  const map = new Map<AbsolutePath, Uint8Array>();
  const store = Object.freeze({
    get: (key: AbsolutePath) => map.get(key),
    set: (key: AbsolutePath, value: Uint8Array) => map.set(key, value),
    getInto: (key: AbsolutePath) => map.get(key),
  });
  const array = await create(store, { shape: [3], dtype: "uint8" });
  await set(array, null, 7);
  for (const front of [store, withByteCaching(store), withRetry(store), withRangeCoalescing(store)]) {
    expect((await get(await open(front, { kind: "array" }))).data).toEqual(Uint8Array.of(7, 7, 7));
    expect(Object.keys(front)).toEqual(Object.keys(store));
  }
});
