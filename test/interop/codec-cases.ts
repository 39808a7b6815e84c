/**
 * Arrays with every codec that another implementation knows, and combinations of them, as metadata documents
 * and elements.
 */
import type { Json, JsonObject } from "../../src/metadata/json.js";
import { BIG, GZIP, LITTLE, TRANSPOSED } from "../setup/codecs.js";
import { hexFromBytes } from "./elements.js";

export interface CodecCase {
  readonly title: string;
  /** Ids and names whose agreement this case shows. */
  readonly codecs: readonly string[];
  readonly zarr_format: 2 | 3;
  readonly path: "/";
  /** numpy's name. */
  readonly data_type: string;
  readonly shape: readonly number[];
  /** Elements, C order, little-endian, as hex. */
  readonly data: string;
  readonly documents: Readonly<Record<string, Json>>;
  /** False for codecs that wazarr reads only. */
  readonly isWritten: boolean;
}

const SHAPE = [13, 21];
const CHUNK = [5, 8];
const READ_ONLY = ["bz2", "lzma"];

/**
 * Elements that change slowly: what compressors shorten, differences of which are small, and which `low` to
 * `low` + 50 bound.
 */
function smooth(dataType: string, low: number, shape: readonly number[]): string {
  const count = shape.reduce((product, length) => product * length, 1);
  const values = Array.from({ length: count }, (_, i) => low + ((i * 7) % 11) + Math.floor(i / 8));
  switch (dataType) {
    case "uint2":
    case "uint4":
      return hexFromBytes(Uint8Array.from(values, (value) => value & (dataType === "uint2" ? 3 : 15)));
    case "bool":
      return hexFromBytes(Uint8Array.from(values, (value) => ((value * value) >> 1) & 1));
    case "uint8":
      return hexFromBytes(Uint8Array.from(values));
    case "int16":
      return hexOf(Int16Array.from(values, (value) => value - 20));
    case "uint16":
      return hexOf(Uint16Array.from(values, (value) => 40 * value));
    case "int32":
      return hexOf(Int32Array.from(values, (value) => 1000 * value - 20_000));
    case "int64":
      return hexOf(BigInt64Array.from(values, (value) => BigInt(value) * 3n - 40n));
    case "float32":
      return hexOf(Float32Array.from(values, (value) => value + (value % 4) / 3));
    case "float64":
      return hexOf(Float64Array.from(values, (value) => value + (value % 4) / 3));
    case "<U6":
      return hexOf(Uint32Array.from(values.flatMap((value) => codePoints(LABELS[value % 4] ?? "", 6))));
    default:
      throw new Error(`no elements of ${dataType}`);
  }
}
const LABELS = ["female", "male", "", "ünï⛰"];
function codePoints(text: string, length: number): number[] {
  const points = Array.from(text, (character) => character.codePointAt(0) ?? 0);
  return Array.from({ length }, (_, i) => points[i] ?? 0);
}
const hexOf = (array: ArrayBufferView): string =>
  hexFromBytes(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));

const V2_DTYPES: Readonly<Record<string, string>> = {
  bool: "|b1",
  uint8: "|u1",
  int16: "<i2",
  uint16: "<u2",
  int32: "<i4",
  int64: "<i8",
  float32: "<f4",
  float64: "<f8",
  "<U6": "<U6",
};

interface V2Options {
  readonly order?: "C" | "F";
  readonly endian?: "<" | ">";
  readonly low?: number;
}

function v2(
  dataType: string,
  filters: readonly JsonObject[],
  compressor: JsonObject | null,
  { order = "C", endian = "<", low = 3 }: V2Options = {},
): CodecCase {
  const ids = [...filters, ...(compressor === null ? [] : [compressor])].map(({ id }) => String(id));
  const dtype = (V2_DTYPES[dataType] ?? dataType).replace("<", endian);
  const members = [...filters, compressor].map((codec) => JSON.stringify(codec)).join(" ");
  return {
    title: `v2 ${dtype} ${order} ${members}`,
    codecs: [...ids, "(implicit)", ...(order === "F" ? ["(order F)"] : [])],
    zarr_format: 2,
    path: "/",
    data_type: dataType,
    shape: SHAPE,
    data: smooth(dataType, low, SHAPE),
    isWritten: !ids.some((id) => READ_ONLY.includes(id)),
    documents: {
      "/.zarray": {
        zarr_format: 2,
        shape: SHAPE,
        chunks: CHUNK,
        dtype,
        order,
        filters: filters.length === 0 ? null : filters,
        compressor,
        fill_value: dataType === "bool" ? false : dataType === "<U6" ? "" : 0,
        dimension_separator: ".",
      },
      "/.zattrs": {},
    },
  };
}

interface V3Options {
  readonly low?: number;
  readonly shape?: readonly number[];
}

