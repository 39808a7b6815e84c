/**
 * The codecs of Zarr for the tiles of an image. Names are those of zarr-python and of imagecodecs, as
 * virtual-tiff has them, so that Python reads references to the tiles, too.
 */
import type { JsonObject } from "../../../core/for-stores.js";
import { type TiffImage, unsupported } from "./image.js";
import { TAG } from "./tags.js";

type CodecJson = JsonObject;

const named = (name: string, configuration: JsonObject = {}): CodecJson => ({ name, configuration });

const ZLIB = named("numcodecs.zlib", { level: 6 });
const ZSTD = named("zstd", { level: 0, checksum: false });
const JPEG2000 = named("imagecodecs_jpeg2k");

/** Compressors of bytes, by the number of TIFF. */
const COMPRESSORS: ReadonlyMap<number, CodecJson> = new Map([
  [5, named("imagecodecs_lzw")],
  [8, ZLIB],
  [32946, ZLIB],
  [50013, ZLIB],
  [32773, named("imagecodecs_packbits")],
  [34925, named("numcodecs.lzma", { format: 1, check: -1, preset: null, filters: null })],
  [34926, ZSTD],
  [50000, ZSTD],
]);

/** Images that are compressed as such. Those that wazarr does not have are refused when they are read. */
const IMAGES: ReadonlyMap<number, CodecJson> = new Map([
  [22610, named("imagecodecs_jpegxr")],
  [33003, JPEG2000],
  [33004, JPEG2000],
  [33005, JPEG2000],
  [34712, JPEG2000],
  [34933, named("imagecodecs_png")],
  [34934, named("imagecodecs_jpegxr")],
  [50002, named("imagecodecs_jpegxl")],
  [52546, named("imagecodecs_jpegxl")],
]);

const [NONE, JPEG, LERC, WEBP] = [1, 7, 34887, 50001];

/** Whether the samples are compressed in no way, so that any rows of a strip can be read. */
export const isPlain = ({ compression }: TiffImage): boolean => compression === NONE;

/** @throws UnsupportedError for a compression or predictor that has no codec */
export async function codecsOf(image: TiffImage): Promise<CodecJson[]> {
  const { isPlanar, samples } = image;
  // Elements are [sample, row, column], and those of a pixel lie together.
  const order = !isPlanar && samples > 1 ? [named("transpose", { order: [1, 2, 0] })] : [];
  const asImage = await imageCodecs(image);
  if (asImage !== undefined) {
    if (image.predictor > 1)
      throw unsupported("predictors of bytes", `predictor ${image.predictor} of images`);
    return [...order, named("bytes", { endian: "little" }), ...asImage];
  }
  const compressor = COMPRESSORS.get(image.compression);
  if (compressor === undefined && image.compression !== NONE)
    throw unsupported(
      "deflate, LZW, PackBits, zstd, LZMA, LERC, JPEG, JPEG 2000, PNG, WebP or no compression",
      `compression ${image.compression}`,
    );
  const reversed = image.isReversed ? [named("imagecodecs_bitorder")] : [];
  return [...order, ...elementCodecs(image), ...(compressor ? [compressor] : []), ...reversed];
}

/** The codecs of elements to bytes, and predictors. */
function elementCodecs(image: TiffImage): CodecJson[] {
  const { predictor, bits, dataType, isPacked, isPlanar, samples, directory } = image;
  const axis = !isPlanar && samples > 1 ? -2 : -1;
  const endian = directory.bytes.littleEndian ? "little" : "big";
  if (predictor === 1 || (predictor === 2 && !isPacked && !dataType.startsWith("complex"))) {
    const differences = predictor === 2 ? [named("imagecodecs_delta", { axis, dist: 1 })] : [];
    if (!isPacked) return [...differences, named("bytes", { endian })];
    const packed = { dtype: `<u${bits <= 8 ? 1 : bits <= 16 ? 2 : 4}`, bitspersample: bits };
    const runlen = image.chunkWidth * (isPlanar ? 1 : samples);
    return [named("bytes", { endian: "little" }), named("imagecodecs_packints", { ...packed, runlen })];
  }
  // 3, and those of DNG, whose differences are of samples that are 2 or 4 apart.
  const dist = new Map([
    [3, 1],
    [34894, 2],
    [34895, 4],
  ]).get(predictor);
  if (dist !== undefined && dataType.startsWith("float"))
    return [named("imagecodecs_floatpred", { axis, dist })];
  throw unsupported(
    "horizontal differences of whole bytes, or predictors of floats",
    `predictor ${predictor} of ${dataType} with ${bits} bits`,
  );
}

/** Codecs of a tile that is an image of its own format; undefined if it is not. */
async function imageCodecs(image: TiffImage): Promise<CodecJson[] | undefined> {
  const { compression } = image;
  if (compression === JPEG) return [await jpeg(image)];
  if (compression === LERC) return lerc(image);
  if (compression === WEBP) return [named("imagecodecs_webp", { hasalpha: image.samples === 4 })];
  const codec = IMAGES.get(compression);
  return codec && [codec];
}

/** Colours become RGB, as libtiff and tifffile decode them. */
async function jpeg({ directory, photometric, samples, isPlanar }: TiffImage): Promise<CodecJson> {
  const tables = await directory.raw(TAG.jpegTables);
  const colours =
    isPlanar || samples !== 3
      ? {}
      : photometric === 6
        ? { colorspace_jpeg: "YCBCR", colorspace_data: "RGB" }
        : { colorspace_jpeg: "RGB", colorspace_data: "RGB" };
  return named("imagecodecs_jpeg", {
    ...(tables && tables.length > 0 ? { tables: btoa(String.fromCharCode(...tables)) } : {}),
    ...colours,
  });
}

/** LERC may be compressed once more: the second number of its parameters says how. */
async function lerc({ directory }: TiffImage): Promise<CodecJson[]> {
  const [, further = 0] = await directory.numbers(TAG.lercParameters);
  const around = [[], [ZLIB], [ZSTD]][further];
  if (around === undefined) throw unsupported("LERC in deflate or zstd", `LERC in compression ${further}`);
  return [named("imagecodecs_lerc"), ...around];
}
