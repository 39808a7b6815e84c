/** Extensions in front of arrays: what replaces `getChunk` is what every read goes through. */
import { describe, expect, expectTypeOf, test } from "vitest";
import {
  type ArrayExtension,
  type Chunk,
  create,
  type DataType,
  defineArrayExtension,
  defineStoreExtension,
  extendArray,
  type GetOptions,
  get,
  getChunk,
  getOrthogonal,
  isZarrError,
  open,
  read,
  root,
  set,
  slice,
  Array as ZarrArray,
} from "../../src/index.js";
import { verify } from "../../src/main/copy.js";
import { WorkerPool } from "../../src/workers/pool.js";
import { kinds, made } from "./kinds.js";

type Values = Map<string, Uint8Array>;

/** Counts the chunks that are asked for, and gives them as they are. */
const counted = () => {
  const calls: string[] = [];
  const extension = defineArrayExtension((array) => ({
    async getChunk(coordinates, options) {
      calls.push(coordinates.join());
      return array.getChunk(coordinates, options);
    },
  }));
  return { calls, extension };
};

describe.each(kinds)("%s", (_, options, value) => {
  test("reads the same through getChunk", async () => {
    const array = await made(options, value);
    const { calls, extension } = counted();
    const extended = extension(array);
    expect(extended).toBeInstanceOf(ZarrArray);
    expect(await get(extended)).toEqual(await get(array));
    const [rows, columns] =
      array.dtype === "uint16" && array.metadata.chunkGrid.name !== "regular" ? [2, 2] : [3, 2];
    expect(calls.sort()).toEqual(
      Array.from({ length: rows * columns }, (__, i) => `${Math.floor(i / columns)},${i % columns}`),
    );
    const selection = [slice(4, 0, -2), slice(1, 6)];
    expect(await get(extended, selection)).toEqual(await get(array, selection));
    expect(await get(extended, [3, 5])).toEqual(await get(array, [3, 5]));
    expect(await getChunk(extended, [0, 1])).toEqual(await getChunk(array, [0, 1]));
    expect(await extended.getChunk([1, 0])).toEqual(await array.getChunk([1, 0]));
    const lists = [
      [4, 0, 0],
      [true, false, false, true, false, false, false],
    ];
    expect(await getOrthogonal(extended, lists)).toEqual(await getOrthogonal(array, lists));
  });
});

describe("what getChunk gives", () => {
  const numbers = (): Promise<ZarrArray> => made({ dtype: "int16" }, (i) => i);
  const reads = async (chunk: (coordinates: readonly number[]) => unknown) => {
    const extension = defineArrayExtension((array) => ({
      async getChunk(coordinates) {
        return Object.assign(await array.getChunk(coordinates), chunk(coordinates));
      },
    }));
    return get(extension(await numbers()));
  };
  const all = Int16Array.from({ length: 35 }, (_, i) => i);

  test("may have any strides", async () => {
    const { data, stride } = await reads(([row = 0, column = 0]) => ({
      data: Int16Array.from({ length: 9 }, (_, i) => {
        const [x, y] = [Math.floor(i / 2), i % 2];
        return i < 8 ? (2 * row + y) * 7 + 4 * column + x : -1;
      }),
      stride: [1, 2],
    }));
    expect(data).toEqual(all);
    expect(stride).toEqual([7, 1]);
  });

  test("may end where the array does", async () => {
    const { data } = await reads(([row = 0, column = 0]) => {
      const [height, width] = [row === 2 ? 1 : 2, column === 1 ? 3 : 4];
      return {
        data: Int16Array.from(
          { length: height * width },
          (_, i) => (2 * row + Math.floor(i / width)) * 7 + 4 * column + (i % width),
        ),
        shape: [height, width],
        stride: [width, 1],
      };
    });
    expect(data).toEqual(all);
  });

  test.each([
    ["too few elements", { data: new Int16Array(7) }],
    ["too long a chunk", { data: new Int16Array(12), shape: [3, 4] }],
    ["values that are no int16", { data: [1, 2, 3, 4, 5, 6, 7, 1.5] }],
    ["nothing", { data: undefined }],
  ])("%s are an error", async (_, chunk) => {
    const error: unknown = await reads(() => chunk).catch((reason: unknown) => reason);
    expect(isZarrError(error, "InvalidArgumentError"), String(error)).toBe(true);
  });

  test("failures and aborts are those of the read", async () => {
    const broken = defineArrayExtension(() => ({
      async getChunk() {
        throw new Error("broken");
      },
    }));
    await expect(get(broken(await numbers()))).rejects.toThrow("broken");
    const signals: (AbortSignal | undefined)[] = [];
    const waiting = defineArrayExtension(() => ({
      getChunk: (_coordinates, options) =>
        new Promise<Chunk>((_, reject) => {
          signals.push(options?.signal);
          options?.signal?.addEventListener("abort", () => reject(options.signal?.reason));
        }),
    }));
    const controller = new AbortController();
    const reading = get(waiting(await numbers()), null, { signal: controller.signal });
    setTimeout(() => controller.abort(new Error("enough")), 10);
    await expect(reading).rejects.toThrow("enough");
    expect(signals.length).toBeGreaterThan(0);
  });
});