function v3(
  dataType: string,
  codecs: readonly JsonObject[],
  { low = 3, shape = SHAPE }: V3Options = {},
): CodecCase {
  const names = codecs.map(({ name }) => String(name));
  return {
    title: `v3 ${dataType} ${JSON.stringify(codecs)}`,
    codecs: names,
    zarr_format: 3,
    path: "/",
    data_type: dataType,
    shape,
    data: smooth(dataType, low, shape),
    isWritten: !names.some((name) => READ_ONLY.includes(name.replace("numcodecs.", ""))),
    documents: {
      "/zarr.json": {
        zarr_format: 3,
        node_type: "array",
        shape,
        data_type: dataType,
        chunk_grid: { name: "regular", configuration: { chunk_shape: CHUNK } },
        chunk_key_encoding: { name: "default", configuration: { separator: "/" } },
        fill_value: dataType === "bool" ? false : low > 3 ? low : 0,
        codecs,
        attributes: {},
      },
    },
  };
}
const numcodecs = (id: string, configuration: JsonObject = {}): JsonObject => ({
  name: `numcodecs.${id}`,
  configuration,
});
const CNAMES = ["blosclz", "lz4", "lz4hc", "zlib", "zstd"];

/** @param snappy whether the implementation's blosc has it */
export function v2Cases(snappy: boolean): CodecCase[] {
  const cnames = snappy ? [...CNAMES, "snappy"] : CNAMES;
  return [
    ...cnames.flatMap((cname) =>
      [0, 1, 2].map((shuffle) =>
        v2(shuffle === 1 ? "int32" : "float64", [], { id: "blosc", cname, clevel: 5, shuffle, blocksize: 0 }),
      ),
    ),
    ...["gzip", "zlib"].flatMap((id) => [0, 1, 9].map((level) => v2("int16", [], { id, level }))),
    ...[0, 3, -5].map((level) => v2("float32", [], { id: "zstd", level })),
    v2("int32", [], { id: "lz4", acceleration: 1 }),
    v2("int32", [], { id: "bz2", level: 5 }),
    v2("int32", [], { id: "lzma", format: 1, check: -1, preset: 2, filters: null }),
    ...["crc32", "adler32", "base64"].map((id) => v2("int32", [{ id }], null)),
    v2("int32", [{ id: "shuffle", elementsize: 4 }], { id: "zlib", level: 1 }),
    ...(["C", "F"] as const).flatMap((order) =>
      (["<", ">"] as const).flatMap((endian) => [
        v2(
          "int32",
          [{ id: "delta", dtype: `${endian}i4`, astype: `${endian}i4` }],
          { id: "zlib", level: 1 },
          { order, endian },
        ),
        v2("int16", [{ id: "delta", dtype: `${endian}i2`, astype: "|i1" }], null, { order, endian }),
        v2(
          "int64",
          [
            { id: "delta", dtype: `${endian}i8`, astype: `${endian}i4` },
            { id: "shuffle", elementsize: 4 },
          ],
          { id: "lz4", acceleration: 1 },
          { order, endian },
        ),
        v2(
          "float64",
          [{ id: "fixedscaleoffset", scale: 100, offset: 2, dtype: `${endian}f8`, astype: `${endian}u2` }],
          { id: "gzip", level: 1 },
          { order, endian },
        ),
        v2(
          "float32",
          [{ id: "quantize", digits: 2, dtype: `${endian}f4`, astype: `${endian}f4` }],
          { id: "zstd", level: 1 },
          { order, endian },
        ),
        v2("float64", [{ id: "astype", encode_dtype: `${endian}f4`, decode_dtype: `${endian}f8` }], null, {
          order,
          endian,
        }),
      ]),
    ),
    // numcodecs' bitround knows no big-endian floats and forgets order F.
    v2("float32", [{ id: "bitround", keepbits: 7 }], null),
    // Byte orders and types that differ along the way: each filter looks at bytes as it says.
    v2("int32", [{ id: "delta", dtype: "<i4", astype: "<i4" }], null, { endian: ">" }),
    v2("int32", [{ id: "delta", dtype: ">i4", astype: ">i4" }], null),
    v2("float64", [{ id: "delta", dtype: "<i8", astype: "<i8" }], null),
    v2("uint8", [{ id: "delta", dtype: "|u1", astype: ">i2" }], null),
    v2(
      "float64",
      [
        { id: "fixedscaleoffset", scale: 10, offset: 0, dtype: "<f8", astype: ">i4" },
        { id: "delta", dtype: ">i4", astype: "<i2" },
      ],
      { id: "bz2", level: 1 },
    ),
    v2(
      "float64",
      [
        { id: "quantize", digits: 1, dtype: "<f8", astype: "<f4" },
        { id: "bitround", keepbits: 12 },
        { id: "shuffle", elementsize: 4 },
      ],
      { id: "blosc", cname: "lz4", clevel: 5, shuffle: 0, blocksize: 0 },
    ),
    v2("bool", [{ id: "packbits" }], null),
    v2("bool", [{ id: "packbits" }, { id: "crc32" }], { id: "zlib", level: 1 }, { order: "F" }),
    v2("bool", [{ id: "astype", encode_dtype: "|u1", decode_dtype: "|b1" }], null),
    v2("uint16", [{ id: "astype", encode_dtype: "<i4", decode_dtype: "<u2" }], null),
    v2("<U6", [{ id: "categorize", labels: ["female", "male", "ünï⛰"], dtype: "<U6", astype: "|u1" }], null),
    v2(
      "<U6",
      [{ id: "categorize", labels: ["female", "male", "ünï⛰"], dtype: "<U6", astype: "<i2" }],
      { id: "zlib", level: 1 },
      { order: "F" },
    ),
  ];
}

