/** Copies by plan: equal to the source whatever the shapes, and whatever happens on the way. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { keysBelow, listDir, readRange } from "../../../src/core/stores/capabilities.js";
import { create, get, open, root, type Store, set } from "../../../src/index.js";
import { copyNode, verify } from "../../../src/main/copy.js";
import {
  type Plan,
  type PlanCopyOptions,
  planCopy,
  runLocal,
  runTask,
  tasksOf,
} from "../../../src/work/jobs.js";
import { kinds, made } from "../../array/kinds.js";
import { type MapStore, sample } from "../copy-support.js";

const stores = new Map<string, MapStore>();
const openMap = (name: string): MapStore => {
  const store = stores.get(name) ?? new Map();
  stores.set(name, store);
  return store;
};

function put(name: string, store: MapStore = new Map()): MapStore {
  stores.set(name, store);
  return store;
}

/** What a copy may take at the least: one chunk at a time, which needs intermediate arrays. */
async function leastMemory(options: PlanCopyOptions): Promise<number> {
  const error: unknown = await planCopy("source", "target", {
    ...options,
    open: openMap,
    maxMemory: 1,
  }).catch((e) => e);
  const found = /expected (\d+) bytes/.exec(error instanceof Error ? error.message : "");
  return Number(found?.[1] ?? 1 << 30);
}

const keysOf = (store: MapStore): string[] => [...store.keys()].sort();

async function expectSame(source: MapStore, target: MapStore): Promise<void> {
  const problems: string[] = [];
  await verify(root(source), {
    against: root(target),
    onProblem: (problem) => problems.push(problem.message),
  });
  expect(problems).toEqual([]);
  expect(keysOf(target).filter((key) => key.includes(".wazarr"))).toEqual([]);
}

const strides = (shape: readonly number[]): number[] =>
  shape.map((_, d) => shape.slice(d + 1).reduce((a, b) => a * b, 1));

const dimension = fc.record({
  extent: fc.oneof(fc.integer({ min: 0, max: 23 }), fc.constant(18)),
  source: fc.oneof(fc.integer({ min: 1, max: 9 }), fc.constantFrom(1, 18)),
  target: fc.integer({ min: 1, max: 9 }),
  inner: fc.integer({ min: 1, max: 3 }),
});
const layout = fc.record({
  dimensions: fc.array(dimension, { maxLength: 3, size: "max" }),
  from: fc.constantFrom<2 | 3>(2, 3),
  to: fc.constantFrom<2 | 3>(2, 3),
  dtype: fc.constantFrom("uint8", "int16", "float64", "bool"),
  isSharded: fc.boolean(),
  least: fc.boolean(),
});

test("copies equal their source, whatever the shapes, chunks, formats and memory", async () => {
  let staged = 0;
  await fc.assert(
    fc.asyncProperty(layout, async ({ dimensions, from, to, dtype, isSharded, least }) => {
      const source = put("source");
      const target = put("target");
      const shape = dimensions.map(({ extent }) => extent);
      const array = await create(root(source), {
        shape,
        dtype,
        zarrFormat: from,
        chunkShape: dimensions.map((d) => d.source),
      });
      const count = shape.reduce((a, b) => a * b, 1);
      const bytes = Uint8Array.from({ length: count * array.dataType.itemSize }, (_, i) =>
        dtype === "bool" ? i & 1 : i * 7,
      );
      const elements = { data: array.dataType.view(bytes), shape, stride: strides(shape) };
      if (shape.length === 0) await set(array, null, dtype === "bool" ? true : 7);
      else await Reflect.apply(set, undefined, [array, null, elements]);
      const shards = to === 3 && isSharded ? { shards: dimensions.map((d) => d.target * d.inner) } : {};
      const options = { zarrFormat: to, chunkShape: dimensions.map((d) => d.target), ...shards };
      const maxMemory = least ? await leastMemory(options) : undefined;
      const plan = await planCopy("source", "target", { ...options, open: openMap, maxMemory });
      if (plan.stages.length === 4) staged++;
      const report = await runLocal(plan, { open: openMap });
      expect(report).toMatchObject({ isFinished: true, failed: [], tasksRun: plan.estimate.tasks });
      await expectSame(source, target);
      // A copy by copyNode has the same values under the same keys.
      const whole: MapStore = new Map();
      await copyNode(source, whole, options);
      expect(keysOf(target)).toEqual(keysOf(whole));
      for (const [key, value] of whole) expect(target.get(key)).toEqual(value);
    }),
    { numRuns: 30 },
  );
  expect(staged).toBeGreaterThan(0);
}, 60_000);

