import fc from "fast-check";
import { afterAll, describe, expect, expectTypeOf, test } from "vitest";
import { loadExtraDataTypes } from "../../src/data-types/registry.js";
import { bytesOfView } from "../../src/data-types/typed-array.js";
import { setKernels } from "../../src/extend.js";
import { create, defineArrayExtension, get, getChunk, type Selection, set, slice } from "../../src/index.js";
import { ChunkCache } from "../../src/main/caches.js";
import { parseDataType } from "../../src/main/data-types.js";
import type { DrawOptions, Statistics } from "../../src/main/reading.js";
import { firstDifference } from "../kernels/reference.js";
import { SlowStore } from "../setup/stores.js";
import { drawn, histogramOf, statisticsOf } from "./drawn-oracle.js";
import { anyEntry } from "./selections.js";

await loadExtraDataTypes();

const DTYPES = [
  ...(["bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"] as const),
  ...(["float16", "bfloat16", "float32", "float64"] as const),
  ...(["int2", "uint2", "int4", "uint4", "float4_e2m1fn", "float6_e3m2fn"] as const),
  ...(["float8_e4m3", "float8_e5m2", "float8_e8m0fnu"] as const),
];
const TYPES = [
  ...(["float16", "float32", "float64", "int8", "int16", "int32"] as const),
  ...(["uint8", "uint16", "uint32"] as const),
];
type Dtype = (typeof DTYPES)[number];

/** Numbers that are short in every type, and such as make trouble in floats and at the ends of integers. */
function scalarOf(dtype: Dtype, index: number): unknown {
  if (dtype === "bool") return index % 3 === 1;
  const [least = 0n, most = 0n] = rangeOf(dtype);
  if (dtype.endsWith("64") && !dtype.startsWith("float")) {
    return [BigInt(index), least, most, most - 1n, 2n ** 53n + 1n][index % 5];
  }
  if (!dtype.includes("float")) return [index % 100, Number(least), Number(most), 7][index % 4];
  const special = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -0, 0.5, -1.5, 1e3];
  return index % 2 === 0 ? index / 4 : special[index % special.length];
}

function rangeOf(dtype: Dtype): readonly bigint[] {
  const bits = BigInt(/\d+$/.exec(dtype)?.[0] ?? 8);
  return dtype.startsWith("u") ? [0n, 2n ** bits - 1n] : [-(2n ** (bits - 1n)), 2n ** (bits - 1n) - 1n];
}

const arrays = fc.integer({ min: 0, max: 3 }).chain((rank) =>
  fc.record({
    shape: fc.array(fc.integer({ min: 0, max: 13 }), { minLength: rank, maxLength: rank }),
    chunkShape: fc.array(fc.integer({ min: 1, max: 5 }), { minLength: rank, maxLength: rank }),
    permutation: fc.shuffledSubarray(
      Array.from({ length: rank }, (_, i) => i),
      { minLength: rank, maxLength: rank },
    ),
    dtype: fc.constantFrom(...DTYPES),
    endian: fc.constantFrom("little" as const, "big" as const),
    codec: fc.constantFrom("none", "zstd", "gzip", "blosc"),
    isSharded: fc.boolean(),
    isSlow: fc.boolean(),
    isCached: fc.boolean(),
  }),
);
type AnyArray = typeof arrays extends fc.Arbitrary<infer Value> ? Value : never;

const conversions = fc.record({
  as: fc.constantFrom(...TYPES),
  missing: fc.subarray([0, 7, 2, -1.5, 255, -32768, 2n ** 53n + 1n]),
  scale: fc.option(fc.constantFrom(1, 0.1, -3, 1e-5), { nil: undefined }),
  offset: fc.option(fc.constantFrom(0, 0.3, -100), { nil: undefined }),
  window: fc.option(fc.constantFrom([0, 100] as const, [-3.5, 0.25] as const), { nil: undefined }),
  missingAs: fc.option(fc.constantFrom(0, 9), { nil: undefined }),
});

async function filled({ shape, chunkShape, permutation, dtype, endian, codec, isSharded, isSlow }: AnyArray) {
  const map = new Map<string, Uint8Array>();
  const array = await create(isSlow ? new SlowStore(map) : map, {
    shape,
    chunkShape,
    dtype: parseDataType(dtype),
    fillValue: /int[24]$|float[468]_/.test(dtype) ? 1 : scalarOf(dtype, 7),
    ...(isSharded ? { shards: chunkShape.map((length) => 2 * length) } : {}),
    codecs: [
      { name: "transpose", configuration: { order: permutation } },
      { name: "bytes", configuration: { endian } },
      ...(codec === "none" ? [] : [codec]),
    ],
  });
  // The rest of the chunks is missing.
  const written = shape.map((length) => Math.ceil(length * 0.7));
  const count = written.reduce((product, length) => product * length, 1);
  const { dataType } = array;
  const bytes = new Uint8Array(count * dataType.itemSize);
  for (let i = 0; i < count; i++) {
    const at = i * dataType.itemSize;
    if (/int[24]$|float[468]_/.test(dtype)) bytes[i] = i * 37;
    else dataType.writeScalar(dataType.cast(scalarOf(dtype, i)), bytes.subarray(at, at + dataType.itemSize));
  }
  if (count > 0 && shape.length > 0) {
    await set(
      array,
      written.map((length) => slice(0, length)),
      { data: dataType.view(bytes), shape: written },
    );
  }
  return array;
}

