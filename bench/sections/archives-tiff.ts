/** Tiles of TIFF with its compressors and predictors. */
import { getDecoder } from "geotiff";
import type { Python, Tile } from "../peers/python.js";
import { here, type Rival } from "../race.js";
import { noise } from "./archives-decoder.js";
import type { Trial } from "./archives-table.js";

const TILES: readonly (Tile & { readonly name: string })[] = [
  { name: "uint8 photograph", dtype: "uint8", shape: [512, 512, 3], predictor: 1, compressor: "lzw" },
  { name: "uint8 photograph", dtype: "uint8", shape: [512, 512, 3], predictor: 2, compressor: "lzw" },
  { name: "uint8 classes", dtype: "uint8", shape: [1024, 1024, 1], predictor: 1, compressor: "lzw" },
  { name: "uint16 elevation", dtype: "uint16", shape: [512, 512, 1], predictor: 2, compressor: "lzw" },
  { name: "float32 elevation", dtype: "float32", shape: [512, 512, 1], predictor: 3, compressor: "lzw" },
  { name: "uint8 classes", dtype: "uint8", shape: [1024, 1024, 1], predictor: 1, compressor: "packbits" },
];
const PREDICTORS = { 1: "", 2: ", differences", 3: ", differences of floats" };
/** TIFF's own numbers. */
const COMPRESSION = { lzw: 5, packbits: 32773 };

function content({ name, dtype, shape }: (typeof TILES)[number]) {
  const next = noise();
  const [rows, columns, samples] = shape;
  const values = Float64Array.from({ length: rows * columns * samples }, (_, i) => {
    const [row, column] = [Math.floor(i / samples / columns), Math.floor(i / samples) % columns];
    const wave = Math.sin(row / 41) * Math.cos(column / 29);
    if (name.endsWith("classes")) return Math.round(3 + 3 * wave);
    if (dtype === "uint8") return 128 + 90 * wave + 2 * next() + 5 * (i % samples);
    return 1200 + 700 * wave + 2 * next();
  });
  if (dtype === "uint8") return Uint8Array.from(values);
  return dtype === "uint16" ? Uint16Array.from(values) : Float32Array.from(values);
}

/** As an array of v3 names what tifffile and virtual-tiff name. */
function chunkOf({ dtype, shape, predictor, compressor }: Tile): Trial["chunk"] {
  const configuration = { axis: -2, dist: 1 };
  const bytes = { name: "bytes", configuration: { endian: "little" } };
  const before = {
    1: [bytes],
    2: [{ name: "imagecodecs_delta", configuration }, bytes],
    3: [{ name: "imagecodecs_floatpred", configuration }],
  };
  return { codecs: [...before[predictor], { name: `imagecodecs_${compressor}` }], dtype, shape };
}

async function geotiff({ dtype, shape, predictor, compressor }: Tile, encoded: Uint8Array): Promise<Rival> {
  const bits = Number(/\d+/.exec(dtype));
  const decoder = await getDecoder(COMPRESSION[compressor], {
    ...{ tileHeight: shape[0], tileWidth: shape[1], predictor, planarConfiguration: 1 },
    bitsPerSample: new Array<number>(shape[2]).fill(bits),
  });
  const { buffer } = encoded.slice();
  return here(() => decoder.decode(buffer));
}

/** TIFF's tiles beside imagecodecs (C) and geotiff.js. */
export const tileTrials = (python: Python): Trial[] =>
  TILES.map(({ name, ...tile }) => ({
    title: `${tile.compressor === "lzw" ? "LZW" : "PackBits"}${PREDICTORS[tile.predictor]}: ${name}, ${tile.shape.join(" x ")}`,
    values: () => content({ name, ...tile }),
    encode: (files) => ({ kind: "encodeTile", ...tile, ...files }),
    chunk: chunkOf(tile),
    rivals: (encoded, stored) => [
      python.rival({ kind: "decodeTile", ...tile, encoded }),
      geotiff(tile, stored),
    ],
  }));
