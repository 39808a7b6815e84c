/**
 * Options that a function does not take are refused with the nearest that it does: JavaScript would ignore
 * them.
 */
import { describe, expect, expectTypeOf, test } from "vitest";
import { create, get, getChunk, getCoordinates, getOrthogonal, open, read, set } from "../../src/index.js";
import { copyNode } from "../../src/main/copy.js";
import type {
  GetCoordinatesOptions,
  GetOrthogonalOptions,
  ReadSlabsOptions,
} from "../../src/main/reading.js";
import { rejection } from "./untyped.js";

const array = await create(new Map<string, Uint8Array>(), { shape: [4], dtype: "int32" });

const calls = {
  create: (options: never) => create(new Map(), options),
  get: (options: never) => get(array, null, options),
  getOrthogonal: (options: never) => getOrthogonal(array, [[1]], options),
  getCoordinates: (options: never) => getCoordinates(array, [[1]], options),
  read: (options: never) => read(array, null, options).next(),
  set: (options: never) => set(array, null, 1, options),
} as const;
const ofArray = { shape: [4], dtype: "int8" };

describe("an option that is none", () => {
  test.each([
    ["create", { ...ofArray, chunks: [2] }, '"chunkShape"'],
    ["create", { ...ofArray, chunkShape: [2], chunk_shape: [2] }, '"chunkShape"'],
    ["create", { ...ofArray, chunkshape: [2] }, '"chunkShape"'],
    ["create", { ...ofArray, compressor: null }, '"codecs"'],
    ["create", { ...ofArray, data_type: "int8" }, '"dtype"'],
    ["create", { ...ofArray, fillValue: 1, fill_value: 1 }, '"fillValue"'],
    ["create", { ...ofArray, atributes: {} }, '"attributes"'],
    ["create", { attrs: {} }, '"attributes"'],
    ["get", { concurency: 1 }, '"concurrency"'],
    ["get", { singal: undefined, signals: {} }, '"signal"'],
    ["getOrthogonal", { concurency: 1 }, '"concurrency"'],
    ["getCoordinates", { worker: {} }, '"workers"'],
    ["read", { maxBytes: 1, maximumBites: 1 }, "maximumBytes"],
    ["set", { write_empty_chunks: true }, '"writeEmptyChunks"'],
  ] as const)("%s(%o)", async (name, options, nearest) => {
    expect(await rejection(calls[name], [options])).toMatchObject({
      tag: "InvalidArgumentError",
      message: expect.stringContaining(nearest),
    });
  });

  test("that is like no other: those there are", async () => {
    expect(await rejection(calls.set, [{ colour: "red" }])).toMatchObject({
      message: expect.stringContaining('set has no option "colour": expected one of signal, concurrency'),
    });
  });
});

describe("as, of reads that give elements as they are stored", () => {
  test.each(["getOrthogonal", "getCoordinates", "read"] as const)("%s", async (name) => {
    expect(await rejection(calls[name], [{ as: "float32" }])).toMatchObject({
      tag: "InvalidArgumentError",
      message: `${name} has no option "as"; read elements as another type with get or getChunk`,
    });
  });

  test("is no option of their types either, also beside others", () => {
    type Options = GetOrthogonalOptions<"int32"> & GetCoordinatesOptions<"int32"> & ReadSlabsOptions<"int32">;
    expectTypeOf<Options["as"]>().toEqualTypeOf<undefined>();
    expectTypeOf<{ signal: AbortSignal; as: "float32" }>().not.toExtend<GetOrthogonalOptions<"int32">>();
    expectTypeOf<{ signal: AbortSignal; as: "float32" }>().not.toExtend<GetCoordinatesOptions<"int32">>();
    expectTypeOf<{ signal: AbortSignal; as: "float32" }>().not.toExtend<ReadSlabsOptions<"int32">>();
  });
});

describe("an option that belongs to as, without as", () => {
  const both = { get: calls.get, getChunk: (options: never) => getChunk(array, [0], options) };
  test.each([
    ["get", { scale: 0.01 }, "scale"],
    ["get", { as: "column", missing: -9999, offset: undefined }, "missing"],
    ["getChunk", { statistics: true }, "statistics"],
    ["getChunk", { concurrency: 1, window: [0, 1] }, "window"],
  ] as const)("%s(%o)", async (name, options, option) => {
    expect(await rejection(both[name], [options])).toMatchObject({
      tag: "InvalidArgumentError",
      message: `${name}: ${option} needs the option as, the type of the result: { as: "float32", ${option}: ... }`,
    });
  });

  test("another name that getChunk does not take", async () => {
    expect(await rejection(both.getChunk, [{ sclae: 2 }])).toMatchObject({ tag: "InvalidArgumentError" });
  });
});

test("options of an array without a shape", async () => {
  expect(await rejection(calls.create, [{ codecs: [] }])).toMatchObject({
    tag: "InvalidArgumentError",
    message: "shape: expected a list of lengths, because codecs is an option of arrays, got undefined",
  });
});

test("null in place of options", async () => {
  for (const call of Object.values(calls)) {
    expect(await rejection(call, [null])).toMatchObject({ tag: "InvalidArgumentError" });
  }
});

test("what counts as not given, zarrita's names, and instances of classes are taken", async () => {
  class Options {
    readonly concurrency = 1;
    readonly ours = true;
  }
  const inJavaScript: readonly object[] = [
    { concurency: undefined },
    { createQueue: () => undefined, opts: {}, useSharedArrayBuffer: false },
    new Options(),
    Object.create({ concurrency: 1 }),
  ];
  for (const options of inJavaScript) expect((await get(array, null, options)).shape).toEqual([4]);
});

test("attributes of another node are attributes of a new one", async () => {
  const other = await create(new Map(), { attributes: { units: "K" } });
  const group = await create(new Map(), { attributes: other.attrs });
  const target = new Map<string, Uint8Array>();
  await copyNode(array, target, { attributes: group.attrs });
  expect((await open(target)).attrs).toEqual({ units: "K" });
  expect(await rejection(calls.create, [{ ...ofArray, attributes: { now: new Date() } }])).toMatchObject({
    tag: "InvalidArgumentError",
  });
});
