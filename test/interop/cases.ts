/**
 * Arrays to write and read with several implementations: cases as scripts/oracles/cases.py describes them,
 * drawn at random with a fixed seed, so that every run sees the same ones.
 */
import fc from "fast-check";
import { bytesFromHex, hexFromBytes, itemSizeOf } from "./elements.js";

type Region = readonly (readonly [start: number, stop: number])[];

export interface Case {
  readonly path: "/";
  readonly zarr_format: 2 | 3;
  readonly data_type: string;
  readonly shape: readonly number[];
  readonly chunk_shape: readonly number[];
  readonly endian: "little" | "big";
  /** v2: "C" or "F"; v3: a transpose permutation or null. */
  readonly order: "C" | "F" | readonly number[] | null;
  readonly separator: "/" | ".";
  readonly chunk_key_encoding: "default" | "v2";
  /** In encoding order; v2: at most one. */
  readonly codecs: readonly string[];
  /** Elements are little-endian and in C order, as hex. */
  readonly fill_value: string;
  readonly data: string;
  /** What is written; elements of `data` outside are the fill value. */
  readonly written: readonly [Region];
}

/** Fill values of floats: zero, 1.5, infinity, -infinity, the quiet NaN. */
const FLOAT_FILLS: Readonly<Record<string, readonly string[]>> = {
  float16: ["0000", "003e", "007c", "00fc", "007e"],
  float32: ["00000000", "0000c03f", "0000807f", "000080ff", "0000c07f"],
  float64: [
    "0000000000000000",
    "000000000000f83f",
    "000000000000f07f",
    "000000000000f0ff",
    "000000000000f87f",
  ],
};
const DATA_TYPES = [
  ...["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"],
  ...Object.keys(FLOAT_FILLS),
];

const hexOf = (byteLength: number) =>
  fc.uint8Array({ minLength: byteLength, maxLength: byteLength }).map(hexFromBytes);

function elements(dataType: string, count: number): fc.Arbitrary<string> {
  const hex = hexOf(count * itemSizeOf(dataType));
  return dataType === "bool"
    ? hex.map((text) => hexFromBytes(bytesFromHex(text).map((byte) => byte & 1)))
    : hex;
}

function fillValue(dataType: string): fc.Arbitrary<string> {
  const floats = FLOAT_FILLS[dataType];
  if (floats !== undefined) return fc.constantFrom(...floats);
  return fc.oneof(fc.constant("00".repeat(itemSizeOf(dataType))), elements(dataType, 1));
}

/** `data` inside the region, the fill value elsewhere. */
function fillOutside(data: string, fill: string, shape: readonly number[], region: Region): string {
  const digits = fill.length;
  let offsets = [{ offset: 0, inside: true }];
  for (const [axis, length] of shape.entries()) {
    const [start, stop] = region[axis] ?? [0, length];
    offsets = offsets.flatMap(({ offset, inside }) =>
      Array.from({ length }, (_, i) => ({
        offset: offset * length + i,
        inside: inside && start <= i && i < stop,
      })),
    );
  }
  return offsets
    .map(({ offset, inside }) => (inside ? data.slice(offset * digits, (offset + 1) * digits) : fill))
    .join("");
}

const layouts = {
  2: (rank: number) =>
    fc.record({
      order: fc.constantFrom("C", "F").map((order) => (rank < 2 ? "C" : order)),
      chunk_key_encoding: fc.constant("v2"),
      codecs: fc.constantFrom<string[]>([], ["gzip"], ["zlib"]),
    }),
  3: (rank: number) =>
    fc.record({
      order: fc.option(fc.shuffledSubarray([...Array(rank).keys()], { minLength: rank }), {
        nil: null,
        freq: 2,
      }),
      chunk_key_encoding: fc.constantFrom("default", "v2"),
      codecs: fc.constantFrom<string[]>([], ["gzip"], ["crc32c"], ["gzip", "crc32c"], ["crc32c", "gzip"]),
    }),
};

const dimension = fc
  .record({
    length: fc.nat(6),
    chunk: fc.integer({ min: 1, max: 4 }),
    from: fc.nat(6),
    to: fc.nat(6),
    all: fc.boolean(),
  })
  .map(({ length, chunk, from, to, all }) => ({
    length,
    chunk,
    region: (all
      ? [0, length]
      : [Math.min(from, to, length), Math.min(Math.max(from, to), length)]) satisfies [number, number],
  }));

function arbitrary(zarrFormats: readonly (2 | 3)[]): fc.Arbitrary<Case> {
  return fc
    .record({
      zarr_format: fc.constantFrom(...zarrFormats),
      data_type: fc.constantFrom(...DATA_TYPES),
      dimensions: fc.array(dimension, { maxLength: 4 }),
    })
    .chain(({ zarr_format, data_type, dimensions }) => {
      const shape = dimensions.map(({ length }) => length);
      const count = shape.reduce((product, length) => product * length, 1);
      return fc
        .record({
          layout: layouts[zarr_format](shape.length),
          endian: fc.constantFrom("little", "big"),
          separator: fc.constantFrom("/", "."),
          fill_value: fillValue(data_type),
          data: elements(data_type, count),
        })
        .map(({ layout, data, endian, ...rest }) => {
          const region = dimensions.map((each) => each.region);
          return {
            path: "/",
            zarr_format,
            data_type,
            shape,
            chunk_shape: dimensions.map(({ chunk }) => chunk),
            endian: itemSizeOf(data_type) === 1 ? "little" : endian,
            ...layout,
            ...rest,
            data: fillOutside(data, rest.fill_value, shape, region),
            written: [region],
          };
        });
    });
}

/** The same cases every time. */
export function sampleCases(zarrFormats: readonly (2 | 3)[], count: number): Case[] {
  return fc.sample(arbitrary(zarrFormats), { seed: 20_261_121, numRuns: count });
}

/** For a test's name. */
export function describeCase(each: Case): string {
  const { zarr_format, data_type, shape, chunk_shape, endian, order, codecs, chunk_key_encoding, separator } =
    each;
  return `v${zarr_format} ${data_type} ${endian} [${shape}] in [${chunk_shape}] order ${order} ${codecs.join("+") || "raw"} ${chunk_key_encoding}${separator} fill ${each.fill_value} written ${JSON.stringify(each.written[0])}`;
}
