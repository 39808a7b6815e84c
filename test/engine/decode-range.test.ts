/** Reading part of a chunk decodes only the blocks of blosc that the part lies in. */
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { setKernels } from "../../src/extend.js";
import { create, get, type Selection, set, slice } from "../../src/index.js";
import { positions } from "./reference.js";

afterAll(() => setKernels("auto"));

const SHAPE = [13, 10, 9];
const COUNT = 13 * 10 * 9;
const DTYPES = {
  uint8: Uint8Array,
  int16: Int16Array,
  float32: Float32Array,
  float64: Float64Array,
} as const;
type Dtype = keyof typeof DTYPES;
const dtypes: readonly Dtype[] = ["uint8", "int16", "float32", "float64"];

/** Types of up to 16 bytes would make blocks of at least 64 KiB. */
const blosc = (cname: string, shuffle: string, blocksize: number) => ({
  name: "blosc",
  configuration: { cname, shuffle, clevel: 1, typesize: 20, blocksize },
});

const bound = fc.option(fc.integer({ min: -14, max: 14 }), { nil: null });
const entry = (length: number) =>
  fc.oneof(
    fc.constant(null),
    fc.integer({ min: -length, max: length - 1 }),
    fc.record({ start: bound, stop: bound, step: fc.constantFrom(null, 1, 2, 5, -1, -3) }),
  );
const selections = fc.tuple(...SHAPE.map(entry));

const arrays = fc.record({
  dtype: fc.constantFrom(...dtypes),
  endian: fc.constantFrom("little" as const, "big" as const),
  order: fc.constantFrom("C" as const, "F" as const),
  cname: fc.constantFrom("blosclz", "lz4", "lz4hc", "snappy", "zlib", "zstd"),
  shuffle: fc.constantFrom("noshuffle", "shuffle", "bitshuffle"),
  blocksize: fc.constantFrom(128, 200, 1000),
  chunkShape: fc.constantFrom([7, 10, 9], [13, 4, 9], [5, 5, 5], SHAPE),
  sharded: fc.boolean(),
  checked: fc.boolean(),
});

describe.each(["wasm", "javascript"] as const)("with %s kernels", (kernels) => {
  test("any selection gives what the whole array has there", async () => {
    setKernels(kernels);
    const property = fc.asyncProperty(arrays, fc.array(selections, { minLength: 6 }), async (made, parts) => {
      const { cname, shuffle, blocksize, sharded, checked, dtype, ...options } = made;
      const codecs = [blosc(cname, shuffle, blocksize), ...(checked ? [{ name: "crc32c" }] : [])];
      const data = new DTYPES[dtype](Array.from({ length: COUNT }, (_, i) => i >> 2));
      const array = await create(new Map<string, Uint8Array>(), {
        ...options,
        ...(sharded && { shards: options.chunkShape.map((length) => 2 * length) }),
        shape: SHAPE,
        dtype,
        codecs,
      });
      await set(array, null, { data, shape: SHAPE });
      for (const part of parts) {
        const selection: Selection = part.map((each) =>
          each === null || typeof each === "number" ? each : slice(each.start, each.stop, each.step),
        );
        const got: unknown = await get(array, selection);
        const elements = typeof got === "number" ? [got] : [...valuesOf(got)];
        expect(elements).toEqual(positions(selection, SHAPE).map((position) => data[position]));
      }
    });
    await fc.assert(property, { numRuns: 60, seed: 4 });
  });

  test("blocks elsewhere are not looked at", async () => {
    setKernels(kernels);
    const store = new Map<string, Uint8Array>();
    const shape = [16, 50, 5];
    const array = await create(store, {
      shape,
      chunkShape: shape,
      dtype: "float32",
      codecs: [blosc("lz4", "shuffle", 1000)],
    });
    const data = Float32Array.from({ length: 4000 }, (_, i) => i >> 3);
    await set(array, null, { data, shape });
    const key = "/c/0/0/0";
    const bytes = store.get(key)?.slice() ?? new Uint8Array();
    const table = new DataView(bytes.buffer);
    // A slab of 50 x 5 elements is a block. Only the table says where one begins.
    expect(table.getUint32(8, true)).toBe(1000);
    for (let block = 0; block < 16; block++) {
      if (block !== 6) table.setUint32(16 + 4 * block, 0xffffff, true);
    }
    store.set(key, bytes);
    for (const selection of [
      [6, null, "..."],
      [6, slice(3, 40, 2), "..."],
      [slice(6, 7), slice(null, null, -1), 2],
    ] as const) {
      const { data: got } = await get(array, selection);
      expect([...got]).toEqual(positions(selection, shape).map((position) => data[position]));
    }
    for (const selection of [null, [5, "..."], [slice(6, 8), "..."], [slice(null), 3, "..."]] as const) {
      await expect(get(array, selection)).rejects.toMatchObject({ tag: "CodecError", key });
    }
    expect(await get(array, [6, 0, 1])).toBe(data[6 * 250 + 1]);
  });
});

function valuesOf(result: unknown): Iterable<unknown> {
  if (typeof result === "object" && result !== null && "data" in result && isIterable(result.data)) {
    return result.data;
  }
  throw new TypeError("expected a result with data");
}

function isIterable(value: unknown): value is Iterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.iterator in value;
}
