/**
 * JPEG 2000 and HTJ2K, codestreams and files (JP2, JPH): `imagecodecs_jpeg2k` and `imagecodecs_htj2k`, by the
 * package `@cornerstonejs/codec-openjpeg` (OpenJPEG). It decodes one component, or three, of 1 to 16 bits;
 * others are refused, and so are components of unlike sizes or bits, and palettes. Components are samples of
 * a pixel, or planes if the chunk has them first. Colours are as they are stored.
 * `{"id": "imagecodecs_jpeg2k", "level": 0, "reversible": true}`
 */
import { type CodecEntry, noItem, UnsupportedError } from "../../core/for-codecs.js";
import { type Cornerstone, cornerstoneDecoder, decodeWith } from "./cornerstone.js";
import type { Emscripten } from "./emscripten.js";
import {
  type HeaderView,
  type ImageFormat,
  type ImageHeader,
  imageCodec,
  lengthsOf,
  viewHeader,
} from "./image-codec.js";
import { type Decoder, importPackage } from "./packages.js";

type Make = typeof import("@cornerstonejs/codec-openjpeg/decodewasmjs").default;
type Instance = Awaited<ReturnType<Make>>;

const PACKAGE = "@cornerstonejs/codec-openjpeg";

/** Each takes memory before it is decoded. */
const MOST_TILES = 4096;

interface Header extends ImageHeader {
  /** Where the codestream begins in the file. */
  readonly start: number;
  readonly end: number;
  readonly components: number;
  readonly itemSize: number;
  readonly isPlanar: boolean;
}

function unsupported(codec: string, expected: string, got: string): UnsupportedError {
  return new UnsupportedError(`wazarr reads JPEG 2000 with ${expected}, got ${got}`, { codec });
}

interface Extent {
  readonly start: number;
  readonly end: number;
}

/** Where the codestream is. A file has boxes, each with its length and its type. */
function findCodestream(view: HeaderView, codec: string): Extent {
  if (view.uint16(0) === 0xff4f) return { start: 0, end: view.length };
  if (!view.starts(4, "jP  ")) throw view.damaged(0, "expected a JPEG 2000 codestream or file");
  let codestream: Extent | undefined;
  for (const { type, start, end } of boxes(view, 0, view.length)) {
    if (type === "jp2c") codestream ??= { start, end };
    if (type !== "jp2h") continue;
    for (const inner of boxes(view, start, end))
      if (inner.type === "pclr") throw unsupported(codec, "components", "a palette");
  }
  if (codestream === undefined) throw view.damaged(view.length, "the file has no codestream");
  return codestream;
}

function* boxes(view: HeaderView, from: number, to: number): Generator<Extent & { readonly type: string }> {
  for (let at = from; at < to; ) {
    let length = view.uint32(at);
    let start = at + 8;
    const type = String.fromCharCode(...[4, 5, 6, 7].map((i) => view.uint8(at + i)));
    if (length === 1) {
      length = view.uint32(at + 8) * 2 ** 32 + view.uint32(at + 12);
      start += 8;
    }
    // The last box may leave it open.
    else if (length === 0 && type === "jp2c") length = to - at;
    const end = at + length;
    if (end > to || end < start) throw view.damaged(at, `a box of ${length} bytes does not fit`);
    yield { type, start, end };
    at = end;
  }
}

/** The marker segment SIZ: ISO/IEC 15444-1, A.5.1. */
function readSize(view: HeaderView, { start, end }: Extent, codec: string, expected: string): Header {
  if (view.uint16(start) !== 0xff4f || view.uint16(start + 2) !== 0xff51)
    throw view.damaged(start, "expected the markers SOC and SIZ");
  if (end - start < 45 || view.uint16(end - 2) !== 0xffd9)
    throw view.damaged(end, "expected the marker EOC at the end");
  const [width = 0, height = 0, x, y, tileWidth = 0, tileHeight = 0, tileX, tileY] = Array.from(
    { length: 8 },
    (_, i) => view.uint32(start + 8 + 4 * i),
  );
  if (x !== 0 || y !== 0 || tileX !== 0 || tileY !== 0)
    throw unsupported(codec, "an image that begins at [0, 0]", "another offset");
  const tiles = Math.ceil(width / tileWidth) * Math.ceil(height / tileHeight);
  if (!(tiles <= MOST_TILES)) throw unsupported(codec, `at most ${MOST_TILES} tiles`, `${tiles}`);
  const components = view.uint16(start + 40);
  if (components !== 1 && components !== 3)
    throw unsupported(codec, "1 or 3 components, as the package decodes them", `${components}`);
  const depth = view.uint8(start + 42);
  for (let i = 0; i < components; i++) {
    const at = start + 42 + 3 * i;
    if (view.uint8(at) !== depth || view.uint8(at + 1) !== 1 || view.uint8(at + 2) !== 1)
      throw unsupported(codec, "components of one size and depth", "others");
  }
  const isSigned = depth > 127;
  const bits = (depth & 127) + 1;
  if (bits > 16) throw unsupported(codec, "up to 16 bits, as the package decodes them", `${bits}`);
  if (isSigned && bits <= 8 && components === 1)
    throw unsupported(codec, "unsigned samples of 8 bits, as the package decodes them", "signed ones");
  const samples = components === 1 ? [] : [components];
  const isPlanar = expected === lengthsOf([...samples, height, width]);
  return {
    shape: isPlanar ? [...samples, height, width] : [height, width, ...samples],
    dataType: `${isSigned ? "int" : "uint"}${bits <= 8 ? 8 : 16}`,
    ...{ start, end, components, itemSize: bits <= 8 ? 1 : 2, isPlanar },
  };
}

