/** The decoders of archives' codecs that are fuzzed: GRIB, pcodec, zfp, TIFF's, and images. */
import { product } from "../../src/base/shape.js";
import { fromBase64 } from "../core/codecs/harness.js";
import gribFixtures from "../fixtures/codecs/grib.json" with { type: "json" };
import pcodecFixtures from "../fixtures/codecs/pcodec.json" with { type: "json" };
import tiffFixtures from "../fixtures/codecs/tiff.json" with { type: "json" };
import zfpFixtures from "../fixtures/codecs/zfp.json" with { type: "json" };
import { LITTLE } from "../setup/codecs.js";
import { IMAGE_TARGETS, repairPng } from "./image-targets.js";
import type { FuzzArray, FuzzTarget } from "./targets.js";

/** The length of the message, its end, and the length of its last section. */
function repairGrib(input: Uint8Array): void {
  if (input.length < 25 || input[7] === 1) return;
  const view = new DataView(input.buffer, input.byteOffset, input.length);
  const end = input.length - 4;
  input.set([71, 82, 73, 66], 0);
  input[7] = 2;
  view.setUint32(8, 0);
  view.setUint32(12, input.length);
  input.fill(55, end);
  for (let at = 16; at + 5 <= end; ) {
    const length = view.getUint32(at);
    if (input[at + 4] === 7 || at + length > end || length < 5) {
      view.setUint32(at, end - at);
      break;
    }
    at += length;
  }
  repairPng(input);
}

/** Coordinates of GRIB grids of one number of points. */
const gribGridsOf = (variable: string, points: number): FuzzTarget => ({
  name: `grib's ${variable} of ${points} points`,
  array: {
    dataType: "float64",
    length: points,
    codecs: [{ name: "gribberish", configuration: { var: variable, north_up: points === 45 } }],
  },
  encoded: gribFixtures.grids
    .filter(({ name }) => points !== 45 || !/^(rotated|columns)/.test(name))
    .filter(({ eccodes: [text = ""] }) => fromBase64(text).length === 8 * points)
    .map(({ message }) => fromBase64(message)),
  repair: repairGrib,
});

/** GRIB messages of one number of points, in every packing. */
const gribOf = (points: number): FuzzTarget => ({
  name: `grib of ${points} points`,
  array: { dataType: "float64", length: points, codecs: [{ name: "grib" }] },
  // Without JPEG 2000, which a package decodes, and logarithms, whose last bits depend on the engine.
  seeds: gribFixtures.cases
    .filter(({ name }) => !/^(jpeg|logarithms)/.test(name))
    .map(({ message, values }) => ({ encoded: fromBase64(message), decoded: fromBase64(values) }))
    .filter(({ decoded }) => decoded.length === 8 * points),
  repair: repairGrib,
});

/** GRIB messages of packed logarithms. */
const LOGARITHMS: FuzzTarget = {
  name: "grib of logarithms",
  array: { dataType: "float64", length: 45, codecs: [{ name: "grib" }] },
  encoded: gribFixtures.cases
    .filter(({ name }) => /^logarithms \d/.test(name))
    .map(({ message }) => fromBase64(message)),
  repair: repairGrib,
};

/** Data of pcodec of one type and length, in every mode and delta encoding. */
const pcodecOf = (dataType: string): FuzzTarget => ({
  name: `pcodec of ${dataType}`,
  array: { dataType, length: 270, codecs: [{ name: "pcodec" }] },
  seeds: pcodecFixtures.cases
    .filter(({ name, type }) => type === dataType && name.endsWith(`: ${dataType}`))
    .map(({ data, numbers }) => ({ encoded: fromBase64(data), decoded: fromBase64(numbers) })),
});

/** Data of zfp of one type, in every mode and of one to four dimensions. */
const zfpOf = (dataType: string): FuzzTarget => ({
  name: `zfpy of ${dataType}`,
  array: { dataType, length: 30, codecs: [{ name: "numcodecs.zfpy" }] },
  seeds: zfpFixtures.cases
    .filter(({ type }) => type === dataType)
    .map(({ data, numbers }) => ({ encoded: fromBase64(data), decoded: fromBase64(numbers) })),
});

/** Chunks of TIFF's compressors. */
const tiffOf = (name: string): FuzzTarget => ({
  name: `imagecodecs_${name}`,
  seeds: tiffFixtures.cases
    .filter(({ codec }) => codec === name)
    .map(({ encoded, decoded }) => ({ encoded: fromBase64(encoded), decoded: fromBase64(decoded) })),
});

/** Chunks of TIFF's predictors, of three dimensions, along each of them. */
const PREDICTORS: readonly FuzzTarget[] = tiffFixtures.cases
  .filter(({ codec, shape }) => (codec === "delta" || codec === "floatpred") && shape.length === 3)
  .map(({ codec, configuration, type, shape, encoded, decoded }) => ({
    name: `imagecodecs_${codec} of ${type} ${shape.join("x")}, ${JSON.stringify(configuration)}`,
    array: {
      ...{ dataType: type, shape, length: product(shape) },
      codecs: [
        { name: `imagecodecs_${codec}`, configuration },
        // In v3 imagecodecs' floats are bytes at once.
        ...(codec === "delta" ? [LITTLE] : []),
      ],
    },
    seeds: [{ encoded: fromBase64(encoded), decoded: fromBase64(decoded) }],
  }));

/** Codecs of virtual-tiff: chunks of these two have every length that bytes can have, or are refused. */
const NUMBERS = Uint8Array.from({ length: 48 }, (_, i) => (i * 37) & 255);
const virtualTiff = (dataType: string, codecs: FuzzArray["codecs"]): FuzzTarget => ({
  name: `${codecs.map(({ name }) => name).join(" and ")} of ${dataType}`,
  array: { dataType, shape: [3, 2, 4], length: 24, codecs },
  encoded: [NUMBERS, NUMBERS.toReversed()],
});

/** zlib and zstd under the names of imagecodecs. */
const renamedOf = (name: string, encoded: string): FuzzTarget => ({
  name: `imagecodecs_${name}`,
  encoded: [fromBase64(encoded)],
});

export const ARCHIVE_TARGETS: readonly FuzzTarget[] = [
  ...["int16", "float32", "uint64", "float64"].map(pcodecOf),
  ...["int32", "int64", "float32", "float64"].map(zfpOf),
  ...["lzw", "packbits"].map(tiffOf),
  ...PREDICTORS,
  virtualTiff("uint16", [{ name: "ChunkyCodec", configuration: { endian: "big" } }]),
  virtualTiff("int16", [{ name: "HorizontalDeltaCodec" }, { name: "ChunkyCodec" }]),
  renamedOf("deflate", "eJxjYGBkYGJgZmBhYGVgY2CgGw8AKXQArw=="),
  renamedOf("zstd", "KLUv/SB4rQAAcAAAAQACAAMABAAFAAYAAQAn0qkE"),
  gribOf(45),
  gribOf(84),
  gribOf(99),
  LOGARITHMS,
  gribGridsOf("latitude", 45),
  gribGridsOf("longitude", 45),
  gribGridsOf("latitude", 54),
  gribGridsOf("longitude", 54),
  gribGridsOf("longitude", 56),
  gribGridsOf("latitude", 72),
  {
    ...gribOf(84),
    name: "gribberish of 84 points, in another order",
    array: {
      dataType: "float64",
      length: 84,
      codecs: [{ name: "gribberish", configuration: { north_up: true, adjust_longitude_range: true } }],
    },
  },
  ...IMAGE_TARGETS,
];