export const v2NewCases: readonly CodecCase[] = [
  ...["crc32c", "fletcher32", "jenkins_lookup3"].map((id) => v2("int32", [{ id }], null)),
  v2("int32", [{ id: "crc32", location: "end" }], null),
  v2(
    "int32",
    [
      { id: "adler32", location: "end" },
      { id: "crc32c", location: "start" },
    ],
    null,
  ),
  v2("float32", [], { id: "zstd", level: 3, checksum: true }),
];

const shared: readonly (readonly [string, JsonObject])[] = [
  ["blosc", { cname: "lz4", clevel: 5, shuffle: 1, blocksize: 0 }],
  ["lz4", { acceleration: 1 }],
  ["zstd", { level: 3 }],
  ["zlib", { level: 3 }],
  ["gzip", { level: 3 }],
  ["bz2", { level: 3 }],
  ["lzma", { preset: 3 }],
  ["shuffle", { elementsize: 4 }],
  ["crc32", {}],
  ["crc32c", {}],
  ["adler32", {}],
  ["fletcher32", {}],
  ["jenkins_lookup3", {}],
];

/** Core codecs, which TensorStore knows too. */
export const v3CoreCases: readonly CodecCase[] = [
  v3("int32", [LITTLE]),
  v3("int16", [TRANSPOSED, BIG]),
  ...[0, 5, 9].map((level) => v3("int32", [LITTLE, { name: "gzip", configuration: { level } }])),
  ...[false, true].map((checksum) =>
    v3("float32", [BIG, { name: "zstd", configuration: { level: 3, checksum } }]),
  ),
  ...CNAMES.flatMap((cname) =>
    ["noshuffle", "shuffle", "bitshuffle"].map((shuffle) =>
      v3("int32", [
        LITTLE,
        { name: "blosc", configuration: { cname, clevel: 5, shuffle, typesize: 4, blocksize: 0 } },
      ]),
    ),
  ),
  v3("int32", [LITTLE, { name: "crc32c" }]),
  ...["start", "end"].map((index_location) =>
    v3("int32", [
      {
        name: "sharding_indexed",
        configuration: {
          chunk_shape: [5, 4],
          codecs: [BIG, { name: "zstd", configuration: { level: 1, checksum: false } }],
          index_codecs: [LITTLE, { name: "crc32c" }],
          index_location,
        },
      },
    ]),
  ),
  v3("float64", [TRANSPOSED, BIG, { name: "gzip", configuration: { level: 5 } }, { name: "crc32c" }]),
];

