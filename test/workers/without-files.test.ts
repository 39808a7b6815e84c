/** Workers that have no `node:fs`, as in other runtimes: the calling thread's store reads. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import threads from "node:worker_threads";
import { afterAll, expect, test } from "vitest";
import { wayOf } from "../../src/core/stores/faster-ways.js";
import type { RangeQuery } from "../../src/index.js";
import type { PartsOptions } from "../../src/main/stores.js";
import { loadApi, loadFiles, loadWorkers } from "./dist.js";

type Key = `/${string}`;

const api = await loadApi();
const { WorkerPool } = await loadWorkers();
const { FileSystemStore } = await loadFiles();
const folder = mkdtempSync(join(tmpdir(), "wazarr-without-files-"));

/** Runs a worker's script where nobody is given the module. */
const { Worker } = threads;
class WorkerWithoutFiles extends Worker {
  constructor(script: URL, options: threads.WorkerOptions) {
    const code = `
      const builtin = process.getBuiltinModule ?? require;
      process.getBuiltinModule = (specifier) => (specifier === "node:fs" ? undefined : builtin(specifier));
      import(${JSON.stringify(script.href)});`;
    super(code, { ...options, eval: true });
  }
}
Object.defineProperty(threads, "Worker", { value: WorkerWithoutFiles });
const pool = new WorkerPool({ size: 2 });
afterAll(async () => {
  await pool.close();
  Object.defineProperty(threads, "Worker", { value: Worker });
  rmSync(folder, { recursive: true });
});

/**
 * What workers were given to read, whether files are slow on this machine or not, and what the store was
 * asked for.
 */
function watchedStore() {
  const store = new FileSystemStore(folder);
  const asked: string[] = [];
  const offered: string[] = [];
  const openNow = store.openNow.bind(store);
  const getParts = store.getParts.bind(store);
  Object.defineProperties(store, {
    files: {
      value: {
        pathOf(key: Key) {
          offered.push(key);
          return join(store.root, key);
        },
        measured() {
          throw new Error("expected no worker to have read a file");
        },
      },
    },
    openNow: {
      value(key: Key) {
        const value = openNow(key);
        if (key.startsWith("/c/") && value !== "later") asked.push(key);
        return value;
      },
    },
    getParts: {
      value(key: Key, ranges: readonly RangeQuery[] | undefined, how?: PartsOptions) {
        if (key.startsWith("/c/")) asked.push(key);
        return getParts(key, ranges, how);
      },
    },
  });
  return { store, asked, offered };
}

const SHAPE = [256, 256];
const data = Float32Array.from({ length: 256 * 256 }, (_, i) => Math.sin(i / 50) * 100 + (i % 7));

test.each([{}, { shared: true }, { out: true }, { out: true, shared: true }])(
  "what they cannot read the store does, into %o",
  async ({ out, shared = false }) => {
    const options = { shape: SHAPE, chunkShape: [64, 64], dtype: "float32", overwrite: true } as const;
    await api.set(
      await api.create(new FileSystemStore(folder), { ...options, codecs: ["gzip"] }),
      null,
      data,
    );
    rmSync(join(folder, "c", "1", "2"));
    const { store, asked, offered } = watchedStore();
    const array = await api.open(store, { kind: "array" });
    const memory = shared ? new SharedArrayBuffer(data.byteLength) : new ArrayBuffer(data.byteLength);
    const result = out ? { out: new Float32Array(memory).fill(-1) } : { shared };
    const expected = data.slice();
    for (let row = 64; row < 128; row++) expected.fill(0, 256 * row + 128, 256 * row + 192);
    for (let times = 1; times <= 2; times++) {
      const { data: read } = await api.get(array, null, { workers: pool, ...result });
      if (!(read instanceof Float32Array)) throw new Error("expected float32");
      const bytes = Buffer.from(read.buffer, read.byteOffset, read.byteLength);
      expect(Buffer.compare(bytes, Buffer.from(expected.buffer))).toBe(0);
      expect(offered).toHaveLength(16 * times);
      expect([...asked].sort()).toEqual(offered.sort());
    }
    expect(pool.running).toBe(2);
  },
);

test("a file that is damaged is the same error as without workers", async () => {
  const store = new FileSystemStore(folder);
  const array = await api.open(store, { kind: "array" });
  await store.set("/c/2/1", new Uint8Array(500));
  const alone = await api.get(array).catch((error: unknown) => error);
  const error = await api.get(array, null, { workers: pool }).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ tag: "CodecError", key: "/c/2/1", chunk: [2, 1] });
  expect(error).toEqual(alone);
});

test("they are not asked again in the same read", async () => {
  const length = 2 ** 24;
  const options = { shape: [length], chunkShape: [2 ** 20], dtype: "uint8", overwrite: true } as const;
  const { store, asked, offered } = watchedStore();
  const array = await api.create(store, { ...options, codecs: ["crc32c"] });
  await api.set(array, null, 5);
  const { data: read } = await api.get(array, null, { workers: pool, concurrency: 1 });
  expect(Buffer.compare(read, new Uint8Array(length).fill(5))).toBe(0);
  expect(asked).toHaveLength(16);
  // Of four bands two are under way at once.
  expect(offered.length).toBeLessThanOrEqual(8);
});

test.each(["getRange", "getParts", "openNow"] as const)(
  "nor do they read files of a store that has a %s of its own",
  async (method) => {
    const store = new FileSystemStore(folder);
    expect(wayOf(store, "files")).toBeDefined();
    class Own extends FileSystemStore {}
    Object.defineProperty(Own.prototype, method, { value: () => undefined });
    expect(wayOf(new Own(folder), "files")).toBeUndefined();
  },
);
