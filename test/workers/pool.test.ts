import { execFileSync } from "node:child_process";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

// Workers are started from dist/, which `npm test` has just built: Node cannot run a worker written in TypeScript.
const dist = (file: string): string => pathToFileURL(resolve("dist", file)).href;
type Api = typeof import("../../src/index.js");
type Pool = typeof import("../../src/workers/pool.js");

let api: Api;
let pool: InstanceType<Pool["WorkerPool"]>;
let WorkerPool: Pool["WorkerPool"];

beforeAll(async () => {
  api = await import(dist("index.js"));
  ({ WorkerPool } = await import(dist("workers/pool.js")));
  pool = new WorkerPool({ size: 2 });
});
afterAll(() => pool.close());

const SIDE = 256;
const data = Float32Array.from({ length: SIDE * SIDE }, (_, i) => Math.sin(i / 50) * 100 + (i % 7));
const layouts = [
  { name: "gzip", codecs: ["gzip"] },
  { name: "big-endian zlib in order F", codecs: ["zlib"], endian: "big", order: "F" },
  { name: "crc32c alone", codecs: ["crc32c"] },
  {
    name: "v2 with a filter",
    zarrFormat: 2,
    codecs: { filters: [{ id: "shuffle", elementsize: 4 }], compressor: { id: "zlib", level: 1 } },
  },
  { name: "shards of gzip", codecs: ["gzip"], shards: [256, 256] },
] as const;

describe("the same elements come out as without workers", () => {
  test.each(layouts)("$name", async ({ name: _, ...layout }) => {
    const store = new Map<string, Uint8Array>();
    const plain = new Map<string, Uint8Array>();
    const options = { shape: [SIDE, SIDE], chunkShape: [128, 128], dtype: "float32", ...layout } as const;
    const array = await api.create(store, options);
    const reference = await api.create(plain, options);
    await api.set(array, null, data, { workers: pool });
    await api.set(reference, null, data);
    expect(store).toEqual(plain);
    for (let twice = 0; twice < 2; twice++) {
      expect((await api.get(array, null, { workers: pool })).data).toEqual(data);
    }
    const part = [api.slice(3, 200, 5), 130] as const;
    expect(await api.get(array, part, { workers: pool })).toEqual(await api.get(reference, part));
    await api.set(array, part, 1, { workers: pool });
    await api.set(reference, part, 1);
    expect(store).toEqual(plain);
  });
});

test("chunks go to the workers where that pays, and only there", async () => {
  const prepared = async (options: { chunkShape: number[]; codecs: string[] }) => {
    const array = await api.create(new Map<string, Uint8Array>(), {
      shape: [SIDE, SIDE],
      dtype: "float32",
      ...options,
    });
    const before = await array.prepare();
    return { before, after: await pool.offload(before) };
  };
  const compressed = await prepared({ chunkShape: [128, 128], codecs: ["gzip"] });
  expect(compressed.after).not.toBe(compressed.before);
  expect(compressed.after.pipeline.asynchronous).toBe(true);
  const small = await prepared({ chunkShape: [16, 16], codecs: ["gzip"] });
  expect(small.after).toBe(small.before);
  const raw = await prepared({ chunkShape: [128, 128], codecs: [] });
  expect(raw.after).toBe(raw.before);
});

test("a damaged chunk is the same typed error", async () => {
  const store = new Map<string, Uint8Array>();
  const array = await api.create(store, {
    shape: [SIDE, SIDE],
    chunkShape: [128, 128],
    dtype: "float32",
    codecs: ["gzip"],
  });
  await api.set(array, null, data);
  store.set("/c/1/0", (store.get("/c/1/0") ?? new Uint8Array()).subarray(0, 500));
  const error = await api.get(array, null, { workers: pool }).catch((reason: unknown) => reason);
  if (!api.isZarrError(error, "CodecError")) throw error;
  expect(error.chunk).toEqual([1, 0]);
  expect(error.key).toBe("/c/1/0");
});

test("a codec of the application's own runs in the calling thread", async () => {
  const calls: number[] = [];
  api.registry.set("invert", () => ({
    fromConfig: () => ({
      kind: "bytes_to_bytes",
      encode: (bytes) => bytes.map((byte) => ~byte),
      decode: (bytes) => {
        calls.push(bytes.length);
        return bytes.map((byte) => ~byte);
      },
    }),
  }));
  const array = await api.create(new Map<string, Uint8Array>(), {
    shape: [SIDE, SIDE],
    dtype: "float32",
    codecs: ["invert"],
  });
  await api.set(array, null, data, { workers: pool });
  expect((await api.get(array, null, { workers: pool })).data).toEqual(data);
  expect(calls.length).toBeGreaterThan(0);
});

test("aborting rejects with the signal's reason", async () => {
  const array = await api.create(new Map<string, Uint8Array>(), {
    shape: [SIDE, SIDE],
    chunkShape: [128, 128],
    dtype: "float32",
    codecs: ["gzip"],
  });
  await api.set(array, null, data);
  const controller = new AbortController();
  const reading = api.get(array, null, { workers: pool, signal: controller.signal });
  controller.abort(new Error("enough"));
  await expect(reading).rejects.toThrow("enough");
  expect((await api.get(array, null, { workers: pool })).data).toEqual(data);
});

test("a closed pool says so", async () => {
  const closed = new WorkerPool({ size: 1 });
  const array = await api.create(new Map<string, Uint8Array>(), {
    shape: [SIDE, SIDE],
    dtype: "float32",
    codecs: ["gzip"],
  });
  await api.set(array, null, data, { workers: closed });
  await closed.close();
  await expect(api.get(array, null, { workers: closed })).rejects.toThrow("closed");
  expect(() => new WorkerPool({ size: 0 })).toThrow("positive integer");
});

test("a process ends when its work is done, closed or not", () => {
  const script = `
    import { create, get, set } from ${JSON.stringify(dist("index.js"))};
    import { WorkerPool } from ${JSON.stringify(dist("workers/pool.js"))};
    const workers = new WorkerPool({ size: 2 });
    const array = await create(new Map(), { shape: [300, 300], chunkShape: [150, 150], dtype: "float64", codecs: ["gzip"] });
    await set(array, null, 4, { workers });
    console.log((await get(array, null, { workers })).data.reduce((sum, value) => sum + value, 0));
  `;
  const output = execFileSync(process.execPath, ["--input-type=module", "-e", script], {
    encoding: "utf8",
    timeout: 30_000,
  });
  expect(output.trim()).toBe("360000");
});
