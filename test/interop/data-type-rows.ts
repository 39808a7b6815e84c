/**
 * One array of every data type: what each format's metadata calls it, and four elements with a fill value in
 * memory order.
 */
import type { Json } from "../../src/index.js";

export interface DataTypeRow {
  readonly name: string;
  /**
   * `dtype`s and `data_type`s that mean it: both byte orders where there are two, all units. None where the
   * format cannot hold it.
   */
  readonly v2: readonly Json[];
  readonly v3: readonly Json[];
  /**
   * Five elements, little-endian, hex, with commas between those of variable length; the fifth is the fill
   * value.
   */
  readonly data: string;
}

const orders = (code: string): string[] => [`<${code}`, `>${code}`];
const utf32 = (text: string, length: number): string =>
  Array.from({ length }, (_, i) => {
    const point = text.codePointAt(i) ?? 0;
    return [0, 8, 16, 24].map((shift) => ((point >> shift) & 255).toString(16).padStart(2, "0")).join("");
  }).join("");
const configured = (name: string, configuration: Record<string, Json>): Json => ({ name, configuration });
const struct = (...fields: Json[]): Json => configured("struct", { fields });
const field = (name: string, data_type: Json): Json => ({ name, data_type });

/** Types of a byte or two that v2 has by name. */
const bytes = (name: string, data: string): DataTypeRow => ({ name, v2: [name], v3: [name], data });

/** Five patterns that are numbers. */
const SMALL_FLOATS = [
  ["float8_e3m4", "0001307038"],
  ["float8_e4m3", "0001387840"],
  ["float8_e4m3fn", "0001387e40"],
  ["float8_e4m3b11fnuz", "0001587f60"],
  ["float8_e4m3fnuz", "0001407f48"],
  ["float8_e5m2", "00013c7b40"],
  ["float8_e5m2fnuz", "0001407f44"],
  ["float8_e8m0fnu", "00017ffe80"],
  ["float6_e2m3fn", "000108203f"],
  ["float6_e3m2fn", "00010c203f"],
  ["float4_e2m1fn", "000102080f"],
] as const;

/** Each with the next one as its imaginary part. */
const pairs = (data: string): string =>
  Array.from({ length: 5 }, (_, i) => `${data}${data}`.slice(2 * i, 2 * i + 4)).join("");

const UNITS = ["Y", "M", "W", "D", "h", "m", "s", "ms", "us", "ns", "ps", "fs", "as"];
const times = (
  kind: "datetime" | "timedelta",
  title: string,
  units: readonly (readonly [unit: string, scaleFactor: number])[],
  fill = "0100000000000000",
): DataTypeRow => ({
  name: `numpy.${kind}64, ${title}`,
  v2: units.flatMap(([unit, factor]) =>
    orders(
      `${kind === "datetime" ? "M" : "m"}8${unit === "generic" ? "" : `[${factor === 1 ? "" : factor}${unit}]`}`,
    ),
  ),
  v3: units.map(([unit, scale_factor]) => configured(`numpy.${kind}64`, { unit, scale_factor })),
  data: `00000000000000000000000000000080ffffffffffffffff15cd5b0700000000${fill}`,
});