describe("extended arrays", () => {
  test("keep decoded chunks, with what else the extension gives", async () => {
    const array = await made({ dtype: "int16" }, (i) => i);
    const { calls, extension } = counted();
    const withCache = defineArrayExtension((inner, cache: Map<string, Chunk<DataType>>) => ({
      async getChunk(coordinates, options) {
        const key = coordinates.join();
        const chunk = cache.get(key) ?? (await inner.getChunk(coordinates, options));
        cache.set(key, chunk);
        return chunk;
      },
      get kept() {
        return cache.size;
      },
    }));
    const cached = extendArray(array, extension, (a) => withCache(a, new Map()));
    expectTypeOf(cached.kept).toEqualTypeOf<number>();
    expect(cached.kept).toBe(0);
    for (let i = 0; i < 2; i++) expect((await get(cached)).data).toEqual((await get(array)).data);
    expect([cached.kept, calls.length]).toEqual([6, 6]);
    let count = 0;
    for await (const { data } of read(cached)) count += data instanceof Int16Array ? data.length : 0;
    expect([count, calls.length]).toEqual([35, 6]);
    expect([cached.shape, cached.chunks, cached.dtype, cached.path]).toEqual([[5, 7], [2, 4], "int16", "/"]);
    expect(cached.is("int16")).toBe(true);
  });

  test("are written as if nothing stood in front", async () => {
    const array = await made({ dtype: "int16" }, (i) => i);
    const zeros = defineArrayExtension((inner) => ({
      async getChunk(coordinates) {
        const chunk = await inner.getChunk(coordinates);
        return { ...chunk, data: new Int16Array(8) };
      },
    }));
    const extended = extendArray(array, zeros, counted().extension);
    if (!extended.is("int16")) throw new Error("expected int16");
    await set(extended, [0, 0], 99);
    expect((await get(extended)).data).toEqual(new Int16Array(35));
    expect(Int16Array.from({ length: 35 }, (_, i) => (i === 0 ? 99 : i))).toEqual((await get(array)).data);
  });

  test("hand the options that say how chunks are read on to getChunk", async () => {
    const array = await made({ dtype: "string" }, (i) => `${i}`);
    const given: (GetOptions | undefined)[] = [];
    const noted = defineArrayExtension((inner) => ({
      getChunk(coordinates, options) {
        given.push(options);
        return inner.getChunk(coordinates, options);
      },
    }));
    const extended = noted(noted(array));
    const workers = new WorkerPool({ size: 1 });
    const options = { workers, concurrency: 3, coalesce: { maximumGap: 5 }, invalidText: "replace" } as const;
    const reads = [
      () => get(extended, null, options),
      () => getChunk(extended, [0, 0], options),
      () => extended.getChunk([0, 0], options),
      () => getOrthogonal(extended, [[0], [0]], options),
      () => read(extended, null, options).next(),
    ];
    for (const each of reads) {
      given.length = 0;
      await each();
      expect(given.length).toBeGreaterThan(1);
      for (const got of given) expect(got).toMatchObject(options);
    }
    given.length = 0;
    await get(extended, [0, 0], { onProgress: () => {} });
    for (const got of given) {
      expect(got?.signal).toBeInstanceOf(AbortSignal);
      expect([got?.workers, got?.concurrency, got?.onProgress]).toEqual([undefined, undefined, undefined]);
    }
    expect(given).toHaveLength(2);
    await workers.close();
  });

  test("ask once for a chunk that several reads want at the same time", async () => {
    const array = await made({ dtype: "int16" }, (i) => i);
    const { calls, extension } = counted();
    const extended = extension(array);
    await Promise.all([get(extended), get(extended)]);
    expect(calls).toHaveLength(6);
  });

  test("without extensions are the array, and without getChunk read as it", async () => {
    const array = await made({ dtype: "int16" }, (i) => i);
    expect(extendArray(array)).toBe(array);
    const named = defineArrayExtension(async () => ({ units: "K" }));
    const later = named(array);
    expectTypeOf(later).resolves.toHaveProperty("units").toEqualTypeOf<string>();
    expect(later).toBeInstanceOf(Promise);
    expect((await later).units).toBe("K");
    expect(await get(await later)).toEqual(await get(array));
  });

  test("of a factory that gives nothing are an error", async () => {
    const array = await made({ dtype: "int16" }, (i) => i);
    const extension: unknown = Reflect.apply(defineArrayExtension, undefined, [() => undefined]);
    if (typeof extension !== "function") throw new Error("expected a function");
    expect(() => Reflect.apply(extension, undefined, [array])).toThrow("expected an object of members");
  });
});

describe("arrayExtensions of a store", () => {
  const tagged = (order: string[], tag: string): ArrayExtension =>
    defineArrayExtension((array) => ({
      async getChunk(coordinates, options) {
        order.push(tag);
        return array.getChunk(coordinates, options);
      },
    }));

  test("stand in front of every array that is opened, the store's own inside", async () => {
    const store: Values = new Map();
    await create(store);
    await create(root(store).resolve("a"), { shape: [2], dtype: "int8", fillValue: 3 });
    const order: string[] = [];
    const withInner = defineStoreExtension(() => ({ arrayExtensions: [tagged(order, "inner")] }));
    const withOuter = defineStoreExtension(() => ({
      arrayExtensions: [async (array) => tagged(order, "outer")(array)],
    }));
    const extended = withOuter(withInner(store));
    const group = await open(extended, { kind: "group" });
    const array = await open(group.resolve("a"), { kind: "array" });
    expect((await get(array)).data).toEqual(Int8Array.of(3, 3));
    expect(order).toEqual(["outer", "inner"]);
    expect((await open.v3(group.resolve("a"))).kind).toBe("array");
    const problems: unknown[] = [];
    await verify(extended, { onProblem: (problem) => problems.push(problem) });
    expect(problems).toEqual([]);
  });

  test("that give no array are an error", async () => {
    const store: Values = new Map();
    await create(store, { shape: [2], dtype: "int8" });
    for (const extension of [() => undefined, "text", async () => ({})]) {
      const error: unknown = await open(
        Object.assign(new Map(store), { arrayExtensions: [extension] }),
      ).catch((reason: unknown) => reason);
      expect(isZarrError(error, "InvalidArgumentError")).toBe(true);
    }
  });
});
