/** Compares what wazarr reads of a TIFF file with what tifffile and GDAL read of it. */
import { inflateSync } from "node:zlib";
import { expect } from "vitest";
import { get, open, root } from "../../../src/index.js";
import { tiff } from "../../../src/virtual/tiff/open.js";
import { fromBase64 } from "../../codecs/harness.js";
import { storeOfFile } from "../node-store.js";

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
  const store = await storeOfFile(tiff, fromBase64(file));
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
