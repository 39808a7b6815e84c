/** Plans that replace what is at their target, several runs at once, and what tasks may write. */
import { describe, expect, test } from "vitest";
import { keysBelow, listDir } from "../../../src/core/stores/capabilities.js";
import { create, get, open as openNode, set, type WritableStore } from "../../../src/index.js";
import { planCopy, runLocal, runTask, tasksOf } from "../../../src/work/jobs.js";
import { images, type MapStore, opener, runPart, staged, valuesIn } from "./interrupted.js";

const jobsIn = (map: MapStore): string[] => [...map.keys()].filter((key) => key.includes(".wazarr-jobs"));

describe("a plan that replaces", () => {
  test("removes the notes of all others, so that none of them is resumed into its elements", async () => {
    const [a, b, target] = [await images(1), await images(2), new Map()];
    const open = opener({ a, b, target });
    const options = { ...(await staged(a)), open };
    await runPart(await planCopy("a", "target", options), open, 20);
    expect(jobsIn(target).length).toBeGreaterThan(0);
    await runLocal(await planCopy("b", "target", { ...options, overwrite: true }), { open });
    expect(jobsIn(target)).toEqual([]);
    await expect(planCopy("a", "target", { ...options, resume: true })).rejects.toMatchObject({
      tag: "AlreadyExistsError",
      reason: expect.stringContaining("nothing to resume"),
    });
    expect(await valuesIn(target)).toEqual([2]);
  });

  test("begins anew, and is itself resumed if that is asked for", async () => {
    const [source, target] = [await images(1), new Map()];
    const open = opener({ source, target });
    const options = { ...(await staged(source)), open };
    await runPart(await planCopy("source", "target", { ...options, overwrite: true }), open, 20);
    await images(2, source);
    const anew = await planCopy("source", "target", { ...options, overwrite: true });
    await runPart(anew, open, 20);
    const resumed = await planCopy("source", "target", { ...options, resume: true });
    expect(resumed.id).toBe(anew.id);
    const report = await runLocal(resumed, { open });
    expect(report).toMatchObject({ isFinished: true });
    expect(report.tasksBefore).toBeGreaterThanOrEqual(20);
    expect(await valuesIn(target)).toEqual([2]);
    expect(jobsIn(target)).toEqual([]);
  });

  test("ends the run of another plan, which does not claim that it is done", async () => {
    const [a, b, target] = [await images(1), await images(2), new Map()];
    const open = opener({ a, b, target });
    const options = { ...(await staged(a)), open };
    const other = await planCopy("b", "target", { ...options, overwrite: true });
    const begun: Promise<unknown>[] = [];
    const run = runLocal(await planCopy("a", "target", options), {
      open,
      onProgress: ({ tasksDone }) => tasksDone === 20 && begun.push(runPart(other, open, 3)),
    });
    await expect(run).rejects.toMatchObject({ tag: "AlreadyExistsError", reason: /another plan/ });
    await Promise.all(begun);
    await runLocal(other, { open });
    expect(await valuesIn(target)).toEqual([2]);
  });

  test("says when it is made that the store cannot delete, or fails at the chunk that must go", async () => {
    const source: MapStore = new Map();
    const array = await create(source, { shape: [4, 4], dtype: "int32", chunkShape: [2, 4] });
    await set(array, [0, null], 1);
    for (const chunkShape of [undefined, [4, 2], [2, 2]]) {
      const map: MapStore = new Map();
      const target: WritableStore = { get: (key) => map.get(key), set: (key, value) => map.set(key, value) };
      const old = await create(target, { shape: [4, 4], dtype: "int32", chunkShape: chunkShape ?? [2, 4] });
      await set(old, null, 9);
      const open = opener({ source, target });
      const options = { open, chunkShape, overwrite: true };
      await expect(planCopy("source", "target", options)).rejects.toMatchObject({ tag: "UnsupportedError" });
      // An interrupted removal has left the chunks.
      map.delete("/zarr.json");
      const report = await runLocal(await planCopy("source", "target", options), { open });
      if (report.isFinished) {
        const { data } = await get(await openNode(target, { kind: "array" }));
        expect([...data]).toEqual([...(await get(array)).data]);
      } else
        expect(report.failed).toMatchObject([
          { error: { tag: "UnsupportedError", key: expect.any(String) } },
        ]);
    }
  });
});

