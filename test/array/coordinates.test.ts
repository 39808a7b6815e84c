import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type CoordinateSelection,
  create,
  get,
  getCoordinates,
  type IndexList,
  isZarrError,
  open,
  type Store,
  set,
  setCoordinates,
  setOrthogonal,
  slice,
} from "../../src/index.js";
import { RangeStore, readOnly, SlowStore, WatchedMap } from "../setup/stores.js";
import { COUNT, crossingsOf, LAYOUTS, LENGTHS, listOf, orthogonal, placeOf, shapeOf } from "./chosen.js";
import { rejection } from "./untyped.js";

/** Lists of indices of one length, some entries counted from the end, and the places of the elements. */
const points = fc
  .record({
    all: fc.array(fc.tuple(...LENGTHS.map((length) => fc.integer({ min: -length, max: length - 1 }))), {
      maxLength: 40,
    }),
    /** All points have that index there. */
    same: fc.option(fc.nat(2)),
    types: fc.tuple(...LENGTHS.map(() => fc.constantFrom("list", "int8", "float64", "int64"))),
  })
  .map(({ all, same, types }) => {
    const first = all[0] ?? [0, 0, 0];
    const each = all.map((point) => point.map((index, d) => (d === same ? (first[d] ?? 0) : index)));
    const coordinates = LENGTHS.map((_, d): number | IndexList => {
      const list = each.map((point) => point[d] ?? 0);
      if (d === same) return first[d] ?? 0;
      if (types[d] === "int8") return Int8Array.from(list);
      if (types[d] === "float64") return Float64Array.from(list);
      return types[d] === "int64" ? BigInt64Array.from(list, BigInt) : list;
    });
    const places = each.map((point) =>
      placeOf(point.map((index, d) => (index < 0 ? index + (LENGTHS[d] ?? 0) : index))),
    );
    return { coordinates, places };
  });

const mask = fc.array(fc.boolean(), { minLength: COUNT, maxLength: COUNT }).map((data) => ({
  coordinates: { data, shape: LENGTHS },
  places: data.flatMap((selected, place) => (selected ? [place] : [])),
}));

const selections: fc.Arbitrary<{ coordinates: CoordinateSelection; places: number[] }> = fc.oneof(
  { arbitrary: points, weight: 4 },
  { arbitrary: mask, weight: 1 },
);

describe.each(LAYOUTS)("$name", ({ options, toElement }) => {
  const cases = fc.record({
    isSlow: fc.boolean(),
    first: orthogonal,
    changed: selections,
    read: selections,
    from: fc.nat(250),
  });

  test("what is written and read is what it is in a plain list", async () => {
    await fc.assert(
      fc.asyncProperty(cases, async ({ isSlow, first, changed, read, from }) => {
        const store = isSlow ? new SlowStore() : new Map<string, Uint8Array>();
        const array = await create(store, { ...options, shape: LENGTHS });
        const expected: unknown[] = Array.from({ length: COUNT }, () => array.fillValue);
        // Chunks that nobody touches stay away.
        const crossed = crossingsOf(first).map(placeOf);
        for (const [i, place] of crossed.entries()) expected[place] = toElement(i);
        const given = { data: crossed.map((_, i) => toElement(i)), shape: shapeOf(first) };
        await setOrthogonal<unknown, Store>(array, first, given);
        for (const [i, place] of changed.places.entries()) expected[place] = toElement(from + (i % 60));
        const values = {
          data: changed.places.map((_, i) => toElement(from + (i % 60))),
          shape: [changed.places.length],
        };
        await setCoordinates<unknown, Store>(array, changed.coordinates, values);

        expect(listOf((await get<unknown, Store>(array)).data)).toEqual(expected);
        const { data, shape, stride } = await getCoordinates<unknown, Store>(array, read.coordinates);
        expect(listOf(data)).toEqual(read.places.map((place) => expected[place]));
        expect({ shape, stride }).toEqual({ shape: [read.places.length], stride: [1] });
      }),
      { numRuns: 15 },
    );
  });

  test("a scalar goes everywhere; chunks of nothing but fill value are taken away", async () => {
    const store = new Map<string, Uint8Array>();
    const array = await create(store, { ...options, shape: LENGTHS });
    const keys = [...store.keys()];
    await setCoordinates<unknown, Store>(array, [[0, 6, 0], 4, [-1, 8, 8]], toElement(5));
    await setOrthogonal<unknown, Store>(array, [[3], null, [1, 2]], toElement(9));
    const expected: unknown[] = Array.from({ length: COUNT }, () => array.fillValue);
    for (const point of [
      [0, 4, 8],
      [6, 4, 8],
    ])
      expected[placeOf(point)] = toElement(5);
    for (const point of crossingsOf([[3], null, [1, 2]])) expected[placeOf(point)] = toElement(9);
    expect(listOf((await get<unknown, Store>(array)).data)).toEqual(expected);
    const all = { data: new Uint8Array(COUNT).fill(1), shape: LENGTHS };
    await setCoordinates<unknown, Store>(array, all, array.fillValue);
    expect([...store.keys()]).toEqual(keys);
  });
});

