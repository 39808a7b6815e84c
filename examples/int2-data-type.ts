/**
 * A data type of one's own: int2, signed integers of two bits, as zarr-python's documentation adds it
 * ("Adding New Data Types"). It is written and read in Zarr v2 and v3. wazarr has an int2 already; a family
 * registered under its name replaces it.
 *
 * To run it: npm run build && node scripts/run-ts.mjs examples/int2-data-type.ts
 */
import { create, get, InvalidArgumentError, InvalidMetadataError, open, set } from "wazarr";
import { ArrayView, type DataTypeDefinition, type DataTypeFamily, registerDataType } from "wazarr/data-types";

/**
 * What a user gets: an array-like over the bytes of a chunk, one byte an element, of which the two low bits
 * count.
 */
export class Int2Array extends ArrayView<number> {
  constructor(bytes: Uint8Array) {
    super(bytes, 1);
  }
  static from(values: readonly number[]): Int2Array {
    const array = new Int2Array(new Uint8Array(values.length));
    values.forEach((value, index) => {
      array.set(index, value);
    });
    return array;
  }
  get(index: number): number {
    return decode(this.element(index));
  }
  set(index: number, value: number): void {
    encode(int2.cast(value), this.element(index));
  }
  subarray(begin?: number, end?: number): Int2Array {
    return new Int2Array(this.range(begin, end));
  }
}

function decode(element: Uint8Array): number {
  return ((element[0] ?? 0) << 30) >> 30;
}
function encode(value: number, element: Uint8Array): void {
  element[0] = value & 3;
}
function isInt2(value: unknown): value is number {
  return value === -2 || value === -1 || value === 0 || value === 1;
}

export const int2: DataTypeDefinition<number, Int2Array> = {
  name: "int2",
  itemSize: 1,
  swapUnit: 1,
  needsEndian: false,

  // `data_type` of v3 and `dtype` of v2.
  toV3: () => "int2",
  toV2: () => "int2",

  // `fill_value`, the same in both formats.
  defaultScalar: 0,
  scalarFromJson(json) {
    if (isInt2(json)) return json;
    throw new InvalidMetadataError(`expected -2, -1, 0 or 1 as int2, got ${JSON.stringify(json)}`);
  },
  scalarToJson: (scalar) => scalar,

  // What a caller gives.
  cast(value) {
    if (isInt2(value)) return value;
    throw new InvalidArgumentError(`expected -2, -1, 0 or 1 as int2, got ${String(value)}`);
  },

  // One element, and many.
  writeScalar: encode,
  readScalar: decode,
  view: (bytes) => new Int2Array(bytes),
  bytesOf: (data) =>
    data instanceof Int2Array ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength) : undefined,
};

/** Is offered every data type of every array, and accepts its own. */
const int2Family: DataTypeFamily = {
  name: "int2",
  fromV3: (json) => (json === "int2" ? int2 : undefined),
  fromV2: (json) => (json === "int2" ? { dataType: int2, endian: undefined } : undefined),
};

/** Writes four int2 values and reads them back; gives the values and the metadata document. */
export async function writeAndRead(zarrFormat: 2 | 3): Promise<{ values: number[]; metadata: string }> {
  registerDataType(int2Family);
  const store = new Map<string, Uint8Array>();

  const written = await create(store, {
    shape: [6],
    chunkShape: [4],
    dtype: int2,
    fillValue: -2,
    zarrFormat,
  });
  await set(written, null, { data: [-1, -2, 0, 1, -2, -2], shape: [6] });

  const read = await open(store, { kind: "array" });
  const { data } = await get(read);
  if (!(data instanceof Int2Array)) throw new Error("the registered int2 was not used");
  const metadata = store.get(zarrFormat === 2 ? "/.zarray" : "/zarr.json");
  return { values: data.toArray(), metadata: new TextDecoder().decode(metadata) };
}

if (globalThis.process?.argv[1]?.includes("int2-data-type")) {
  for (const zarrFormat of [2, 3] as const) {
    const { values, metadata } = await writeAndRead(zarrFormat);
    console.log(`Zarr v${zarrFormat}:`, values, metadata);
  }
}
