/** Answers that a store gives away: freed once they are decoded, and never what somebody else may have. */
import { expect, test } from "vitest";
import { create, get, open, root, set, withByteCaching, withConsolidatedMetadata } from "../../src/index.js";
import type { AbsolutePath, RangeQuery, Readable } from "../../src/stores/store.js";
import { rangeOf } from "../setup/stores.js";

const SHAPE = [512, 256];
const data = Float64Array.from({ length: 512 * 256 }, (_, i) => Math.sin(i));

/** Answers later, with memory of its own each time. */
class GivingStore implements Readable {
  readonly values: ReadonlyMap<string, Uint8Array>;
  readonly answers: Uint8Array[] = [];
  readonly fresh: Readable["fresh"] = GivingStore.prototype;

  constructor(values: ReadonlyMap<string, Uint8Array>) {
    this.values = values;
  }

  get(key: AbsolutePath): Promise<Uint8Array | undefined> {
    return this.#answer(this.values.get(key));
  }

  getRange(key: AbsolutePath, range: RangeQuery): Promise<Uint8Array | undefined> {
    return this.#answer(rangeOf(this.values.get(key), range));
  }

  /** How many answers of chunks were freed. */
  freed(): number {
    return this.answers.filter(({ length }) => length === 0).length;
  }

  async #answer(bytes: Uint8Array | undefined): Promise<Uint8Array | undefined> {
    const answer = bytes?.slice();
    if (answer !== undefined && answer.length > 60_000) this.answers.push(answer);
    await new Promise((resolve) => setTimeout(resolve, 1));
    return answer;
  }
}

const layouts = {
  "as they are": { chunkShape: [128, 128] },
  compressed: { chunkShape: [128, 128], codecs: ["gzip"] },
  "with a checksum": { chunkShape: [128, 128], codecs: ["crc32c"] },
  "in shards": { chunkShape: [64, 64], shards: [128, 256], codecs: ["zstd"] },
} as const;

async function stored(layout: object): Promise<Map<string, Uint8Array>> {
  const values = new Map<string, Uint8Array>();
  const array = await create(values, { shape: SHAPE, dtype: "float64", chunkShape: [1, 1], ...layout });
  await set(array, null, data);
  return values;
}

test.each(Object.entries(layouts))("chunks %s", async (_, layout) => {
  const values = await stored(layout);
  const store = new GivingStore(values);
  const array = await open(store, { kind: "array" });
  // So that nothing is asked for ahead: such answers are kept for other readers.
  await array.prepare();
  for (let twice = 1; twice <= 2; twice++) {
    expect((await get(array)).data).toEqual(data);
    expect(store.freed()).toBe(twice * (values.size - 1));
    expect(store.answers.length).toBe(store.freed());
  }
});

test("ranges of shards", async () => {
  const values = await stored({ chunkShape: [512, 32], shards: [512, 256] });
  const store = new GivingStore(values);
  const array = await open(store, { kind: "array" });
  // So that nothing is asked for ahead: such answers are kept for other readers.
  await array.prepare();
  const { data: part } = await get(array, [null, { start: 32, stop: 64, step: null }]);
  expect(part).toEqual(
    Float64Array.from({ length: 512 * 32 }, (_, i) => data[(i >> 5) * 256 + 32 + (i % 32)] ?? 0),
  );
  expect([store.answers.length, store.freed()]).toEqual([1, 1]);
});

test("what several reads wait for is left alone", async () => {
  const store = new GivingStore(await stored(layouts.compressed));
  const array = await open(store, { kind: "array" });
  // So that nothing is asked for ahead: such answers are kept for other readers.
  await array.prepare();
  const results = await Promise.all([get(array), get(array), get(array)]);
  for (const result of results) expect(result.data).toEqual(data);
  expect(store.answers.length).toBe(8);
  expect(store.freed()).toBe(0);
});

test("what a cache keeps is left alone", async () => {
  for (const layout of [layouts.compressed, layouts["in shards"]]) {
    const store = new GivingStore(await stored(layout));
    const array = await open(withByteCaching(store), { kind: "array" });
    // So that nothing is asked for ahead: such answers are kept for other readers.
    await array.prepare();
    for (let twice = 0; twice < 2; twice++) expect((await get(array)).data).toEqual(data);
    expect(store.answers.length).toBeGreaterThan(0);
    expect(store.freed()).toBe(0);
  }
});

test("so is what a class made of a store, or whoever replaces a method, gives", async () => {
  const kept = new Map<string, Uint8Array | undefined>();
  class KeepingStore extends GivingStore {
    override async get(key: AbsolutePath): Promise<Uint8Array | undefined> {
      if (!kept.has(key)) kept.set(key, await super.get(key));
      return kept.get(key);
    }
  }
  const values = await stored(layouts["as they are"]);
  const replaced = new GivingStore(values);
  const own = new Map<string, Uint8Array | undefined>();
  replaced.get = async (key) => {
    if (!own.has(key)) own.set(key, await GivingStore.prototype.get.call(replaced, key));
    return own.get(key);
  };
  for (const store of [new KeepingStore(values), replaced]) {
    const array = await open(store, { kind: "array" });
    // So that nothing is asked for ahead: such answers are kept for other readers.
    await array.prepare();
    for (let twice = 0; twice < 2; twice++) expect((await get(array)).data).toEqual(data);
    expect(store.answers.length).toBe(8);
    expect(store.freed()).toBe(0);
  }
});

test("behind consolidated metadata they are given away as well", async () => {
  const values = await stored(layouts.compressed);
  const document = values.get("/zarr.json") ?? new Uint8Array();
  values.set("/a/zarr.json", document);
  for (const [key, value] of [...values]) if (key.startsWith("/c/")) values.set(`/a${key}`, value);
  const consolidated = { metadata: { a: JSON.parse(new TextDecoder().decode(document)) } };
  const group = {
    zarr_format: 3,
    node_type: "group",
    consolidated_metadata: { kind: "inline", must_understand: false, ...consolidated },
  };
  values.set("/zarr.json", new TextEncoder().encode(JSON.stringify(group)));
  const store = new GivingStore(values);
  const front = await withConsolidatedMetadata(store);
  const array = await open(root(front).resolve("a"), { kind: "array" });
  // So that nothing is asked for ahead: such answers are kept for other readers.
  await array.prepare();
  for (let twice = 1; twice <= 2; twice++) {
    expect((await get(array)).data).toEqual(data);
    expect(store.freed()).toBe(twice * 8);
  }
});

test("elements of variable length stay what they are", async () => {
  const values = new Map<string, Uint8Array>();
  const strings = await create(values, { shape: [4000], chunkShape: [2000], dtype: "string" });
  const words = Array.from({ length: 4000 }, (_, i) => `${i}`.repeat(30));
  await set(strings, null, words);
  const array = await open(new GivingStore(values), { kind: "array" });
  // So that nothing is asked for ahead: such answers are kept for other readers.
  await array.prepare();
  const { data: read } = await get(array);
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect([...read]).toEqual(words);
});
