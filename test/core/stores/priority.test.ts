/** How the priority of a read gets to the store. */
import { describe, expect, it } from "vitest";
import type { ZarrArray } from "../../../src/array/nodes/nodes.js";
import { priorityOf } from "../../../src/core/stores/requests/request-queue.js";
import {
  create,
  defineArrayExtension,
  defineStoreExtension,
  get,
  getCoordinates,
  getOrthogonal,
  open,
  prefetch,
  type Readable,
  type RequestOptions,
  read,
  set,
  slice,
  withRangeCoalescing,
  withRetry,
} from "../../../src/index.js";
import { ChunkCache } from "../../../src/main/caches.js";
import type { Priority } from "../../../src/main/stores.js";
import { packZip, ZipStore } from "../../../src/stores/zip/zip.js";
import { rangeOf } from "../../setup/stores.js";

const PLAIN = { shape: [8, 8], chunkShape: [4, 4], dtype: "int16" } as const;
const SHARDS = { ...PLAIN, shards: [8, 8], chunkShape: [2, 2] } as const;

interface Asked {
  readonly key: string;
  readonly priority: number | undefined;
}

const urgencyOf = (priority: Priority | undefined): number | undefined =>
  priority === undefined ? undefined : priorityOf(priority);

/** A store that answers later, and what it was asked. @param gate what requests of chunks wait for */
function remote(values: ReadonlyMap<string, Uint8Array>, gate?: Promise<void>) {
  const asked: Asked[] = [];
  /** As the store was given them: what they say may change. */
  const given: (Priority | undefined)[] = [];
  const take = async (key: string, options: RequestOptions | undefined): Promise<Uint8Array | undefined> => {
    if (/\/c\/|zip/.test(key)) {
      asked.push({ key, priority: urgencyOf(options?.priority) });
      given.push(options?.priority);
      await gate;
    }
    return values.get(key)?.slice();
  };
  const store: Readable = {
    get: take,
    async getRange(key, range, options) {
      return rangeOf(await take(key, options), range);
    },
  };
  return { store, asked, given };
}

async function written(options: typeof PLAIN | typeof SHARDS): Promise<Map<string, Uint8Array>> {
  const values = new Map<string, Uint8Array>();
  await set(await create(values, options), null, 3);
  return values;
}

const priority = (): number => 5;
const reads: Readonly<Record<string, (array: ZarrArray<"int16">) => Promise<unknown>>> = {
  get: (array) => get(array, [slice(1, 7), null], { priority }),
  getChunk: (array) => array.getChunk([0, 0], { priority }),
  getOrthogonal: (array) => getOrthogonal(array, [[0, 7], null], { priority }),
  getCoordinates: (array) =>
    getCoordinates(
      array,
      [
        [0, 7],
        [0, 7],
      ],
      { priority },
    ),
  async read(array) {
    for await (const _ of read(array, null, { priority, maximumBytes: 64 }));
  },
  "get by way of a cache": (array) =>
    get(array, null, { priority, cache: new ChunkCache({ maxBytes: 1e6 }) }),
  prefetch: (array) => prefetch(array, null, { priority, cache: new ChunkCache({ maxBytes: 1e6 }) }),
  "get of an extended array": (array) =>
    get(
      defineArrayExtension((inner) => ({ getChunk: (at, options) => inner.getChunk(at, options) }))(array),
      null,
      { priority },
    ),
};

describe.each([
  ["chunks", PLAIN],
  ["shards", SHARDS],
] as const)("of %s", (_, options) => {
  it.each(Object.keys(reads))("%s tells the store", async (name) => {
    const { store, asked } = remote(await written(options));
    await reads[name]?.(await open(store, { kind: "array", dtype: "int16" }));
    expect(asked.length).toBeGreaterThan(0);
    expect(asked).toEqual(asked.map(({ key }) => ({ key, priority: 5 })));
  });

  it("passes stores in front", async () => {
    const { store, asked } = remote(await written(options));
    const fronts = [
      withRetry(store),
      withRangeCoalescing(store),
      defineStoreExtension((inner) => ({ get: (key, given) => inner.get(key, given) }))(store),
    ];
    for (const front of fronts) await get(await open(front, { kind: "array" }), null, { priority: 2 });
    expect(asked.length).toBeGreaterThan(2);
    expect(new Set(asked.map((each) => each.priority))).toEqual(new Set([2]));
  });
});

it("reaches the archive of a ZipStore, the highest of what is merged", async () => {
  const values = new Map<string, Uint8Array>();
  // More than is kept of the end of an archive.
  const array = await create(values, {
    shape: [4, 65536],
    chunkShape: [1, 65536],
    dtype: "int8",
    codecs: [],
  });
  await set(array, null, 3);
  const parts: Uint8Array[] = [];
  for await (const part of packZip(values)) parts.push(part.slice());
  const byteLength = parts.reduce((sum, { length }) => sum + length, 0);
  const archive = new Uint8Array(byteLength);
  let end = 0;
  for (const part of parts) {
    archive.set(part, end);
    end += part.length;
  }
  const { store, asked } = remote(new Map([["/a.zip", archive]]));
  const zipped = await open(new ZipStore(store, "/a.zip"), { kind: "array" });
  asked.length = 0;
  const urgencies = [1, 4, undefined];
  await Promise.all(urgencies.map((urgency, i) => get(zipped, [i, 0], { priority: urgency })));
  expect(Math.max(...asked.map((each) => each.priority ?? Number.NaN))).toBe(4);
});

describe("prefetch", () => {
  it("is background, until a read wants the same", async () => {
    let openGate = (): void => {};
    const gate = new Promise<void>((resolve) => {
      openGate = resolve;
    });
    const { store, asked, given } = remote(await written(PLAIN), gate);
    const array = await open(store, { kind: "array", dtype: "int16" });
    const cache = new ChunkCache({ maxBytes: 1e6 });
    const ahead = prefetch(array, [0, 0], { cache });
    while (asked.length === 0) await new Promise((resolve) => setTimeout(resolve));
    expect(urgencyOf(given[0])).toBe(-1);
    const abort = new AbortController();
    const urgent = get(array, [0, 0], { cache, priority: 7, signal: abort.signal });
    const usual = get(array, [0, 1], { cache });
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(urgencyOf(given[0])).toBe(7);
    abort.abort();
    await expect(urgent).rejects.toThrow();
    expect(urgencyOf(given[0])).toBe(0);
    openGate();
    expect(await usual).toBe(3);
    await ahead;
    expect(asked.length).toBe(1);
  });
});

it("a misspelt priority is an error", async () => {
  const array = await create(new Map(), PLAIN);
  await expect(get(array, null, Object({ prioriti: 1 }))).rejects.toThrow("priority");
});
