/**
 * Sharded arrays as zarr-python, TensorStore and zarrs store them: read whole and in parts, and written to.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { setKernels } from "../../../src/extend.js";
import { get, MemoryStore, open, type Selection, type Store, set, slice } from "../../../src/index.js";
import text from "../../fixtures/shards.json?raw";
import { bytesFromBase64, bytesFromHex, scalarFromHex } from "../../interop/elements.js";
import { positions } from "../reference.js";

interface Fixture {
  readonly writer: string;
  readonly name: string;
  readonly shape: readonly number[];
  readonly fill_value: string;
  readonly data: string;
  readonly store: Readonly<Record<string, string>>;
}
const { arrays }: { arrays: readonly Fixture[] } = JSON.parse(text);

const valuesOf = ({ store }: Fixture) =>
  new Map(Object.entries(store).map(([key, value]) => [key, bytesFromBase64(value)]));

async function openInt16<S extends Store>(store: S) {
  const array = await open(store, { kind: "array" });
  if (!array.is("int16")) throw new Error("expected int16");
  return array;
}

async function elementsOf(
  array: Awaited<ReturnType<typeof openInt16>>,
  selection: Selection,
): Promise<number[]> {
  const result: unknown = await get(array, selection, { coalesce: { maximumGap: 8 } });
  if (typeof result === "number") return [result];
  const data: unknown = Object(result).data;
  if (!(data instanceof Int16Array)) throw new Error("expected int16");
  return [...data];
}

/** Whole, backwards in steps, a corner, one element. */
const selectionsOf = ({ shape }: Fixture): Selection[] => [
  null,
  shape.map(() => slice(null, null, -3)),
  shape.map((length) => slice(1, Math.max(2, length - 2))),
  shape.map((length) => length - 1),
];

describe.each(["wasm", "javascript"] as const)("%s kernels", (kernels) => {
  beforeAll(() => setKernels(kernels));
  afterAll(() => setKernels("auto"));

  for (const fixture of arrays) {
    it(`${fixture.writer}: ${fixture.name}`, async () => {
      const { shape } = fixture;
      const expected = [...new Int16Array(bytesFromHex(fixture.data).buffer)];
      // A Map gives whole shards, a MemoryStore parts of them.
      for (const store of [valuesOf(fixture), new MemoryStore(valuesOf(fixture))]) {
        const array = await openInt16(store);
        expect(array.shape).toEqual(shape);
        expect(array.fillValue).toBe(scalarFromHex("int16", fixture.fill_value));
        expect(array.shards).toBeDefined();
        for (const selection of [...selectionsOf(fixture), null]) {
          const wanted = positions(selection, shape).map((at) => expected[at]);
          expect(await elementsOf(array, selection)).toEqual(wanted);
        }
      }
      const values = valuesOf(fixture);
      const array = await openInt16(values);
      const inner = shape.map((length) => slice(Math.floor(length / 3), Math.ceil((2 * length) / 3)));
      await set(array, inner, 1234);
      for (const at of positions(inner, shape)) expected[at] = 1234;
      for (const store of [values, new MemoryStore(values)]) {
        expect(await elementsOf(await openInt16(store), null)).toEqual(expected);
      }
    });
  }
});