export const rows: readonly DataTypeRow[] = [
  { name: "bool", v2: ["|b1"], v3: ["bool"], data: "0001010001" },
  { name: "int8", v2: ["|i1"], v3: ["int8"], data: "007f80ff05" },
  { name: "uint8", v2: ["|u1"], v3: ["uint8"], data: "007f80ff05" },
  ...(["int", "uint"] as const).flatMap((kind) =>
    [2, 4, 8].map((size): DataTypeRow => {
      const [zero, ones, sample] = ["00", "ff", "12"].map((byte) => byte.repeat(size));
      return {
        name: `${kind}${8 * size}`,
        v2: orders(`${kind.charAt(0)}${size}`),
        v3: [`${kind}${8 * size}`],
        data: `${zero}${ones}${sample}01${"00".repeat(size - 1)}2a${"00".repeat(size - 1)}`,
      };
    }),
  ),
  { name: "float16", v2: orders("f2"), v3: ["float16"], data: "0000008001fc017e003e" },
  {
    name: "float32",
    v2: orders("f4"),
    v3: ["float32"],
    data: "00000080cdcccc3d0100c07f000080ff0000c03f",
  },
  {
    name: "float64",
    v2: orders("f8"),
    v3: ["float64"],
    data: "0000000000000080000000000000f07f010000000000f87f9a9999999999b93f000000000000f83f",
  },
  {
    name: "complex64",
    v2: orders("c8"),
    v3: ["complex64"],
    data: "0000803f000000000000000000000080cdcccc3d0000807f000020410000c0c00000c03f000020c0",
  },
  {
    name: "complex128",
    v2: orders("c16"),
    v3: ["complex128"],
    data: `${"00".repeat(16)}${"9a9999999999b93f".repeat(2)}${"000000000000f07f".repeat(2)}${"0000000000000080".repeat(2)}${"000000000000f83f".repeat(2)}`,
  },
  { name: "complex_float16", v2: ["complex_float16"], v3: ["complex_float16"], data: "003c00c0".repeat(5) },
  {
    name: "complex_bfloat16",
    v2: ["complex_bfloat16"],
    v3: ["complex_bfloat16"],
    data: "803f00c0".repeat(5),
  },
  { name: "bfloat16", v2: ["bfloat16"], v3: ["bfloat16"], data: "00000080803fc17fc03f" },
  ...SMALL_FLOATS.map(([name, data]) => bytes(name, data)),
  ...SMALL_FLOATS.map(([name, data]) => bytes(`complex_${name}`, pairs(data))),
  bytes("int2", "0001020301"),
  bytes("int4", "0007080f03"),
  bytes("uint2", "0001020301"),
  bytes("uint4", "0007080f03"),
  { name: "raw bits: r24", v2: [], v3: ["r24"], data: "000000010203ffffff0a0b0c616263" },
  {
    name: "raw_bytes",
    v2: ["|V3"],
    v3: [configured("raw_bytes", { length_bytes: 3 })],
    data: "000000010203ffffff0a0b0c616263",
  },
  {
    name: "null_terminated_bytes",
    v2: ["|S3"],
    v3: [configured("null_terminated_bytes", { length_bytes: 3 })],
    data: "616263610000000000ff0100626300",
  },
  {
    name: "fixed_length_utf32",
    v2: orders("U3"),
    v3: [configured("fixed_length_utf32", { length_bytes: 12 })],
    data: ["abc", "é", "", "日本", "zz"].map((text) => utf32(text, 3)).join(""),
  },
  ...(["datetime", "timedelta"] as const).flatMap((kind) => [
    times(
      kind,
      "Y to as",
      UNITS.map((unit) => [unit, 1]),
    ),
    times(kind, "10us, 25s, ...", [
      ["us", 10],
      ["s", 25],
      ["D", 7],
      ["ns", 1000],
      ["Y", 2 ** 31 - 1],
    ]),
    // zarr-python cannot read a number as a fill value of generic datetimes: it is NaT.
    times(kind, "generic", [["generic", 1]], "0000000000000080"),
  ]),
  { name: "string", v2: ["string"], v3: ["string"], data: "61,c3a9,,e697a5f09f9880,7a7a" },
  // In v2 zarr-python 2 and zarrs take the base64 of other fill values for text, as which zarr-python 3
  // writes them.
  { name: "bytes", v2: ["bytes"], v3: ["bytes"], data: "61,00ff00,,ff," },
  {
    name: "struct",
    v2: [
      [
        ["a", "<i4"],
        ["b", "<f8"],
        ["c", "|S2"],
      ],
      [
        ["a", ">i4"],
        ["b", ">f8"],
        ["c", "|S2"],
      ],
      [
        ["a", "<i4"],
        ["b", ">f8"],
        ["c", "|S2"],
      ],
    ],
    v3: [
      struct(
        field("a", "int32"),
        field("b", "float64"),
        field("c", configured("null_terminated_bytes", { length_bytes: 2 })),
      ),
    ],
    data: `${"01000000000000000000f83f6162"}${"feffffff9a9999999999b93f6100"}${"ffffff7f000000000000f07f0000"}${"0000008000000000000000807a7a"}${"07000000000000000000004071ff"}`,
  },
  {
    name: "struct, nested",
    v2: [
      [
        [
          "p",
          [
            ["x", "<i2"],
            ["y", "<f4"],
          ],
        ],
        ["v", "|u1"],
      ],
      [
        [
          "p",
          [
            ["x", ">i2"],
            ["y", "<f4"],
          ],
        ],
        ["v", "|u1"],
      ],
    ],
    v3: [struct(field("p", struct(field("x", "int16"), field("y", "float32"))), field("v", "uint8"))],
    data: `${"01000000803f05".repeat(4)}feff000000c009`,
  },
  {
    name: "struct, subarrays",
    v2: [
      [
        ["m", "<u2", [2, 2]],
        ["v", "|u1"],
      ],
      [
        ["m", ">u2", [2, 2]],
        ["v", "|u1"],
      ],
    ],
    v3: [],
    data: `${"010002000300040005".repeat(4)}0a000b000c000d000e`,
  },
];
