/** What a directory says of its image: size, samples, and how these are divided into tiles or strips. */
import { at, type StoreError, UnsupportedError } from "../../../core/for-stores.js";
import { type Directory, damaged } from "./directory.js";
import { CHUNKY, PLANAR, TAG } from "./tags.js";

export interface TiffImage {
  readonly directory: Directory;
  readonly height: number;
  readonly width: number;
  /** Samples of a pixel. */
  readonly samples: number;
  /** Whether each sample has tiles of its own. With one sample it is the same, and false. */
  readonly isPlanar: boolean;
  /** Bits of a sample as it is stored. */
  readonly bits: number;
  /** The data type of Zarr: the smallest that has as many bits. */
  readonly dataType: string;
  /** Whether samples have fewer bits than the data type, and lie in the bytes of a row without gaps. */
  readonly isPacked: boolean;
  readonly compression: number;
  readonly predictor: number;
  /** Whether bytes have their lowest bit first (FillOrder 2). */
  readonly isReversed: boolean;
  readonly photometric: number;
  readonly isTiled: boolean;
  /** Of a tile, or of a strip, of which the last one may be shorter. */
  readonly chunkHeight: number;
  readonly chunkWidth: number;
}

const [UNSIGNED, SIGNED, FLOAT, VOID, COMPLEX] = [1, 2, 3, 4, 6];
const YCBCR = 6;
const JPEG = 7;
const LONGEST = 2 ** 31;
const MOST_SAMPLES = 65535;

/** @throws StoreError for a damaged directory, UnsupportedError for samples that Zarr has no type for */
export async function readImage(directory: Directory): Promise<TiffImage> {
  const integer = async (tag: number, absent: number, most: number): Promise<number> => {
    const value = await directory.number(tag, absent);
    if (Number.isInteger(value) && value >= 1 && value <= most) return value;
    throw wrong(directory, `tag ${tag}: expected an integer from 1 to ${most}, got ${value}`);
  };
  const width = await integer(TAG.width, 0, LONGEST);
  const height = await integer(TAG.height, 0, LONGEST);
  const samples = await integer(TAG.samplesPerPixel, 1, MOST_SAMPLES);
  const planar = await integer(TAG.planarConfiguration, CHUNKY, PLANAR);
  if ((await integer(TAG.imageDepth, 1, LONGEST)) > 1)
    throw unsupported("images of two dimensions", "volumes");
  const bits = await oneFor(directory, TAG.bitsPerSample, 1, samples, "bits");
  const format = await oneFor(directory, TAG.sampleFormat, UNSIGNED, samples, "formats");
  const photometric = await directory.number(TAG.photometric, 1);
  const compression = await integer(TAG.compression, 1, 65535);
  if (photometric === YCBCR && compression !== JPEG) await refuseSubsampling(directory);
  const isTiled = directory.has(TAG.tileWidth);
  const dataType = dataTypeOf(format, bits);
  return {
    directory,
    height,
    width,
    samples,
    isPlanar: planar === PLANAR && samples > 1,
    bits,
    dataType,
    isPacked: Number(dataType.replace(/^\D+/, "")) !== bits,
    compression,
    predictor: await integer(TAG.predictor, 1, 65535),
    isReversed: (await integer(TAG.fillOrder, 1, 2)) === 2,
    photometric,
    isTiled,
    chunkHeight: isTiled
      ? await integer(TAG.tileHeight, 0, LONGEST)
      : Math.min(height, await integer(TAG.rowsPerStrip, height, 2 ** 32)),
    chunkWidth: isTiled ? await integer(TAG.tileWidth, 0, LONGEST) : width,
  };
}

/** Bytes of a row of a tile or strip before compression: rows begin at whole bytes. */
export function bytesOfRow({ chunkWidth, samples, isPlanar, bits }: TiffImage): number {
  return Math.ceil((chunkWidth * (isPlanar ? 1 : samples) * bits) / 8);
}

export function wrong({ bytes, offset }: Directory, reason: string): StoreError {
  return damaged(bytes, offset, reason);
}

export function unsupported(expected: string, got: string): UnsupportedError {
  return new UnsupportedError(`wazarr reads TIFF with ${expected}, got ${got}`);
}

/** The value of a tag that has one for each sample, of which all must be the same. */
async function oneFor(
  directory: Directory,
  tag: number,
  absent: number,
  samples: number,
  name: string,
): Promise<number> {
  const all = await directory.numbers(tag);
  const [first = absent] = all;
  // Some writers have one value for all samples.
  if (all.slice(0, samples).every((each) => each === first)) return first;
  throw unsupported("samples of one kind", `${name} ${all.slice(0, samples).join(", ")}`);
}

const WHOLE_BITS = [8, 16, 32, 64];

function dataTypeOf(format: number, bits: number): string {
  if ((format === UNSIGNED || format === VOID) && bits >= 1 && (bits <= 32 || bits === 64))
    return `uint${at(
      WHOLE_BITS.filter((each) => each >= bits),
      0,
    )}`;
  if (format === SIGNED && WHOLE_BITS.includes(bits)) return `int${bits}`;
  if (format === FLOAT && [16, 32, 64].includes(bits)) return `float${bits}`;
  if (format === COMPLEX && [64, 128].includes(bits)) return `complex${bits}`;
  throw unsupported(
    "unsigned integers of 1 to 32 and 64 bits, signed ones of 8 to 64, floats of 16 to 64, complex floats",
    `samples of format ${format} and ${bits} bits`,
  );
}

/** Colours that have fewer samples than pixels are decoded by JPEG alone. */
async function refuseSubsampling(directory: Directory): Promise<void> {
  const [across = 2, down = 2] = await directory.numbers(TAG.subsampling);
  if (across !== 1 || down !== 1)
    throw unsupported("as many samples of each colour", `YCbCr subsampled by ${across} and ${down}`);
}