export const v3Cases: readonly CodecCase[] = [
  ...shared.map(([id, configuration]) => v3("int32", [LITTLE, numcodecs(id, configuration)])),
  v3("int32", [numcodecs("delta", { dtype: "<i4" }), LITTLE, numcodecs("zlib", { level: 1 })]),
  v3("int64", [numcodecs("delta", { dtype: "int64", astype: "<i2" }), BIG]),
  v3("float64", [
    numcodecs("fixedscaleoffset", { scale: 100, offset: 2, dtype: "<f8", astype: "<u2" }),
    LITTLE,
    GZIP,
  ]),
  v3("float32", [numcodecs("quantize", { digits: 2, dtype: "<f4" }), LITTLE]),
  v3("float32", [numcodecs("bitround", { keepbits: 7 }), BIG]),
  v3("float64", [numcodecs("astype", { encode_dtype: "<f4", decode_dtype: "<f8" }), LITTLE]),
  v3("bool", [numcodecs("packbits"), { name: "bytes" }]),
  v3("int32", [
    TRANSPOSED,
    numcodecs("delta", { dtype: "<i4" }),
    LITTLE,
    numcodecs("shuffle", { elementsize: 4 }),
    numcodecs("lz4", { acceleration: 1 }),
    numcodecs("crc32", {}),
  ]),
  v3("float64", [{ name: "scale_offset", configuration: { offset: 2.5, scale: 4 } }, LITTLE]),
  v3("float32", [{ name: "scale_offset", configuration: { offset: 5, scale: 0.1 } }, BIG]),
  v3("int32", [{ name: "scale_offset", configuration: { offset: 500, scale: 2 } }, LITTLE]),
  v3("int64", [{ name: "scale_offset", configuration: { offset: -3, scale: -7 } }, LITTLE]),
  v3("uint8", [{ name: "scale_offset", configuration: { offset: 50 } }, { name: "bytes" }], { low: 60 }),
  v3("float64", [{ name: "cast_value", configuration: { data_type: "float32" } }, LITTLE]),
  ...["nearest-even", "towards-zero", "towards-positive", "towards-negative", "nearest-away"].flatMap(
    (rounding) => [
      v3("float64", [{ name: "cast_value", configuration: { data_type: "int16", rounding } }, LITTLE]),
      v3("float64", [{ name: "cast_value", configuration: { data_type: "float16", rounding } }, LITTLE]),
    ],
  ),
  v3("int32", [
    { name: "cast_value", configuration: { data_type: "int8", out_of_range: "clamp" } },
    { name: "bytes" },
  ]),
  v3("int32", [
    { name: "cast_value", configuration: { data_type: "uint8", out_of_range: "wrap" } },
    { name: "bytes" },
  ]),
  v3("float64", [
    { name: "scale_offset", configuration: { offset: -10, scale: 0.5 } },
    {
      name: "cast_value",
      configuration: {
        data_type: "uint8",
        scalar_map: {
          encode: [
            ["NaN", 0],
            [9, 200],
          ],
          decode: [
            [0, "NaN"],
            [200, 9],
          ],
        },
      },
    },
    { name: "bytes" },
    numcodecs("blosc", { cname: "zstd", clevel: 5, shuffle: 1, blocksize: 0 }),
  ]),
];

const packbits = (configuration: JsonObject = {}): JsonObject => ({ name: "packbits", configuration });

/**
 * zarrs 0.23.14 mixes up the bits of a packed chunk that it reads in part, as it does at the edge of an
 * array. (It also extends signs within a byte only, so that no negative number of more than one byte stands
 * here.)
 */
const WHOLE_CHUNKS = { shape: [10, 16] };

/** What zarrs knows besides the core codecs. */
export const v3ZarrsCases: readonly CodecCase[] = [
  ...["int16", "uint8", "int64", "float32", "float64"].flatMap((dataType) =>
    [1, 3, 60].map((keepbits) =>
      v3(dataType, [
        { name: "bitround", configuration: { keepbits } },
        dataType === "uint8" ? { name: "bytes" } : LITTLE,
      ]),
    ),
  ),
  ...["bool", "uint2", "uint4"].flatMap((dataType) =>
    [{}, { padding_encoding: "first_byte" }, { padding_encoding: "last_byte" }].map((configuration) =>
      v3(dataType, [packbits(configuration)]),
    ),
  ),
  v3("int16", [packbits({ first_bit: 0, last_bit: 8 })]),
  v3("int16", [packbits({ last_bit: 11, padding_encoding: "first_byte" }), GZIP]),
  v3("uint16", [packbits({ first_bit: 3, last_bit: 12 })], WHOLE_CHUNKS),
  v3("uint8", [packbits({ last_bit: 6 })]),
  v3("float32", [packbits({ first_bit: 10, last_bit: 31 })], WHOLE_CHUNKS),
  v3("int32", [packbits()]),
  v3("int32", [{ name: "reshape", configuration: { shape: [[0, 1]] } }, LITTLE]),
  v3("int32", [{ name: "reshape", configuration: { shape: [[0], 2, -1] } }, BIG]),
  v3("int16", [TRANSPOSED, { name: "reshape", configuration: { shape: [4, 10] } }, TRANSPOSED, LITTLE]),
  v3("float64", [
    numcodecs("fixedscaleoffset", { scale: 100, offset: 2, dtype: "<f8", astype: "<u2" }),
    LITTLE,
  ]),
  v3("float32", [numcodecs("bitround", { keepbits: 7 }), BIG]),
  v3("int32", [LITTLE, numcodecs("shuffle", { elementsize: 4 }), numcodecs("zlib", { level: 3 })]),
  ...["fletcher32", "adler32"].map((id) => v3("int32", [LITTLE, numcodecs(id)])),
  v3("int32", [LITTLE, numcodecs("bz2", { level: 3 })]),
];

/** Compressors of v2 that TensorStore has. */
export const v2TensorStoreCases: readonly CodecCase[] = v2Cases(true).filter(
  ({ codecs: [id = "", ...others] }) =>
    others.length === 1 && ["blosc", "bz2", "zlib", "gzip", "zstd"].includes(id),
);