describe("two runs of one plan", () => {
  test("a run whose intermediate array is removed by another that finishes is done as well", async () => {
    const [source, target] = [await images(3), new Map()];
    const options = await staged(source);
    const both = opener({ source, target });
    const plan = await planCopy("source", "target", { ...options, open: both });
    const finished: Promise<unknown>[] = [];
    // The first run stops at its first read of the intermediate array until another one has removed that.
    const slow: WritableStore = {
      async get(key) {
        if (/wazarr-jobs.*\/c\//.test(key)) {
          if (finished.length === 0) finished.push(runLocal(plan, { open: both }));
          await finished[0];
        }
        return target.get(key);
      },
      set: (key, value) => target.set(key, value),
      delete: (key) => target.delete(key),
      list: () => keysBelow(target.keys(), "/"),
      listPrefix: (prefix) => keysBelow(target.keys(), prefix),
      listDir: (prefix) => listDir(target, prefix),
    };
    const first = await runLocal(plan, { open: opener({ source, target: slow }) });
    expect(first).toMatchObject({ isFinished: true, failed: [] });
    expect(await Promise.all(finished)).toMatchObject([{ isFinished: true }]);
    expect(await valuesIn(target)).toEqual([3]);
    expect(jobsIn(target)).toEqual([]);
  });

  test("notes that outlive the intermediate array, or the target, are resumed all the same", async () => {
    for (const isGone of [
      (key: string) => key.includes("wazarr-jobs") && !key.includes("ledger"),
      (key: string) => !key.includes("ledger"),
    ]) {
      const [source, target] = [await images(4), new Map()];
      const open = opener({ source, target });
      const options = { ...(await staged(source)), open };
      const plan = await planCopy("source", "target", options);
      const done = [...tasksOf(plan)].filter(({ id }) => !id.startsWith("3-")).length;
      await runPart(plan, open, done - 2);
      for (const key of [...target.keys()]) if (isGone(key)) target.delete(key);
      const again = await planCopy("source", "target", { ...options, resume: true });
      expect(await runLocal(again, { open })).toMatchObject({ isFinished: true, failed: [] });
      expect(await valuesIn(target)).toEqual([4]);
      expect(jobsIn(target)).toEqual([]);
    }
  });
});

describe("a task touches only the target of its plan, and its notes", () => {
  const folder = (): MapStore =>
    new Map([
      ["/documents/thesis.txt", Uint8Array.of(1)],
      ["/.key", Uint8Array.of(1)],
    ]);
  const task = { version: 1, plan: "p", id: "0-0-0", bytes: 0 } as const;

  test.each([
    "/",
    "/documents",
    "/.wazarr-jobs",
    "/.wazarr-jobs/other/0",
    "/.wazarr-jobs/p",
    "/.wazarr-jobs/p/0/1",
  ])("remove-array of %s", async (path) => {
    const map = folder();
    map.set("/.wazarr-jobs/other/0/zarr.json", Uint8Array.of(1));
    map.set("/.wazarr-jobs/p/0/1/zarr.json", Uint8Array.of(1));
    const before = new Map(map);
    const parameters = { array: { store: "x", path } };
    await expect(
      runTask({ ...task, kind: "remove-array", parameters }, { open: () => map }),
    ).rejects.toMatchObject({ tag: "InvalidMetadataError" });
    expect(map).toEqual(before);
  });

  test.each([
    ["/.bashrc", "echo"],
    ["/zarr.json", "echo"],
    ["/documents/zarr.json", "{}"],
    ["/d/../zarr.json", "{}"],
    ["/d/x.json", "{}"],
  ])("create-nodes of %s", async (key, text) => {
    const map = folder();
    const before = new Map(map);
    const parameters = { target: { store: "x", path: "/d" }, documents: [[key, text]], replace: true };
    await expect(
      runTask({ ...task, kind: "create-nodes", parameters }, { open: () => map }),
    ).rejects.toMatchObject({ tag: expect.stringMatching(/Invalid/) });
    expect(map).toEqual(before);
  });

  test("overwriting a folder that holds no Zarr leaves what is in it, also when the task is repeated", async () => {
    const [source, target] = [await images(5), folder()];
    const open = opener({ source, target });
    const plan = await planCopy("source", "target", { open, overwrite: true });
    const [first] = tasksOf(plan);
    if (first === undefined) throw new Error("expected a task");
    await runTask(first, { open });
    await runLocal(plan, { open });
    for (const key of folder().keys()) expect(target.has(key)).toBe(true);
    expect(await valuesIn(target)).toEqual([5]);
  });
});
