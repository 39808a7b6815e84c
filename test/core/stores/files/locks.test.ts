/**
 * Locks between processes, and what those that died left. What real processes do to each other: test/attack.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { build } from "esbuild";
import { afterAll, describe, expect, test, vi } from "vitest";
import { FileSystemStore } from "../../../../src/core/stores/files/file-system.js";
import { append, create, get, open, set, slice } from "../../../../src/index.js";
import { LmdbStore } from "../../../../src/stores/lmdb/lmdb.js";

const scratch = fs.mkdtempSync(join(tmpdir(), "wazarr-locks-"));
afterAll(() => fs.rmSync(scratch, { recursive: true }));
let count = 0;
const newDirectory = () => join(scratch, String(count++));

const KEY = "/c/0";
const bytes = Uint8Array.of(1, 2, 3);

function lockOf(store: FileSystemStore): string {
  return join(store.root, "c", ".wazarr-temporary-lock-0");
}

/** Puts a lock there as another process would: host, process id. */
function plant(store: FileSystemStore, owner: string, age = 0): string {
  const file = lockOf(store);
  fs.mkdirSync(dirname(file), { recursive: true });
  fs.writeFileSync(file, owner);
  const then = new Date(Date.now() - age);
  fs.utimesSync(file, then, then);
  return file;
}

/** The name of an owner in this thread: host, process, thread and a number. */
async function ownName(): Promise<string> {
  const store = new FileSystemStore(newDirectory(), { locks: true });
  const unlock = await store.lockKeys?.([KEY]);
  const owner = fs.readFileSync(lockOf(store), "utf8");
  await unlock?.();
  return owner;
}

test("a lock is there while it is held, and nothing of it afterwards", async () => {
  const store = new FileSystemStore(newDirectory(), { locks: true });
  await store.set("/zarr.json", bytes);
  const unlock = await store.lockKeys?.(["/c/0", "/c/1"]);
  expect(fs.readdirSync(join(store.root, "c"))).toHaveLength(2);
  expect((await store.listDir("/c/")).keys).toEqual([]);
  await unlock?.();
  expect(fs.readdirSync(store.root)).toEqual(["zarr.json"]);
  expect(new FileSystemStore(store.root, { locks: false }).lockKeys).toBeUndefined();
  expect(() => new FileSystemStore(store.root, { locks: Object(1) })).toThrow(
    "locks: expected true or false",
  );
});

test("who holds a lock keeps others out, until it is given back or the signal aborts", async () => {
  const store = new FileSystemStore(newDirectory(), { locks: true });
  const other = new FileSystemStore(join(store.root, "c"), { locks: true });
  const unlock = await store.lockKeys?.([KEY]);
  const controller = new AbortController();
  const aborted = other.lockKeys?.(["/1", "/0"], { signal: controller.signal });
  let isFree = false;
  const waiting = other.lockKeys?.(["/0"]).then((release) => {
    expect(isFree).toBe(true);
    return release();
  });
  const reason = new Error("enough");
  setTimeout(() => controller.abort(reason), 20);
  await expect(aborted).rejects.toBe(reason);
  expect(fs.readdirSync(join(store.root, "c"))).toEqual([".wazarr-temporary-lock-0"]);
  isFree = true;
  await unlock?.();
  await waiting;
});

/**
 * Makes the clock of waiters run: a second for each look at it. Wall clocks stand still, and may show
 * anything.
 */
function withQuickWaiters(): () => void {
  let now = 0;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => {
    now += 1000;
    return now;
  });
  return () => clock.mockRestore();
}

test("the lock of a dead process is taken over at once, also where who removed it died in the middle of it", async () => {
  const [host] = (await ownName()).split("-");
  const { pid: dead } = spawnSync(process.execPath, ["-e", ""]);
  const store = new FileSystemStore(newDirectory(), { locks: true });
  plant(store, `${host}-${dead}-x 000000000000`);
  const guard = lockOf(store).replace("-lock-", "-guard-");
  fs.mkdirSync(guard);
  fs.writeFileSync(join(guard, `${host}-${dead}-x`), "");
  await (await store.lockKeys?.([KEY]))?.();
  expect(fs.readdirSync(store.root)).toEqual([]);
});