test.each(kinds)("elements of kind %s", async (_, options, value) => {
  const array = await made(options, value);
  if (!(array.store instanceof Map)) throw new Error("expected a Map");
  const source: MapStore = new Map(array.store);
  put("source", source);
  const target = put("target");
  const plan = await planCopy("source", "target", {
    open: openMap,
    chunkShape: [3, 2],
    attributes: { a: 1 },
  });
  expect(await runLocal(plan, { open: openMap })).toMatchObject({ isFinished: true });
  await expectSame(source, target);
  expect((await open(target)).attrs).toEqual({ a: 1 });
});

/**
 * A time series of images, to be stored by place: an array that needs an intermediate one when memory is
 * short.
 */
async function stagedPlan(
  options: PlanCopyOptions = {},
): Promise<{ plan: Plan; source: MapStore; target: MapStore }> {
  const source = put("source");
  const target = put("target", stores.get("target"));
  const shape = [24, 12, 12];
  const array = await create(root(source).resolve("images"), {
    shape,
    dtype: "uint16",
    chunkShape: [1, 12, 12],
  });
  const data = Uint16Array.from({ length: 24 * 144 }, (_, i) => i);
  await set(array, null, { data, shape, stride: strides(shape) });
  const layout = { ...options, chunkShape: [24, 2, 3] };
  const from = { store: "source", path: "images" };
  const to = { store: "target", path: "/deep/columns" };
  const short: unknown = await planCopy(from, "elsewhere", {
    ...layout,
    open: openMap,
    maxMemory: 1,
  }).catch((error) => error);
  const maxMemory = Number(/expected (\d+) bytes/.exec(String(short))?.[1]);
  return { plan: await planCopy(from, to, { ...layout, open: openMap, maxMemory }), source, target };
}

test("an intermediate array stands between where source chunks would be read again and again", async () => {
  put("target");
  const { plan, source, target } = await stagedPlan();
  expect(plan.stages.map(({ name }) => name)).toEqual([
    "create the nodes",
    "copy, or into intermediate arrays",
    "copy from intermediate arrays",
    "remove intermediate arrays",
  ]);
  const total = 24 * 144 * 2;
  expect(plan.estimate).toMatchObject({ bytesRead: total, bytesWritten: total, bytesMoved: 2 * total });
  const report = await runLocal(plan, { open: openMap });
  expect(report).toMatchObject({ isFinished: true, tasksRun: plan.estimate.tasks, failed: [] });
  await verify(root(source).resolve("images"), {
    against: root(target).resolve("deep/columns"),
    onProblem: (problem) => expect.unreachable(problem.message),
  });
  expect(keysOf(target).filter((key) => key.includes("wazarr"))).toEqual([]);
});

