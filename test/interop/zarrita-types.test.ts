/**
 * Types as programs for zarrita have them: what is here has to compile with `zarrita` in place of `wazarr`,
 * too.
 */
import { expect, expectTypeOf, test } from "vitest";
import * as zarrita from "zarrita";
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
  const names: string[] = array.dimensionNames ?? [];
  names.reverse();
  expect(array.dimensionNames).toEqual(["y", ""]);
  expect(array.metadata.dimensionNames).toEqual(["y", null]);
});

test("a selection of unknown type is taken to give a chunk", async () => {
  const selection = JSON.parse('[0, { "start": 1, "stop": 3, "step": null }]');
  const array = await zarr.open((await written()).values, { kind: "array" });
  const chunk = await zarr.get(array, selection);
  expectTypeOf(chunk.shape).toEqualTypeOf<number[]>();
  expect([chunk.shape, nameOf(Int16Array.of(1))]).toEqual([[2], "Int16Array"]);
});

/** Stores as applications declare them: with the options of `fetch`, or those of zarrita 0.6. */
class Fetching {
  readonly inner = new Map<string, Uint8Array>();
  async get(key: zarr.AbsolutePath, options?: RequestInit): Promise<Uint8Array | undefined> {
    options?.signal?.throwIfAborted();
    return this.inner.get(key);
  }
}
class Older implements zarr.AsyncReadable<{ signal?: AbortSignal }> {
  async get(_: string, options?: { signal?: AbortSignal }): Promise<Uint8Array | undefined> {
    options?.signal?.throwIfAborted();
    return undefined;
  }
}

test("a store may take the options of `fetch`", async () => {
  const store: zarr.Readable & Fetching = new Fetching();
  const older: zarr.Readable = new Older();
  await zarr.create(store.inner, { shape: [2], dtype: "int8" });
  const array = await zarr.open(zarr.root(store), { kind: "array" });
  expect((await zarr.get(array)).shape).toEqual([2]);
  await expect(zarr.open(older)).rejects.toMatchObject({ tag: "NotFoundError" });
  const http = new zarr.FetchStore("https://example.com");
  const init: RequestInit = { signal: AbortSignal.abort(new Error("stopped")), priority: "high" };
  await expect(http.get("/a", init)).rejects.toThrow("stopped");
  const answering = new zarr.FetchStore("https://example.com", { fetch: async () => new Response("ab") });
  const none: RequestInit = { signal: null };
  expect((await answering.get("/a", none))?.length).toBe(2);
});

test("factories may declare the store as one that returns promises", async () => {
  const withLog = zarr.defineStoreExtension((store: zarr.AsyncReadable, options: { log?: string[] } = {}) => {
    const overrides: Partial<zarr.AsyncReadable> = {
      get: (key, asked) => store.get(key, asked).finally(() => options.log?.push(key)),
    };
    return overrides;
  });
  // Helpers that take an AbortSignal are given `options.signal`, which is not null.
  const signals: (AbortSignal | undefined)[] = [];
  const note = (signal: AbortSignal | undefined) => signals.push(signal);
  const withSignals = zarr.defineStoreExtension((store: zarr.AsyncReadable) => ({
    get: ((key, asked) => {
      note(asked?.signal);
      return store.get(key, asked);
    }) as zarr.AsyncReadable["get"],
    getRange(key, range, asked) {
      note(asked?.signal);
      return store.getRange?.(key, range, asked) ?? Promise.resolve(undefined);
    },
  }));
  const log: string[] = [];
  const { values } = await written();
  await zarr.open(withLog(values, { log }), { kind: "array" });
  await zarr.open(withSignals(values), { kind: "array" });
  expect(signals.length).toBeGreaterThan(0);
  expect(log).toEqual(["/zarr.json"]);
});

const nameOfType = (dtype: zarr.DataType): string => dtype;

test("what `dtype` is, and which types have a typed array", async () => {
  const array = await zarr.open((await written()).values, { kind: "array" });
  expect(nameOfType(array.dtype)).toBe("uint16");
  if (!array.is("number")) throw new Error("expected numbers");
  const numbers: zarr.Array<zarr.NumberDataType> = array;
  const { data } = await zarr.get(numbers, [0, null]);
  const first: number | undefined = data[0];
  expect([first, ...Array.from(data)]).toEqual([1, 1, 2, 3]);
  expectTypeOf(data.BYTES_PER_ELEMENT).toEqualTypeOf<number>();

  const made = await zarr.create(new Map<string, Uint8Array>(), { shape: [1], dtype: "<f4" });
  expectTypeOf(made).toEqualTypeOf<zarr.Array<"float32", Map<string, Uint8Array>>>();
  expectTypeOf(made.dtype).toEqualTypeOf<"float32">();
  expectTypeOf(made.fillValue).toEqualTypeOf<number | null>();
  const chosen: zarr.DataType = made.dtype;
  const other = await zarr.create(new Map<string, Uint8Array>(), { shape: [1], dtype: `${chosen}` });
  expectTypeOf(other).toExtend<zarr.Array<zarr.DataType, Map<string, Uint8Array>>>();
});