test.each(["", "elsewhere-1-x.0 000000000000"])(
  "a lock of unknown life (%j) is taken over after a minute without a sign of life, whatever its times say",
  async (text) => {
    for (const age of [0, 3_600_000, -3_600_000]) {
      const store = new FileSystemStore(newDirectory(), { locks: true });
      const file = plant(store, text, age);
      const signal = AbortSignal.timeout(50);
      await expect(store.lockKeys?.([KEY], { signal })).rejects.toBe(await reasonOf(signal));
      expect(fs.readFileSync(file, "utf8")).toBe(text);
      const restore = withQuickWaiters();
      const unlock = await store.lockKeys?.([KEY]);
      restore();
      await unlock?.();
      expect(fs.readdirSync(store.root)).toEqual([]);
    }
  },
  20_000,
);

test("an owner elsewhere that shows signs of life keeps its lock", async () => {
  const store = new FileSystemStore(newDirectory(), { locks: true });
  const file = plant(store, "elsewhere-1-x.0 000000000000");
  const restore = withQuickWaiters();
  let looks = 0;
  const signal = new AbortController();
  const waiting = store.lockKeys?.([KEY], { signal: signal.signal });
  const beats = setInterval(
    () => fs.writeFileSync(file, `elsewhere-1-x.0 ${String(++looks).padStart(12, "0")}`),
    100,
  );
  await new Promise((resolve) => setTimeout(resolve, 4_000));
  clearInterval(beats);
  signal.abort(new Error("enough"));
  await expect(waiting).rejects.toThrow("enough");
  restore();
  expect(fs.existsSync(file)).toBe(true);
}, 20_000);

test("an owner changes its lock file as a sign of life, and never that of another", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const store = new FileSystemStore(newDirectory(), { locks: true });
  const unlock = await store.lockKeys?.(["/c/0", "/c/1"]);
  const texts = () =>
    ["0", "1"].map((name) =>
      fs.readFileSync(join(store.root, "c", `.wazarr-temporary-lock-${name}`), "utf8"),
    );
  const before = texts();
  const other = "elsewhere-1-x.0 000000000000";
  plant(store, other);
  for (const signs of [1, 2]) {
    vi.advanceTimersByTime(5_000);
    await vi.waitFor(() => expect(texts()).toEqual([other, before[1]?.replace(/0$/, String(signs))]), {
      timeout: 30_000,
    });
  }
  vi.useRealTimers();
  await unlock?.();
  expect(fs.readdirSync(join(store.root, "c"))).toEqual([".wazarr-temporary-lock-0"]);
});

const onLinux = test.runIf(process.platform === "linux");

onLinux("the lock of a thread that has ended is taken over at once, though its process lives", async () => {
  const store = new FileSystemStore(newDirectory(), { locks: true });
  const [host, pid] = (await ownName()).split("-");
  // A thread that is no longer there, and one that has the id of another that ended.
  for (const thread of ["999999999.5", `${process.pid}.5`]) {
    plant(store, `${host}-${pid}-${thread}-x.0 000000000000`);
    await (await store.lockKeys?.([KEY]))?.();
    expect(fs.existsSync(lockOf(store))).toBe(false);
  }
});

onLinux(
  "a process of this host that lives keeps its lock, however long it is suspended",
  async () => {
    const store = new FileSystemStore(newDirectory(), { locks: true });
    const [host] = (await ownName()).split("-");
    const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
    const stat = fs.readFileSync(`/proc/${child.pid}/stat`, "utf8");
    const start = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
    child.kill("SIGSTOP");
    plant(store, `${host}-${child.pid}-${child.pid}.${start}-x.0 000000000000`, 3_600_000);
    const restore = withQuickWaiters();
    const signal = AbortSignal.timeout(3_000);
    await expect(store.lockKeys?.([KEY], { signal })).rejects.toBe(await reasonOf(signal));
    const waiting = store.lockKeys?.([KEY]);
    child.kill("SIGKILL");
    await (await waiting)?.();
    restore();
  },
  20_000,
);

test.each(["set", "setNow", "delete"] as const)(
  "who lost its lock to another that took it for dead writes nothing: %s",
  async (action) => {
    const store = new FileSystemStore(newDirectory(), { locks: true });
    await store.set(KEY, bytes);
    const unlock = await store.lockKeys?.([KEY]);
    plant(store, "elsewhere-1-x.0 000000000000");
    const write = async () =>
      action === "delete" ? store.delete(KEY) : store[action](KEY, new Uint8Array(100_000));
    await expect(write()).rejects.toMatchObject({ tag: "StoreError", key: KEY });
    await unlock?.();
    expect(await store.get(KEY)).toEqual(bytes);
    // The lock of the other stays, and no temporary file.
    expect(fs.readdirSync(join(store.root, "c")).sort()).toEqual([".wazarr-temporary-lock-0", "0"]);
  },
);

