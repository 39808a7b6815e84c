/**
 * Types as programs for zarrita have them: what is here has to compile with `zarrita` in place of `wazarr`,
 * too.
 */
import { expect, expectTypeOf, test } from "vitest";
import type * as zarrita from "zarrita";
import * as zarr from "../../src/index.js";
import { rangeOf } from "../setup/stores.js";

/** As an application declares what it takes. */
async function firstRow(array: zarr.Array<zarr.DataType, zarr.Readable>): Promise<zarr.Chunk<zarr.DataType>> {
  const selection = array.shape.map((_, d) => (d === 0 ? 0 : null));
  return zarr.get(array, selection);
}
function isImage(array: zarr.Array<zarr.DataType>): array is zarr.Array<zarr.Uint8 | zarr.Uint16> {
  return array.is("uint8") || array.is("uint16");
}
const countOf = (array: zarr.Array<zarr.NumberDataType>): number => array.shape.reduce((a, b) => a * b, 1);

class Values implements zarr.AsyncReadable {
  readonly values = new Map<string, Uint8Array>();
  async get(key: zarr.AbsolutePath, options?: zarr.GetOptions): Promise<Uint8Array | undefined> {
    options?.signal?.throwIfAborted();
    return this.values.get(key);
  }
  async getRange(key: zarr.AbsolutePath, range: zarr.RangeQuery): Promise<Uint8Array | undefined> {
    return rangeOf(this.values.get(key), range);
  }
}

async function written(): Promise<Values> {
  const store = new Values();
  const array = await zarr.create(store.values, { dtype: "uint16", shape: [2, 3], chunkShape: [2, 2] });
  expectTypeOf(array).toEqualTypeOf<zarr.Array<"uint16", Map<string, Uint8Array>>>();
  await zarr.set(array, null, { data: Uint16Array.of(1, 2, 3, 4, 5, 6), shape: [2, 3], stride: [3, 1] });
  return store;
}

test("arrays, chunks and narrowing", async () => {
  const store = await written();
  const array = await zarr.open(store, { kind: "array" });
  const { data }: { data: zarr.TypedArray<zarr.DataType> } = await firstRow(array);
  expect(data).toEqual(Uint16Array.of(1, 2, 3));
  const shape: number[] = array.shape;
  shape.push(7);
  expect((await zarr.get(array)).shape).toEqual([2, 3]);
  if (array.is("number")) expect(countOf(array)).toBe(2 * 3 * 7);
  const image: zarr.Array<zarr.DataType> = array;
  if (!isImage(image)) throw new Error("expected an image");
  const chunk = await image.getChunk([0, 0], { signal: new AbortController().signal });
  expectTypeOf(chunk.data).toEqualTypeOf<Uint8Array | Uint16Array>();
  expect(chunk.data).toEqual(Uint16Array.of(1, 2, 4, 5));
  const chunks: number[] = array.chunks;
  expect([chunks, array.chunks === chunks]).toEqual([[2, 2], true]);
});

test("extensions know what they extend", async () => {
  const calls: number[][] = [];
  const withLog = zarr.defineArrayExtension((array, log: { label: string }) => ({
    async getChunk(coordinates, options) {
      calls.push(coordinates);
      return array.getChunk(coordinates, options);
    },
    label: log.label,
  }));
  const withExtensions = zarr.defineStoreExtension((inner, prefix: { path: string } = { path: "/" }) => ({
    async get(key, options) {
      const value = key.startsWith(prefix.path) ? await inner.get(key, options) : undefined;
      return value?.slice();
    },
    arrayExtensions: [(array) => withLog(array, { label: "from the store" })],
  }));
  const store = zarr.extendStore(await written(), withExtensions, (s) => zarr.withByteCaching(s));
  const array = await zarr.open(store, { kind: "array" });
  const again = zarr.extendArray(array, (a) => withLog(a, { label: "again" }));
  expectTypeOf(again.label).toEqualTypeOf<string>();
  const typed: zarr.Array<zarr.DataType, typeof store> = again;
  await zarr.get(typed, [0, 0]);
  expect(calls).toEqual([
    [0, 0],
    [0, 0],
  ]);
  expect(again.label).toBe("again");
});

