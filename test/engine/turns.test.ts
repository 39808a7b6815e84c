/** The event loop gets turns during reads and writes whose store settles its promises without it. */
import process from "node:process";
import { expect, test } from "vitest";
import { create, get, getCoordinates, getOrthogonal, open, type Store, set } from "../../src/index.js";

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

const CHUNKS = 40_000;
const all = Array.from({ length: CHUNKS }, (_, i) => i);

test.each([
  { name: "regular chunks", layout: {} },
  { name: "shards", layout: { shards: [1000] } },
  { name: "shards of gzip", layout: { shards: [1000], codecs: ["gzip"] } },
])("$name: no read takes most of its time without a turn", async ({ layout }) => {
  const array = await create(new PromisingStore(), {
    shape: [CHUNKS],
    chunkShape: [1],
    dtype: "uint8",
    ...layout,
  });
  await set(array, null, 3);
  expect(await longestPause(() => get(array))).toBeLessThan(0.5);
  expect(await longestPause(() => getCoordinates(array, [all]))).toBeLessThan(0.5);
  expect(await longestPause(() => getOrthogonal(array, [all]))).toBeLessThan(0.5);
});

test.each([
  { name: "gzip", options: { dtype: "uint8", codecs: ["gzip"] }, value: 3 },
  { name: "strings", options: { dtype: "string" }, value: "x" },
] as const)("$name: no write takes most of its time without a turn", async ({ options, value }) => {
  const array = await create(new PromisingStore(), { shape: [CHUNKS], chunkShape: [1], ...options });
  expect(await longestPause(() => set(array, null, value))).toBeLessThan(0.5);
  expect(await longestPause(() => get(array))).toBeLessThan(0.5);
});