describe("by default", () => {
  const layouts = [
    ["chunks", { chunkShape: [4], codecs: [] }],
    ["shards", { chunkShape: [2], shards: [4], codecs: [] }],
  ] as const;

  test.each(layouts)("%s that are replaced as a whole need no lock", async (_, layout) => {
    const store = new FileSystemStore(newDirectory());
    const array = await create(store, { shape: [8], dtype: "uint8", ...layout });
    const owner = (await ownName()).replace(/ .*/s, "");
    const lock = plant(store, `${owner.split("-")[0]}-1-- 000000000000`);
    await set(array, null, 7);
    expect((await get(array)).data).toEqual(new Uint8Array(8).fill(7));
    expect(fs.existsSync(lock)).toBe(true);
    // A part waits for the lock.
    const controller = new AbortController();
    const waiting = set(array, [slice(0, 1)], 1, { signal: controller.signal });
    setTimeout(() => controller.abort(new Error("locked")), 30);
    await expect(waiting).rejects.toThrow("locked");
  });

  test.each(layouts)(
    "who changes a part of %s that were replaced meanwhile reads them again",
    async (_, layout) => {
      const root = newDirectory();
      const store = new FileSystemStore(root);
      await create(store, { shape: [4], dtype: "uint8", ...layout });
      const other = await open(new FileSystemStore(root), { kind: "array" });
      let isFirst = true;
      // Another process replaces the whole chunk between the read and the write of a part.
      class Between extends FileSystemStore {
        override async getParts(...given: Parameters<FileSystemStore["getParts"]>) {
          const found = await super.getParts(...given);
          if (given[0] === "/c/0" && isFirst) {
            isFirst = false;
            fs.writeFileSync(join(root, "c", "0"), await chunkOf(7));
          }
          return found;
        }
      }
      /** The bytes of a chunk of one value. */
      async function chunkOf(value: number): Promise<Uint8Array> {
        const values = new Map<string, Uint8Array>();
        await set(await create(values, { shape: [4], dtype: "uint8", ...layout }), null, value);
        return values.get("/c/0") ?? new Uint8Array();
      }
      await set(other, null, 3);
      await set(await open(new Between(root), { kind: "array" }), [slice(1, 2)], 1);
      expect((await get(other)).data).toEqual(Uint8Array.of(7, 1, 7, 7));
      expect(isFirst).toBe(false);
    },
  );

  test("two processes that append to one array, and change its attributes, lose nothing", async () => {
    const root = newDirectory();
    await create(new FileSystemStore(root), { shape: [0], chunkShape: [8], dtype: "int32" });
    const program = `
      import { append, open, updateAttributes } from ${JSON.stringify(resolve("src/index.ts"))};
      import { FileSystemStore } from ${JSON.stringify(resolve("src/core/stores/files/file-system.ts"))};
      const store = new FileSystemStore(${JSON.stringify(root)});
      for (let i = 0; i < 12; i++) {
        const array = await open(store, { kind: "array" });
        await append(array, { data: new Int32Array(3).fill(Number(process.argv.at(-1)) + i), shape: [3] });
        await updateAttributes(array, { [process.argv.at(-1) + i]: i });
      }`;
    const script = join(scratch, "appends.mjs");
    await build({
      stdin: { contents: program, resolveDir: process.cwd() },
      bundle: true,
      platform: "node",
      format: "esm",
      outfile: script,
      logLevel: "error",
    });
    const children = ["100", "200"].map((who) =>
      once(spawn(process.execPath, [script, who], { stdio: ["ignore", "ignore", "inherit"] }), "exit"),
    );
    expect((await Promise.all(children)).map(([status]) => status)).toEqual([0, 0]);
    const array = await open(new FileSystemStore(root), { kind: "array" });
    const { data } = await get(array);
    const expected = [100, 200].flatMap((who) =>
      Array.from({ length: 36 }, (_, i) => who + Math.floor(i / 3)),
    );
    expect([...data].map(Number).sort((a, b) => a - b)).toEqual(expected);
    expect(Object.keys(array.attrs).length).toBe(24);
  });
});

