/**
 * The TypeScript type of `get(array)` and of single elements follows from the literal given as `dtype`; what
 * comes is what it says.
 */
import { expect, expectTypeOf, it } from "vitest";
import type { BoolArray } from "../../src/data-types/bool.js";
import type { ComplexArray } from "../../src/data-types/extra/complex.js";
import type { DateTimeArray } from "../../src/data-types/extra/datetime.js";
import type { SubByteArray } from "../../src/data-types/extra/sub-byte-integer.js";
import type { SmallFloatArray } from "../../src/data-types/small-float.js";
import type { UnicodeStringArray } from "../../src/data-types/unicode-array.js";
import {
  type Chunk,
  create,
  get,
  getCoordinates,
  getOrthogonal,
  type Selection,
  type SelectionEntry,
  type Slice,
  select,
  set,
  setCoordinates,
  setOrthogonal,
  slice,
} from "../../src/index.js";

const store = (): Map<string, Uint8Array> => new Map();

it("of types with a typed array", async () => {
  const array = await create(store(), { shape: [2], dtype: "int16", fillValue: 7 });
  const { data } = await get(array);
  expectTypeOf(data).toEqualTypeOf<Int16Array>();
  const scalar = await get(array, [0]);
  expectTypeOf(scalar).toEqualTypeOf<number>();
  expect([data, scalar]).toEqual([Int16Array.of(7, 7), 7]);
  const big = await create(store(), { shape: [1], dtype: ">u8", zarrFormat: 2, fillValue: 2n ** 63n });
  const { data: bigints } = await get(big);
  expectTypeOf(bigints).toEqualTypeOf<BigUint64Array>();
  expect(bigints).toEqual(BigUint64Array.of(2n ** 63n));
});

it("of types with an array-like of their own", async () => {
  const shape = [2];
  const bool = (await get(await create(store(), { shape, dtype: "bool", fillValue: true }))).data;
  expectTypeOf(bool).toEqualTypeOf<BoolArray>();
  expect(bool.toArray()).toEqual([true, true]);
  const complex = (await get(await create(store(), { shape, dtype: "<c8", zarrFormat: 2 }))).data;
  expectTypeOf(complex).toEqualTypeOf<ComplexArray>();
  expect(complex.get(1)).toEqual({ re: 0, im: 0 });
  const small = (await get(await create(store(), { shape, dtype: "float8_e5m2", fillValue: 1.5 }))).data;
  expectTypeOf(small).toEqualTypeOf<SmallFloatArray>();
  expect([...small]).toEqual([1.5, 1.5]);
  const int4 = (await get(await create(store(), { shape, dtype: "int4", fillValue: -8 }))).data;
  expectTypeOf(int4).toEqualTypeOf<SubByteArray>();
  expect([...int4]).toEqual([-8, -8]);
  const text = (await get(await create(store(), { shape, dtype: "<U2", zarrFormat: 2, fillValue: "é" })))
    .data;
  expectTypeOf(text).toEqualTypeOf<UnicodeStringArray>();
  expect([...text]).toEqual(["é", "é"]);
});

it("of types with a configuration", async () => {
  const days = await create(store(), {
    shape: [1],
    dtype: { name: "numpy.datetime64", configuration: { unit: "D", scale_factor: 1 } },
    fillValue: 11016n,
  });
  const { data } = await get(days);
  expectTypeOf(data).toEqualTypeOf<DateTimeArray>();
  const tick = await get(days, [0]);
  expectTypeOf(tick).toEqualTypeOf<bigint>();
  expect([data.toISOString(0), data.toDate(0).getTime(), tick]).toEqual([
    "2000-02-29",
    Date.UTC(2000, 1, 29),
    11016n,
  ]);
});

it("of structs, whose records and columns follow from the fields", async () => {
  const array = await create(store(), {
    shape: [2],
    dtype: {
      name: "struct",
      configuration: {
        fields: [
          { name: "height", data_type: "float32" },
          { name: "id", data_type: "int64" },
          {
            name: "at",
            data_type: {
              name: "struct",
              configuration: { fields: [{ name: "seen", data_type: "bool" }] },
            },
          },
        ],
      },
    },
  });
  await set(array, [0], { height: 1.5, id: -1n, at: { seen: true } });
  const { data } = await get(array);
  const record = data.get(0);
  expectTypeOf(record).toEqualTypeOf<{
    readonly height: number;
    readonly id: bigint;
    readonly at: { readonly seen: boolean };
  }>();
  expect(record).toEqual({ height: 1.5, id: -1n, at: { seen: true } });
  const heights = data.column("height").toData();
  expectTypeOf(heights).toEqualTypeOf<Float32Array>();
  const seen = data.column("at").toData().column("seen").toData();
  expectTypeOf(seen).toEqualTypeOf<BoolArray>();
  expect([heights, [...data.column("id")], seen.toArray()]).toEqual([
    Float32Array.of(1.5, 0),
    [-1n, 0n],
    [true, false],
  ]);

  const v2 = await create(store(), {
    shape: [1],
    zarrFormat: 2,
    dtype: [
      ["x", "<f8"],
      ["n", ">u2"],
    ],
  });
  const row = await get(v2, [0]);
  expectTypeOf(row).toEqualTypeOf<{ readonly x: number; readonly n: number }>();
  expect(row).toEqual({ x: 0, n: 0 });
});

