/**
 * Indexes of shards that are asked for while the code of codecs is on its way: a first read of a part takes a
 * round trip less.
 */
import { afterEach, expect, test, vi } from "vitest";
import type { ValueParts } from "../../../src/core/stores/store.js";
import {
  type AbsolutePath,
  create,
  get,
  open,
  type RangeQuery,
  type Readable,
  registry,
  type StoreOptions,
  set,
  slice,
} from "../../../src/index.js";
import { CRC32C, LITTLE } from "../../setup/codecs.js";
import { rangeOf } from "../../setup/stores.js";

afterEach(() => vi.restoreAllMocks());
const DATA = Int32Array.from({ length: 256 }, (_, i) => i + 1);

async function written(configuration: object = {}, after: { name: string; configuration: object }[] = []) {
  const values = new Map<AbsolutePath, Uint8Array>();
  const sharding = {
    name: "sharding_indexed",
    configuration: {
      chunk_shape: [4, 4],
      codecs: [LITTLE],
      index_codecs: [LITTLE, CRC32C],
      ...configuration,
    },
  };
  const codecs = JSON.parse(JSON.stringify([sharding, ...after]));
  const array = await create(values, { shape: [16, 16], dtype: "int32", chunkShape: [8, 8], codecs });
  await set(array, null, { data: DATA, shape: [16, 16] });
  return values;
}

interface Request {
  readonly key: string;
  readonly range: RangeQuery | undefined;
  readonly signal: AbortSignal | undefined;
}

const nextTimer = () => new Promise<void>((resolve) => setTimeout(resolve));

/** Answers later: `wait` says when. */
function remote(
  values: Map<AbsolutePath, Uint8Array>,
  versionOf?: () => string,
  wait: (key: AbsolutePath) => Promise<void> = nextTimer,
) {
  const requests: Request[] = [];
  const answer = async (
    key: AbsolutePath,
    range: RangeQuery | undefined,
    options: StoreOptions | undefined,
  ) => {
    requests.push({ key, range, signal: options?.signal });
    const value = values.get(key);
    const told = versionOf && value && { version: versionOf(), byteLength: value.length };
    await wait(key);
    options?.signal?.throwIfAborted();
    const bytes = range === undefined ? value : rangeOf(value, range);
    return bytes && { parts: [bytes], ...told };
  };
  const store = {
    get: async (key: AbsolutePath, options?: StoreOptions) =>
      (await answer(key, undefined, options))?.parts[0],
    getParts: (
      key: AbsolutePath,
      ranges: readonly RangeQuery[] | undefined,
      options?: StoreOptions,
    ): Promise<ValueParts | undefined> => answer(key, ranges?.[0], options),
  } satisfies Readable;
  return { store, requests };
}

/** What was asked for before the call returned: the codecs are not there then. */
async function read(values: Map<AbsolutePath, Uint8Array>, selection: Parameters<typeof get>[1]) {
  const { store, requests } = remote(values);
  const array = await open(store, { kind: "array" });
  requests.length = 0;
  const reading = get(array, selection);
  const early = requests.slice();
  const { data } = await reading;
  return { early, requests, data: Array.from(data, Number) };
}

const shown = ({ key, range }: Request) => [key, range];
const CORNER = [1, 2, 17, 18];

test.each([
  ["start", { offset: 0, length: 68 }],
  ["end", { suffixLength: 68 }],
] as const)("an index at the %s is asked for at once, and once", async (index_location, index) => {
  const { early, requests, data } = await read(await written({ index_location }), [slice(2), slice(2)]);
  expect(data).toEqual(CORNER);
  expect(early.map(shown)).toEqual([["/c/0/0", index]]);
  expect(requests).toHaveLength(2);
});

test("the code for shards is asked for as soon as the document has arrived, before anything is read", async () => {
  const { store } = remote(await written());
  const loader = vi.spyOn(registry, "get");
  await open(store, { kind: "array" });
  expect(loader.mock.calls.map(([name]) => name)).toContain("sharding_indexed");
});

