/** Reductions against numpy and xarray, in whatever order their tasks run. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { FileSystemStore } from "../../../src/core/stores/files/file-system.js";
import { create, get, open, root, set } from "../../../src/index.js";
import {
  type Plan,
  type PlanReduceOptions,
  planReduce,
  runLocal,
  runTask,
  tasksOf,
} from "../../../src/work/jobs.js";
import { readOracles, warnLoudly } from "../../setup/oracles.js";
import type { MapStore } from "../copy-support.js";

const { python } = readOracles();
if (!python?.xarray)
  warnLoudly("No xarray: reductions are compared with nobody. scripts/oracles/install.sh installs it.");

type Numbers = readonly (number | string)[];
interface Case {
  readonly name: string;
  readonly path?: string;
  readonly over: readonly (number | string)[];
  readonly skipNaN: boolean;
  readonly decode: boolean;
  readonly range: readonly [number, number];
  readonly shape: readonly number[];
  readonly count: Numbers;
  readonly min: Numbers;
  readonly max: Numbers;
  readonly mean: Numbers;
  readonly variance: Numbers;
  readonly histogram: Numbers;
}

const folder = mkdtempSync(join(tmpdir(), "wazarr-reduce-"));
afterAll(() => rmSync(folder, { recursive: true }));

const stores = new Map<string, MapStore | FileSystemStore>();
const openIt = (name: string): MapStore | FileSystemStore => {
  const store = stores.get(name) ?? (name === "result" ? new Map() : new FileSystemStore(join(folder, name)));
  stores.set(name, store);
  return store;
};
function put(name: string): MapStore {
  const store: MapStore = new Map();
  stores.set(name, store);
  return store;
}

/** As little memory as there can be, so that there are many parts. */
async function smallPlan(name: string, path: string, options: PlanReduceOptions): Promise<Plan> {
  const asked = { ...options, open: openIt };
  const source = { store: name, path };
  const error: unknown = await planReduce(source, "result", { ...asked, maxMemory: 1 }).catch((e) => e);
  if (!/expected \d+ bytes/.test(String(error))) throw error;
  const least = Number(/expected (\d+) bytes/.exec(String(error))?.[1]);
  return planReduce(source, "result", { ...asked, maxMemory: least });
}

/** Runs all tasks, those of a stage in random order, some of them twice. */
async function runShuffled(plan: Plan): Promise<void> {
  for (const stage of plan.stages.keys()) {
    const tasks = [...tasksOf(plan, stage)].map((task) => ({ task, at: Math.random() }));
    tasks.sort((a, b) => a.at - b.at);
    for (const { task, at } of tasks)
      for (let n = 0; n < (at < 0.1 ? 2 : 1); n++) await runTask(task, { open: openIt });
  }
}

async function valuesOf(name: string): Promise<{ data: number[]; shape: readonly number[] }> {
  const array = await open(root(openIt("result")).resolve(name), { kind: "array" });
  const found = await get(array);
  if (typeof found === "object" && found !== null && "data" in found) {
    const { data, shape } = found;
    if (data instanceof Float64Array || data instanceof BigInt64Array)
      return { data: Array.from<number | bigint, number>(data, Number), shape };
  }
  return { data: [Number(found)], shape: [] };
}

function expectClose(found: readonly number[], expected: Numbers, tolerance: number, what: string): void {
  expect(found.length, what).toBe(expected.length);
  for (const [i, value] of found.entries()) {
    const right = Number(expected[i]);
    if (Number.isNaN(right)) expect(value, `${what} ${i}`).toBeNaN();
    else
      expect(Math.abs(value - right), `${what} ${i}: ${value}, ${right}`).toBeLessThanOrEqual(
        tolerance * Math.max(1e-300, Math.abs(right)),
      );
  }
}