interface AnyChunk {
  readonly data: Iterable<unknown>;
  readonly shape: number[];
  readonly stride: number[];
}
const isChunk = (result: unknown): result is AnyChunk =>
  typeof result === "object" && result !== null && "shape" in result;

describe.each(["wasm", "javascript"] as const)("any array, any selection, any conversion (%s)", (kernels) => {
  afterAll(() => setKernels("auto"));

  test("reads as a loop over the elements of a plain read", async () => {
    setKernels(kernels);
    const reads = arrays.chain((array) =>
      fc.record({
        array: fc.constant(array),
        selection: fc.tuple(...array.shape.map((length) => anyEntry(length, 15))),
        conversion: conversions,
      }),
    );
    await fc.assert(
      fc.asyncProperty(reads, async ({ array: given, selection, conversion }) => {
        const array = await filled(given);
        const { as, window } = conversion;
        const wanted = { ...conversion, window: as === "uint8" ? window : undefined };
        const whole: Selection = selection;
        const plain = await get(array, whole);
        const isScalar = !isChunk(plain);
        const stored = isScalar ? [plain] : [...plain.data];
        const { values, out } = drawn(stored, given.dtype, wanted);
        const histogram = { bins: 5, range: [-20, 60] } as const;
        const cache = given.isCached ? new ChunkCache({ maxBytes: 1 << 20 }) : undefined;
        const options: DrawOptions = { ...wanted, cache, ...(isScalar ? {} : { statistics: histogram }) };
        const result = await get(array, whole, options);
        if (isScalar) {
          expect(result).toBe(out[0]);
          return;
        }
        if (typeof result === "number" || !("statistics" in result)) throw new Error("expected a chunk");
        expect(result.shape).toEqual(plain.shape);
        expect(result.stride).toEqual(plain.stride);
        expect(result.data.constructor).toBe(out.constructor);
        expect(bytesOfView(result.data)).toEqual(bytesOfView(out));
        expect(result.statistics).toEqual({
          ...statisticsOf(values),
          histogram: histogramOf(values, 5, [-20, 60]),
        });
      }),
      { numRuns: 80 },
    );
  }, 60_000);
});

const numbers = async (options: { readonly chunkShape?: (number | number[])[] } = {}) => {
  const array = await create(new Map<string, Uint8Array>(), {
    shape: [6, 5],
    chunkShape: [4, 3],
    dtype: "int16",
    ...options,
  });
  await set(array, null, { data: Int16Array.from({ length: 30 }, (_, i) => i - 1), shape: [6, 5] });
  return array;
};

describe("memory of the result", () => {
  test("rows may be further apart than they are long, and what is between them stays", async () => {
    const array = await numbers();
    const data = new Uint8Array(100).fill(99);
    const out = { data, stride: [16, 1], offset: 3 };
    const result = await get(array, [slice(1, 5), null], { as: "uint8", offset: 1, out });
    expect(result.data).toBe(data);
    expect(result.stride).toEqual([16, 1]);
    const expected = new Uint8Array(100).fill(99);
    for (let i = 0; i < 20; i++) expected[3 + Math.floor(i / 5) * 16 + (i % 5)] = i + 5;
    expect(data).toEqual(expected);
  });

  test("an array of the result's type is filled, with a dimension dropped, in shared memory too", async () => {
    const array = await numbers();
    // Pages have none unless they are isolated from other origins.
    const hasShared = typeof SharedArrayBuffer === "function";
    const out = new Float32Array(hasShared ? new SharedArrayBuffer(20) : new ArrayBuffer(20));
    const result = await get(array, [2, null], { as: "float32", scale: 0.5, out });
    expect(result.data).toBe(out);
    expect([...out]).toEqual([4.5, 5, 5.5, 6, 6.5]);
    const shared = await get(array, [2, null], { as: "float64", shared: hasShared });
    if (hasShared) expect(shared.data.buffer).toBeInstanceOf(SharedArrayBuffer);
    expect([...shared.data]).toEqual([9, 10, 11, 12, 13]);
  });

  test.each([
    [new Float64Array(30), "expected a Float32Array"],
    [new Float32Array(29), "expected 30 elements, got 29"],
    [{ data: new Float32Array(100), stride: [4, 1] }, "strides in C order"],
    [{ data: new Float32Array(100), stride: [0, 1] }, "strides in C order"],
    [{ data: new Float32Array(100), stride: [20, 1] }, "stay within 100 elements"],
    [{ data: new Float32Array(29), stride: [5, 1] }, "stay within 29 elements"],
    [{ data: new Float32Array(40), stride: [5, 1], offset: 11 }, "from element 11"],
    [{ data: new Float32Array(40), stride: [5, 1], offset: -1 }, "from element -1"],
    [{ data: new Float32Array(40), stride: [1] }, "strides in C order"],
  ])("an `out` that does not fit is an InvalidArgumentError (%#)", async (out, message) => {
    const array = await numbers();
    const options: object = { as: "float32", out };
    const error = await get(array, null, options).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ tag: "InvalidArgumentError", message: expect.stringContaining(message) });
  });
});