it("of selections: a scalar of integers alone, a chunk where a dimension surely stays, and either otherwise", async () => {
  type Float32Chunk = Chunk<"float32">;
  const shape = [2, 3];
  const array = await create(store(), { shape, dtype: "float32", dimensionNames: ["y", "x"], fillValue: 4 });
  const isChunk = (result: number | Float32Chunk): boolean => typeof result === "object";

  const scalars = [await get(array, [0, 1]), await get(array, Array.of(0, 1))] as const;
  expectTypeOf(scalars).toEqualTypeOf<readonly [number, number]>();
  expect(scalars).toEqual([4, 4]);

  const rows: (Slice | null)[] = [null, slice(2)];
  const promised: Selection = shape.map((_, i): SelectionEntry => (i === 0 ? 1 : null));
  const chunks = [
    await get(array),
    await get(array, null),
    await get(array, [slice(0, 2), null]),
    await get(array, [0, slice(2)]),
    await get(array, [null, 0]),
    await get(array, ["..."]),
    await get(array, [0, "...", null]),
    await get(array, [null, "...", 0]),
    await get(array, rows),
    await get(array, promised),
    await get(array, select(array, { y: 0, x: slice(1) })),
    await get(array, select(array, {})),
  ] as const;
  expectTypeOf(chunks[2]).toEqualTypeOf<Float32Chunk>();
  expectTypeOf<(typeof chunks)[number]>().toEqualTypeOf<Float32Chunk>();
  expect(chunks.map(({ data }) => data.length)).toEqual([6, 6, 6, 2, 2, 6, 3, 2, 4, 3, 1, 6]);

  const entries: SelectionEntry[] = [0, 1];
  const selection: Selection = entries;
  const some: [number, number | null] = [0, 1];
  // Of these TypeScript does not know either, but programs for zarrita rely on it.
  const taken = [await get(array, entries), await get(array, selection)] as const;
  expectTypeOf<(typeof taken)[number]>().toEqualTypeOf<Float32Chunk>();

  // Nor of names: which dimensions are left only the array knows, and mostly one is.
  const row = await get(array, select(array, { y: 0 }));
  expectTypeOf(row).toEqualTypeOf<Float32Chunk>();
  expect(row.data).toHaveLength(3);
  expect(await get(array, select(array, { y: 0, x: 1 }))).toBe(row.data[1]);

  const either = [
    await get(array, some),
    await get(array, [0, 1, "..."]),
    await get(array, [0, "..."]),
  ] as const;
  expectTypeOf<(typeof either)[0]>().toEqualTypeOf<number | Float32Chunk>();
  expectTypeOf<(typeof either)[1]>().toEqualTypeOf<number | Float32Chunk>();
  expectTypeOf<(typeof either)[2]>().toEqualTypeOf<number | Float32Chunk>();
  expect(either.map(isChunk)).toEqual([false, false, true]);

  // The one exception: of an array without dimensions everything is the scalar, and TypeScript does not know
  // the rank.
  const point = await create(store(), { shape: [], dtype: "float32", fillValue: 4 });
  const all = await get(point);
  expectTypeOf(all).toEqualTypeOf<Float32Chunk>();
  expect(all).toBe(4);
});

it("of elements that are no box", async () => {
  const array = await create(store(), { shape: [3, 2], dtype: "int16" });
  await setOrthogonal(array, [[2, 0], null], Int16Array.of(1, 2, 3, 4));
  await setCoordinates(
    array,
    [
      [1, 1],
      [0, 1],
    ],
    { data: [5, 6], shape: [2] },
  );
  const points = (await getCoordinates(array, [[0, 1, 2], 1])).data;
  const crossings = (await getOrthogonal(array, [[1], null])).data;
  expectTypeOf(points).toEqualTypeOf<Int16Array>();
  expectTypeOf(crossings).toEqualTypeOf<Int16Array>();
  expect([points, crossings]).toEqual([Int16Array.of(4, 6, 2), Int16Array.of(5, 6)]);
  const texts = await create(store(), { shape: [2], dtype: "string" });
  await setCoordinates(texts, [[1]], ["a"]);
  expectTypeOf((await getCoordinates(texts, [[0]])).data).toEqualTypeOf<string[]>();
  // @ts-expect-error: no text fits
  await expect(setCoordinates(array, [[0], [0]], "a")).rejects.toThrow("int16");
});