describe("a run that is interrupted", () => {
  test("after some writes goes on where it was, and ends with the same bytes", async () => {
    put("target");
    const { plan } = await stagedPlan();
    await runLocal(plan, { open: openMap });
    const whole = openMap("target");
    const target = put("target");
    let tasks = 0;
    for (let attempt = 0; ; attempt++) {
      expect(attempt).toBeLessThan(50);
      let writes = 0;
      // A disk that is full: chunks cannot be written any more.
      const dying = new Proxy(target, {
        get: (map, name) => {
          if (name === "set")
            return (key: string, value: Uint8Array) => {
              if (!key.includes("ledger") && ++writes > 60) throw new Error("full");
              return map.set(key, value);
            };
          const member: unknown = Reflect.get(map, name);
          return typeof member === "function" ? member.bind(map) : member;
        },
      });
      const opener = (name: string): MapStore => (name === "target" ? dying : openMap(name));
      const report = await runLocal(plan, { open: opener }).catch(() => undefined);
      tasks += report?.tasksRun ?? 0;
      if (report?.isFinished) break;
    }
    expect(keysOf(target)).toEqual(keysOf(whole));
    for (const [key, value] of whole) expect(target.get(key)).toEqual(value);
    expect(tasks).toBe(plan.estimate.tasks);
  });

  test("is resumed by the same plan only, made again from the same question", async () => {
    put("target");
    const { plan } = await stagedPlan();
    const abort = new AbortController();
    const running = runLocal(plan, {
      open: openMap,
      signal: abort.signal,
      onProgress: ({ tasksDone }) => tasksDone === 4 && abort.abort(),
    });
    await expect(running).rejects.toMatchObject({ name: "AbortError" });
    await expect(stagedPlan()).rejects.toMatchObject({
      tag: "AlreadyExistsError",
      reason: expect.stringContaining("resume: true continues it"),
    });
    await expect(stagedPlan({ resume: true, codecs: [] })).rejects.toMatchObject({
      tag: "AlreadyExistsError",
      reason: expect.stringMatching(
        /^an? \w+ already exists: an unfinished copy there was begun with another codecs \(not given there, \[\] here\); pass the same options with resume: true to continue it$/,
      ),
    });
    const again = await stagedPlan({ resume: true });
    expect(again.plan.id).toBe(plan.id);
    const report = await runLocal(again.plan, { open: openMap });
    expect(report.isFinished).toBe(true);
    expect(report.tasksBefore).toBeGreaterThanOrEqual(4);
    expect(report.tasksBefore + report.tasksRun).toBe(plan.estimate.tasks);
  });

  test("killed while notes are removed, leaves those of itself, which know of all tasks", async () => {
    const target = put("target");
    const { plan } = await stagedPlan();
    const abort = new AbortController();
    const running = runLocal(plan, {
      open: openMap,
      signal: abort.signal,
      onProgress: ({ tasksDone }) => tasksDone === 4 && abort.abort(),
    });
    await expect(running).rejects.toMatchObject({ name: "AbortError" });
    const isNotes = (key: string): boolean => key.includes("ledger");
    const [earlier, ...others] = [...target.keys()].filter(isNotes);
    expect(others).toEqual([]);
    let removed = 0;
    const dying = new Proxy(target, {
      get: (map, name) => {
        if (name === "set")
          return (key: `/${string}`, value: Uint8Array) => {
            map.set(key, value);
            // The notes of the earlier run are listed last.
            const notes = earlier && map.get(earlier);
            if (!isNotes(key) || !notes) return;
            map.delete(earlier);
            map.set(earlier, notes);
          };
        if (name === "delete")
          return (key: `/${string}`) => {
            if (isNotes(key) && removed++ > 0) throw new Error("killed");
            return map.delete(key);
          };
        const member: unknown = Reflect.get(map, name);
        return typeof member === "function" ? member.bind(map) : member;
      },
    });
    const opener = (name: string): MapStore => (name === "target" ? dying : openMap(name));
    await expect(runLocal(plan, { open: opener })).rejects.toThrow("killed");
    expect(await runLocal(plan, { open: openMap })).toMatchObject({ isFinished: true, failed: [] });
    expect(keysOf(target).filter((key) => key.includes(".wazarr"))).toEqual([]);
  });

  test("two runs at once do no harm", async () => {
    put("target");
    const { plan } = await stagedPlan();
    await runLocal(plan, { open: openMap });
    const whole = openMap("target");
    const target = put("target");
    const reports = await Promise.all([
      runLocal(plan, { open: openMap }),
      runLocal(plan, { open: openMap, concurrency: 3 }),
    ]);
    expect(reports.map(({ isFinished }) => isFinished)).toEqual([true, true]);
    expect(keysOf(target)).toEqual(keysOf(whole));
    for (const [key, value] of whole) expect(target.get(key)).toEqual(value);
  });
});

