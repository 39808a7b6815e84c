/** Copies in several tasks, and runs that end before their plan does. */
import { expect } from "vitest";
import { create, get, open as openNode, type Store, set } from "../../../src/index.js";
import { type Plan, type PlanCopyOptions, planCopy, runLocal } from "../../../src/work/jobs.js";

export type MapStore = Map<string, Uint8Array>;

/** A series of images whose elements are all one number. */
export async function images(value: number, map: MapStore = new Map()): Promise<MapStore> {
  const array = await create(map, {
    shape: [24, 12, 12],
    dtype: "uint16",
    chunkShape: [1, 12, 12],
    overwrite: true,
  });
  await set(array, null, value);
  return map;
}

export async function valuesIn(store: Store): Promise<readonly unknown[]> {
  const { data } = await get(await openNode(store, { kind: "array" }));
  return [...new Set(Array.from(data, Number))];
}

/** Opens stores by name. */
export const opener =
  (stores: Readonly<Record<string, Store>>) =>
  (name: string): Store => {
    const store = stores[name];
    if (store === undefined) throw new Error(`expected no store ${name}`);
    return store;
  };

/** Options of a copy that takes several tasks and an intermediate array. */
export async function staged(source: Store): Promise<PlanCopyOptions> {
  const layout = { chunkShape: [24, 2, 3] };
  const open = opener({ source, none: new Map() });
  const short: unknown = await planCopy("source", "none", { ...layout, open, maxMemory: 1 }).catch((e) => e);
  return { ...layout, maxMemory: Number(/expected (\d+) bytes/.exec(String(short))?.[1]) };
}

/** Runs a plan until some tasks are done. */
export async function runPart(plan: Plan, open: (name: string) => Store, tasks: number): Promise<void> {
  const abort = new AbortController();
  const running = runLocal(plan, {
    open,
    signal: abort.signal,
    onProgress: ({ tasksDone }) => tasksDone === tasks && abort.abort(),
  });
  await expect(running).rejects.toMatchObject({ name: "AbortError" });
}
