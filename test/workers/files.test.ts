/** Files are read by the workers themselves, and only where that is the same as asking the store. */

import { mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { wayOf } from "../../src/core/stores/faster-ways.js";
import { expectSameBytes, loadApi, loadFiles, useWorkersOnFiles } from "./dist.js";

const api = await loadApi();
const { FileSystemStore } = await loadFiles();
const { pool, folder } = await useWorkersOnFiles();
type Store = InstanceType<typeof FileSystemStore>;

const SHAPE = [256, 256];
const data = Float32Array.from({ length: 256 * 256 }, (_, i) => Math.sin(i / 50) * 100 + (i % 7));

const results = [{}, { shared: true }, { out: true }, { out: true, shared: true }] as const;

async function written(codecs: readonly string[] = ["gzip"]) {
  const store = new FileSystemStore(folder());
  const options = { shape: SHAPE, chunkShape: [64, 64], dtype: "float32", fillValue: 7, codecs } as const;
  const array = await api.create(store, options);
  await api.set(array, null, data);
  return array;
}

/**
 * What workers are given to read, and what they say they have read: whether that was slow on this machine is
 * no matter.
 */
function watch(store: Store) {
  expect(store.files).toBeDefined();
  const seen = { paths: [] as string[], bytes: [] as number[] };
  Object.defineProperty(store, "files", {
    value: {
      pathOf(key: `/${string}`) {
        seen.paths.push(join(store.root, key));
        return seen.paths.at(-1);
      },
      measured(milliseconds: number, byteLength: number) {
        expect(milliseconds).toBeGreaterThanOrEqual(0);
        seen.bytes.push(byteLength);
      },
    },
  });
  return seen;
}

function memoryFor({ out, shared }: { out?: boolean; shared?: boolean }) {
  if (!out) return { shared: shared ?? false };
  const memory = shared
    ? new Float32Array(new SharedArrayBuffer(data.byteLength))
    : new Float32Array(data.length);
  return { out: memory.fill(-1) };
}

describe.each(results)("into %o", (result) => {
  const read = (array: Parameters<typeof api.get>[0]) =>
    api.get(array, null, { workers: pool, ...memoryFor(result) });

  test.each([["gzip"], ["zstd"], ["crc32c"]])("%s: every file is read by a worker, once", async (codec) => {
    await written([codec]);
    const store = new FileSystemStore(folder());
    const seen = watch(store);
    const array = await api.open(store, { kind: "array" });
    for (let twice = 1; twice <= 2; twice++) {
      expectSameBytes((await read(array)).data, data);
      expect(seen.bytes).toHaveLength(16 * twice);
    }
    expect(seen.bytes.slice(0, 16).sort()).toEqual(
      seen.paths
        .slice(0, 16)
        .map((path = "") => readFileSync(path).length)
        .sort(),
    );
  });

  test("absent chunks are the fill value", async () => {
    const array = await written();
    for (const name of ["0/1", "2/3", "3/3"]) rmSync(join(folder(), "c", name));
    const alone = await api.get(array);
    expect(alone.data[64]).toBe(7);
    expectSameBytes((await read(array)).data, alone.data);
    rmSync(join(folder(), "c"), { recursive: true });
    expectSameBytes((await read(array)).data, new Float32Array(data.length).fill(7));
  });

  test("a damaged file is the same error as without workers", async () => {
    const array = await written();
    truncateSync(join(folder(), "c", "2", "1"), 500);
    const alone = await api.get(array).catch((error: unknown) => error);
    const error = await read(array).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ tag: "CodecError", key: "/c/2/1", chunk: [2, 1] });
    expect(error).toEqual(alone);
  });

  test("what is no file is the same error as without workers", async () => {
    const array = await written();
    rmSync(join(folder(), "c", "2", "1"));
    mkdirSync(join(folder(), "c", "2", "1"));
    const alone = await api.get(array).catch((error: unknown) => error);
    const error = await read(array).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ tag: "StoreError", key: "/c/2/1" });
    expect(error).toEqual(alone);
  });
});

