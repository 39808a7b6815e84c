/** Codecs by all their names, and what is written and read with them. */
import { setKernels } from "../../../src/extend.js";
import { type CreateArrayOptions, create, get, open, set } from "../../../src/index.js";
import type { JsonObject } from "../../../src/metadata/json.js";
import { firstDifference } from "../../kernels/reference.js";
import { LITTLE } from "../../setup/codecs.js";

export interface NamedRow {
  /** v3 names. */
  readonly names: readonly string[];
  /** Whether numcodecs has it, and so v2. */
  readonly id?: string;
  readonly configuration?: JsonObject;
  readonly dtype?: string;
}

/** The core's or zarr-extensions' name, and numcodecs'. */
const both = (id: string, configuration: JsonObject = {}): NamedRow => ({
  names: [id, `numcodecs.${id}`],
  id,
  configuration,
});

export const BYTES_TO_BYTES: readonly NamedRow[] = [
  both("gzip", { level: 5 }),
  both("zlib", { level: 1 }),
  both("zstd", { level: 3 }),
  {
    names: ["blosc"],
    configuration: { cname: "zstd", clevel: 5, shuffle: "bitshuffle", typesize: 4, blocksize: 0 },
  },
  {
    names: ["numcodecs.blosc"],
    id: "blosc",
    configuration: { cname: "lz4", clevel: 5, shuffle: 1, blocksize: 0 },
  },
  both("lz4", { acceleration: 1 }),
  both("shuffle", { elementsize: 4 }),
  both("crc32c"),
  both("crc32"),
  both("adler32"),
  both("fletcher32"),
  both("jenkins_lookup3"),
  both("base64"),
];

const ARRAY_TO_ARRAY: readonly NamedRow[] = [
  { names: ["transpose"], configuration: { order: [1, 0] } },
  { names: ["reshape"], configuration: { shape: [[0, 1]] } },
  { names: ["zarrs.squeeze"] },
  { names: ["bitround"], configuration: { keepbits: 30 } },
  { names: ["cast_value"], configuration: { data_type: "int64" } },
  { names: ["scale_offset"], configuration: { offset: 3, scale: 2 } },
  both("delta", { dtype: "<i4" }),
  both("astype", { encode_dtype: "<i8", decode_dtype: "<i4" }),
  {
    ...both("fixedscaleoffset", { offset: 0, scale: 8, dtype: "<f8", astype: "<i4" }),
    dtype: "float64",
  },
  { ...both("quantize", { digits: 3, dtype: "<f8" }), dtype: "float64" },
  { names: ["numcodecs.bitround"], id: "bitround", configuration: { keepbits: 20 }, dtype: "float32" },
  { names: ["numcodecs.packbits"], id: "packbits", dtype: "bool" },
];

const ARRAY_TO_BYTES: readonly NamedRow[] = [
  { names: ["bytes", "endian"], configuration: { endian: "big" } },
  { names: ["packbits"] },
  {
    names: ["sharding_indexed"],
    configuration: {
      chunk_shape: [2, 2],
      codecs: [LITTLE],
      index_codecs: [LITTLE, { name: "crc32c" }],
    },
  },
];

export const ROWS: readonly NamedRow[] = [...BYTES_TO_BYTES, ...ARRAY_TO_ARRAY, ...ARRAY_TO_BYTES];

const SHAPE = [6, 7];
const VALUES = Array.from({ length: 42 }, (_, i) => (i * 5) % 17);

function elementsOf(dtype: string) {
  switch (dtype) {
    case "float64":
      return Float64Array.from(VALUES);
    case "float32":
      return Float32Array.from(VALUES);
    case "bool":
      return Uint8Array.from(VALUES, (value) => value % 2);
    default:
      return Int32Array.from(VALUES);
  }
}

/**
 * Writes, and reads with each implementation of the kernels.
 * @throws Error where another element comes back
 */
export async function roundTrip(
  dtype: string,
  options: Pick<CreateArrayOptions<string>, "codecs" | "zarrFormat">,
): Promise<void> {
  const store = new Map<string, Uint8Array>();
  const elements = elementsOf(dtype);
  const data = dtype === "bool" ? Array.from(elements, Boolean) : elements;
  const created = await create(store, { shape: SHAPE, chunkShape: [4, 4], dtype, ...options });
  await set(created, null, { shape: SHAPE, data });
  for (const kernels of ["wasm", "javascript"] as const) {
    setKernels(kernels);
    const read = await get(await open(store, { kind: "array" }));
    const at = firstDifference(bytesOf(read.data), bytesOf(elements));
    if (at >= 0) throw new Error(`with kernels in ${kernels}, byte ${at} differs`);
  }
  setKernels("auto");
}

/** Of a typed array, or of the array of booleans. */
function bytesOf(data: unknown): Uint8Array {
  if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  if (typeof data === "object" && data !== null && "bytes" in data && data.bytes instanceof Uint8Array) {
    return data.bytes;
  }
  throw new Error("expected an array of numbers or booleans");
}