describe("every chunk that is touched is read and written once", () => {
  test.each([
    { name: "chunks", layout: { chunkShape: [10] }, last: "/c/9" },
    { name: "shards", layout: { chunkShape: [5], shards: [10] }, last: "/c/9" },
    { name: "chunks of different lengths", layout: { chunkShape: [[10, 10, [20, 3], 5, 15]] }, last: "/c/6" },
  ] as const)("$name", async ({ layout, last }) => {
    const store = new WatchedMap();
    const array = await create(store, { shape: [100], dtype: "uint16", ...layout });
    await set(
      array,
      null,
      Uint16Array.from({ length: 100 }, (_, i) => i),
    );
    store.requests.length = 0;
    const { data } = await getCoordinates(array, [[95, 3, 7, 91, 3, -1]]);
    expect(data).toEqual(Uint16Array.of(95, 3, 7, 91, 3, 99));
    expect(store.requests.sort()).toEqual(["/c/0", last]);

    store.requests.length = 0;
    await setCoordinates(array, [[95, 3, 7, 91, 3, -1]], Uint16Array.of(1, 2, 3, 4, 5, 6));
    expect(store.requests.sort()).toEqual(["/c/0", last, "set /c/0", `set ${last}`]);
    expect((await getCoordinates(array, [[95, 3, 7, 91, 3, -1]])).data).toEqual(
      Uint16Array.of(1, 5, 3, 4, 5, 6),
    );

    store.requests.length = 0;
    await setOrthogonal(array, [[91, 3, 92, 4]], 8);
    expect(store.requests.sort()).toEqual(["/c/0", last, "set /c/0", `set ${last}`]);
    expect((await get(array, [slice(2, 6)])).data).toEqual(Uint16Array.of(2, 8, 8, 5));
  });

  test("not read, where all of it is written", async () => {
    const store = new WatchedMap();
    const array = await create(store, { shape: [6, 6], chunkShape: [2, 3], dtype: "int8" });
    store.requests.length = 0;
    const rows = { data: Int8Array.from({ length: 18 }, (_, i) => i), shape: [3, 6] };
    await setOrthogonal(array, [[3, 2, 2], null], rows);
    expect(store.requests.sort()).toEqual(["set /c/1/0", "set /c/1/1"]);
    // Of two for one row the last one stays.
    expect((await get(array, [slice(2, 4), null])).data).toEqual(
      Int8Array.of(12, 13, 14, 15, 16, 17, 0, 1, 2, 3, 4, 5),
    );
  });

  test("only the inner chunks that are wanted, of a shard", async () => {
    const values = new Map<string, Uint8Array>();
    const options = {
      shape: [4000],
      chunkShape: [1000],
      shards: [4000],
      dtype: "float64",
      codecs: [],
    } as const;
    const array = await create(values, options);
    await set(
      array,
      null,
      Float64Array.from({ length: 4000 }, (_, i) => i),
    );
    const store = new RangeStore(values);
    const watched = await open(readOnly(store), { kind: "array" });
    store.reset();
    const { data } = await getCoordinates(watched, [[2999, 10, 11, 2000]], { coalesce: { maximumGap: 0 } });
    expect(data).toEqual(Float64Array.of(2999, 10, 11, 2000));
    expect(store.requests).toEqual(["/c/0 -68", "/c/0 0+8000", "/c/0 16000+8000"]);
  });
});