test("what a store reads in its own way, workers are not given to read", async () => {
  await written();
  const hidden = 0x5a;
  for (const row of readdirSync(join(folder(), "c"))) {
    for (const name of readdirSync(join(folder(), "c", row))) {
      const path = join(folder(), "c", row, name);
      writeFileSync(
        path,
        readFileSync(path).map((byte) => byte ^ hidden),
      );
    }
  }
  class Hidden extends FileSystemStore {
    override get(...[key, options]: Parameters<Store["get"]>) {
      const reveal = (value: Uint8Array | undefined) =>
        key.endsWith(".json") ? value : value?.map((byte) => byte ^ hidden);
      const value = super.get(key, options);
      // A promise where files have been slow to read.
      return value instanceof Promise ? value.then(reveal) : reveal(value);
    }
  }
  const own = new Hidden(folder());
  expect(wayOf(own, "files")).toBeUndefined();
  const inFront = api.extendStore(new FileSystemStore(folder()), (store) =>
    api.defineStoreExtension((inner) => ({
      async get(key: `/${string}`) {
        const value = await inner.get(key);
        return key.endsWith(".json") ? value : value?.map((byte) => byte ^ hidden);
      },
    }))(store),
  );
  for (const store of [own, inFront]) {
    const array = await api.open(store, { kind: "array" });
    expectSameBytes((await api.get(array, null, { workers: pool })).data, data);
  }
});

test("consolidated metadata stand in front of files that workers read", async () => {
  const group = new FileSystemStore(folder());
  await api.create(group);
  const array = await api.create(api.root(group).resolve("array"), {
    shape: SHAPE,
    chunkShape: [64, 64],
    dtype: "float32",
    codecs: ["gzip"],
  });
  await api.set(array, null, data);
  await api.consolidateMetadata(group);
  const store = new FileSystemStore(folder());
  const seen = watch(store);
  const consolidated = await api.withConsolidatedMetadata(store);
  const opened = await api.open(api.root(consolidated).resolve("array"), { kind: "array" });
  expectSameBytes((await api.get(opened, null, { workers: pool })).data, data);
  expect(seen.bytes).toHaveLength(16);
});

test("after slow reads the store is asked again", async () => {
  const array = await written();
  const { store } = array;
  const { files } = new FileSystemStore(folder());
  expect(files?.pathOf("/c/0/0")).toBe(join(folder(), "c", "0", "0"));
  files?.measured(1000, 1);
  expect(files?.pathOf("/c/0/0")).toBeUndefined();
  Object.defineProperty(store, "files", { value: files });
  expectSameBytes((await api.get(array, null, { workers: pool })).data, data);
});

test("files too large for a worker are read by the calling thread", async () => {
  const store = new FileSystemStore(folder());
  const noise = new Uint8Array(20 << 20);
  let state = 1;
  for (let i = 0; i < noise.length; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    noise[i] = state >>> 24;
  }
  const shape = [noise.length];
  const array = await api.create(store, { shape, chunkShape: shape, dtype: "uint8", codecs: ["crc32c"] });
  await api.set(array, null, noise);
  const seen = watch(store);
  const { data: read } = await api.get(array, null, { workers: pool });
  expect(Buffer.compare(read, noise)).toBe(0);
  expect(seen).toMatchObject({ paths: [join(folder(), "c", "0")], bytes: [] });
});

test("what is written to files is the same, however long it becomes", async () => {
  const noise = Float32Array.from(data, (_, i) => Math.fround(Math.sin(i * i) * 1e9));
  for (const elements of [data, noise]) {
    for (const codec of ["gzip", "crc32c", "blosc"]) {
      const stores = [`${codec}-alone`, `${codec}-workers`].map(
        (name) => new FileSystemStore(join(folder(), `${name}-${elements === data}`)),
      );
      for (const [i, store] of stores.entries()) {
        const options = { shape: SHAPE, chunkShape: [64, 64], dtype: "float32", codecs: [codec] } as const;
        const array = await api.create(store, options);
        // Twice, because memory is used again.
        for (let twice = 0; twice < 2; twice++) {
          await api.set(array, null, elements, i === 1 ? { workers: pool } : {});
        }
      }
      const [alone, workers] = stores;
      for await (const key of alone?.list() ?? []) {
        expect(await workers?.get(key), key).toEqual(await alone?.get(key));
      }
    }
  }
});

test("values in shared memory are read, and stay as they are", async () => {
  const values = new Map<string, Uint8Array>();
  const options = { shape: SHAPE, chunkShape: [64, 64], dtype: "float32", codecs: ["gzip"] } as const;
  await api.set(await api.create(values, options), null, data);
  for (const [key, value] of values) {
    const shared = new Uint8Array(new SharedArrayBuffer(value.length));
    shared.set(value);
    values.set(key, shared);
  }
  const before = new Map([...values].map(([key, value]) => [key, value.slice()]));
  const array = await api.open(values, { kind: "array" });
  for (let twice = 0; twice < 2; twice++) {
    expectSameBytes((await api.get(array, null, { workers: pool })).data, data);
  }
  for (const [key, value] of values) expect(Buffer.compare(value, before.get(key) ?? value), key).toBe(0);
});
