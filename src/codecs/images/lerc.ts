/**
 * LERC (Esri), versions 1 and 2: `imagecodecs_lerc`, by the package `lerc`. Elements are [bands, height,
 * width, samples]; those that the image's mask leaves out are 0, as in imagecodecs. Images may be compressed
 * once more, with zstd or zlib, as in TIFF files (`compression`); the bytes say it.
 * `{"id": "imagecodecs_lerc", "level": 0.01}`
 */

import {
  type BytesToBytesCodec,
  type ChunkSpec,
  type CodecEntry,
  type Kernels,
  lazyCodec,
  loadZlib,
  loadZstd,
  product,
} from "../../core/for-codecs.js";
import { isNode } from "./emscripten.js";
import {
  type HeaderView,
  type ImageFormat,
  type ImageHeader,
  imageCodec,
  viewHeader,
} from "./image-codec.js";
import { decoderOf, importPackage } from "./packages.js";

type Package = Pick<typeof import("lerc"), "load" | "decode">;

const LERC = { codec: "imagecodecs_lerc", name: "LERC" };

/** The package, and where a bundler has put its WebAssembly. */
export interface LercPackage {
  readonly lerc: Package;
  readonly wasm?: URL;
}

/** By the number that LERC 2 gives a data type. */
const TYPES = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "float32", "float64"];

/** A band: an image of its own, one after the other. */
interface Band {
  readonly shape: readonly [height: number, width: number, samples: number];
  readonly dataType: string;
  /** Where the next one begins; undefined in LERC 1, which does not say it. */
  readonly end: number | undefined;
}

function readBand(view: HeaderView, at: number): Band {
  if (view.starts(at, "CntZImage ")) {
    // Version, type, height and width.
    return { shape: [view.uint32(at + 18), view.uint32(at + 22), 1], dataType: "float32", end: undefined };
  }
  if (!view.starts(at, "Lerc2 ")) throw view.damaged(at, 'expected "Lerc2 " or "CntZImage "');
  const version = view.uint32(at + 6);
  if (version < 1 || version > 6) throw view.damaged(at + 6, `expected version 1 to 6, got ${version}`);
  const size = at + (version < 3 ? 10 : 14);
  const afterSize = size + (version < 4 ? 8 : 12);
  const dataType = TYPES[view.uint32(afterSize + 12)];
  const length = view.uint32(afterSize + 8);
  if (dataType === undefined) throw view.damaged(afterSize + 12, "there is no such data type");
  if (length < afterSize + 16 - at || at + length > view.length)
    throw view.damaged(afterSize + 8, `expected a length up to ${view.length - at}, got ${length}`);
  const samples = version < 4 ? 1 : view.uint32(size + 8);
  return { shape: [view.uint32(size), view.uint32(size + 4), samples], dataType, end: at + length };
}

const zstd = lazyCodec("zstd", loadZstd);
const zlib = lazyCodec("zlib", loadZlib);

/** What compressed the image once more, if anything did. */
function compressorOf(bytes: Uint8Array, spec: ChunkSpec): BytesToBytesCodec | undefined {
  const view = viewHeader(bytes, LERC, true);
  if (view.length > 4 && view.uint32(0) === 0xfd2fb528) return zstd.of(spec);
  return view.length > 4 && view.uint8(0) === 0x78 ? zlib.of(spec) : undefined;
}

interface Header extends ImageHeader {
  /** The image without further compression. */
  readonly image: Uint8Array;
}

function readHeader(bytes: Uint8Array, kernels: Kernels, spec: ChunkSpec): Header {
  const compressor = compressorOf(bytes, spec);
  if (compressor === undefined) return { ...readBands(bytes), image: bytes };
  // LERC stores elements as they are if it cannot make them shorter, and a mask.
  const maximumByteLength = 2 * product(spec.shape) * spec.dataType.itemSize + 65536;
  const image = compressor.decode(bytes, { kernels, byteLength: undefined, maximumByteLength });
  if (!(image instanceof Uint8Array)) throw new Error("internal error: expected a synchronous decoder");
  return { ...readBands(image), image };
}

function readBands(bytes: Uint8Array): ImageHeader {
  const view = viewHeader(bytes, LERC, true);
  const first = readBand(view, 0);
  let bands = 1;
  for (let { end } = first; end !== undefined && end < view.length; bands++) {
    const band = readBand(view, end);
    if (band.shape.join() !== first.shape.join() || band.dataType !== first.dataType)
      throw view.damaged(end, "expected a band of the same shape and data type as the first");
    end = band.end;
  }
  return { shape: [bands, ...first.shape], dataType: first.dataType };
}

function decode(lerc: Package, image: Uint8Array): Uint8Array {
  const { pixels } = lerc.decode(image, { returnInterleaved: true });
  const [first] = pixels;
  if (first === undefined) return new Uint8Array(0);
  const elements = new Uint8Array(pixels.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let at = 0;
  for (const { buffer, byteOffset, byteLength } of pixels) {
    elements.set(new Uint8Array(buffer, byteOffset, byteLength), at);
    at += byteLength;
  }
  return elements;
}

const format = (load: () => Promise<LercPackage>): ImageFormat<Package, Header> => ({
  ...LERC,
  members: ["level", "version", "planar", "compression", "compressionargs"],
  decoder: decoderOf(
    LERC.codec,
    async () => {
      const { lerc, wasm } = await load();
      await lerc.load(wasm === undefined || isNode ? {} : { locateFile: () => wasm.href });
      return lerc;
    },
    (thrown) => (thrown instanceof Error ? thrown.message : "the package lerc failed"),
  ),
  prepare: (_, spec) => ({
    readHeader: (bytes, kernels) => readHeader(bytes, kernels, spec),
    decode: (lerc, __, { image }) => decode(lerc, image),
  }),
});

/** @param load the package */
export const lercCodec = (load: () => Promise<LercPackage>): CodecEntry => imageCodec(format(load));

export const lerc: CodecEntry = lercCodec(async () => ({
  lerc: await importPackage<Package>({
    ...{ name: "lerc", module: "lerc", codec: LERC.codec, entry: "wazarr/images/lerc" },
  }),
}));