test("deletePrefix leaves the locks of the living, so that who deletes under a lock can write afterwards", async () => {
  const store = new FileSystemStore(newDirectory(), { locks: true });
  await store.set("/a/b/zarr.json", bytes);
  await store.set("/a/c/0", bytes);
  const unlock = await store.lockKeys?.(["/a/zarr.json", "/a/b/zarr.json"]);
  await store.deletePrefix("/a/");
  for await (const key of store.list()) expect(key).toBe("nothing");
  await store.set("/a/zarr.json", bytes);
  await unlock?.();
  expect(fs.readdirSync(join(store.root, "a"))).toEqual(["zarr.json"]);
});

const reasonOf = async (signal: AbortSignal): Promise<unknown> => {
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve));
  return signal.reason;
};

test("a write of an array waits for the lock of its chunk, and hears the signal meanwhile", async () => {
  const store = new FileSystemStore(newDirectory(), { locks: true });
  const array = await create(store, { shape: [4], chunkShape: [4], dtype: "uint8" });
  const file = plant(store, "elsewhere-1-x");
  const signal = AbortSignal.timeout(50);
  await expect(set(array, [0], 1, { signal })).rejects.toBe(await reasonOf(signal));
  const writing = set(array, [slice(0, 2)], 7);
  fs.rmSync(file);
  await writing;
  expect([...(await get(array)).data]).toEqual([7, 7, 0, 0]);
});

test("old temporary files go with the first write into their directory, all of them when asked", async () => {
  const root = newDirectory();
  const [old, young, locked] = ["old", "young", "lock-0"].map((name) =>
    join(root, "c", `.wazarr-temporary-${name}`),
  );
  if (old === undefined || young === undefined || locked === undefined) throw new Error("three names");
  fs.mkdirSync(dirname(old), { recursive: true });
  for (const file of [old, young]) fs.writeFileSync(file, bytes);
  const hours = new Date(Date.now() - 2 * 3_600_000);
  fs.utimesSync(old, hours, hours);
  const store = new FileSystemStore(root);
  store.setNow(KEY, bytes);
  await vi.waitFor(() => expect(fs.existsSync(old)).toBe(false), { timeout: 30_000 });
  expect(fs.existsSync(young)).toBe(true);
  plant(store, "elsewhere-1-x");
  expect(await store.removeTemporaryFiles()).toEqual({ files: 1, bytes: 3 });
  expect(fs.existsSync(locked)).toBe(true);
  expect(await store.get(KEY)).toEqual(bytes);
});

test("LMDB: who changes a document keeps other processes out, and no writer of chunks", async () => {
  const directory = newDirectory();
  const stores = [new LmdbStore(directory), new LmdbStore(directory)] as const;
  const unlock = await stores[0].lockKeys(["/zarr.json"], { isOuter: true });
  const signal = AbortSignal.timeout(50);
  await expect(stores[1].lockKeys(["/zarr.json"], { isOuter: true, signal })).rejects.toBe(
    await reasonOf(signal),
  );
  await (await stores[1].lockKeys(["/c/0"]))();
  const waiting = stores[1].lockKeys(["/zarr.json"], { isOuter: true });
  await unlock();
  await (await waiting)();
  expect(fs.readdirSync(directory).sort()).toEqual(["data.mdb", "lock.mdb"]);
  for (const store of stores) await store.close();
});

test("LMDB: two stores of a database, their writes and appends at the same time", async () => {
  const directory = newDirectory();
  const stores = [new LmdbStore(directory), new LmdbStore(directory)] as const;
  await create(stores[0], { shape: [0, 8], chunkShape: [16, 8], dtype: "uint8" });
  const arrays = await Promise.all(stores.map((store) => open(store, { kind: "array" })));
  const row = (value: number) => ({ data: new Uint8Array(8).fill(value), shape: [1, 8] });
  await Promise.all(
    Array.from({ length: 12 }, (_, i) => arrays.map((array) => append(array, row(i + 1)))).flat(),
  );
  const [first, second] = await Promise.all(stores.map((store) => open(store, { kind: "array" })));
  if (first === undefined || second === undefined) throw new Error("two arrays");
  expect(first.shape).toEqual([24, 8]);
  await Promise.all(
    Array.from({ length: 8 }, (_, i) => set(i % 2 === 0 ? first : second, [null, i], 100 + i)),
  );
  const { data } = await get(second);
  expect([...new Set([...data].map((value, i) => Number(value) - (i % 8)))]).toEqual([100]);
  for (const store of stores) await store.close();
});
