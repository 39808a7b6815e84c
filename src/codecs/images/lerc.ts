/**
 * LERC (Esri), versions 1 and 2: `imagecodecs_lerc`, by the package `lerc`. Elements are [bands, height,
 * width, samples]; those that the image's mask leaves out are 0, as in imagecodecs. Images that are
 * compressed once more, with zstd or deflate, are refused.
 * `{"id": "imagecodecs_lerc", "level": 0.01}`
 */
import { UnsupportedError } from "../../base/errors.js";
import type { CodecEntry } from "../../core/codecs/codec.js";
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

function readHeader(bytes: Uint8Array): ImageHeader {
  const view = viewHeader(bytes, LERC, true);
  const isCompressed = view.length > 4 && (view.uint32(0) === 0xfd2fb528 || view.uint8(0) === 0x78);
  if (isCompressed) {
    throw new UnsupportedError(
      "wazarr reads LERC without further compression, got zstd or deflate around it",
      { codec: LERC.codec },
    );
  }
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

function decode(lerc: Package, bytes: Uint8Array): Uint8Array {
  const { pixels } = lerc.decode(bytes, { returnInterleaved: true });
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

const format = (load: () => Promise<LercPackage>): ImageFormat<Package, ImageHeader> => ({
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
  prepare: () => ({ readHeader, decode }),
});

/** @param load the package */
export const lercCodec = (load: () => Promise<LercPackage>): CodecEntry => imageCodec(format(load));

export const lerc: CodecEntry = lercCodec(async () => ({
  lerc: await importPackage<Package>({
    ...{ name: "lerc", module: "lerc", codec: LERC.codec, entry: "wazarr/images/lerc" },
  }),
}));
