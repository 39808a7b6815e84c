/**
 * The event loop gets turns during reads and writes whose store settles its promises without it, and between
 * them.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { afterAll, describe, expect, test } from "vitest";
import { FileSystemStore } from "../../src/core/stores/files/file-system.js";
import { openDataset, writeDataset } from "../../src/formats/xarray.js";
import {
  create,
  get,
  getCoordinates,
  getOrthogonal,
  open,
  root,
  type Store,
  set,
  updateAttributes,
} from "../../src/index.js";

const map = new Map<string, Uint8Array>();
const shape = [60_000];
await create(map, { shape, chunkShape: [1], dtype: "uint8", fillValue: 7 });

test("timers run, and an abort ends the read", async () => {
  let asked = 0;
  const store: Store = {
    get: async (key) => {
      asked++;
      return map.get(key);
    },
  };
  const array = await open(store, { kind: "array" });
  let turns = 0;
  const timer = setInterval(() => turns++, 1);
  try {
    expect((await get(array)).data).toEqual(new Uint8Array(60_000).fill(7));
  } finally {
    clearInterval(timer);
  }
  expect(turns).toBeGreaterThan(2);
  asked = 0;
  const abort = new AbortController();
  setTimeout(() => abort.abort(), 1);
  await expect(get(array, null, { signal: abort.signal })).rejects.toMatchObject({ name: "AbortError" });
  expect(asked).toBeLessThan(60_000);
});

/** Answers with promises, which settle without the event loop. */
class PromisingStore {
  readonly #values = new Map<string, Uint8Array>();
  async get(key: string) {
    return this.#values.get(key);
  }
  async set(key: string, value: Uint8Array) {
    this.#values.set(key, value.slice());
  }
  async delete(key: string) {
    this.#values.delete(key);
  }
}

/** @returns the part of the time of the processor that passed in the longest time without a turn */
async function longestPause(work: () => Promise<unknown>): Promise<number> {
  const used = (): number => process.cpuUsage().user;
  const start = used();
  let [last, longest, isDone] = [start, 0, false];
  const turn = (): void => {
    longest = Math.max(longest, used() - last);
    last = used();
    if (!isDone) setImmediate(turn);
  };
  setImmediate(turn);
  await work();
  isDone = true;
  turn();
  return longest / (last - start);
}

const CHUNKS = 20_000;
const all = Array.from({ length: CHUNKS }, (_, i) => i);

test.each([
  { name: "regular chunks", layout: {} },
  { name: "shards", layout: { shards: [1000] } },
  { name: "shards of gzip", layout: { shards: [1000], codecs: ["gzip"] } },
])("$name: no read takes a third of its time without a turn", async ({ layout }) => {
  const array = await create(new PromisingStore(), {
    shape: [CHUNKS],
    chunkShape: [1],
    dtype: "uint8",
    ...layout,
  });
  await set(array, null, 3);
  expect(await longestPause(() => get(array))).toBeLessThan(0.3);
  expect(await longestPause(() => getCoordinates(array, [all]))).toBeLessThan(0.3);
  expect(await longestPause(() => getOrthogonal(array, [all]))).toBeLessThan(0.3);
});

test.each([
  { name: "gzip", options: { dtype: "uint8", codecs: ["gzip"] }, value: 3 },
  { name: "strings", options: { dtype: "string" }, value: "x" },
] as const)("$name: no write takes a third of its time without a turn", async ({ options, value }) => {
  const array = await create(new PromisingStore(), { shape: [CHUNKS], chunkShape: [1], ...options });
  expect(await longestPause(() => set(array, null, value))).toBeLessThan(0.3);
  expect(await longestPause(() => get(array))).toBeLessThan(0.3);
});

describe("a loop of short operations", async () => {
  const folder = mkdtempSync(join(tmpdir(), "wazarr-turns-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const files = new FileSystemStore(folder);
  await writeDataset(files, { dataVars: { v: { dims: ["x"], data: [1, 2, 3] } } });
  const v = await open(root(files).resolve("v"), { kind: "array" });
  const short = await create(new Map(), { shape: [2], dtype: "uint8" });
  await set(short, null, 1);

  const operations: Readonly<Record<string, () => Promise<unknown>>> = {
    open: () => open(root(files).resolve("v")),
    "open of nothing": () => open(new Map()).catch(() => {}),
    openDataset: () => openDataset(files),
    "get of files": () => get(v, [0]),
    "get of memory": () => get(short, [0]),
    getCoordinates: () => getCoordinates(short, [[0]]),
    set: () => set(short, [0], 1),
    updateAttributes: () => updateAttributes(short, { a: 1 }),
  };
  test.each(Object.entries(operations))(
    "%s does not take most of its time without a turn",
    async (_, operation) => {
      const pause = await longestPause(async () => {
        const begun = process.cpuUsage().user;
        while (process.cpuUsage().user - begun < 200_000) await operation();
      });
      expect(pause).toBeLessThan(0.5);
    },
  );
});
