/** Plans that are resumed after the machine crashed. */
import { describe, expect, test } from "vitest";
import { keysBelow, listDir } from "../../../src/core/stores/capabilities.js";
import { create, set, type WritableStore } from "../../../src/index.js";
import {
  type Plan,
  planCopy,
  planMultiscale,
  planReduce,
  runLocal,
  runTask,
  tasksOf,
} from "../../../src/work/jobs.js";
import { images, type MapStore, opener, runPart, staged } from "./interrupted.js";

/** What a crash leaves of a value that was not flushed. */
const DAMAGES: Readonly<Record<string, (bytes: Uint8Array) => Uint8Array | undefined>> = {
  nothing: () => undefined,
  "an empty file": () => new Uint8Array(0),
  "the first half": (bytes) => bytes.slice(0, bytes.length / 2),
  zeros: (bytes) => new Uint8Array(bytes.length),
};

/** A store with a disk behind its memory, as files have. */
function machine() {
  const memory: MapStore = new Map();
  const disk: MapStore = new Map();
  const store: WritableStore = {
    get: (key) => memory.get(key),
    set: (key, value) => memory.set(key, value.slice()),
    delete: (key) => memory.delete(key),
    flush(keys) {
      for (const key of keys) {
        const value = memory.get(key);
        if (value === undefined) disk.delete(key);
        else disk.set(key, value);
      }
    },
    list: () => keysBelow(memory.keys(), "/"),
    listPrefix: (prefix) => keysBelow(memory.keys(), prefix),
    listDir: (prefix) => listDir(memory, prefix),
  };
  const crash = (damage: (bytes: Uint8Array) => Uint8Array | undefined): void => {
    for (const key of new Set([...memory.keys(), ...disk.keys()])) {
      const [value, kept] = [memory.get(key), disk.get(key)];
      if (value === kept) continue;
      const left = kept ?? (value && damage(value));
      if (left === undefined) memory.delete(key);
      else memory.set(key, left);
    }
  };
  return { store, memory, crash };
}

const plans: Readonly<Record<string, (source: MapStore, open: ReturnType<typeof opener>) => Promise<Plan>>> =
  {
    "a copy through an intermediate array": async (source, open) =>
      planCopy("source", "target", { ...(await staged(source)), open }),
    "a copy of chunks as they are": (_, open) =>
      planCopy("source", "target", { zarrFormat: 2, open, maxMemory: 40e6 }),
    "a reduction": (_, open) => planReduce("source", "target", { over: [0], open, maxMemory: 33_600_000 }),
    "an image": (_, open) =>
      planMultiscale("source", "target", {
        axes: ["z", "y", "x"],
        scaleFactors: [{ z: 2, y: 2, x: 2 }],
        chunkShape: [2, 6, 6],
        open,
        maxMemory: 33_600_000,
      }),
  };

describe.each(Object.entries(plans))("%s", (_, make) => {
  test.each(Object.entries(DAMAGES))(
    "where the crash leaves %s of what was not flushed",
    async (__, damage) => {
      const source = await images(6);
      const whole: MapStore = new Map();
      const plain = opener({ source, target: whole });
      const tasks = [...tasksOf(await make(source, plain))].length;
      expect(await runLocal(await make(source, plain), { open: plain })).toMatchObject({ isFinished: true });
      for (let done = 1; done < tasks; done += Math.ceil(tasks / 12)) {
        const { store, memory, crash } = machine();
        const open = opener({ source, target: store });
        const plan = await make(source, open);
        await runPart(plan, open, done);
        crash(damage);
        expect(await runLocal(plan, { open })).toMatchObject({ isFinished: true, failed: [] });
        expect(memory).toEqual(whole);
        // What a finished plan has stored outlives a crash.
        crash(damage);
        expect(memory).toEqual(whole);
      }
    },
  );
});

test("a task of a queue is flushed when it is done, with documents that an earlier attempt wrote", async () => {
  const source: MapStore = new Map();
  await set(await create(source, { shape: [4], dtype: "int32", chunkShape: [2] }), null, 1);
  const { store, memory, crash } = machine();
  const open = opener({ source, target: store });
  const plan = await planCopy("source", "target", { open });
  const broken = { ...store, flush: () => Promise.reject(new Error("the disk is broken")) };
  for (const task of tasksOf(plan))
    await expect(runTask(task, { open: opener({ source, target: broken }) })).rejects.toMatchObject({
      tag: "StoreError",
      reason: expect.stringContaining("broken"),
    });
  for (const task of tasksOf(plan)) await runTask(task, { open });
  const before = new Map(memory);
  crash(() => undefined);
  expect(memory).toEqual(before);
});