test("a run that begins anew while another one is going on takes nothing away from it", async () => {
  put("target");
  const { plan } = await stagedPlan();
  await runLocal(plan, { open: openMap });
  const whole = openMap("target");
  const target = put("target");
  const anew: Promise<unknown>[] = [];
  const first = await runLocal(plan, {
    open: openMap,
    onProgress({ tasksDone }) {
      if (tasksDone === 5 && anew.length === 0)
        anew.push(runLocal(plan, { open: openMap, resume: false, concurrency: 2 }));
    },
  });
  expect(first).toMatchObject({ isFinished: true, failed: [] });
  expect(await Promise.all(anew)).toMatchObject([{ isFinished: true }]);
  expect(keysOf(target)).toEqual(keysOf(whole));
  for (const [key, value] of whole) expect(target.get(key)).toEqual(value);
});

describe("what goes wrong", () => {
  test("a damaged chunk is a failure with its key, and the other tasks of its stage are done", async () => {
    const source = put("source", await sample(3));
    const target = put("target");
    source.set("/a/c/1/1", Uint8Array.of(1, 2, 3));
    const options = { open: openMap, chunkShape: [7, 20], maxMemory: (32 << 20) + 3 * 280 + 280 };
    const plan = await planCopy({ store: "source", path: "a" }, "target", options);
    const report = await runLocal(plan, { open: openMap });
    expect(report).toMatchObject({
      isFinished: false,
      failed: [{ error: { tag: "CodecError", key: "/a/c/1/1" } }],
    });
    expect(report.tasksRun).toBe(plan.estimate.tasks - 1);
    const stopped = await runLocal(plan, { open: openMap, onFailure: "stop", resume: false });
    expect(stopped.tasksRun).toBeLessThan(report.tasksRun);
    // Mended, the same plan is finished.
    const again = await sample(3);
    source.set("/a/c/1/1", again.get("/a/c/1/1") ?? new Uint8Array(0));
    expect(await runLocal(plan, { open: openMap })).toMatchObject({ isFinished: true });
    await verify(root(source).resolve("a"), {
      against: target,
      onProblem: (p) => expect.unreachable(p.message),
    });
  });

  test("a target that exists is an error before anything is written; overwrite leaves nothing of it", async () => {
    const source = put("source", await sample(2));
    const target = put("target", await sample(3, { codecs: [], fillValue: 7 }));
    target.set("/a/c/9/9", Uint8Array.of(1));
    target.set("/other.txt", Uint8Array.of(1));
    await create(root(target).resolve("a2"), { shape: [3], dtype: "int8" });
    const before = new Map(target);
    const conversion = { zarrFormat: 3, chunkShape: [7, 20] } as const;
    const options = { open: openMap, ...conversion };
    const from = { store: "source", path: "a" };
    await expect(planCopy(from, { store: "target", path: "a" }, options)).rejects.toMatchObject({
      tag: "AlreadyExistsError",
    });
    expect(target).toEqual(before);
    const plan = await planCopy(from, { store: "target", path: "a" }, { ...options, overwrite: true });
    expect(target).toEqual(before);
    await runLocal(plan, { open: openMap });
    const whole: MapStore = new Map();
    await copyNode(root(source).resolve("a"), root(whole).resolve("a"), conversion);
    const others = ["/other.txt", "/a2/zarr.json", "/zarr.json"];
    expect(keysOf(target)).toEqual([...new Set([...keysOf(whole), ...others])].sort());
    for (const [key, value] of whole) expect(target.get(key)).toEqual(value);
  });

  test("a source that changes is noticed by the next task", async () => {
    const source = put("source", await sample(3));
    put("target");
    const plan = await planCopy("source", "target", { open: openMap, zarrFormat: 2 });
    const tasks = [...tasksOf(plan)];
    const [first, second] = tasks;
    if (first === undefined || second === undefined) throw new Error("expected two tasks");
    await runTask(first, { open: openMap });
    await create(root(source).resolve("a"), { shape: [30, 20], dtype: "int8", overwrite: true });
    await expect(runTask(second, { open: openMap })).rejects.toMatchObject({
      tag: "InvalidMetadataError",
      key: "/a/zarr.json",
    });
  });

  test("notes that cannot be read count for nothing", async () => {
    put("target");
    const { plan, target } = await stagedPlan();
    for (const [i, text] of ["no JSON", "[]", '{"done":{"0-0":[[0,1e9]],"1-0":3},"results":7}'].entries())
      target.set(`/deep/columns/.wazarr-jobs/${plan.id}/ledger-${i}.json`, new TextEncoder().encode(text));
    const report = await runLocal(plan, { open: openMap }).catch((error) => error);
    expect(report).toBeDefined();
  });
});

