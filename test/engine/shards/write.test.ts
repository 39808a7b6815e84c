/** What writing shards does to a store, and what it costs. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { buildSync } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { FileSystemStore } from "../../../src/core/stores/files/file-system.js";
import { type AbsolutePath, create, get, open, set, slice } from "../../../src/index.js";
import { SHARD_KEY } from "./hand-made.js";

const scratch = mkdtempSync(join(tmpdir(), "wazarr-shard-write-"));
afterAll(() => rmSync(scratch, { recursive: true }));

/** wazarr for processes of their own. */
const bundle = join(scratch, "wazarr.mjs");
beforeAll(() => {
  buildSync({
    stdin: {
      contents: `export * from "./src/index.js"; export { FileSystemStore } from "./src/core/stores/files/file-system.js";`,
      resolveDir: process.cwd(),
    },
    bundle: true,
    format: "esm",
    platform: "node",
    outfile: bundle,
  });
});

const script = (body: string) => [
  "--input-type=module",
  "--eval",
  `const { create, open, set, slice, FileSystemStore } = await import(${JSON.stringify(pathToFileURL(bundle).href)});
   ${body}`,
];

/** Writes down what is done to it. */
class RecordingStore {
  readonly values = new Map<string, Uint8Array>();
  calls: string[] = [];

  get(key: AbsolutePath): Uint8Array | undefined {
    this.calls.push(`get ${key}`);
    return this.values.get(key);
  }
  set(key: AbsolutePath, value: Uint8Array): void {
    this.calls.push(`set ${key}`);
    this.values.set(key, value);
  }
}
class DeletingStore extends RecordingStore {
  delete(key: AbsolutePath): void {
    this.calls.push(`delete ${key}`);
    this.values.delete(key);
  }
}

async function createIn<S extends RecordingStore>(store: S) {
  const array = await create(store, {
    codecs: [],
    shape: [16, 16],
    dtype: "int32",
    chunkShape: [4, 4],
    shards: [8, 8],
  });
  store.calls = [];
  return array;
}

describe("what is done to the store", () => {
  test("whole shards are not read, and written once", async () => {
    const store = new DeletingStore();
    const array = await createIn(store);
    await set(array, null, 7);
    expect(store.calls.sort()).toEqual(["/c/0/0", "/c/0/1", "/c/1/0", "/c/1/1"].map((key) => `set ${key}`));
  });

  test("a shard that is covered in part is read once and written once", async () => {
    const store = new DeletingStore();
    const array = await createIn(store);
    await set(array, null, 7);
    store.calls = [];
    await set(array, [slice(2, 6), slice(0, 4)], 8);
    expect(store.calls).toEqual([`get ${SHARD_KEY}`, `set ${SHARD_KEY}`]);
  });

  test("inner chunks that are not touched keep their bytes", async () => {
    const store = new DeletingStore();
    const array = await createIn(store);
    await set(array, [slice(0, 8), slice(0, 8)], 7);
    const before = store.values.get(SHARD_KEY);
    await set(array, [slice(0, 4), slice(0, 4)], 8);
    const after = store.values.get(SHARD_KEY);
    expect(after?.subarray(64, 4 * 64)).toEqual(before?.subarray(64, 4 * 64));
    expect(after?.subarray(0, 64)).not.toEqual(before?.subarray(0, 64));
  });

  test("inner chunks of fill value are left out, shards of fill value deleted", async () => {
    const store = new DeletingStore();
    const array = await createIn(store);
    await set(array, [slice(0, 8), slice(0, 8)], 7);
    const whole = store.values.get(SHARD_KEY)?.length ?? 0;
    await set(array, [slice(0, 4), slice(0, 8)], 0);
    expect(store.values.get(SHARD_KEY)?.length).toBe(whole - 2 * 64);
    store.calls = [];
    await set(array, [slice(4, 8), slice(0, 8)], 0);
    expect(store.calls).toEqual([`get ${SHARD_KEY}`, `delete ${SHARD_KEY}`]);
    await set(array, [slice(0, 8), slice(0, 8)], 0, { writeEmptyChunks: true });
    expect(store.values.get(SHARD_KEY)?.length).toBe(whole);
  });

  test("a store that cannot delete gets a shard of nothing, which reads as fill value", async () => {
    const store = new RecordingStore();
    const array = await createIn(store);
    await set(array, [slice(0, 8), slice(0, 8)], 7);
    await set(array, [slice(0, 8), slice(0, 8)], 0);
    const shard = store.values.get(SHARD_KEY);
    expect(shard?.length).toBe(4 * 16 + 4);
    expect(shard?.subarray(0, 64)).toEqual(new Uint8Array(64).fill(255));
    expect(await get(array, [3, 3])).toBe(0);
    // Where nothing was stored nothing is.
    await set(array, [slice(8, 16), null], 0);
    expect([...store.values.keys()]).toEqual(["/zarr.json", SHARD_KEY]);
  });

  test("a store that fails leaves the shard as it was, for the next writer", async () => {
    const store = new DeletingStore();
    const array = await createIn(store);
    await set(array, null, 7);
    const working = store.set.bind(store);
    store.set = (key, value) => {
      if (key === "/c/1/0") throw new Error("disk full");
      working(key, value);
    };
    await expect(set(array, null, 8)).rejects.toMatchObject({ tag: "StoreError", key: "/c/1/0" });
    expect(await get(array, [8, 0])).toBe(7);
    store.set = working;
    await set(array, [8, 0], 9);
    expect(await get(array, [8, 0])).toBe(9);
    expect(await get(array, [9, 0])).toBe(7);
  });
});

