/**
 * Packed numbers: the kernel and its fallback give the bits that each step, rounded to the type of the
 * result, gives.
 */
import { afterEach, describe, expect, test } from "vitest";
import { setKernels } from "../../../src/extend.js";
import { openDataset } from "../../../src/formats/xarray.js";
import { create, type JsonObject, MemoryStore, root, set } from "../../../src/index.js";

afterEach(() => setKernels("auto"));

/** More than a block of the kernel, and a rest that fills no vector. */
const LENGTH = 16384 + 4099;
const NUMBERS = {
  int8: Int8Array,
  uint8: Uint8Array,
  int16: Int16Array,
  uint16: Uint16Array,
  int32: Int32Array,
  uint32: Uint32Array,
  int64: BigInt64Array,
  uint64: BigUint64Array,
  float32: Float32Array,
  float64: Float64Array,
} as const;
const isDtype = (name: string): name is keyof typeof NUMBERS => name in NUMBERS;
const dtypes = Object.keys(NUMBERS).filter(isDtype);

function elementsOf(dtype: keyof typeof NUMBERS) {
  const elements = new NUMBERS[dtype](LENGTH);
  for (let i = 0; i < LENGTH; i++) {
    const value = i % 13 === 0 ? 7 : (i * 2654435761) >>> (dtype.endsWith("8") ? 24 : 0);
    elements[i] = typeof elements[0] === "bigint" ? BigInt(value) : value;
    if (dtype.startsWith("float")) elements[i] = i % 17 === 0 ? Number.NaN : i % 19 === 0 ? -0 : value / 3;
  }
  return elements;
}

/** Also of NaN and of -0. */
const bitsOf = ({ buffer, byteOffset, byteLength }: Float32Array | Float64Array) =>
  new Uint8Array(buffer, byteOffset, byteLength);

const ATTRIBUTES: JsonObject[] = [
  { _FillValue: 7 },
  { scale_factor: 0.01, add_offset: 273.15, _FillValue: 7 },
  { scale_factor: 0.1 },
  { add_offset: -3.3, missing_value: [7, 9] },
];

describe.each(dtypes)("%s", (dtype) => {
  test.each(ATTRIBUTES)("%j", async (attributes) => {
    const store = new MemoryStore();
    await create(root(store), {});
    const data = elementsOf(dtype);
    const array = await create(root(store).resolve("v"), {
      shape: [LENGTH],
      dtype,
      chunkShape: [5000],
      dimensionNames: ["x"],
      attributes,
      codecs: [],
    });
    await set(array, null, { data, shape: [LENGTH] });
    const read = async (kernels: "wasm" | "javascript") => {
      setKernels(kernels);
      const { variables } = await openDataset(store);
      const values = (await variables.v?.get())?.data;
      if (!(values instanceof Float32Array || values instanceof Float64Array)) throw new Error("no floats");
      return values;
    };
    const values = await read("wasm");
    const fallback = await read("javascript");
    expect(fallback.constructor).toBe(values.constructor);
    // Not `toEqual`, which takes 10 us an element.
    const bits = bitsOf(values);
    expect(bitsOf(fallback)).toHaveLength(bits.length);
    expect(bitsOf(fallback).findIndex((byte, i) => byte !== bits[i])).toBe(-1);

    const round = values instanceof Float32Array ? Math.fround : Number;
    const { scale_factor: scale, add_offset: offset } = attributes;
    const fills = [attributes._FillValue ?? attributes.missing_value ?? []].flat();
    const expected = Array.from<number | bigint, number>(data, (stored) => {
      const value = round(Number(stored));
      if (fills.includes(value)) return Number.NaN;
      const scaled = typeof scale === "number" ? round(value * round(scale)) : value;
      return typeof offset === "number" ? round(scaled + round(offset)) : scaled;
    });
    expect(expected).toHaveLength(values.length);
    expect(values.findIndex((value, i) => !Object.is(value, expected[i]))).toBe(-1);
  });
});