test("whole hierarchies, from any format to any", async () => {
  const source = put("source", await sample(2));
  await create(root(source).resolve("b/c"), { shape: [], dtype: "float64", zarrFormat: 2 });
  for (const zarrFormat of [2, 3, "draft"] as const) {
    const target = put("target");
    const plan = await planCopy("source", "target", { open: openMap, zarrFormat });
    expect(await runLocal(plan, { open: openMap })).toMatchObject({ isFinished: true });
    const whole: MapStore = new Map();
    await copyNode(source, whole, { zarrFormat });
    expect(keysOf(target)).toEqual(keysOf(whole));
    for (const [key, value] of whole) expect([key, target.get(key)]).toEqual([key, value]);
    // And below another node of the same store, over what is there.
    const deeper = { store: "target", path: "deeper" };
    await runLocal(await planCopy("source", deeper, { open: openMap, zarrFormat }), { open: openMap });
    const once = new Map(target);
    const over = await planCopy("source", deeper, { open: openMap, zarrFormat, overwrite: true });
    await runLocal(over, { open: openMap });
    expect(target).toEqual(once);
  }
  expect(await get(await open(root(source).resolve("b/c"), { kind: "array" }))).toBe(0);
});

test("no document and no note is read without a bound", async () => {
  const source = put("source", await sample(3));
  put("target");
  const unbounded: string[] = [];
  const openRecording = (name: string): Store => {
    const map = openMap(name);
    return {
      get(key, options) {
        if (options?.maximumBytes === undefined) unbounded.push(`${name}${key}`);
        return map.get(key);
      },
      getRange: (key, range) => readRange(map, key, range),
      set: (key, value) => map.set(key, value),
      delete: (key) => map.delete(key),
      list: () => keysBelow(map.keys(), "/"),
      listPrefix: (prefix) => keysBelow(map.keys(), prefix),
      listDir: (prefix) => listDir(map, prefix),
    };
  };
  const options = { open: openRecording, overwrite: true } as const;
  const plan = await planCopy(
    { store: "source", path: "a" },
    { store: "target", path: "deep/copy" },
    { ...options, chunkShape: [7, 20] },
  );
  expect(await runLocal(plan, { open: openRecording })).toMatchObject({ isFinished: true });
  expect(await runLocal(plan, { open: openRecording })).toMatchObject({ isFinished: true });
  expect(unbounded).toEqual([]);
  await verify(root(source).resolve("a"), {
    against: root(openMap("target")).resolve("deep/copy"),
    onProblem: (problem) => expect.unreachable(problem.message),
  });
});
