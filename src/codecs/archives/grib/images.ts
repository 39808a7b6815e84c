/**
 * Values that are packed as an image (templates 5.40 and 5.41): each sample is an integer. The codecs
 * `imagecodecs_jpeg2k` and `imagecodecs_png` of the registry decode them, so what an application gave there
 * for a package counts here, too. They are loaded by the first message that needs them.
 */

import {
  type BytesToBytesCodec,
  type CodecSource,
  dataTypeFromV3,
  isZarrError,
  type Kernels,
  type LazyCodec,
  lazyCodec,
  UnsupportedError,
} from "../../../core/for-codecs.js";
import { decodeWide } from "./jpeg2000/decode.js";
import { damaged, type Section, sectionOf } from "./sections.js";

export type ImageFormat = "JPEG 2000" | "PNG";

/** What decodes images. */
export type ImageCodecs = Readonly<Record<ImageFormat, LazyCodec>>;

/** @param source of codecs by name */
export function imageCodecsOf(source: CodecSource): ImageCodecs {
  const codec = (name: string): LazyCodec =>
    lazyCodec(name, async () => {
      const entry = await source.load(name);
      if (entry.codecKind !== undefined) return entry;
      const message = "images in GRIB need a codec of wazarr's interface, got one of zarrita's";
      throw new UnsupportedError(message, { codec: name });
    });
  return { "JPEG 2000": codec("imagecodecs_jpeg2k"), PNG: codec("imagecodecs_png") };
}

/** How many samples an image has. */
interface Size {
  readonly shape: readonly number[];
  /** Bytes of a number in the decoded image, which has `shape`. */
  readonly itemSize: 1 | 2;
}

/** The marker segment SIZ, which is the first of a codestream: ISO/IEC 15444-1, A.5.1. */
function sizeOfJpeg2000(image: Section): Size {
  return { shape: [image.uint32(12), image.uint32(8)], itemSize: (image.uint8(42) & 127) < 8 ? 1 : 2 };
}

/** Of more than 16 bits, which no package decodes. */
const isWide = (image: Section): boolean => (image.uint8(42) & 127) >= 16;

/** The chunk IHDR. RGB and RGBA stand for samples of 24 and 32 bits. */
function sizeOfPng(image: Section): Size {
  const plane = [image.uint32(20), image.uint32(16)];
  const samples = { 2: [3], 6: [4] }[image.uint8(25)] ?? [];
  return { shape: [...plane, ...samples], itemSize: image.uint8(24) === 16 ? 2 : 1 };
}

/**
 * Decodes an image into `samples`, of which it must have as many.
 * @param offset of the image in the message
 * @throws CodecError for damaged images, UnsupportedError for what the codec of images does not read
 */
export function decodeImage(
  format: ImageFormat,
  bytes: Uint8Array,
  offset: number,
  samples: Uint32Array,
  kernels: Kernels,
  images: ImageCodecs,
): void {
  const image = sectionOf(`a ${format} image`, bytes, offset);
  const { shape, itemSize } = format === "PNG" ? sizeOfPng(image) : sizeOfJpeg2000(image);
  const [height = 0, width = 0, parts = 1] = shape;
  if (height * width !== samples.length) {
    const got = `${height} rows of ${width}`;
    throw damaged(`expected a ${format} image of ${samples.length} samples, got ${got}`, offset);
  }
  if (format === "JPEG 2000" && isWide(image)) {
    decodeWide(image, samples);
    return;
  }
  const dataType = dataTypeFromV3(itemSize === 1 ? "uint8" : "uint16");
  const codec = images[format].of({ shape, dataType, fillValue: 0 });
  const elements = runCodec(codec, bytes, samples.length * parts * itemSize, offset, kernels);
  const view = new DataView(elements.buffer, elements.byteOffset, elements.length);
  if (itemSize === 2 && parts === 1) {
    for (let i = 0; i < samples.length; i++) samples[i] = view.getUint16(2 * i, true);
    return;
  }
  for (let i = 0; i < samples.length; i++) {
    let sample = 0;
    for (let part = 0; part < parts; part++) sample = sample * 256 + view.getUint8(i * parts + part);
    samples[i] = sample;
  }
}

function runCodec(
  codec: BytesToBytesCodec,
  bytes: Uint8Array,
  byteLength: number,
  offset: number,
  kernels: Kernels,
): Uint8Array {
  try {
    const elements = codec.decode(bytes, { kernels, byteLength, maximumByteLength: byteLength });
    if (elements instanceof Uint8Array && elements.length === byteLength) return elements;
  } catch (error) {
    // Its offset is one in the image.
    if (isZarrError(error, "CodecError")) throw damaged(error.reason, offset);
    throw error;
  }
  throw damaged(`the decoder did not give ${byteLength} bytes of samples`, offset);
}
