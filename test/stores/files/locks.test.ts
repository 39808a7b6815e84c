/** Locks between processes, and what those that died left. What real processes do to each other: test/attack. */
import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { append, create, get, open, set, slice } from "../../../src/index.js";
import { FileSystemStore } from "../../../src/stores/file-system.js";
import { LmdbStore } from "../../../src/stores/lmdb.js";

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

async function hostName(): Promise<string> {
  const store = new FileSystemStore(newDirectory(), { locks: true });
  const unlock = await store.lockKeys?.([KEY]);
  const owner = fs.readFileSync(lockOf(store), "utf8");
  await unlock?.();
  return owner.split("-")[0] ?? "";
}

test("a lock is there while it is held, and nothing of it afterwards", async () => {
  const store = new FileSystemStore(newDirectory(), { locks: true });
  await store.set("/zarr.json", bytes);
  const unlock = await store.lockKeys?.(["/c/0", "/c/1"]);
  expect(fs.readdirSync(join(store.root, "c"))).toHaveLength(2);
  expect((await store.listDir("/c/")).keys).toEqual([]);
  await unlock?.();
  expect(fs.readdirSync(store.root)).toEqual(["zarr.json"]);
  expect(new FileSystemStore(store.root).lockKeys).toBeUndefined();
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

test("locks of the dead are taken over, those of the living are not", async () => {
  const host = await hostName();
  const { pid: dead } = spawnSync(process.execPath, ["-e", ""]);
  for (const [owner, age] of [
    [`${host}-${dead}-x`, 0],
    ["", 120_000],
    ["elsewhere-1-x", 120_000],
    [`${host}-${process.pid}-x`, 120_000],
  ] as const) {
    const store = new FileSystemStore(newDirectory(), { locks: true });
    plant(store, owner, age);
    // Who removed a lock may have died in the middle of it.
    fs.mkdirSync(`${lockOf(store)}.break`);
    fs.writeFileSync(join(`${lockOf(store)}.break`, `${host}-${dead}-x`), "");
    await (await store.lockKeys?.([KEY]))?.();
    expect(fs.readdirSync(store.root)).toEqual([]);
  }
  for (const owner of [`${host}-${process.pid}-x`, "elsewhere-1-x"]) {
    const store = new FileSystemStore(newDirectory(), { locks: true });
    const file = plant(store, owner, 1000);
    const signal = AbortSignal.timeout(50);
    await expect(store.lockKeys?.([KEY], { signal })).rejects.toBe(await reasonOf(signal));
    expect(fs.existsSync(file)).toBe(true);
  }
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
