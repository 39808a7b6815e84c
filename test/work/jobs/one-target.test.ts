/** Two plans that begin at one target at the same moment: one of them goes on. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { FileSystemStore } from "../../../src/core/stores/files/file-system.js";
import type { WriteOptions } from "../../../src/core/stores/store.js";
import { ConflictError, create, MemoryStore, type Store, set } from "../../../src/index.js";
import { type Plan, planCopy, planVerify, runLocal, runTask, tasksOf } from "../../../src/work/jobs.js";
import { rangeOf } from "../../setup/stores.js";
import { images, opener, runPart, staged, valuesIn } from "./interrupted.js";

const folder = mkdtempSync(join(tmpdir(), "wazarr-one-target-"));
afterAll(() => rmSync(folder, { recursive: true }));
let count = 0;
const temporaryDirectory = (): string => join(folder, String(count++));

/** A store without locks that obeys `ifVersion`, as those of buckets do. */
function bucket(): Store {
  const store = new MemoryStore();
  const versions = new Map<string, string>();
  return {
    kind: "network",
    conditionalWrites: true,
    get: async (key) => store.get(key),
    async getParts(key, ranges) {
      const value = store.get(key);
      const version = versions.get(key);
      if (value === undefined) return undefined;
      const parts = ranges?.map((range) => rangeOf(value, range)) ?? [value];
      return { parts, byteLength: value.length, version };
    },
    async set(key, value, { ifVersion }: WriteOptions = {}) {
      await Promise.resolve();
      if (ifVersion !== undefined && (versions.get(key) ?? null) !== ifVersion)
        throw new ConflictError("changed", { key });
      store.set(key, value);
      versions.set(key, `"${count++}"`);
    },
    async delete(key) {
      store.delete(key);
      versions.delete(key);
    },
    list: async () => store.list(),
    listPrefix: async (prefix) => store.listPrefix(prefix),
    listDir: async (prefix) => store.listDir(prefix),
  };
}

const targets: Readonly<Record<string, () => Store>> = {
  "a Map": () => new Map(),
  "a directory": () => new FileSystemStore(temporaryDirectory()),
  "a bucket": bucket,
};

async function twoPlans(target: Store) {
  const [a, b] = [await images(1), await images(2)];
  const open = opener({ a, b, target });
  const options = { ...(await staged(a)), open };
  const plans = [await planCopy("a", "target", options), await planCopy("b", "target", options)];
  return { open, options, plans };
}

async function outcome(plan: Plan, open: (name: string) => Store): Promise<string> {
  return runLocal(plan, { open }).then(
    ({ isFinished }) => (isFinished ? "finished" : "failed"),
    (error: { tag?: string }) => error.tag ?? String(error),
  );
}

test.each(Object.entries(targets))("in %s, also if the documents of both are the same", async (_, make) => {
  const target = make();
  const { open, plans } = await twoPlans(target);
  const ends = await Promise.all(plans.map((plan) => outcome(plan, open)));
  expect([...ends].sort()).toEqual(["AlreadyExistsError", "finished"]);
  expect(await valuesIn(target)).toEqual([ends.indexOf("finished") + 1]);
});

test.each(Object.entries(targets))("in %s, the second if the first is done meanwhile", async (_, make) => {
  const target = make();
  const { open, plans } = await twoPlans(target);
  const [first, second] = plans;
  if (first === undefined || second === undefined) throw new Error("two plans");
  await runLocal(first, { open });
  await expect(runLocal(second, { open })).rejects.toMatchObject({
    tag: "AlreadyExistsError",
    reason: expect.stringContaining("after this plan was"),
  });
  expect(await valuesIn(target)).toEqual([1]);
});

test("a plan that is unfinished keeps its target until another replaces it", async () => {
  const target = new Map();
  const { open, plans, options } = await twoPlans(target);
  const [first, second] = plans;
  if (first === undefined || second === undefined) throw new Error("two plans");
  await runPart(first, open, 3);
  await expect(runLocal(second, { open })).rejects.toMatchObject({ tag: "AlreadyExistsError" });
  await runLocal(await planCopy("b", "target", { ...options, overwrite: true }), { open });
  expect(await valuesIn(target)).toEqual([2]);
  expect([...target.keys()].filter((key) => key.includes("wazarr"))).toEqual([]);
});

test("one of many writers creates a file of a directory", async () => {
  const root = temporaryDirectory();
  const stores = Array.from({ length: 8 }, () => new FileSystemStore(root));
  const answers = stores.map((store, i) => store.setIfMissing("/deep/key", Uint8Array.of(i)));
  expect(answers).toEqual([true, ...Array<boolean>(7).fill(false)]);
  expect(await new FileSystemStore(root).get("/deep/key")).toEqual(Uint8Array.of(0));
  expect(() => stores[0]?.setIfMissing("/deep/key/below", Uint8Array.of(1))).toThrow(/create a file/);
});

test("a task whose box is not inside its array is refused", async () => {
  const source = new Map();
  await set(await create(source, { shape: [8, 8], dtype: "int16", chunkShape: [2, 8] }), null, 3);
  const open = opener({ source, target: new Map() });
  const copy = await planCopy("source", "target", { open, chunkShape: [8, 2] });
  const [, ...copies] = tasksOf(copy);
  const [first] = tasksOf(copy);
  if (first !== undefined) await runTask(first, { open });
  for (const task of [...tasksOf(await planVerify("source", { open })), ...copies])
    await expect(
      runTask({ ...task, box: { start: [0, 1], shape: [4, 1e6] } }, { open }),
    ).rejects.toMatchObject({ tag: "InvalidMetadataError", reason: /inside the shape/ });
});
