import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { type ChunkLengths, setKernels } from "../../../src/extend.js";
import {
  create,
  get,
  getChunk,
  getOrthogonal,
  isZarrError,
  open,
  read,
  registry,
  set,
  slice,
} from "../../../src/index.js";
import type { Codec } from "../../../src/main/codecs.js";
import { BIG, BLOSC } from "../../setup/codecs.js";
import { SlowStore } from "../../setup/stores.js";
import { plain, positions } from "../reference.js";
import { chunkSizes, dimensions, expand, selectionOf } from "./arrays.js";

const CODECS = [[], ["gzip"], [BIG], [BLOSC, "crc32c"]] as const;

const cases = dimensions.chain((all) => {
  const shape = all.map(({ extent }) => extent);
  return fc.record({
    all: fc.constant(all),
    shape: fc.constant(shape),
    codecs: fc.constantFrom(...CODECS),
    isSharded: fc.boolean(),
    order: fc.constantFrom("C" as const, "F" as const),
    dtype: fc.constantFrom("int32" as const, "string" as const),
    isSlow: fc.boolean(),
    first: selectionOf(shape),
    second: selectionOf(shape),
    reads: fc.array(selectionOf(shape), { minLength: 1, maxLength: 3 }),
  });
});

describe.each(["wasm", "javascript"] as const)("any rectilinear array, any selection (%s)", (kernels) => {
  afterAll(() => setKernels("auto"));

  test("reads and writes as a plain array does, in chunks of their own lengths", async () => {
    setKernels(kernels);
    await fc.assert(
      fc.asyncProperty(
        cases,
        async ({ all, shape, codecs, isSharded, order, dtype, isSlow, ...selections }) => {
          const store = isSlow ? new SlowStore() : new Map<string, Uint8Array>();
          const stored = store instanceof SlowStore ? store.map : store;
          const lengths = all.map((each) => each.lengths);
          const value = (index: number): unknown => (dtype === "string" ? `ä${index}` : index);
          await create(store, {
            shape,
            dtype,
            order,
            fillValue: dtype === "string" ? "none" : -1,
            codecs: dtype === "string" ? ["gzip"] : codecs,
            chunkShape: isSharded ? all.map(({ inner }) => inner) : lengths,
            ...(isSharded ? { shards: lengths } : {}),
          });
          const array = await open(store, { kind: "array" });
          expect(array.metadata.chunkGrid.name).toBe("rectilinear");
          const expected = plain<unknown>(shape, () => (dtype === "string" ? "none" : -1));
          let next = 1;
          for (const selection of [selections.first, selections.second]) {
            const places = positions(selection, shape);
            const data = places.map(() => value(next++));
            places.forEach((place, i) => {
              expected.data[place] = data[i];
            });
            const elements: unknown = dtype === "string" ? data : Int32Array.from(data, Number);
            await Reflect.apply(set, undefined, [
              array,
              selection,
              places.length === 1 && selection?.every((entry) => typeof entry === "number")
                ? data[0]
                : elements,
            ]);
          }
          const sizes = chunkSizes(all);
          for (const [key, bytes] of stored) {
            if (key === "/zarr.json") continue;
            expect(sizes.has(key), key).toBe(true);
            const isRaw =
              dtype === "int32" && !isSharded && (codecs.length === 0 || codecs[0] === CODECS[2][0]);
            if (isRaw) expect(bytes.length).toBe(4 * (sizes.get(key) ?? 0));
          }
          for (const selection of [...selections.reads, null]) {
            const got: unknown = await Reflect.apply(get, undefined, [array, selection]);
            const wanted = positions(selection, shape).map((place) => expected.data[place]);
            const isScalar = selection?.every((entry) => typeof entry === "number") ?? false;
            expect(isScalar ? [got] : elementsOf(got)).toEqual(wanted);
          }
          // The same by lists of indices, from the last to the first and twice the first.
          const lists = shape.map((length) =>
            [...Array(length).keys()].reverse().concat(length > 0 ? [0] : []),
          );
          const crossing = await getOrthogonal(array, lists);
          let flat = [0];
          lists.forEach((list, d) => {
            flat = flat.flatMap((before) => list.map((index) => before * (shape[d] ?? 1) + index));
          });
          expect(elementsOf(crossing)).toEqual(flat.map((place) => expected.data[place]));
          const slabs: unknown[] = [];
          let at = 0;
          for await (const slab of read(array, null, { maximumBytes: 40 })) {
            expect(slab.start).toBe(at);
            at += slab.shape[0] ?? 0;
            slabs.push(...elementsOf(slab));
          }
          expect(slabs).toEqual(expected.data);
          const edges = all.map(({ lengths, extent, inner }) =>
            isSharded ? new Array<number>(Math.ceil(extent / inner)).fill(inner) : expand(lengths, extent),
          );
          await checkChunks(edges, shape, expected.data, (chunk) => getChunk(array, chunk));
        },
      ),
      { numRuns: kernels === "wasm" ? 100 : 40 },
    );
  });
});