test("of every shard of which a part is selected, not of those that are read whole", async () => {
  const { early, data } = await read(await written(), [slice(8), slice(12)]);
  expect(data).toHaveLength(96);
  expect(early.map(shown)).toEqual([["/c/0/1", { suffixLength: 68 }]]);
});

test("steps that leave inner chunks out select a part", async () => {
  const { early, data } = await read(await written(), [slice(0, 8, 5), slice(0, 8, 5)]);
  expect(data).toEqual([1, 6, 81, 86]);
  // In each of the four inner chunks there is one.
  expect(early).toHaveLength(0);
  const skipping = await read(await written(), [slice(7, null, -9), slice(0, 8, 5)]);
  expect(skipping.data).toEqual([113, 118]);
  expect(skipping.early).toHaveLength(1);
});

test.each<[string, object, { name: string; configuration: object }[]]>([
  ["whose index has other codecs", { index_codecs: [LITTLE, CRC32C, CRC32C] }, []],
  ["with codecs behind them", {}, [CRC32C]],
])("shards %s are read as before", async (_, configuration, after) => {
  const { early, data } = await read(await written(configuration, after), [slice(2), slice(2)]);
  expect(data).toEqual(CORNER);
  expect(early).toHaveLength(0);
});

test("what is not taken is aborted with the read", async () => {
  // Shards never come: a request that is answered has nothing to abort.
  const never = new Promise<void>(() => {});
  const wait = (key: AbsolutePath) => (key.startsWith("/c/") ? never : nextTimer());
  const { store, requests } = remote(await written(), undefined, wait);
  const array = await open(store, { kind: "array" });
  requests.length = 0;
  const reason = new Error("enough");
  const abort = new AbortController();
  // After other work, a read waits for the next turn.
  await nextTimer();
  const reading = get(array, [slice(6), slice(6, 12)], { signal: abort.signal });
  expect(requests.map(shown)).toHaveLength(2);
  abort.abort(reason);
  await expect(reading).rejects.toBe(reason);
  await vi.waitFor(() => expect(requests.every(({ signal }) => signal?.aborted)).toBe(true), {
    timeout: 30_000,
  });
});

test("a shard that is replaced between its index and its chunks is read anew", async () => {
  const values = await written();
  const changed = new Map(values);
  const other = await open(changed, { kind: "array" });
  await set(other, null, { data: DATA.map((value) => value + 1000), shape: [16, 16] });
  let version = 1;
  const { store, requests } = remote(values, () => `v${version}`);
  const array = await open(store, { kind: "array" });
  await nextTimer();
  const reading = get(array, [slice(2), slice(2)]);
  expect(requests.at(-1)?.range).toBeDefined();
  for (const [key, value] of changed) values.set(key, value);
  version = 2;
  expect(Array.from((await reading).data, Number)).toEqual(CORNER.map((value) => value + 1000));
});

test("the store's failure is the read's", async () => {
  const { store } = remote(await written());
  const array = await open(store, { kind: "array" });
  const failure = new Error("no disk");
  vi.spyOn(store, "getParts").mockRejectedValue(failure);
  await expect(get(array, [slice(2), slice(2)])).rejects.toMatchObject({ tag: "StoreError", cause: failure });
});

test("the whole value, where a server sends that in place of the range, has the bound of a read", async () => {
  const { store } = remote(await written());
  const array = await open(store, { kind: "array" });
  const bounds: (number | undefined)[] = [];
  const { getParts } = store;
  store.getParts = (key, ranges, options) => {
    bounds.push(options?.maximumBytes);
    return getParts(key, ranges, options);
  };
  await get(array, [slice(2), slice(2)]);
  expect(bounds).toHaveLength(2);
  // Four inner chunks of 64 bytes, and what an encoder may add.
  for (const bound of bounds) expect(bound).toBeLessThan(1 << 23);
});
