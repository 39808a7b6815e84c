import { beforeAll, describe, expect, test } from "vitest";
import { create, get, open, type RangeQuery, set, slice } from "../../../src/index.js";
import { CRC32C, LITTLE } from "../../setup/codecs.js";
import { RangeStore } from "../../setup/stores.js";

const SIZE = 16;
const INNER = 4 * 4 * 4;

async function write(location: "start" | "end"): Promise<RangeStore> {
  const store = new RangeStore();
  const array = await create(store, {
    shape: [SIZE, SIZE, SIZE],
    chunkShape: [8, 8, 8],
    dtype: "uint8",
    codecs: [
      {
        name: "sharding_indexed",
        configuration: {
          chunk_shape: [4, 4, 4],
          codecs: [{ name: "bytes", configuration: {} }],
          index_codecs: [LITTLE, CRC32C],
          index_location: location,
        },
      },
    ],
  });
  await set(
    array,
    null,
    Uint8Array.from({ length: SIZE ** 3 }, (_, i) => (i % 251) + 1),
  );
  store.reset();
  return store;
}

describe.each(["start", "end"] as const)("requests with the index at the %s", (location) => {
  let store: RangeStore;
  const indexBytes = 8 * 16 + 4;
  const indexRequest = `/c/0/0/0 ${location === "start" ? "0+" : "-"}${indexBytes}`;
  const chunkRequest = `/c/0/0/0 ${location === "start" ? indexBytes : 0}+${INNER}`;
  beforeAll(async () => {
    store = await write(location);
  });
  const fresh = async () => {
    const copy = new RangeStore(store.map);
    const array = await open(copy, { kind: "array" });
    copy.reset();
    return { copy, array };
  };

  test("one inner chunk: two cold, one warm", async () => {
    const { copy, array } = await fresh();
    const selection = [slice(4), slice(4), slice(4)] as const;
    await get(array, selection);
    expect(copy.requests).toEqual([indexRequest, chunkRequest]);
    expect(copy.bytes).toBe(indexBytes + INNER);
    copy.reset();
    await get(array, selection);
    expect(copy.requests).toEqual([chunkRequest]);
    expect(copy.bytes).toBe(INNER);
  });

  test("a whole shard: one", async () => {
    const { copy, array } = await fresh();
    await get(array, [slice(8), slice(8), slice(8)]);
    expect(copy.requests).toEqual(["/c/0/0/0"]);
  });

  test("the whole array: one a shard", async () => {
    const { copy, array } = await fresh();
    await get(array);
    expect(copy.requests.length).toBe(8);
    expect(copy.bytes).toBe(8 * (8 * INNER + indexBytes));
  });

  test("a plane reads only the inner chunks it touches, in merged requests", async () => {
    const { copy, array } = await fresh();
    await get(array, [null, null, 5], { coalesce: { maximumGap: 0 } });
    // Of each of the 4 shards in the plane, the 4 inner chunks of one half, which lie apart in the file.
    expect(copy.bytes).toBe(4 * (indexBytes + 4 * INNER));
    expect(copy.requests.length).toBe(4 * (1 + 4));
    const again = await fresh();
    await get(again.array, [null, null, 5]);
    expect(again.copy.requests.length).toBe(4 * 2);
    const planes = await fresh();
    await get(planes.array, [1, null, null], { coalesce: { maximumGap: 0 } });
    // The inner chunks of a plane along the first dimension are neighbours in the file.
    expect(planes.copy.requests.length).toBe(4 * 2);
    expect(planes.copy.bytes).toBe(4 * (indexBytes + 4 * INNER));
  });

  test("a store that reads several ranges gets them in one call", async () => {
    const { copy } = await fresh();
    const calls: number[] = [];
    const store = {
      kind: "files",
      get: copy.get.bind(copy),
      getParts: async (key: `/${string}`, ranges: readonly RangeQuery[] | undefined) => {
        // The other range is the index.
        if (ranges !== undefined && ranges.length > 1) calls.push(ranges.length);
        const parts = await Promise.all((ranges ?? []).map((range) => copy.getRange(key, range)));
        return { parts: parts.flatMap((part) => (part === undefined ? [] : [part])) };
      },
    } as const;
    const array = await open(store, { kind: "array" });
    await get(array, [slice(8), slice(8), 5], { coalesce: { maximumGap: 0 } });
    expect(calls).toEqual([4]);
  });

  test("a missing shard: one", async () => {
    const { copy, array } = await fresh();
    const without = new Map(copy.map);
    without.delete("/c/0/0/0");
    const absent = new RangeStore(without);
    const again = await open(absent, { kind: "array" });
    absent.reset();
    const { data } = await get(again, [slice(4), slice(4), slice(4)]);
    expect(absent.requests.length).toBe(1);
    expect(data).toEqual(new Uint8Array(INNER));
    expect(array.shape).toEqual([SIZE, SIZE, SIZE]);
  });

  test("reads at the same time share the index, and aborting one leaves the other alone", async () => {
    const { copy, array } = await fresh();
    const controller = new AbortController();
    const first = get(array, [0, 0, 0], { signal: controller.signal });
    const second = get(array, [0, 0, 1]);
    controller.abort(new Error("not wanted"));
    await expect(first).rejects.toThrow("not wanted");
    expect(await second).toBe(2);
    expect(copy.requests.filter((request) => request === indexRequest)).toHaveLength(1);
  });
});

test("a shard that was replaced behind the cache's back is read anew", async () => {
  const store = await write("end");
  const other = new RangeStore(new Map(store.map));
  const array = await open(other, { kind: "array" });
  await get(array, [0, 0, 0]);
  // Elsewhere the shard is rewritten with one inner chunk left: every offset is another.
  const writer = await open(store, { kind: "array" });
  if (!writer.is("uint8")) throw new Error("expected uint8");
  await set(writer, [slice(8), slice(8), slice(8)], 0);
  await set(writer, [slice(4), slice(4), slice(4)], 9);
  for (const [key, value] of store.map) other.map.set(key, value);
  expect(await get(array, [5, 5, 5])).toBe(0);
});

test("a store without ranges is read whole", async () => {
  const { map } = await write("start");
  const array = await open({ get: (key: string) => map.get(key) }, { kind: "array" });
  expect(await get(array, [0, 1, 2])).toBe(19);
});
