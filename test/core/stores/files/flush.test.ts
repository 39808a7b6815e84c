/** What FileSystemStore flushes to the disk. Nothing here crashes a machine: the calls are recorded. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, sep } from "node:path";
import { beforeEach, expect, test, vi } from "vitest";
import { FileSystemStore } from "../../../../src/core/stores/files/file-system.js";
import type { AbsolutePath } from "../../../../src/core/stores/store.js";

type Done = (error: Error | null, descriptor?: number) => void;

const { calls, fail } = vi.hoisted(() => ({
  calls: [] as (readonly [call: string, path: string])[],
  fail: new Map<string, string>(),
}));

vi.mock("node:fs", async (load) => {
  const fs = await load<typeof import("node:fs")>();
  const paths = new Map<number, string>();
  const recorded = (name: "fsync" | "fdatasync") => (descriptor: number, done: Done) => {
    const path = paths.get(descriptor) ?? "";
    calls.push([name, path]);
    const code = fail.get(path);
    if (code === undefined) fs[name](descriptor, done);
    else done(Object.assign(new Error(code), { code }));
  };
  return {
    ...fs,
    open: (path: string, flags: string, done: Done) =>
      fs.open(path, flags, (error, descriptor) => {
        paths.set(descriptor, path);
        done(error, descriptor);
      }),
    fsync: recorded("fsync"),
    fdatasync: recorded("fdatasync"),
  };
});

const folder = mkdtempSync(join(tmpdir(), "wazarr-flush-"));
const root = join(folder, "a.zarr");
const store = new FileSystemStore(root);
const at = (path: string): string => join(root, ...path.split("/"));
const calledWith = (name: string): string[] =>
  calls.filter(([call]) => call === name).map(([, path]) => path);

beforeEach(async () => {
  rmSync(root, { recursive: true, force: true });
  for (const key of ["/zarr.json", "/c/0/0", "/c/0/1", "/c/1/0"] as const)
    await store.set(key, Uint8Array.of(1));
  fail.clear();
  calls.length = 0;
  return () => rmSync(folder, { recursive: true, force: true });
});

test("each file, and once each directory that names one of them", async () => {
  await store.flush(["/zarr.json", "/c/0/0", "/c/0/1"]);
  expect(calledWith("fdatasync").sort()).toEqual([at("c/0/0"), at("c/0/1"), at("zarr.json")]);
  expect(calledWith("fsync").sort()).toEqual([folder, root, at("c"), at("c/0")]);
});

test("a value that is deleted: the directories that are left", async () => {
  await store.delete("/c/1/0");
  await store.flush(["/c/1/0"]);
  expect(calledWith("fdatasync")).toEqual([]);
  expect(calledWith("fsync").sort()).toEqual([folder, root, at("c")]);
});

test("more files than are open at once", async () => {
  const keys = Array.from({ length: 100 }, (_, i): AbsolutePath => `/c/${i}/0`);
  for (const key of keys) await store.set(key, Uint8Array.of(1));
  await store.flush(keys);
  expect(calledWith("fdatasync").length).toBe(100);
  expect(new Set(calledWith("fsync")).size).toBe(103);
});

test("a disk that fails is a StoreError; directories that cannot be flushed are not", async () => {
  fail.set(root, "EINVAL").set(folder, "EACCES");
  await store.flush(["/c/0/0"]);
  fail.set(at("c/0/0"), "EIO");
  await expect(store.flush(["/c/0/0"])).rejects.toMatchObject({ tag: "StoreError", key: "/c/0/0" });
  fail.delete(at("c/0/0"));
  fail.set(at("c/0"), "EIO");
  await expect(store.flush(["/c/0/0"])).rejects.toMatchObject({ tag: "StoreError" });
});

test("no key leads out of the root", async () => {
  await expect(store.flush([`/..${sep}..`])).rejects.toMatchObject({ tag: "StoreError" });
});
