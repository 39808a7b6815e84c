/** What a run that resumes does about a source whose elements have changed since it was interrupted. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { FileSystemStore } from "../../../src/core/stores/files/file-system.js";
import { create, open as openNode, set, type WritableStore } from "../../../src/index.js";
import { planCopy, planReduce, runLocal } from "../../../src/work/jobs.js";
import { rangeOf } from "../../setup/stores.js";
import { opener, runPart, staged, valuesIn } from "./interrupted.js";

const folder = mkdtempSync(join(tmpdir(), "wazarr-changed-"));
afterAll(() => rmSync(folder, { recursive: true }));
let count = 0;

/** A store behind a network that tells ETags, or nothing of its values; and the requests for chunks. */
function network(tells: boolean, requests: string[] = []): WritableStore {
  const map = new Map<string, Uint8Array>();
  const etags = new Map<string, string>();
  return {
    kind: "network",
    get: async (key) => map.get(key),
    async getParts(key, ranges) {
      if (key.includes("/c/")) requests.push(key);
      const value = map.get(key);
      if (value === undefined) return undefined;
      const parts = ranges?.map((range) => rangeOf(value, range)) ?? [value];
      return { parts, byteLength: value.length, version: tells ? etags.get(key) : undefined };
    },
    async set(key, value) {
      map.set(key, value);
      etags.set(key, `"${count++}"`);
    },
    async delete(key) {
      map.delete(key);
    },
  };
}

async function fill(store: WritableStore, value: number): Promise<void> {
  await set(
    await create(store, { shape: [24, 12, 12], dtype: "uint16", chunkShape: [1, 12, 12] }),
    null,
    value,
  );
}

async function change(store: WritableStore): Promise<void> {
  await set(await openNode(store, { kind: "array" }), null, 2);
}

describe.each<[string, () => WritableStore]>([
  ["a directory", () => new FileSystemStore(join(folder, String(count++)))],
  ["a server that tells ETags", () => network(true)],
])("in %s", (_, make) => {
  test.each([
    ["in one stage", false],
    ["through an intermediate array", true],
  ])("what has changed is copied again, %s", async (_, isStaged) => {
    const [source, target] = [make(), new Map()];
    await fill(source, 1);
    const open = opener({ source, target });
    const options = {
      ...(isStaged ? await staged(source) : { chunkShape: [1, 6, 6], codecs: [], maxMemory: 34e6 }),
      open,
    };
    const plan = await planCopy("source", "target", options);
    await runPart(plan, open, isStaged ? plan.estimate.tasks - 6 : 1);
    await change(source);
    const report = await runLocal(await planCopy("source", "target", { ...options, resume: true }), {
      open,
    });
    expect(report).toMatchObject({ isFinished: true, tasksUnchecked: 0 });
    expect(await valuesIn(target)).toEqual([2]);
  });

  test("what has not changed is not copied again, nor is its reduction made again", async () => {
    const [source, target, sums] = [make(), new Map(), new Map()];
    await fill(source, 1);
    const open = opener({ source, target, sums });
    const options = { ...(await staged(source)), open };
    await runPart(await planCopy("source", "target", options), open, 10);
    const again = await planCopy("source", "target", { ...options, resume: true });
    const report = await runLocal(again, { open });
    expect(report).toMatchObject({ isFinished: true, tasksUnchecked: 0 });
    expect(report.tasksBefore).toBeGreaterThanOrEqual(10);
  });

  test("what has changed is reduced again", async () => {
    const [source, target] = [make(), new Map()];
    await fill(source, 1);
    const open = opener({ source, target });
    const short: unknown = await planReduce("source", "target", { open, maxMemory: 1 }).catch((e) => e);
    const maxMemory = Number(/expected (\d+) bytes/.exec(String(short))?.[1]);
    const plan = await planReduce("source", "target", { open, maxMemory });
    await runPart(plan, open, 3);
    await change(source);
    const { results } = await runLocal(plan, { open });
    expect([...results.values()]).toMatchObject([{ mean: 2, max: 2, min: 2 }]);
  });
});

test("a store behind a network is asked for no chunk more than without a comparison", async () => {
  const requests: string[] = [];
  const source = network(true, requests);
  await fill(source, 1);
  const open = opener({ source, target: new Map() });
  await runLocal(await planCopy("source", "target", { open }), { open });
  expect(requests.length).toBe(24);
});

test("where the store does not tell versions, the report counts what could not be compared", async () => {
  const [source, target] = [network(false), new Map()];
  await fill(source, 1);
  const open = opener({ source, target });
  const options = { ...(await staged(source)), open };
  await runPart(await planCopy("source", "target", options), open, 10);
  await change(source);
  const report = await runLocal(await planCopy("source", "target", { ...options, resume: true }), { open });
  expect(report.isFinished).toBe(true);
  expect(report.tasksUnchecked).toBeGreaterThan(0);
  expect(report.tasksUnchecked).toBeLessThanOrEqual(report.tasksBefore);
});
