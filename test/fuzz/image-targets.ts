/**
 * Decoders of images that are fuzzed: PNG, and of those that a package decodes what wazarr itself reads
 * before it, the header. In place of the package stands one that gives zeros.
 */
import { constants, inflateRawSync } from "node:zlib";
import { product } from "../../src/base/shape.js";
import { jpegCodec } from "../../src/codecs/images/jpeg.js";
import { htj2kCodec, jpeg2000Codec } from "../../src/codecs/images/jpeg2000.js";
import { lercCodec } from "../../src/codecs/images/lerc.js";
import { webpCodec } from "../../src/codecs/images/webp.js";
import { adler32Fallback } from "../../src/core/codecs/checksums/fallback.js";
import type { CodecEntry } from "../../src/core/codecs/codec.js";
import { type ImageCase, imageCases } from "../codecs/images/image-cases.js";
import { CRC32, referenceCrc } from "../core/codecs/reference-crc.js";
import imageFixtures from "../fixtures/codecs/images.json" with { type: "json" };
import { LITTLE } from "../setup/codecs.js";
import type { FuzzTarget } from "./targets.js";

const PNG_SIGNATURE = [0x89, 0x50, 0x4e, 0x47];

/** Where a PNG begins; undefined without one. */
function pngIn(input: Uint8Array): number | undefined {
  const found = input.findIndex((_, at) => PNG_SIGNATURE.every((byte, i) => input[at + i] === byte));
  return found < 0 ? undefined : found;
}

/** The checksums of a PNG's chunks, and that of the data in IDAT, if they can be inflated. */
export function repairPng(input: Uint8Array, from = pngIn(input)): void {
  if (from === undefined) return;
  const view = new DataView(input.buffer, input.byteOffset, input.length);
  for (let at = from + 8; at + 12 <= input.length; ) {
    const end = at + 8 + view.getUint32(at);
    if (end + 4 > input.length) return;
    const data = input.subarray(at + 8, end);
    if (view.getUint32(at + 4) === 0x49444154 && data.length > 6) repairZlib(data);
    view.setUint32(end, referenceCrc(input.subarray(at + 4, end), CRC32));
    at = end + 4;
  }
}

function repairZlib(data: Uint8Array): void {
  try {
    const rows = inflateRawSync(data.subarray(2, -4), { finishFlush: constants.Z_SYNC_FLUSH });
    new DataView(data.buffer, data.byteOffset, data.length).setUint32(data.length - 4, adler32Fallback(rows));
  } catch {
    // It is refused, as it would be without.
  }
}

const CASES = imageCases(imageFixtures);

/** Images of PNG of one shape. */
const pngOf = (shape: readonly number[], dataType: string): FuzzTarget => ({
  name: `png of ${shape.join("x")} ${dataType}`,
  array: {
    ...{ dataType, shape, length: product(shape) },
    codecs: [LITTLE, { name: "imagecodecs_png" }],
  },
  seeds: CASES.filter((each) => String(each.shape) === String(shape) && each.dtype === dataType)
    .filter(({ codec }) => codec.id === "imagecodecs_png")
    .map(({ image, values }) => ({ encoded: image, decoded: values })),
  repair: repairPng,
});

/** What stands in place of a package, for images of `length` bytes. */
interface Stand {
  readonly make: (length: number) => CodecEntry;
  readonly repair?: FuzzTarget["repair"];
}

/** A decoder of Cornerstone.js. */
function zeros(length: number): new () => CornerstoneDecoder {
  return class {
    getEncodedBuffer = (size: number) => new Uint8Array(size);
    decode = () => {};
    getDecodedBuffer = () => new Uint8ClampedArray(length);
    getFrameInfo = () => ({ width: 0, height: 0, bitsPerSample: 0, componentCount: 0 });
    delete = () => {};
  };
}

const ofJpeg2000 = (codec: typeof jpeg2000Codec): Stand => ({
  make: (length) => codec(async () => ({ make: async () => ({ J2KDecoder: zeros(length) }) })),
});

const STANDS: Readonly<Record<string, Stand>> = {
  imagecodecs_jpeg: {
    make: (length) => jpegCodec(async () => ({ make: async () => ({ JPEGDecoder: zeros(length) }) })),
  },
  imagecodecs_jpeg2k: ofJpeg2000(jpeg2000Codec),
  imagecodecs_htj2k: ofJpeg2000(htj2kCodec),
  imagecodecs_lerc: {
    make: (length) =>
      lercCodec(async () => ({
        lerc: {
          load: async () => {},
          decode: () => ({
            ...{ width: 0, height: 0, pixelType: "U8", statistics: [], mask: null, dimCount: 1 },
            ...{ validPixelCount: 0, bandMasks: null, noDataValues: null },
            ...{ pixels: [new Uint8Array(length)], depthCount: 1 },
          }),
        },
      })),
  },
  imagecodecs_webp: {
    make: (length) =>
      webpCodec(async () => ({
        make: async () => ({ decode: () => ({ data: new Uint8ClampedArray(length) }) }),
      })),
    // The length of the file.
    repair(input) {
      if (input.length >= 8)
        new DataView(input.buffer, input.byteOffset).setUint32(4, input.length - 8, true);
    },
  },
};

/** Headers of an image, and of those with the same configuration, shape and data type. */
const headersOf = (wanted: string): FuzzTarget => {
  const first = CASES.find((each) => each.name === wanted);
  const name = String(first?.codec.id);
  const stand = STANDS[name];
  if (first === undefined || stand === undefined) throw new Error(`no image ${wanted}`);
  const { codec, shape, dtype: dataType, values } = first;
  const settings = (each: ImageCase) => JSON.stringify([each.codec, each.shape, each.dtype]);
  const { repair } = stand;
  return {
    name: `${name}, headers of ${wanted}`,
    image: { entry: stand.make(values.length), configuration: codec, shape, dataType },
    seeds: CASES.filter((each) => settings(each) === settings(first)).map(({ image }) => ({
      encoded: image,
      decoded: new Uint8Array(values.length),
    })),
    ...(repair && { repair }),
  };
};

export const IMAGE_TARGETS: readonly FuzzTarget[] = [
  pngOf([9, 13], "uint8"),
  pngOf([14, 11, 3], "uint16"),
  ...["jpeg 444", "jpeg tables", "jpeg2000 rgb uint8", "htj2k tiles"].map(headersOf),
  ...["lerc bands", "lerc version 2", "lerc zstd", "lerc deflate bands", "webp lossless 4"].map(headersOf),
];