interface Plate {
  readonly name: string;
  readonly wells: readonly { path: string }[];
}
const isPlate = (attributes: zarr.Attributes): attributes is { plate: Plate } => "plate" in attributes;
const nameOf = (array: zarr.TypedArray<"int16" | "float32">): string => {
  const made = array.constructor as zarr.TypedArrayConstructor<"int16" | "float32">;
  return made.name;
};
/** As viewers declare what they hold. */
type Opened = zarr.Group<zarr.FetchStore | zarr.Listable<zarr.FetchStore>>;

test("attributes are taken for what an application knows them to be", async () => {
  const group = await zarr.create(new Map<string, Uint8Array>(), {
    attributes: { plate: { name: "p", wells: [{ path: "A/1" }] } },
  });
  const { plate } = group.attrs as { plate: Plate };
  expect(isPlate(group.attrs) && plate.wells[0]?.path).toBe("A/1");
});

test("dimension names are a list of the caller's own", async () => {
  const store = new Map<string, Uint8Array>();
  const dimensionNames = ["y", null];
  const array = await zarr.create(store, { dtype: "int8", shape: [2, 3], dimensionNames });
  const names: (string | null)[] = array.dimensionNames ?? [];
  names.reverse();
  expect(array.dimensionNames).toEqual(["y", null]);
});

test("a selection of unknown type is taken to give a chunk", async () => {
  const selection = JSON.parse('[0, { "start": 1, "stop": 3, "step": null }]');
  const array = await zarr.open((await written()).values, { kind: "array" });
  const chunk = await zarr.get(array, selection);
  expectTypeOf(chunk.shape).toEqualTypeOf<number[]>();
  expect([chunk.shape, nameOf(Int16Array.of(1))]).toEqual([[2], "Int16Array"]);
});

test("names that stand for the same types", () => {
  expectTypeOf<zarr.Attributes>().toEqualTypeOf<zarrita.Attributes>();
  expectTypeOf<zarr.Indices>().toEqualTypeOf<zarrita.Indices>();
  expectTypeOf<zarrita.TypedArrayConstructor<"int16">>().toExtend<zarr.TypedArrayConstructor<"int16">>();
  expectTypeOf<zarr.Listable<Values>>().toExtend<zarrita.Listable<Values>>();
  expectTypeOf<Opened["store"]>().toExtend<zarr.Readable>();
  expectTypeOf<zarr.Scalar<"int64">>().toEqualTypeOf<zarrita.Scalar<"int64">>();
  expectTypeOf<zarr.TypedArray<"float32">>().toEqualTypeOf<zarrita.TypedArray<"float32">>();
  expectTypeOf<zarr.BigintDataType>().toEqualTypeOf<zarrita.BigintDataType>();
  expectTypeOf<zarr.Int8 | zarr.Float64 | zarr.Bool | zarr.String>().toEqualTypeOf<
    zarrita.Int8 | zarrita.Float64 | zarrita.Bool | zarrita.String
  >();
  expectTypeOf<zarr.Slice>().toExtend<zarrita.Slice>();
  expectTypeOf<zarrita.Slice>().toExtend<zarr.Slice>();
  expectTypeOf<zarrita.AsyncReadable>().toExtend<zarr.Readable>();
  expectTypeOf<zarrita.Mutable>().toExtend<zarr.Readable & zarr.Writable>();
  expectTypeOf<zarr.AsyncMutable>().toExtend<zarrita.AsyncMutable>();
  expectTypeOf<Exclude<zarrita.NumberDataType, zarr.NumberDataType>>().toBeNever();
  expectTypeOf<zarr.FlushReport>().toExtend<zarrita.FlushReport>();
});