test('numbers without a typed array are no "number"', async () => {
  for (const dtype of ["bfloat16", "int4"] as const) {
    const array = await zarr.create(new Map<string, Uint8Array>(), { shape: [1], dtype });
    expect([array.is("number"), array.is("number-like"), array.is(dtype)]).toEqual([false, true, true]);
  }
  const dtype = "datetime64[s]";
  const times = await zarr.create(new Map<string, Uint8Array>(), { shape: [1], dtype });
  expect([times.is("bigint"), times.is("bigint-like")]).toEqual([false, true]);
});

test('objects of v2 are "v2:object", which readers of AnnData ask for, and strings as well', async () => {
  const store = new Map<string, Uint8Array>();
  await zarr.create(store, { shape: [2], dtype: "string", zarrFormat: 2 });
  const array = await zarr.open(store, { kind: "array" });
  expect([array.dtype, array.dataType.name]).toEqual(["v2:object", "string"]);
  for (const query of ["object", "string", "v2:object"] as const) expect(array.is(query), query).toBe(true);
  await zarr.set(array, null, { data: ["a", "b"], shape: [2], stride: [1] });
  if (array.is("object")) expectTypeOf((await zarr.get(array)).data).toEqualTypeOf<unknown[]>();
  const theirs = await zarrita.open(new Map(store), { kind: "array" });
  expect([theirs.dtype, theirs.is("object")]).toEqual(["v2:object", true]);
  const json = { zarr_format: 2, shape: [1], chunks: [1], dtype: "|O", order: "C", fill_value: null };
  const document = JSON.stringify({ ...json, compressor: null, filters: [{ id: "json2" }] });
  store.set("/.zarray", new TextEncoder().encode(document));
  const any = await zarr.open(store, { kind: "array" });
  expect([any.dtype, any.is("object"), any.is("string")]).toEqual(["v2:object", true, false]);
  const v3 = await zarr.create(new Map<string, Uint8Array>(), { shape: [2], dtype: "string" });
  expect([v3.dtype, v3.is("object"), v3.is("string")]).toEqual(["string", false, true]);
});

/** As applications ask a store whether its metadata are consolidated. */
const isListable = <S extends zarr.Readable>(store: S): store is zarr.Listable<S> => "contents" in store;

type Entries = { path: zarr.AbsolutePath; kind: "array" | "group" }[];

test("codecs as applications describe them to their workers", async () => {
  const described: zarr.CodecMetadata[] = [];
  const { id, ...configuration }: { id: string } & Record<string, unknown> = { id: "zstd", level: 5 };
  described.push({ name: id, configuration });
  const names = described.map(async (each) => {
    const entry = await zarr.registry.get(each.name)?.();
    return entry !== undefined;
  });
  expect(await Promise.all(names)).toEqual([true]);
});

test("the rest of what applications declare", async () => {
  const { values } = await written();
  const array = await zarr.open(values, { kind: "array" });
  // biome-ignore lint/suspicious/noExplicitAny: as an application has it
  const selection: any[] = [0, zarr.slice(0, 2)];
  const chunk = await zarr.get(array, selection);
  expectTypeOf(chunk.shape).toEqualTypeOf<number[]>();
  expect(chunk.shape).toEqual([2]);
  const listed = await zarr.withMaybeConsolidatedMetadata(values);
  expect(isListable(listed)).toBe(false);
  const listable: (store: zarr.Listable<zarr.Readable>) => Entries = (store) => store.contents();
  expect(listable({ get: () => undefined, contents: () => [] })).toEqual([]);
  // As an application narrows a store itself, and hands the list on.
  type Consolidated = zarr.Readable & { contents(): Entries };
  const entriesOf = (store: zarr.Readable): Entries => (store as Consolidated).contents();
  const some: Consolidated = { get: () => undefined, contents: () => [{ path: "/a", kind: "array" }] };
  expect(entriesOf(some)).toEqual([{ path: "/a", kind: "array" }]);
  zarr.registry.set("test.declared", async () => ({
    fromConfig: (_: unknown, meta: zarr.ChunkMetadata) => {
      const dtype: zarr.DataType = meta.dataType;
      throw new Error(dtype);
    },
  }));
  zarr.registry.delete("test.declared");
  const entry = await zarr.registry.get("zstd")?.();
  const bytes: Uint8Array | undefined = await entry
    ?.fromConfig({}, { dataType: "int8", shape: [1], codecs: [], fillValue: null })
    .encode(new Uint8Array(3));
  expect(bytes?.length).toBeGreaterThan(3);
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