describe.skipIf(!python?.xarray)("as numpy and xarray compute", () => {
  let cases: readonly Case[] = [];
  beforeAll(() => {
    const script = ["scripts/oracles/reductions.py", folder, "20261124"];
    const answer: { cases: readonly Case[] } = JSON.parse(
      execFileSync(python?.executable ?? "", script, { maxBuffer: 1 << 27 }).toString(),
    );
    ({ cases } = answer);
  });

  test.each(["int", "uint", "float16", "float32", "float64", "packed"])("elements of %s", async (kind) => {
    const some = cases.filter(({ name }) => name.startsWith(kind)).filter((_, i) => i % 2 === 0);
    expect(some.length).toBeGreaterThan(1);
    for (const { name, path = "/", over, skipNaN, decode, range, shape, ...expected } of some) {
      put("result");
      const histogram = { bins: 7, range };
      const plan = await smallPlan(name, path, { over, skipNaN, decode, histogram });
      expect(plan.estimate.tasks, name).toBeGreaterThan(5);
      await runShuffled(plan);
      for (const exact of ["count", "min", "max", "histogram"] as const) {
        const found = await valuesOf(exact);
        expect(found.shape, `${name} ${exact}`).toEqual(exact === "histogram" ? [...shape, 7] : shape);
        expectClose(found.data, expected[exact], 0, `${name} ${exact}`);
      }
      // Sums are rounded in another order, of float64 at a mean of a million with deviations of 3.
      expectClose((await valuesOf("mean")).data, expected.mean, 1e-13, `${name} mean`);
      expectClose((await valuesOf("variance")).data, expected.variance, 1e-10, `${name} variance`);
    }
  });
});

/** Names in a store, and bytes. */
const contents = (store: MapStore) => [...store].sort(([a], [b]) => (a < b ? -1 : 1));

async function source(data: Float64Array, shape: readonly number[], chunkShape: number[]): Promise<void> {
  const array = await create(put("source"), {
    shape,
    dtype: "float64",
    chunkShape,
    dimensionNames: ["t", "x"],
  });
  await set(array, null, { data, shape });
}

test("the same bytes whatever the order of the tasks, and nothing is left beside them", async () => {
  await source(
    Float64Array.from({ length: 60 * 31 }, (_, i) => Math.sin(i) * 10 ** (i % 20)),
    [60, 31],
    [7, 4],
  );
  for (const over of [["t"], ["x"], ["t", -1], []]) {
    const first = put("result");
    const histogram = { bins: 3, range: [-1, 1] } as const;
    const plan = await smallPlan("source", "/", { over, histogram });
    await runLocal(plan, { open: openIt });
    const second = put("result");
    await runShuffled(plan);
    expect(contents(second)).toEqual(contents(first));
    expect([...first.keys()].filter((key) => key.includes(".wazarr"))).toEqual([]);
  }
});

test("a whole reduction gives its results, and a run that was stopped is resumed", async () => {
  await source(
    Float64Array.from({ length: 60 * 31 }, (_, i) => i),
    [60, 31],
    [7, 4],
  );
  put("result");
  const plan = await smallPlan("source", "/", { histogram: { bins: 2, range: [0, 1859] } });
  const abort = new AbortController();
  const onProgress = ({ tasksDone }: { tasksDone: number }) => tasksDone === 9 && abort.abort();
  await expect(runLocal(plan, { open: openIt, signal: abort.signal, onProgress })).rejects.toThrow();
  await expect(smallPlan("source", "/", { histogram: { bins: 2, range: [0, 1859] } })).rejects.toThrow();
  const report = await runLocal(plan, { open: openIt });
  expect(report).toMatchObject({ isFinished: true });
  expect(report.tasksBefore).toBeGreaterThanOrEqual(9);
  const mean = 1859 / 2;
  expect([...report.results.values()]).toEqual([
    { count: 1860, min: 0, max: 1859, mean, variance: (1860 ** 2 - 1) / 12, histogram: [930, 930] },
  ]);
});

