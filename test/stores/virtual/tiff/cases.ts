/** Compares what wazarr reads of a TIFF file with what tifffile and GDAL read of it. */
import { inflateSync } from "node:zlib";
import { expect } from "vitest";
import { openGeoZarr } from "../../../../src/formats/geozarr.js";
import { get, open, root } from "../../../../src/index.js";
import { openVirtual } from "../../../../src/stores/virtual/index.js";
import { fromBase64 } from "../../../core/codecs/harness.js";

export interface Elements {
  readonly shape: readonly number[];
  readonly type: string;
  readonly data: string;
}

export interface TiffCase {
  readonly name: string;
  readonly file: string;
  readonly arrays: Readonly<Record<string, Elements>>;
  readonly places?: Readonly<Record<string, readonly number[]>>;
  readonly crs?: string | null;
  readonly nodata?: string | null;
  readonly scales?: readonly number[];
  readonly offsets?: readonly number[];
  readonly units?: readonly (string | null)[];
  readonly descriptions?: readonly (string | null)[];
}

export async function expectFile({ file, arrays }: TiffCase): Promise<void> {
  const store = await openVirtual({ store: new Map([["/file", fromBase64(file)]]), key: "/file" });
  for (const [path, { shape, type, data }] of Object.entries(arrays)) {
    const array = await open(root(store).resolve(path), { kind: "array" });
    expect([path, array.shape, array.dtype]).toEqual([path, shape, type]);
    const elements = await get(array);
    const expected = new Uint8Array(inflateSync(fromBase64(data)));
    const bytes = bytesOf(elements.data);
    expect(bytes.length, path).toBe(expected.length);
    expect(firstDifference(bytes, expected), path).toBe(-1);
  }
}

/** The bytes of elements, of which complex numbers and float16 are in an object around them. */
function bytesOf(data: unknown): Uint8Array {
  if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  if (typeof data === "object" && data !== null && "parts" in data) return bytesOf(data.parts);
  if (typeof data === "object" && data !== null && "bytes" in data) return bytesOf(data.bytes);
  throw new Error(`no elements: ${String(data)}`);
}

function firstDifference(one: Uint8Array, other: Uint8Array): number {
  return one.findIndex((byte, i) => byte !== other[i]);
}

/** Compares where the levels lie, and what GDAL says of the bands. */
export async function expectPlace({ file, places, crs, nodata, ...bands }: TiffCase): Promise<void> {
  const store = await openVirtual({ store: new Map([["/file", fromBase64(file)]]), key: "/file" });
  const raster = await openGeoZarr(store);
  const found = raster.levels.map(({ path, transform }) => [path, transform]);
  expect(found.map(([path]) => path)).toEqual(Object.keys(places ?? {}));
  for (const { path, transform } of raster.levels) expectClose(transform ?? [], places?.[path] ?? []);
  expect(raster.crs?.code ?? null).toBe(crs);
  const image = raster.levels[0]?.array;
  const { _FillValue, scale_factor, add_offset, scales, offsets, units, long_name } = image?.attrs ?? {};
  if (nodata == null) expect(_FillValue).toBeUndefined();
  else expect(String(fillOf(_FillValue))).toBe(String(nodata === "nan" ? Number.NaN : Number(nodata)));
  const count = bands.scales?.length ?? 0;
  const all = (one: unknown, list: unknown, absent: unknown) => list ?? new Array(count).fill(one ?? absent);
  expect(all(scale_factor, scales, 1)).toEqual(bands.scales);
  expect(all(add_offset, offsets, 0)).toEqual(bands.offsets);
  const texts = (value: unknown) => (Array.isArray(value) ? value : new Array(count).fill(value ?? null));
  expect(texts(units)).toEqual(bands.units);
  expect(texts(long_name)).toEqual(bands.descriptions);
}

function fillOf(value: unknown): unknown {
  if (typeof value !== "string") return value;
  const bytes = fromBase64(value);
  return new DataView(bytes.buffer, bytes.byteOffset).getFloat64(0, true);
}

function expectClose(found: readonly number[], expected: readonly number[]): void {
  expect(found).toHaveLength(expected.length);
  for (const [i, number] of expected.entries())
    expect(Math.abs((found[i] ?? Number.NaN) - number)).toBeLessThanOrEqual(1e-9 * Math.abs(number));
}
