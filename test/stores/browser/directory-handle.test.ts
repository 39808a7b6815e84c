/** Over folders in memory everywhere, and over the page's own folder (OPFS) in browsers. */
import { describe, expect, it } from "vitest";
import { deletePrefix, listPrefix } from "../../../src/core/stores/capabilities.js";
import type { AbsolutePath, ValueParts } from "../../../src/core/stores/store.js";
import { create, get, open, set, slice } from "../../../src/index.js";
import { type DirectoryHandle, DirectoryHandleStore } from "../../../src/stores/browser/directory-handle.js";
import { type Conformance, describeStore, expectBytes, pattern } from "../conformance.js";
import { type MemoryFile, MemoryFolder } from "./memory-folders.js";

const everything: Conformance = {
  canWrite: true,
  canDelete: true,
  canList: true,
  isExact: true,
  tells: ["length", "version"],
};

async function filled(
  handle: DirectoryHandle,
  values: ReadonlyMap<AbsolutePath, Uint8Array>,
): Promise<DirectoryHandleStore> {
  const store = new DirectoryHandleStore(handle);
  for (const [key, value] of values) await store.set(key, value);
  return store;
}

/** A folder of the page's own storage that nobody else uses. */
async function ownFolder(): Promise<FileSystemDirectoryHandle> {
  const root = await navigator.storage.getDirectory();
  return root.getDirectoryHandle(crypto.randomUUID(), { create: true });
}

const folders: [string, () => Promise<DirectoryHandle>][] = [
  ["in memory", async () => new MemoryFolder()],
  // Node has no `navigator.storage`.
  ...(globalThis.navigator?.storage === undefined
    ? []
    : [["of the page's own", ownFolder] satisfies [string, () => Promise<DirectoryHandle>]]),
];

describe.each(folders)("a folder %s", (name, makeFolder) => {
  describeStore(`DirectoryHandleStore, ${name}`, async (values) => filled(await makeFolder(), values), {
    ...everything,
    close: async (store) => {
      await deletePrefix(store, "/");
    },
  });

  it("holds arrays: chunks, parts of chunks, shards", async () => {
    const store = new DirectoryHandleStore(await makeFolder());
    const array = await create(store, {
      shape: [40, 40],
      chunkShape: [5, 5],
      shards: [20, 20],
      dtype: "int32",
      codecs: ["gzip"],
    });
    await set(array, [slice(3, 37), null], 7);
    await set(array, [slice(10, 12), slice(18, 30)], 9);
    const again = await open(store, { kind: "array" });
    expect(await get(again, [11, 19])).toBe(9);
    expect(await get(again, [11, 30])).toBe(7);
    expect(await get(again, [2, 30])).toBe(0);
    const { data } = await get(again, [slice(0, 40, 13), 25]);
    expect([...data]).toEqual([0, 7, 7, 0]);
    expect(await listPrefix(store, "/c/")).toHaveLength(4);
  });

  it("shows readers of other stores whole values while one writes", async () => {
    const handle = await makeFolder();
    const writer = await filled(handle, new Map([["/v", pattern(50_000, 0)]]));
    const reader = new DirectoryHandleStore(handle);
    const ranges = [{ offset: 0, length: 100 }, { suffixLength: 100 }];
    const values = Array.from({ length: 20 }, (_, seed) => pattern(50_000, seed));
    const ends = values.map((value) => [...value.subarray(0, 100), ...value.subarray(-100)].join());
    let isDone = false;
    const written = (async () => {
      for (const value of values) await writer.set("/v", value);
    })().finally(() => {
      isDone = true;
    });
    let last: string | undefined;
    for (let isLast = false; !isLast; ) {
      isLast = isDone;
      let found: ValueParts | undefined;
      try {
        found = await reader.getParts("/v", ranges);
      } catch (error) {
        // The writer was faster three times.
        expect(error).toMatchObject({ code: "NotReadableError", isTransient: true });
        continue;
      }
      last = found?.parts.map((part) => part.join()).join();
      expect(ends).toContain(last);
    }
    await written;
    expect(last).toBe(ends[19]);
  });

  it("writes shared memory", async () => {
    const store = new DirectoryHandleStore(await makeFolder());
    if (globalThis.SharedArrayBuffer === undefined) return expect(store.copiesValues).toBe(true);
    const shared = new Uint8Array(new SharedArrayBuffer(20));
    shared.set(pattern(20));
    await store.set("/v", shared);
    expectBytes(await store.get("/v"), pattern(20));
  });

  it("refuses to read a key that names a folder, and to write below a value", async () => {
    const store = await filled(await makeFolder(), new Map([["/a/b", pattern(3)]]));
    await expect(store.get("/a")).rejects.toMatchObject({ tag: "StoreError", key: "/a" });
    await expect(store.set("/a", pattern(3))).rejects.toMatchObject({ tag: "StoreError", key: "/a" });
    await expect(store.set("/a/b/c", pattern(3))).rejects.toMatchObject({
      tag: "StoreError",
      key: "/a/b/c",
      code: "TypeMismatchError",
    });
    expect(await store.has("/a")).toBe(false);
    await store.delete("/a");
    expectBytes(await store.get("/a/b"), pattern(3));
  });

  it.each(["/a//b", "/../b", "/a/.", "/a\0", "/a\ud800", "/a/b.crswap"] as const)(
    "refuses the key %j",
    async (key) => {
      const store = new DirectoryHandleStore(await makeFolder());
      const refused = expect.objectContaining({ tag: "StoreError", key });
      await expect(store.get(key)).rejects.toEqual(refused);
      await expect(store.set(key, pattern(3))).rejects.toEqual(refused);
      await expect(store.delete(key)).rejects.toEqual(refused);
      await expect(store.has(key)).rejects.toEqual(refused);
      expect(await listPrefix(store, "/")).toEqual([]);
    },
  );

  it("removes folders that are empty, and no others", async () => {
    const handle = await makeFolder();
    const store = await filled(
      handle,
      new Map([
        ["/a/b/c", pattern(3)],
        ["/a/d/e", pattern(3)],
      ]),
    );
    await store.deleteMany(["/a/b/c", "/a/b/missing", "/none/x"]);
    expect(await store.listDir("/a/")).toEqual({ keys: [], prefixes: ["/a/d/"] });
    await store.delete("/a/d/e");
    expect(await store.listDir("/")).toEqual({ keys: [], prefixes: [] });
  });

  it("reads nothing, and writes nothing, once its signal is aborted", async () => {
    const store = await filled(await makeFolder(), new Map([["/v", pattern(3)]]));
    const options = { signal: AbortSignal.abort(new Error("enough")) };
    await expect(store.get("/v", options)).rejects.toThrow("enough");
    await expect(store.set("/v", pattern(9), options)).rejects.toThrow("enough");
    await expect(store.delete("/v", options)).rejects.toThrow("enough");
    await expect(store.listDir("/", options)).rejects.toThrow("enough");
    expectBytes(await store.get("/v"), pattern(3));
  });
});

