/** GRIB messages of 1440 x 721 points, which eccodes writes, in each packing. */
import type { Python } from "../peers/python.js";
import { noise } from "./archives-decoder.js";
import type { Trial } from "./archives-table.js";

const COLUMNS = 1440;
const ROWS = 721;

/** Temperatures of a quarter of a degree, smooth with noise. */
function temperatures(): Float64Array {
  const next = noise();
  return Float64Array.from({ length: COLUMNS * ROWS }, (_, i) => {
    const [row, column] = [Math.floor(i / COLUMNS), i % COLUMNS];
    return (
      300 - 60 * Math.abs(row / 360 - 1) ** 2 + 4 * Math.sin(column / 60) * Math.cos(row / 40) + 0.3 * next()
    );
  });
}

/** Precipitation: zeros, and some spots. */
const rain = (): Float64Array => temperatures().map((value) => Math.max(0, value - 296));

const PACKINGS = [
  { name: "simple, 12 bits", packing: "grid_simple", keys: { bitsPerValue: 12 } },
  { name: "simple, 16 bits", packing: "grid_simple", keys: { bitsPerValue: 16 } },
  {
    name: "simple, 12 bits, bitmap",
    packing: "grid_simple",
    keys: { bitsPerValue: 12, bitmapPresent: 1, missingValue: 0 },
  },
  { name: "complex, 12 bits", packing: "grid_complex", keys: { bitsPerValue: 12 } },
  {
    ...{ name: "complex with differences, 12 bits", packing: "grid_complex_spatial_differencing" },
    keys: { bitsPerValue: 12, orderOfSpatialDifferencing: 2 },
  },
  { name: "CCSDS, 12 bits", packing: "grid_ccsds", keys: { bitsPerValue: 12 } },
  { name: "CCSDS, 16 bits", packing: "grid_ccsds", keys: { bitsPerValue: 16 } },
  { name: "JPEG 2000, 12 bits (OpenJPEG in all)", packing: "grid_jpeg", keys: { bitsPerValue: 12 } },
  { name: "IEEE, 32 bits", packing: "grid_ieee", keys: { precision: 1 } },
] as const;

/** GRIB messages beside eccodes (C) and gribberish (Rust). */
export const fieldTrials = (python: Python): Trial[] =>
  PACKINGS.map(({ name, packing, keys }) => ({
    title: name,
    values: name.includes("bitmap") ? rain : temperatures,
    encode: (files) => ({ kind: "encodeField", packing, keys, columns: COLUMNS, ...files }),
    chunk: { codecs: [{ name: "gribberish" }], dtype: "float64", shape: [COLUMNS * ROWS] },
    rivals: (encoded) => [
      python.rival({ kind: "decodeField", library: "eccodes", encoded }),
      // gribberish has no IEEE values.
      packing === "grid_ieee"
        ? undefined
        : python.rival({ kind: "decodeField", library: "gribberish", encoded }),
    ],
  }));