test.each([
  [{ as: "float" }, 'as: expected "column" or one of float16, float32'],
  [{ as: "float32", window: [0, 1] }, "window: cannot be combined"],
  [{ as: "uint8", window: [1, 1] }, "window: expected [low, high] with low below high"],
  [{ as: "uint8", window: [0, 1e-320] }, "further apart"],
  [{ as: "uint8", missingAs: 256 }, "missingAs: expected an integer from 0 to 255"],
  [{ as: "uint8", missingAs: Number.NaN }, "missingAs"],
  [
    { as: "uint8", missingAs: Number.POSITIVE_INFINITY },
    "missingAs: expected a number in the range of uint8",
  ],
  [{ as: "float32", missingAs: 1e300 }, "missingAs: expected a number in the range of float32"],
  [{ as: "float32", scale: Number.POSITIVE_INFINITY }, "scale: expected a number in the range of float32"],
  [{ as: "float32", scale: Number.NaN }, "scale: expected a number"],
  [{ as: "float32", offset: 1e300 }, "offset: expected a number in the range of float32"],
  [{ as: "float32", missing: ["7"] }, "missing: expected numbers"],
  [{ as: "float32", statistics: { bins: 0, range: [0, 1] } }, "statistics.bins"],
  [{ as: "float32", statistics: { bins: 4 } }, "statistics.range"],
  [{ as: "float32", scales: 3 }, 'did you mean "scale"'],
  [{ as: "float32", safeIntegers: true }, "safeIntegers"],
  [{ scale: 3 }, "scale needs the option as"],
])("an option that is wrong is an InvalidArgumentError (%#)", async (options, message) => {
  const given: object = options;
  const error = await get(await numbers(), null, given).catch((caught: unknown) => caught);
  expect(error).toMatchObject({ tag: "InvalidArgumentError", message: expect.stringContaining(message) });
});

test.each(["complex64", "numpy.datetime64", "string"] as const)(
  "elements of %s are not converted: an UnsupportedError",
  async (dtype) => {
    const configuration = { name: dtype, configuration: { unit: "s", scale_factor: 1 } };
    const array = await create(new Map(), {
      shape: [2],
      dtype: parseDataType(dtype.startsWith("numpy") ? configuration : dtype),
    });
    const error = await get(array, null, { as: "float32" }).catch((caught: unknown) => caught);
    expect(error).toMatchObject({
      tag: "UnsupportedError",
      message: expect.stringContaining("as: cannot convert elements"),
    });
  },
);

test("statistics of no element, and of one", async () => {
  const array = await numbers();
  const none = await get(array, [slice(0, 0), null], { as: "float32", statistics: true });
  expect(none.statistics).toEqual({ ...statisticsOf([]), histogram: new Float64Array() });
  const number = await get(array, [0, 1], { as: "float32" });
  const one = await get(array, [0, 1], { as: "float32", statistics: true });
  expect(one).toMatchObject({ shape: [], stride: [], statistics: { count: 1, minimum: number } });
  expect([...one.data]).toEqual([number]);
  const missing = await get(array, [0, 1], { as: "float32", missing: number, statistics: true });
  expect(missing.statistics).toMatchObject({ count: 0, minimum: Number.NaN });
});