describe("failures", () => {
  async function one(): Promise<{ store: DirectoryHandleStore; file: MemoryFile; folder: MemoryFolder }> {
    const folder = new MemoryFolder();
    const store = await filled(folder, new Map([["/v", pattern(300)]]));
    return { store, folder, file: await folder.getFileHandle("v") };
  }
  const failing = (name: string) => () => {
    throw new DOMException("The browser says no.", name);
  };

  it("reads all parts of one version while the value is replaced", async () => {
    const { store, file } = await one();
    let reads = 0;
    file.onRead = () => {
      if (reads++ === 1) file.replace(pattern(400, 2));
    };
    const found = await store.getParts("/v", [{ offset: 0, length: 8 }, { suffixLength: 8 }]);
    expect(found?.byteLength).toBe(400);
    expectBytes(found?.parts[0], pattern(400, 2).slice(0, 8));
    expectBytes(found?.parts[1], pattern(400, 2).slice(-8));
    expect(reads).toBe(4);
  });

  it("notices a change that the browser does not", async () => {
    const { store, file } = await one();
    const getFile = file.getFile.bind(file);
    let isFirst = true;
    file.getFile = async () => {
      const snapshot = await getFile();
      if (!isFirst) return snapshot;
      isFirst = false;
      const torn = pattern(300, 7).slice().buffer;
      file.replace(pattern(300, 8));
      return { ...snapshot, slice: () => ({ arrayBuffer: async () => torn }) };
    };
    expectBytes(await store.get("/v"), pattern(300, 8));
  });

  it("takes a value that is removed while it is read for missing", async () => {
    const { store, file, folder } = await one();
    file.onRead = () => folder.removeEntry("v");
    expect(await store.get("/v")).toBeUndefined();
  });

  // Chromium has both names for it.
  it.each(["NotReadableError", "NotFoundError"])(
    "gives up on a value that changes with every read, and says so, after %s, too",
    async (name) => {
      const { store, file } = await one();
      let reads = 0;
      file.onRead = () => {
        file.replace(pattern(300, ++reads));
        failing(name)();
      };
      await expect(store.get("/v")).rejects.toMatchObject({
        tag: "StoreError",
        key: "/v",
        code: "NotReadableError",
        isTransient: true,
      });
      expect(reads).toBe(3);
    },
  );

  it("says what to do without permission", async () => {
    const { store, file, folder } = await one();
    file.onWrite = failing("NotAllowedError");
    const denied = { tag: "StoreError", key: "/v", code: "NotAllowedError", isTransient: false };
    await expect(store.set("/v", pattern(3))).rejects.toMatchObject(denied);
    await expect(store.set("/v", pattern(3))).rejects.toThrow(/requestPermission/);
    folder.getFileHandle = failing("NotAllowedError");
    await expect(store.get("/v")).rejects.toMatchObject(denied);
    await expect(store.has("/v")).rejects.toMatchObject(denied);
    await expect(store.delete("/v")).rejects.toMatchObject(denied);
    folder.values = failing("NotAllowedError");
    await expect(store.listDir("/")).rejects.toMatchObject({ ...denied, key: "/" });
    await expect(listPrefix(store, "/")).rejects.toMatchObject({ ...denied, key: "/" });
  });

  it.each(["open", "write", "close"] as const)("leaves the old value if a write fails at %s", async (at) => {
    const { store, file, folder } = await one();
    const full = (step: string) => {
      if (step === at) throw new DOMException("No space.", "QuotaExceededError");
    };
    file.onWrite = full;
    await expect(store.set("/v", pattern(3))).rejects.toMatchObject({ code: "QuotaExceededError" });
    expectBytes(await store.get("/v"), pattern(300));

    // And no empty file, or folder, of a new one.
    const getDirectoryHandle = folder.getDirectoryHandle.bind(folder);
    folder.getDirectoryHandle = async (name, options) => {
      const below = await getDirectoryHandle(name, options);
      if (options?.create) (await below.getFileHandle("w", options)).onWrite = full;
      return below;
    };
    await expect(store.set("/new/w", pattern(3))).rejects.toMatchObject({ code: "QuotaExceededError" });
    expect([...folder.entries.keys()]).toEqual(["v"]);
  });

  it("does not show its own readers a new value before it is whole", async () => {
    const { store, folder } = await one();
    const seen: unknown[] = [];
    const getFileHandle = folder.getFileHandle.bind(folder);
    folder.getFileHandle = async (name, options) => {
      const file = await getFileHandle(name, options);
      if (options?.create)
        file.onWrite = async () => {
          seen.push(await store.get("/w"), await store.has("/w"), await listPrefix(store, "/"));
        };
      return file;
    };
    await store.set("/w", pattern(5));
    expect(seen).toEqual([1, 2, 3].flatMap(() => [undefined, false, ["/v"]]));
    expectBytes(await store.get("/w"), pattern(5));
  });

  it("makes a folder again that somebody removed before the file was in it", async () => {
    const { store, folder } = await one();
    const getDirectoryHandle = folder.getDirectoryHandle.bind(folder);
    let isFirst = true;
    folder.getDirectoryHandle = async (name, options) => {
      const below = await getDirectoryHandle(name, options);
      if (options?.create && isFirst) {
        isFirst = false;
        below.getFileHandle = failing("NotFoundError");
        await folder.removeEntry(name);
      }
      return below;
    };
    await store.set("/a/b", pattern(4));
    expectBytes(await store.get("/a/b"), pattern(4));
  });

  it("keeps what Chromium writes meanwhile out of listings", async () => {
    const { store, folder } = await one();
    await folder.getFileHandle("w.crswap", { create: true });
    expect(await listPrefix(store, "/")).toEqual(["/v"]);
  });

  it("says so where a browser cannot write", async () => {
    const { store, file } = await one();
    Object.defineProperty(file, "createWritable", { value: undefined });
    await expect(store.set("/v", pattern(3))).rejects.toMatchObject({ tag: "UnsupportedError" });
  });

  it("refuses what is no handle", () => {
    const promise = Promise.resolve(new MemoryFolder());
    // @ts-expect-error: a promise
    expect(() => new DirectoryHandleStore(promise)).toThrow(/await/);
  });
});
