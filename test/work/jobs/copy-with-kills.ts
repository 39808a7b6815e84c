/** What the tests of examples/distributed share: images, and copies whose workers are killed. */
import { setTimeout } from "node:timers/promises";
import { expect } from "vitest";
import { listPrefix } from "../../../src/core/stores/capabilities.js";
import { FileSystemStore } from "../../../src/core/stores/files/file-system.js";
import { create, type Readable, set } from "../../../src/index.js";
import type { ListableStore } from "../../../src/main/stores.js";
import type { Distributed } from "./distributed.js";

const SHAPE = [32, 96, 96];
/** Images that become time series: by way of an intermediate array. */
export const LAYOUT = { chunkShape: [32, 16, 16], maxMemory: 33.645e6 };

/** 32 uint16 images, a chunk each, in a folder. */
export async function writeImages(folder: string): Promise<void> {
  const array = await create(new FileSystemStore(folder), {
    shape: SHAPE,
    dtype: "uint16",
    chunkShape: [1, 96, 96],
  });
  const data = Uint16Array.from({ length: 32 * 96 * 96 }, (_, i) => (i * 40503) >> 7);
  await set(array, null, { data, shape: SHAPE });
}

/** All values by key. */
export async function contentsOf(
  store: Readable & ListableStore,
): Promise<ReadonlyMap<string, Uint8Array | undefined>> {
  const found = new Map<string, Uint8Array | undefined>();
  for (const key of (await listPrefix(store, "/")).toSorted()) found.set(key, await store.get(key));
  return found;
}

/** @returns the plan's id */
export async function produce(programs: Distributed, source: string, target: string): Promise<string> {
  const { status, output } = await programs.run("produce", source, target, JSON.stringify(LAYOUT));
  expect({ status, output }).toMatchObject({ status: 0 });
  return output.slice(0, 16);
}

/** Makes a copy with 4 workers, of which one after the other is killed. */
export async function copyWithKills(programs: Distributed, source: string, target: string): Promise<void> {
  const plan = await produce(programs, source, target);
  const workers = Array.from({ length: 4 }, () => programs.start("worker"));
  const watching = programs.run("watch", plan);
  let isDone = false;
  void watching.finally(() => {
    isDone = true;
  });
  let killed = 0;
  for (; !isDone; killed++) {
    await setTimeout(300 + Math.random() * 300);
    // Towards the end they may live, so that there is one.
    if (killed > 20) continue;
    const n = Math.floor(Math.random() * workers.length);
    await workers[n]?.stop("SIGKILL");
    workers[n] = programs.start("worker");
  }
  const { status, output } = await watching;
  expect({ status, output }).toEqual({ status: 0, output: expect.stringMatching(/\ndone: \d+ tasks in /) });
  expect(killed).toBeGreaterThan(2);
  await Promise.all(workers.map((worker) => worker.stop("SIGTERM")));
}
