import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { create, get, open, type Selection, set } from "../../../src/index.js";
import type { CodecOption } from "../../../src/main/codecs.js";
import { BIG, GZIP, LITTLE } from "../../setup/codecs.js";
import { positions } from "../reference.js";
import { anyEntry } from "../selections.js";

/**
 * Random arrays: shape, shard = inner chunk x factor (x another factor when nested), any codecs inside and
 * around.
 */
const arrays = fc.integer({ min: 1, max: 3 }).chain((rank) => {
  const perDimension = <T>(value: fc.Arbitrary<T>) => fc.array(value, { minLength: rank, maxLength: rank });
  const permutation = fc.shuffledSubarray(
    Array.from({ length: rank }, (_, i) => i),
    { minLength: rank, maxLength: rank },
  );
  return fc.record({
    shape: perDimension(fc.integer({ min: 1, max: 13 })),
    chunk: perDimension(fc.integer({ min: 1, max: 3 })),
    factor: perDimension(fc.integer({ min: 1, max: 3 })),
    outerFactor: perDimension(fc.integer({ min: 1, max: 2 })),
    nested: fc.boolean(),
    location: fc.constantFrom("start", "end"),
    outerLocation: fc.constantFrom("start", "end"),
    endian: fc.constantFrom(LITTLE, BIG),
    indexCodecs: fc.constantFrom([LITTLE, { name: "crc32c" }], [LITTLE], [BIG, { name: "crc32c" }]),
    innerTranspose: fc.option(permutation),
    before: fc.option(permutation),
    compressor: fc.constantFrom([], [GZIP], [{ name: "crc32c" }]),
    around: fc.constantFrom([], [{ name: "crc32c" }], [GZIP]),
  });
});

type Recipe = typeof arrays extends fc.Arbitrary<infer T> ? T : never;

function codecsOf(recipe: Recipe): { codecs: CodecOption[]; chunkShape: number[] } {
  const { chunk, factor, outerFactor, before, nested } = recipe;
  const transpose = (order: number[]) => ({ name: "transpose", configuration: { order } });
  const permuted = (shape: number[]) => (before === null ? shape : before.map((d) => shape[d] ?? 1));
  const product = (a: number[], b: number[]) => a.map((length, d) => length * (b[d] ?? 1));
  const sharding = (chunkShape: number[], codecs: object[], location: string) => ({
    name: "sharding_indexed",
    configuration: {
      chunk_shape: chunkShape,
      codecs: codecs.map((codec) => ({ configuration: {}, ...codec })),
      index_codecs: recipe.indexCodecs.map((codec) => ({ configuration: {}, ...codec })),
      index_location: location,
    },
  });
  const inner = [
    ...(recipe.innerTranspose === null ? [] : [transpose(recipe.innerTranspose)]),
    recipe.endian,
    ...recipe.compressor,
  ];
  const one = sharding(permuted(chunk), inner, recipe.location);
  const shard = product(chunk, factor);
  const whole = nested ? sharding(permuted(shard), [one], recipe.outerLocation) : one;
  return {
    codecs: [...(before === null ? [] : [transpose(before)]), whole, ...recipe.around],
    chunkShape: nested ? product(shard, outerFactor) : shard,
  };
}

const entry = (length: number) => anyEntry(length, 14);

async function read(array: Awaited<ReturnType<typeof openInt16>>, selection: Selection): Promise<number[]> {
  const result: unknown = await get(array, selection);
  if (typeof result === "number") return [result];
  if (
    typeof result === "object" &&
    result !== null &&
    "data" in result &&
    result.data instanceof Int16Array
  ) {
    return [...result.data];
  }
  throw new Error("expected a number or int16 data");
}

async function openInt16(store: Map<string, Uint8Array>) {
  const array = await open(store, { kind: "array" });
  if (!array.is("int16")) throw new Error("expected int16");
  return array;
}

describe("a sharded array is the array that is not sharded", () => {
  test("any layout, any selection, read and written", async () => {
    const cases = arrays.chain((recipe) =>
      fc.record({
        recipe: fc.constant(recipe),
        selections: fc.array(fc.tuple(...recipe.shape.map(entry)), { minLength: 3, maxLength: 3 }),
      }),
    );
    await fc.assert(
      fc.asyncProperty(cases, async ({ recipe, selections }) => {
        const store = new Map<string, Uint8Array>();
        const { shape } = recipe;
        const { codecs, chunkShape } = codecsOf(recipe);
        await create(store, { shape, chunkShape, dtype: "int16", fillValue: 7, codecs });
        const array = await openInt16(store);
        expect(array.shards).toEqual(chunkShape);
        expect(array.chunks).toEqual(
          recipe.nested ? chunkShape.map((length, d) => length / (recipe.outerFactor[d] ?? 1)) : recipe.chunk,
        );
        const expected = new Array<number>(shape.reduce((product, length) => product * length, 1)).fill(7);
        for (const [turn, selection] of selections.entries()) {
          const targets = positions(selection, shape);
          const dims = selection.map((e, d) => positions([e], [shape[d] ?? 0]).length);
          const data = Int16Array.from(targets, (_, i) => (turn === 2 ? 7 : 100 * turn + i));
          await set(array, selection, {
            data,
            shape: dims.filter((_, d) => typeof selection[d] !== "number"),
          });
          targets.forEach((target, i) => {
            expected[target] = data[i] ?? 0;
          });
          for (const again of [array, await openInt16(store)]) {
            expect(await read(again, null)).toEqual(expected);
            for (const wanted of selections) {
              expect(await read(again, wanted)).toEqual(positions(wanted, shape).map((at) => expected[at]));
            }
          }
        }
        await set(array, null, 7);
        expect([...store.keys()]).toEqual(["/zarr.json"]);
      }),
      { numRuns: 120 },
    );
  });
});