test("a process that is killed while it writes leaves the old shard or the new one", async () => {
  const root = join(scratch, "killed");
  const store = new FileSystemStore(root);
  const array = await create(store, {
    shape: [64, 64],
    dtype: "int32",
    chunkShape: [16, 16],
    shards: [32, 32],
    codecs: [{ name: "crc32c" }],
  });
  await set(array, null, 1);
  const reader = await openInt32(store);
  for (const selection of ["null", "[slice(0, 40), slice(8, 64)]"]) {
    // Rewrites shards, whole or in part, with one number in all their elements but those outside the
    // selection.
    const writer = spawn(
      process.execPath,
      script(`
        const array = await open(new FileSystemStore(${JSON.stringify(root)}), { kind: "array" });
        for (let round = 2; ; round++) {
          await set(array, ${selection}, round);
          if (round === 12) console.log("ready");
        }`),
      { stdio: ["ignore", "pipe", "inherit"] },
    );
    await once(writer.stdout, "data");
    for (let round = 0; round < 40; round++) await expectWholeShards(reader);
    writer.kill("SIGKILL");
    await once(writer, "exit");
    await expectWholeShards(reader);
    await expectWholeShards(await openInt32(new FileSystemStore(root)));
  }
  const files = readdirSync(join(root, "c", "0"));
  expect(files.filter((name) => !name.startsWith(".")).sort()).toEqual(["0", "1"]);
});

async function openInt32(store: FileSystemStore) {
  const array = await open(store, { kind: "array" });
  if (!array.is("int32")) throw new Error("expected int32");
  return array;
}

/** Of a shard, what is written in one call is of one number. */
async function expectWholeShards(array: Awaited<ReturnType<typeof openInt32>>): Promise<void> {
  const { data } = await get(array);
  const at = (y: number, x: number) => data[64 * y + x] ?? 0;
  for (const [y, x, rows, columns] of [
    [0, 8, 32, 24],
    [0, 32, 32, 32],
    [32, 8, 8, 24],
    [32, 32, 8, 32],
  ] as const) {
    const numbers = new Set<number>();
    for (let i = 0; i < rows; i++) for (let j = 0; j < columns; j++) numbers.add(at(y + i, x + j));
    expect([...numbers]).toHaveLength(1);
  }
}

describe("peak memory of writing shards of 64 MiB", () => {
  const MIB = 1 << 20;
  const peaks: [name: string, selection: string, codecs: string][] = [
    ["whole, as they are", "null", "undefined"],
    ["whole, compressed", "null", `[{ name: "zstd", configuration: { level: 0, checksum: false } }]`],
  ];
  test.each(peaks)("%s: two shards and 40 MiB", (name, selection, codecs) => {
    const output = execFileSync(
      process.execPath,
      script(`
        const store = (name) => new FileSystemStore(${JSON.stringify(join(scratch, "memory"))} + name);
        const options = { dtype: "float32", chunkShape: [32, 32, 32], codecs: ${codecs}, overwrite: true };
        // Everything is loaded and has run once.
        await set(await create(store("small"), { codecs: [], ...options, shape: [64, 64, 64], shards: [64, 64, 64] }), null, 1);
        const array = await create(store("large"), { codecs: [], ...options, shape: [1024, 256, 256], shards: [256, 256, 256] });
        const before = process.resourceUsage().maxRSS;
        await set(array, ${selection}, 1.5);
        console.log((process.resourceUsage().maxRSS - before) * 1024);`),
      { encoding: "utf8" },
    );
    rmSync(join(scratch, "memorylarge"), { recursive: true });
    const bytes = Number(output);
    console.log(`${name}: ${(bytes / MIB).toFixed(0)} MiB for shards of 64 MiB`);
    expect(bytes).toBeLessThan((2 * 64 + 40) * MIB);
  });
});