function decode(codec: string, decoder: Cornerstone, bytes: Uint8Array, header: Header): Uint8Array {
  const { shape, start, end, components, itemSize, isPlanar } = header;
  const byteLength = shape.reduce((product, length) => product * length, itemSize);
  // Without the boxes around it, by which OpenJPEG would convert colours.
  const elements = decodeWith(codec, decoder, bytes.subarray(start, end), byteLength);
  return isPlanar && components > 1 ? planesOf(elements, components, itemSize) : elements;
}

function planesOf(elements: Uint8Array, components: number, itemSize: number): Uint8Array {
  const planes = new Uint8Array(elements.length);
  if (itemSize === 1) spread(elements, planes, components);
  else spread(new Uint16Array(elements.slice().buffer), new Uint16Array(planes.buffer), components);
  return planes;
}

function spread<Items extends Uint8Array | Uint16Array>(
  pixels: Items,
  planes: Items,
  components: number,
): void {
  let to = 0;
  for (let component = 0; component < components; component++) {
    for (let from = component; from < pixels.length; from += components)
      planes[to++] = pixels[from] ?? noItem(pixels, from);
  }
}

const MEMBERS = ["level", "planar", "tile", "resolutions", "reversible", "bitspersample", "skipres"];

const format = (
  codec: string,
  members: readonly string[],
  decoder: Decoder<Cornerstone>,
): ImageFormat<Cornerstone, Header> => ({
  codec,
  name: "JPEG 2000",
  members: [...MEMBERS, ...members],
  decoder,
  prepare: ({ skipres }, { shape }) => {
    if (skipres) throw unsupported(codec, "all resolutions", `skipres ${skipres}`);
    const expected = lengthsOf(shape);
    return {
      readHeader(bytes) {
        const view = viewHeader(bytes, { codec, name: "JPEG 2000" }, false);
        return readSize(view, findCodestream(view, codec), codec, expected);
      },
      decode: (made, bytes, header) => decode(codec, made, bytes, header),
    };
  },
});

/** `imagecodecs_jpeg2k`. @param load the package */
export const jpeg2000Codec = (load: () => Promise<Emscripten<Instance>>): CodecEntry => {
  const codec = "imagecodecs_jpeg2k";
  const members = ["codecformat", "colorspace", "mct", "verbose", "numthreads"];
  return imageCodec(format(codec, members, decoderOfPackage(codec, load)));
};

/** `imagecodecs_htj2k`. @param load the package */
export const htj2kCodec = (load: () => Promise<Emscripten<Instance>>): CodecEntry => {
  const codec = "imagecodecs_htj2k";
  const members = ["rgb", "tlm", "tilepart", "block_size", "prog_order", "profile", "resilient"];
  return imageCodec(format(codec, members, decoderOfPackage(codec, load)));
};

const decoderOfPackage = (codec: string, load: () => Promise<Emscripten<Instance>>): Decoder<Cornerstone> =>
  cornerstoneDecoder(codec, load, ({ J2KDecoder }) => new J2KDecoder());

const byName = (codec: string) => async (): Promise<Emscripten<Instance>> => {
  const { default: make } = await importPackage<{ readonly default: Make }>({
    ...{ name: PACKAGE, module: `${PACKAGE}/decodewasmjs`, codec, entry: "wazarr/images/jpeg2000" },
  });
  return { make };
};

export const jpeg2000: CodecEntry = jpeg2000Codec(byName("imagecodecs_jpeg2k"));
export const htj2k: CodecEntry = htj2kCodec(byName("imagecodecs_htj2k"));