test("writes at the same time lose nothing", async () => {
  const store = new SlowStore();
  const array = await create(store, { shape: [60], chunkShape: [20], dtype: "int32" });
  const all = Array.from({ length: 60 }, (_, i) => i);
  await Promise.all([
    ...[0, 1, 2, 3].map((part) => {
      const own = all.filter((i) => i % 5 === part);
      return setCoordinates(array, [own], Int32Array.from(own));
    }),
    setOrthogonal(array, [all.map((i) => i % 5 === 4)], {
      data: all.filter((i) => i % 5 === 4),
      shape: [12],
    }),
  ]);
  expect((await get(array)).data).toEqual(Int32Array.from(all));
});

test("into `out`, telling of its progress", async () => {
  const array = await create(new Map<string, Uint8Array>(), {
    shape: [6, 6],
    chunkShape: [2, 2],
    shards: [4, 4],
    dtype: "int16",
  });
  const told: object[] = [];
  const onProgress = (progress: object): number => told.push(progress);
  await setCoordinates(array, [[0, 1, 5], 3], Int16Array.of(7, 8, 9), { onProgress });
  expect(told.at(-1)).toMatchObject({ chunksDone: 2, chunksTotal: 2 });
  const out = new Int16Array(4);
  const { data } = await getCoordinates(array, [[5, 1, 1, 2], 3], { out, onProgress });
  expect(data).toBe(out);
  expect(out).toEqual(Int16Array.of(9, 8, 8, 0));
  expect(told.at(-1)).toEqual({ chunksDone: 2, chunksTotal: 2, bytes: 8 });
});

test("a mask of an array of `bool`, in any order of memory", async () => {
  const store = new Map<string, Uint8Array>();
  const array = await create(store, { shape: [2, 3], dtype: "int8" });
  await set(array, null, Int8Array.of(1, 2, 3, 4, 5, 6));
  const chosen = await create(new Map<string, Uint8Array>(), { shape: [2, 3], dtype: "bool" });
  await setCoordinates(
    chosen,
    [
      [0, 1, 1],
      [1, 0, 2],
    ],
    true,
  );
  expect((await getCoordinates(array, await get(chosen))).data).toEqual(Int8Array.of(2, 4, 6));
  const columns = { data: [true, false, false, false, true, true], shape: [2, 3], stride: [1, 2] };
  expect((await getCoordinates(array, columns)).data).toEqual(Int8Array.of(1, 3, 6));
});

test("of an array of no dimensions", async () => {
  const array = await create(new Map<string, Uint8Array>(), { shape: [], dtype: "int8" });
  await setCoordinates(array, [], 5);
  expect(await getCoordinates(array, [])).toEqual({ data: Int8Array.of(5), shape: [1], stride: [1] });
  expect((await getCoordinates(array, { data: [false], shape: [] })).data).toEqual(new Int8Array());
  await setCoordinates(array, { data: [true], shape: [] }, Int8Array.of(6));
  expect(await get(array)).toBe(6);
});

test("few points of an array of any size", async () => {
  const shape = [2 ** 40, 2 ** 11, 3];
  const array = await create(new Map<string, Uint8Array>(), {
    shape,
    chunkShape: [10, 10, 3],
    dtype: "int32",
    fillValue: 1,
  });
  const points = [[2 ** 40 - 1, 5, -(2 ** 39)], [2 ** 11 - 1, 2 ** 10, -1], 2];
  await setCoordinates(array, points, Int32Array.of(7, 8, 9));
  expect((await getCoordinates(array, points)).data).toEqual(Int32Array.of(7, 8, 9));
  expect(
    (
      await getCoordinates(array, [
        [0, 2 ** 39],
        [0, -1],
        [1, 2],
      ])
    ).data,
  ).toEqual(Int32Array.of(1, 9));
});

