/** Plans as data: short, deterministic, and tasks that can be run alone. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { boxAt, countBoxes } from "../../../src/grid/boxes.js";
import { create, root, set } from "../../../src/index.js";
import { countTasks, planVerify, runTask, type Task, taskOf, tasksOf } from "../../../src/work/jobs.js";

/** A store with two arrays, one of them with a damaged chunk. */
async function hierarchy(): Promise<Map<string, Uint8Array>> {
  const store = new Map<string, Uint8Array>();
  await create(root(store));
  const a = await create(root(store).resolve("a"), { shape: [10, 10], dtype: "int32", chunkShape: [4, 4] });
  await set(a, null, 1);
  const b = await create(root(store).resolve("b"), { shape: [5], dtype: "float64", chunkShape: [2] });
  await set(b, [{ start: 0, stop: 2, step: 1 }], 1);
  store.set("/a/c/1/2", Uint8Array.of(1, 2, 3));
  return store;
}

describe("planVerify", () => {
  test("its tasks find the chunks that are damaged, each run alone from its JSON", async () => {
    const store = await hierarchy();
    const open = () => store;
    const plan = await planVerify("somewhere", { open });
    const tasks: Task[] = [...tasksOf(plan)].map((task) => JSON.parse(JSON.stringify(task)));
    expect(tasks.length).toBe(plan.estimate.tasks);
    const results = [];
    for (const task of tasks) results.push(await runTask(task, { open }));
    expect(results).toEqual([
      { chunks: 9, problems: [expect.objectContaining({ error: "CodecError", key: "/a/c/1/2" })] },
      { chunks: 1, problems: [] },
    ]);
  });

  test("has the same id for the same source, and another once the array has changed", async () => {
    const store = await hierarchy();
    const open = () => store;
    const plan = await planVerify("somewhere", { open });
    expect(await planVerify({ store: "somewhere", path: "/" }, { open })).toEqual(plan);
    const [task] = tasksOf(plan);
    await create(root(store).resolve("a"), { shape: [8], dtype: "int32", overwrite: true });
    expect((await planVerify("somewhere", { open })).id).not.toBe(plan.id);
    if (task === undefined) throw new Error("no task");
    await expect(runTask(task, { open })).rejects.toMatchObject({
      tag: "InvalidMetadataError",
      reason: expect.stringContaining("the array has changed"),
    });
  });
});

describe("tasks", () => {
  test("cover a shape once, whatever the lengths of the boxes", () => {
    const lengths = fc.oneof(
      fc.integer({ min: 1, max: 7 }),
      fc
        .array(
          fc.oneof(
            fc.integer({ min: 1, max: 5 }),
            fc.tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 3 })),
          ),
          { minLength: 1, maxLength: 5 },
        )
        .map((list) => [...list, 20]),
    );
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 1, max: 20 }), lengths), { maxLength: 3 }),
        (dimensions) => {
          const boxes = {
            shape: dimensions.map(([extent]) => extent),
            lengths: dimensions.map(([, each]) => each),
          };
          const seen = new Set<string>();
          for (let n = 0; n < countBoxes(boxes); n++) {
            const { start, shape } = boxAt(boxes, n);
            let points: number[][] = [[]];
            for (const [d, at] of start.entries())
              points = points.flatMap((point) =>
                Array.from({ length: shape[d] ?? 0 }, (_, i) => [...point, at + i]),
              );
            for (const point of points) {
              expect(seen.has(point.join())).toBe(false);
              seen.add(point.join());
            }
          }
          expect(seen.size).toBe(boxes.shape.reduce((a, b) => a * b, 1));
        },
      ),
      { numRuns: 100 },
    );
  });

  test("are found by their id, and refused where they are of another plan, kind or version", async () => {
    const store = await hierarchy();
    const plan = await planVerify("somewhere", { open: () => store });
    for (const task of tasksOf(plan)) expect(taskOf(plan, task.id)).toEqual(task);
    expect(countTasks(plan.stages)).toBe([...tasksOf(plan)].length);
    for (const id of ["0-9-0", "0-0-99", "1-0-0", "0-0", "x"])
      expect(() => taskOf(plan, id)).toThrow("no task");
    const [task] = tasksOf(plan);
    if (task === undefined) throw new Error("no task");
    await expect(runTask({ ...task, kind: "toString" })).rejects.toMatchObject({ tag: "UnsupportedError" });
    await expect(runTask({ ...task, parameters: {} })).rejects.toMatchObject({
      tag: "InvalidMetadataError",
      member: "parameters.source",
    });
  });
});
