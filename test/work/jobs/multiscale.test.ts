/** Images by plan: the bytes of `writeMultiscale`, whatever the order of the tasks. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { openOmeZarr, writeMultiscale } from "../../../src/formats/ome-zarr.js";
import { create, root, set } from "../../../src/index.js";
import {
  type PlanMultiscaleOptions,
  planMultiscale,
  runLocal,
  runTask,
  tasksOf,
} from "../../../src/work/jobs.js";
import type { MapStore } from "../copy-support.js";

const stores = new Map<string, MapStore>();
const openMap = (name: string): MapStore => {
  const store = stores.get(name) ?? new Map();
  stores.set(name, store);
  return store;
};

const contents = (store: MapStore) => [...store].sort(([a], [b]) => (a < b ? -1 : 1));

async function source(shape: readonly number[], dtype: "uint8" | "int64" | "float32", chunkShape: number[]) {
  const store: MapStore = new Map();
  stores.set("source", store);
  const array = await create(store, { shape, dtype, chunkShape });
  const count = shape.reduce((a, b) => a * b, 1);
  // Some chunks have nothing but the fill value.
  const bytes = Uint8Array.from({ length: count * array.dataType.itemSize }, (_, i) =>
    i % 997 < 300 ? 0 : (i * 7919) >> 5,
  );
  const view = array.dataType.view(bytes);
  const data = view instanceof Float32Array ? view.map((_, i) => Math.sin(i) * 1e3) : view;
  await Reflect.apply(set, undefined, [array, null, { data, shape }]);
  return array;
}

/** As little memory as there can be: many tasks. */
async function smallPlan(options: PlanMultiscaleOptions) {
  let maxMemory = 1;
  for (;;) {
    const asked = { ...options, maxMemory, open: openMap };
    try {
      return await planMultiscale("source", "target", asked);
    } catch (error) {
      const least = Number(/expected (\d+) bytes/.exec(String(error))?.[1]);
      if (!(least > maxMemory)) throw error;
      // Another level may take more.
      maxMemory = least;
    }
  }
}

const layout = fc.record({
  y: fc.integer({ min: 1, max: 61 }),
  x: fc.integer({ min: 1, max: 40 }),
  chunk: fc.integer({ min: 3, max: 12 }),
  dtype: fc.constantFrom("uint8" as const, "int64" as const, "float32" as const),
  method: fc.constantFrom("mean" as const, "mode" as const, "nearest" as const),
  version: fc.constantFrom("0.4" as const, "0.5" as const),
  isSharded: fc.boolean(),
  scaleFactors: fc.constantFrom([2, 4], [{ c: 2, y: 3, x: 1 }], []),
});

test("the bytes of writeMultiscale, whatever the order of the tasks", async () => {
  let tasks = 0;
  await fc.assert(
    fc.asyncProperty(layout, async ({ y, x, chunk, dtype, isSharded, ...others }) => {
      const array = await source([3, y, x], dtype, [2, 7, 5]);
      const shards = isSharded && others.version === "0.5" ? { shards: [2, 2 * chunk, 2 * chunk] } : {};
      const options = {
        ...others,
        ...shards,
        axes: ["c", "y", "x"],
        chunkShape: [1, chunk, chunk],
        pixelSize: { y: 0.5 },
        name: "image",
      };
      const whole: MapStore = new Map();
      await writeMultiscale(whole, array, options);
      stores.set("target", new Map());
      const plan = await smallPlan(options);
      tasks += plan.estimate.tasks;
      for (const stage of plan.stages.keys()) {
        const shuffled = [...tasksOf(plan, stage)].map((task) => ({ task, at: Math.random() }));
        for (const { task } of shuffled.sort((a, b) => a.at - b.at)) await runTask(task, { open: openMap });
      }
      expect(contents(openMap("target"))).toEqual(contents(whole));
    }),
    { numRuns: 40 },
  );
  expect(tasks).toBeGreaterThan(400);
});

test("below a node of a hierarchy, resumed, and opened as an image", async () => {
  await source([64, 80], "uint8", [16, 16]);
  stores.set("target", new Map());
  await create(openMap("target"), { attributes: { own: 1 } });
  const options = { axes: ["y", "x"], chunkShape: [16, 16], open: openMap } as const;
  const to = { store: "target", path: "deep/image" };
  const plan = await planMultiscale("source", to, options);
  expect(plan.stages.map(({ name }) => name)).toEqual(["create the nodes", "copy", "level 1", "level 2"]);
  const elements = 64 * 80;
  expect(plan.estimate).toMatchObject({
    bytesRead: elements,
    bytesWritten: elements * (1 + 1 / 4 + 1 / 16),
    bytesMoved: elements * (1 + 1 / 4),
  });
  const abort = new AbortController();
  const onProgress = ({ tasksDone }: { tasksDone: number }) => tasksDone === 3 && abort.abort();
  await expect(runLocal(plan, { open: openMap, signal: abort.signal, onProgress })).rejects.toThrow();
  await expect(planMultiscale("source", to, options)).rejects.toMatchObject({
    tag: "AlreadyExistsError",
    message: expect.stringContaining("this image was begun there and is unfinished; resume: true"),
  });
  const again = await planMultiscale("source", to, { ...options, resume: true });
  expect(again.id).toBe(plan.id);
  expect(await runLocal(again, { open: openMap })).toMatchObject({ isFinished: true, tasksBefore: 3 });
  const image = await openOmeZarr(root(openMap("target")).resolve("deep/image"));
  expect(image.kind === "image" && image.levels.map(({ array }) => array.shape)).toEqual([
    [64, 80],
    [32, 40],
    [16, 20],
  ]);
  expect([...openMap("target").keys()].filter((key) => key.includes(".wazarr"))).toEqual([]);
});

test("what cannot be made smaller is said when the plan is made", async () => {
  await source([64, 80], "uint8", [16, 16]);
  stores.set("target", new Map());
  await expect(planMultiscale("source", "target", { axes: ["y"], open: openMap })).rejects.toMatchObject({
    tag: "InvalidArgumentError",
  });
  await create(openMap("texts"), { shape: [4, 4], dtype: "string" });
  const planning = planMultiscale("texts", "target", { axes: ["y", "x"], open: openMap });
  await expect(planning).rejects.toMatchObject({ tag: "UnsupportedError" });
  expect(openMap("target").size).toBe(0);
});