describe("what is refused, with nothing written", () => {
  const values = new Map<string, Uint8Array>();
  const array = create(values, { shape: [3, 4], dtype: "int8" });

  test.each([
    [
      "an index out of range",
      [[3], [0]],
      "dimension 0, entry 0 of the list: expected an integer from -3 to 2, got 3",
    ],
    [
      "a negative one",
      [
        [0, 0],
        [0, -5],
      ],
      "dimension 1, entry 1 of the list: expected an integer from -4 to 3, got -5",
    ],
    ["a fraction", [[0.5], [0]], "got 0.5"],
    ["no number", [["1"], [0]], 'got "1"'],
    ["a large bigint", [BigInt64Array.of(2n ** 40n), [0]], "expected an integer from -3 to 2"],
    ["a hole", [new Array(1), [0]], "got undefined"],
    ["lists of different lengths", [[0, 1], [0]], "dimension 1: expected a list of 2 indices"],
    ["too few lists", [[0]], "expected 2 lists of indices for an array of rank 2, got 1"],
    ["a slice", [[0], slice(2)], "getOrthogonal and setOrthogonal take slices"],
    ["null", null, "expected a list of indices for each dimension, or a mask"],
    [
      "a mask of another shape",
      { data: [true, false], shape: [2] },
      "a mask of the array's shape [3, 4], got one of [2]",
    ],
    ["a mask of too few", { data: [true, false], shape: [3, 4] }, "expected booleans for all of [3, 4]"],
    ["a mask of numbers", { data: new Array(12).fill(1), shape: [3, 4] }, "got [1,1,1"],
  ])("%s", async (_, selection, message) => {
    for (const [call, ...more] of [[getCoordinates], [setCoordinates, 1]] as const) {
      const error = await rejection(call, [await array, selection, ...more]);
      if (!isZarrError(error, "InvalidSelectionError")) throw error;
      expect(error.message).toContain(message);
    }
    expect([...values.keys()]).toEqual(["/zarr.json"]);
  });

  test("a value of another shape, or that the data type does not have", async () => {
    const points = [
      [0, 1],
      [2, 3],
    ];
    for (const value of [Int8Array.of(1), { data: Int8Array.of(1, 2), shape: [2, 1] }, 300, "1"]) {
      for (const call of [setCoordinates, setOrthogonal]) {
        const error = await rejection(call, [await array, points, value]);
        expect(isZarrError(error, "InvalidArgumentError")).toBe(true);
      }
    }
    const out = new Int8Array(3);
    expect(
      isZarrError(await rejection(getCoordinates, [await array, points, { out }]), "InvalidArgumentError"),
    ).toBe(true);
    expect([...values.keys()]).toEqual(["/zarr.json"]);
  });

  test("an abort", async () => {
    const options = { signal: AbortSignal.abort() };
    await expect(getCoordinates(await array, [[0], [0]], options)).rejects.toThrow("abort");
    await expect(setCoordinates(await array, [[0], [0]], 1, options)).rejects.toThrow("abort");
    await expect(setOrthogonal(await array, [[0], [0]], 1, options)).rejects.toThrow("abort");
    expect([...values.keys()]).toEqual(["/zarr.json"]);
  });

  test("an abort while chunks are on their way", async () => {
    const store = new SlowStore();
    const slow = await create(store, { shape: [100], chunkShape: [1], dtype: "int8" });
    const controller = new AbortController();
    const all = Array.from({ length: 100 }, (_, i) => i);
    const reading = getCoordinates(slow, [all], { signal: controller.signal, concurrency: 2 });
    const writing = setCoordinates(slow, [all], 1, { signal: controller.signal, concurrency: 2 });
    setTimeout(() => controller.abort(new Error("enough")), 8);
    for (const result of await Promise.allSettled([reading, writing])) {
      expect(result).toMatchObject({ status: "rejected", reason: { message: "enough" } });
    }
    expect(store.map.size).toBeLessThan(100);
    // Each of the two has one more on its way when a chunk is done.
    expect(store.mostUnderWay).toBeLessThanOrEqual(6);
  });
});