function elementsOf(chunk: unknown): unknown[] {
  if (typeof chunk !== "object" || chunk === null || !("data" in chunk)) throw new Error("expected a chunk");
  const { data } = chunk;
  if (Array.isArray(data)) return data;
  if (data instanceof Int32Array) return [...data];
  throw new Error("expected elements");
}

/**
 * A few whole chunks (inner ones of shards), whose lengths are `edges`, whose elements inside of the array
 * are the array's.
 */
async function checkChunks(
  edges: readonly (readonly number[])[],
  shape: readonly number[],
  elements: readonly unknown[],
  getOne: (chunk: readonly number[]) => Promise<{ readonly shape: number[] }>,
): Promise<void> {
  if (shape.includes(0)) return;
  for (const which of [0, -1]) {
    const chunk = edges.map((list) => (which === 0 ? 0 : list.length - 1));
    const got = await getOne(chunk);
    expect(got.shape).toEqual(edges.map((list, d) => list[chunk[d] ?? 0]));
    const start = edges.map((list, d) => list.slice(0, chunk[d]).reduce((sum, length) => sum + length, 0));
    const values = elementsOf(got);
    values.forEach((value, i) => {
      let rest = i;
      const inChunk = got.shape.map(() => 0);
      for (let d = shape.length - 1; d >= 0; d--) {
        inChunk[d] = rest % (got.shape[d] ?? 1);
        rest = Math.floor(rest / (got.shape[d] ?? 1));
      }
      const index = inChunk.map((within, d) => (start[d] ?? 0) + within);
      if (index.some((each, d) => each >= (shape[d] ?? 0))) return;
      expect(value).toEqual(elements[index.reduce((flat, each, d) => flat * (shape[d] ?? 1) + each, 0)]);
    });
  }
}

const LENGTHS = [
  [3, 5, 2],
  [1, 4, 2],
] as const;

test("chunks that are covered as a whole are not read before they are written", async () => {
  const store = new SlowStore();
  const array = await create(store, { codecs: [], shape: [9, 6], dtype: "int32", chunkShape: LENGTHS });
  store.reset();
  await set(array, [slice(0, 8), slice(0, 5)], 1);
  expect(store.requests).toEqual([]);
  // Those that cross the array's edge are not covered, whatever is selected of them.
  await set(array, [slice(3, 9), slice(0, 5)], 2);
  expect(store.requests.sort()).toEqual(["/c/2/0", "/c/2/1"]);
  store.reset();
  await set(array, [slice(3, 8), slice(0, 4)], 3);
  expect(store.requests).toEqual(["/c/1/1"]);
});

test("a chunk without compression that is too short is an error in the words of a regular array's", async () => {
  const failureOf = async (chunkShape: readonly ChunkLengths[], key: string) => {
    const store = new Map<string, Uint8Array>();
    const array = await create(store, { codecs: [], shape: [10, 7], dtype: "int32", chunkShape });
    await set(array, null, 1);
    store.set(key, new Uint8Array(7));
    const error = await get(array).catch((failure: unknown) => failure);
    expect(error).toMatchObject({ tag: "CodecError", key, codec: "bytes" });
    return isZarrError(error) ? error.reason : undefined;
  };
  const reason = await failureOf(LENGTHS, "/c/1/1");
  expect(reason).toContain("[5, 4] x 4 bytes");
  expect(reason).toBe(await failureOf([5, 4], "/c/0/0"));
});

test("codecs that answer later are asked about the chunk that they have", async () => {
  const lengths = new Set<number>();
  const flipped = (bytes: Uint8Array): Promise<Uint8Array> => {
    lengths.add(bytes.length);
    return Promise.resolve(bytes.map((byte) => byte ^ 255));
  };
  const codec: Codec = {
    kind: "bytes_to_bytes",
    decode: flipped,
    encode: flipped,
    encodedByteLength: (byteLength) => byteLength,
  };
  registry.set("test.flipped", async () => ({ codecKind: "bytes_to_bytes", fromConfig: () => codec }));
  const store = new Map<string, Uint8Array>();
  const options = { shape: [10, 7], dtype: "int32", chunkShape: LENGTHS, codecs: ["test.flipped"] } as const;
  const array = await create(store, options);
  const data = Int32Array.from({ length: 70 }, (_, i) => i);
  await set(array, null, data);
  expect((await get(array)).data).toEqual(data);
  expect([...lengths].sort((a, b) => a - b)).toEqual([8, 12, 16, 20, 24, 32, 40, 48, 80]);
  // Cut short by a byte, which is said of the one chunk.
  const key = "/c/0/2";
  store.set(key, store.get(key)?.subarray(1) ?? new Uint8Array());
  await expect(get(array)).rejects.toMatchObject({ tag: "CodecError", key, chunk: [0, 2] });
});