test.each(["float16", "float32", "float64"] as const)(
  "missing elements become infinities of %s",
  async (as) => {
    const array = await create(new Map(), { shape: [3], dtype: "int16" });
    await set(array, null, { data: Int16Array.of(1, -7, 3), shape: [3] });
    for (const missingAs of [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
      const { data, statistics } = await get(array, null, { as, missing: -7, missingAs, statistics: true });
      const bits = missingAs > 0 ? 0x7c00 : 0xfc00;
      expect(data[1]).toBe(as === "float16" ? bits : missingAs);
      expect(statistics).toMatchObject({ count: 2, minimum: 1, maximum: 3 });
    }
  },
);

test("an array without dimensions is converted as one of one element", async () => {
  const options = { as: "uint8", missing: -7, scale: 10, window: [0, 510], missingAs: 9 } as const;
  for (const [value, expected] of [
    [20, 100],
    [-7, 9],
  ] as const) {
    const none = await create(new Map(), { shape: [], dtype: "int16", endian: "big" });
    await set(none, null, value);
    const one = await create(new Map(), { shape: [1], dtype: "int16" });
    await set(one, null, value);
    expect([...(await get(one, null, options)).data]).toEqual([expected]);
    expect(await get(none, [], options)).toBe(expected);
    const counted = { ...options, statistics: { bins: 2, range: [0, 300] } } as const;
    const chunk = await getChunk(one, [0], counted);
    expect(await getChunk(none, [], counted)).toEqual({ ...chunk, shape: [], stride: [] });
  }
});

test.each([
  { shape: [3, 300, 400], selection: [null, slice(5, 290), slice(399, 10, -3)] },
  { shape: [200_000], selection: [slice(7, 199_000)] },
  { shape: [2, 70_000], selection: [null, null] },
])("long chunks are converted in parts (%#)", async ({ shape, selection }) => {
  const array = await create(new Map(), {
    shape,
    chunkShape: shape,
    dtype: "int16",
    endian: "big",
    codecs: ["zstd"],
  });
  const count = shape.reduce((product, length) => product * length, 1);
  await set(array, null, { data: Int16Array.from({ length: count }, (_, i) => (i * 31) % 997), shape });
  const stored = await get(array, selection);
  const { values, out } = drawn([...stored.data], "int16", { as: "float32", missing: [3], scale: 0.1 });
  const result = await get(array, selection, { as: "float32", missing: 3, scale: 0.1, statistics: true });
  expect(firstDifference(bytesOfView(result.data), bytesOfView(out))).toBe(-1);
  expect(result.statistics.count).toBe(values.filter((value) => !Number.isNaN(value)).length);
});

test("chunks of different lengths are converted as others are", async () => {
  const array = await numbers({ chunkShape: [[2, 4], [5]] });
  const stored = (await get(array)).data;
  const { values, out } = drawn([...stored], "int16", { as: "float32", missing: [3], scale: 0.1 });
  const result = await get(array, null, { as: "float32", missing: 3, scale: 0.1, statistics: true });
  expect(result.data).toEqual(out);
  expect(result.statistics).toMatchObject(statisticsOf(values));
});

describe("chunks", () => {
  test("getChunk converts a whole chunk, beyond the array's edge too", async () => {
    const array = await numbers();
    const chunk = await getChunk(array, [1, 1], { as: "float32", scale: 0.5, statistics: true });
    expectTypeOf(chunk.data).toEqualTypeOf<Float32Array>();
    const { data } = await getChunk(array, [1, 1]);
    expect([...chunk.data]).toEqual([...data].map((value) => value / 2));
    expect(chunk.shape).toEqual([4, 3]);
    expect(chunk.statistics).toMatchObject(statisticsOf([...chunk.data]));
    const half = await array.getChunk([1, 1]);
    expect(half.data).toEqual(data);
  });

  test("an extension's getChunk gives stored elements, and the read converts them once", async () => {
    const doubled = defineArrayExtension((inner) => ({
      async getChunk(coordinates, options) {
        const { data, ...place } = await inner.getChunk(coordinates, options);
        return { ...place, data: Int16Array.from(data as Int16Array, (value) => 2 * value) };
      },
    }))(await numbers());
    const result = await get(doubled, [0, null], { as: "float64", scale: 10 });
    expect([...result.data]).toEqual([-20, 0, 20, 40, 60]);
    const chunk = await getChunk(doubled, [0, 0], { as: "float64", scale: 10 });
    expect([...chunk.data.subarray(0, 3)]).toEqual([-20, 0, 20]);
  });
});

test("the types of results follow from `as`, `statistics` and the selection", async () => {
  const array = await numbers();
  expectTypeOf(await get(array, null, { as: "float16" })).toExtend<{ data: Uint16Array }>();
  expectTypeOf(await get(array, [0, 0], { as: "uint8" })).toEqualTypeOf<number>();
  const some = await get(array, [0, null], { as: "int8", statistics: true });
  expectTypeOf(some.data).toEqualTypeOf<Int8Array>();
  expectTypeOf(some.statistics).toEqualTypeOf<Statistics>();
  const none = await get(array, null, { as: "float32" });
  expectTypeOf(none).not.toHaveProperty("statistics");
  // @ts-expect-error memory of another type
  await expect(get(array, null, { as: "float32", out: new Uint8Array(30) })).rejects.toThrow("Float32Array");
  expect([none.data.length, some.data.length]).toEqual([30, 5]);
});