test("nothing, infinities, and NaN", async () => {
  const { NaN: nan, POSITIVE_INFINITY: infinity } = Number;
  await source(Float64Array.of(nan, 1, nan, infinity, nan, 3), [3, 2], [1, 2]);
  const resultOf = async (options: PlanReduceOptions) => {
    put("result");
    await runLocal(await planReduce("source", "result", { open: openIt, ...options }), { open: openIt });
    const names = ["count", "min", "max", "mean", "variance"];
    return Promise.all(names.map(async (name) => (await valuesOf(name)).data));
  };
  expect(await resultOf({ over: ["t"] })).toEqual([
    [0, 3],
    [nan, 1],
    [nan, infinity],
    [nan, infinity],
    [nan, nan],
  ]);
  expect(await resultOf({ skipNaN: false })).toEqual([[6], [nan], [nan], [nan], [nan]]);
  await create(put("source"), { shape: [0, 3], dtype: "int16" });
  expect(await resultOf({})).toEqual([[0], [nan], [nan], [nan], [nan]]);
  expect((await resultOf({ over: [0] }))[0]).toEqual([0, 0, 0]);
  expect((await resultOf({ over: [1] }))[0]).toEqual([]);
  await set(await create(put("source"), { shape: [], dtype: "int64" }), null, -5n);
  expect(await resultOf({})).toEqual([[1], [-5], [-5], [-5], [0]]);
});

test("what cannot be reduced is said when the plan is made", async () => {
  await source(new Float64Array(6), [3, 2], [1, 2]);
  put("result");
  const wrong: readonly (readonly [PlanReduceOptions, RegExp])[] = [
    [{ over: ["time"] }, /over: no dimension time; the array has 2: t, x/],
    [{ over: [2] }, /over: no dimension 2; the array has 2/],
    [{ over: ["t", 0] }, /each dimension once/],
    [{ histogram: { bins: 0, range: [0, 1] } }, /histogram\.bins/],
    [{ histogram: { bins: 2, range: [1, 1] } }, /histogram\.range/],
    [{ maxMemory: 1000 }, /maxMemory: expected \d+ bytes/],
  ];
  for (const [options, message] of wrong) {
    const planning = planReduce("source", "result", { ...options, open: openIt });
    await expect(planning).rejects.toMatchObject({
      tag: "InvalidArgumentError",
      message: expect.stringMatching(message),
    });
  }
  await create(put("source"), { shape: [2], dtype: "string" });
  await expect(planReduce("source", "result", { open: openIt })).rejects.toMatchObject({
    tag: "UnsupportedError",
    message: expect.stringContaining("cannot reduce elements of data type string: expected numbers"),
  });
  const attributes = { units: "days since 2000-01-01" };
  await create(put("source"), { shape: [2], dtype: "int32", attributes });
  await expect(planReduce("source", "result", { open: openIt, decode: true })).rejects.toMatchObject({
    tag: "UnsupportedError",
  });
  await runLocal(await planReduce("source", "result", { open: openIt }), { open: openIt });
});

test("a task that names a dimension that the array does not have is refused", async () => {
  const source = new Map();
  await create(source, { shape: [4, 4], dtype: "float32", chunkShape: [2, 4] });
  const open = (name: string) => (name === "source" ? source : target);
  const target = new Map();
  const plan = await planReduce("source", "target", { over: [0], open });
  const tasks = [...tasksOf(plan)];
  for (const task of tasks.filter(({ kind }) => kind === "create-nodes")) await runTask(task, { open });
  const task = tasks.find(({ kind }) => kind === "reduce-box");
  if (task === undefined) throw new Error("expected a task");
  await expect(
    runTask({ ...task, parameters: { ...task.parameters, over: [2] } }, { open }),
  ).rejects.toMatchObject({ tag: "InvalidMetadataError", member: expect.stringContaining("over") });
});
