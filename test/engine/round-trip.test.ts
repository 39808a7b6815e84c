import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { loadExtraDataTypes } from "../../src/data-types/registry.js";
import { setKernels } from "../../src/extend.js";
import { create, get, open, type Selection, set, slice } from "../../src/index.js";
import { parseDataType } from "../../src/main/data-types.js";
import { plain, positions } from "./reference.js";
import { anyEntry } from "./selections.js";

await loadExtraDataTypes();

const DTYPES = [
  "bool",
  "int8",
  "uint8",
  "int16",
  "uint16",
  "int32",
  "uint32",
  "int64",
  "uint64",
  "float16",
  "float32",
  "float64",
] as const;

function scalarOf(dtype: (typeof DTYPES)[number], index: number): unknown {
  if (dtype === "bool") return index % 3 === 1;
  if (dtype === "int64" || dtype === "uint64") return BigInt(index) * 3n + 1n;
  return (index * 7 + 1) % 120;
}

const arrays = fc.integer({ min: 0, max: 4 }).chain((rank) =>
  fc.record({
    shape: fc.array(fc.integer({ min: 0, max: 9 }), { minLength: rank, maxLength: rank }),
    chunkShape: fc.array(fc.integer({ min: 1, max: 5 }), { minLength: rank, maxLength: rank }),
    permutation: fc.shuffledSubarray(
      Array.from({ length: rank }, (_, i) => i),
      { minLength: rank, maxLength: rank },
    ),
    dtype: fc.constantFrom(...DTYPES),
    zarrFormat: fc.constantFrom(2 as const, 3 as const),
    endian: fc.constantFrom("little" as const, "big" as const),
    order: fc.constantFrom("C" as const, "F" as const),
    transposed: fc.boolean(),
  }),
);

const entry = (length: number) => anyEntry(length, 11);

describe.each(["wasm", "javascript"] as const)("any array, any selection (%s)", (kernels) => {
  afterAll(() => setKernels("auto"));

  test("reads and writes as a plain array does", async () => {
    setKernels(kernels);
    const selected = arrays.chain((array) =>
      fc.record({
        array: fc.constant(array),
        read: fc.tuple(...array.shape.map(entry)),
        write: fc.tuple(...array.shape.map(entry)),
      }),
    );
    await fc.assert(
      fc.asyncProperty(selected, async ({ array, read, write }) => {
        const { shape, chunkShape, dtype, zarrFormat, endian, order, permutation, transposed } = array;
        const store = new Map<string, Uint8Array>();
        const useTranspose = transposed && zarrFormat === 3;
        const created = await create(store, {
          shape,
          chunkShape,
          dtype: parseDataType(dtype),
          zarrFormat,
          endian,
          order: useTranspose ? "C" : order,
          codecs: useTranspose
            ? [
                { name: "transpose", configuration: { order: permutation } },
                { name: "bytes", configuration: { endian } },
              ]
            : [],
        });
        const { dataType } = created;
        const expected = plain<unknown>(shape, () => dataType.defaultScalar);
        const fullShape = [...shape];
        const values = plain(fullShape, (index) => scalarOf(dtype, index));
        const bytesOf = (scalars: readonly unknown[]): Uint8Array => {
          const bytes = new Uint8Array(scalars.length * dataType.itemSize);
          scalars.forEach((scalar, i) => {
            dataType.writeScalar(scalar, bytes.subarray(i * dataType.itemSize, (i + 1) * dataType.itemSize));
          });
          return bytes;
        };
        const check = async (selection: Selection): Promise<void> => {
          const array = await open(store, { kind: "array" });
          const frozen = new Map([...store].map(([key, value]) => [key, value.slice()]));
          for (let twice = 0; twice < 2; twice++) {
            const result: unknown = await get(array, selection);
            const wanted = bytesOf(positions(selection, shape).map((position) => expected.data[position]));
            const scalar = shape.length === 0 || (selection ?? []).every((e) => typeof e === "number");
            if (scalar && (selection !== null || shape.length === 0)) {
              expect(bytesOf([result])).toEqual(wanted);
            } else {
              const data =
                typeof result === "object" && result !== null && "data" in result ? result.data : undefined;
              expect(dataType.bytesOf(data)).toEqual(wanted);
            }
          }
          expect(store).toEqual(frozen);
        };
        await set(created, null, { data: dataType.view(bytesOf(values.data)), shape: fullShape });
        expected.data.splice(0, expected.data.length, ...values.data);
        await check(null);
        await check(read);
        const targets = positions(write, shape);
        const counts = write.map((e, d) => positions([e], [shape[d] ?? 0]).length);
        const written = targets.map((_, i) => scalarOf(dtype, i + 5));
        await set(created, write, {
          data: dataType.view(bytesOf(written)),
          shape: counts.filter((_, d) => typeof write[d] !== "number"),
        });
        targets.forEach((position, i) => {
          expected.data[position] = written[i];
        });
        await check(null);
        await check(read);
      }),
      { numRuns: 150 },
    );
  });
});

test("slices behave as Python's", async () => {
  const array = await create(new Map<string, Uint8Array>(), { shape: [10], chunkShape: [3], dtype: "int32" });
  await set(
    array,
    null,
    Int32Array.from({ length: 10 }, (_, i) => i),
  );
  expect((await get(array, [slice(null, null, -3)])).data).toEqual(Int32Array.of(9, 6, 3, 0));
  expect((await get(array, [slice(-3, null)])).data).toEqual(Int32Array.of(7, 8, 9));
  expect(await get(array, [-1])).toBe(9);
});
