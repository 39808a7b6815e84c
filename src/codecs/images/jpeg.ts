/**
 * JPEG of 8 bits, with one component or three: `imagecodecs_jpeg` (also under its older name
 * `imagecodecs_jpeg8`, and as `jpeg`, which is proposed for v3), by the package
 * `@cornerstonejs/codec-libjpeg-turbo-8bit`. As in TIFF files, `tables` (base64) has tables that the images
 * leave out, and `header` what stands before each of them. `colorspace_jpeg` says which colours an image has,
 * and `colorspace_data` which its elements have, where the image's own markers do not count. An image of one
 * component has no colours: TIFF files of RGB in planes have such images (`"colorspace_jpeg": 2,
 * "colorspace_data": 1`), which imagecodecs refuses.
 * `{"id": "imagecodecs_jpeg", "tables": "/9j/2wBD...", "colorspace_jpeg": 2, "colorspace_data": 2}`
 */
import {
  type CodecEntry,
  concatenate,
  type Json,
  type JsonObject,
  UnsupportedError,
  wrongMember,
} from "../../core/for-codecs.js";
import { type Cornerstone, cornerstoneDecoder, decodeWith } from "./cornerstone.js";
import type { Emscripten } from "./emscripten.js";
import { type HeaderView, type ImageHeader, imageCodec, viewHeader } from "./image-codec.js";
import { importPackage } from "./packages.js";

type Make = typeof import("@cornerstonejs/codec-libjpeg-turbo-8bit/decodewasmjs").default;
type Instance = Awaited<ReturnType<Make>>;

const PACKAGE = "@cornerstonejs/codec-libjpeg-turbo-8bit";
const JPEG = { codec: "imagecodecs_jpeg", name: "JPEG" };

const [APP0, APP14, SOI, EOI, SOS] = [0xe0, 0xee, 0xd8, 0xd9, 0xda];

/** Each is a pass over the image, however few bytes it has. Encoders write some ten. */
const MOST_SCANS = 100;

/** Colour spaces by their number in libjpeg. */
const COLOURS = ["UNKNOWN", "GRAYSCALE", "RGB", "YCBCR", "CMYK", "YCCK"];

/** Adobe's marker, which says how the colours of an image are transformed: 0 not, 1 as YCbCr. */
const adobe = (transform: 0 | 1): Uint8Array =>
  Uint8Array.of(
    0xff,
    APP14,
    0,
    14,
    ...[..."Adobe"].map((each) => each.charCodeAt(0)),
    0,
    100,
    0,
    0,
    0,
    0,
    transform,
  );

interface Segment {
  readonly marker: number;
  /** Where the segment begins, at its marker. */
  readonly start: number;
  readonly end: number;
}

interface Header extends ImageHeader {
  /** The image with the tables of the configuration. */
  readonly whole: Uint8Array;
}

/** How colours are transformed. Undefined: as the image says. */
type Transform = 0 | 1 | undefined;

interface Settings {
  readonly tables: Uint8Array | undefined;
  readonly header: Uint8Array | undefined;
  /** @throws UnsupportedError for colours that wazarr does not read */
  readonly transformOf: (components: number) => Transform;
}

function unsupported(expected: string, got: string): UnsupportedError {
  return new UnsupportedError(`wazarr reads JPEG with ${expected}, got ${got}`, { codec: JPEG.codec });
}

function readSettings(configuration: JsonObject): Settings {
  const { colorspace_jpeg: jpeg = null, colorspace_data: data = null } = configuration;
  const from = readColours("colorspace_jpeg", jpeg);
  const to = readColours("colorspace_data", data);
  return {
    tables: readBytes(configuration, "tables"),
    header: readBytes(configuration, "header"),
    transformOf: (components) => (components === 1 ? undefined : transformBetween(from, to)),
  };
}

function readBytes(configuration: JsonObject, member: string): Uint8Array | undefined {
  const { [member]: json = null } = configuration;
  if (json === null) return undefined;
  if (typeof json === "string" && /^[A-Za-z0-9+/]*={0,2}$/.test(json) && json.length % 4 === 0)
    return Uint8Array.from(atob(json), (each) => each.charCodeAt(0));
  throw wrongMember(JPEG.codec, member, "base64", json);
}

function readColours(member: string, json: Json): string | undefined {
  if (json === null) return undefined;
  const name = typeof json === "number" ? COLOURS[json] : typeof json === "string" ? json.toUpperCase() : "";
  if (name !== undefined && COLOURS.includes(name)) return name;
  throw wrongMember(JPEG.codec, member, `one of ${COLOURS.join(", ")}, or its number`, json);
}

function transformBetween(from: string | undefined, to: string | undefined): Transform {
  if (from === undefined && (to === undefined || to === "RGB" || to === "GRAYSCALE")) return undefined;
  if (from !== undefined && (to === undefined || to === from)) return 0;
  if (from === "YCBCR" && to === "RGB") return 1;
  throw unsupported("colours as they are stored, or as RGB", `${from ?? "those of the image"} as ${to}`);
}

/** The segments of an image up to its end, with the entropy-coded data after a SOS as a part of it. */
function* segments(view: HeaderView, bytes: Uint8Array): Generator<Segment> {
  if (view.uint16(0) !== 0xff00 + SOI) throw view.damaged(0, "expected the marker SOI");
  for (let at = 2; ; ) {
    if (view.uint8(at) !== 0xff) throw view.damaged(at, "expected a marker");
    const marker = view.uint8(at + 1);
    // Fill bytes.
    if (marker === 0xff) {
      at++;
      continue;
    }
    let end = at + 2;
    if (marker !== EOI) end += view.uint16(at + 2);
    if (marker !== EOI && end < at + 4) throw view.damaged(at + 2, "a segment has no length");
    if (marker === SOS) end = endOfScan(bytes, end);
    yield { marker, start: at, end };
    if (marker === EOI) return;
    at = end;
  }
}

/** Where the next marker is that is not a restart. */
function endOfScan(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1];
    if (next !== undefined && next !== 0 && (next < 0xd0 || next > 0xd7)) return at;
  }
  return bytes.length;
}

function readHeader(bytes: Uint8Array, { tables, header, transformOf }: Settings): Header {
  const image = header === undefined ? bytes : withHeader(header, bytes);
  const view = viewHeader(image, JPEG, false);
  let frame: ImageHeader | undefined;
  let scans = 0;
  const others: Uint8Array[] = [];
  const colours: Uint8Array[] = [];
  for (const { marker, start, end } of segments(view, image)) {
    if (marker === EOI && end < image.length) throw view.damaged(end, "expected the end, got more bytes");
    // SOF, of which DHT, JPG and DAC have the numbers in between.
    if (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc) {
      if (frame !== undefined) throw view.damaged(start, "expected one frame, got a second");
      frame = readFrame(view, marker, start);
    }
    if (marker === SOS && ++scans > MOST_SCANS) throw unsupported(`at most ${MOST_SCANS} scans`, "more");
    const isOfColours = marker === APP0 || marker === APP14;
    (isOfColours ? colours : others).push(image.subarray(start, end));
  }
  if (frame === undefined) throw view.damaged(image.length, "the image has no frame");
  const [, , components = 1] = frame.shape;
  const transform = transformOf(components);
  const markers = transform === undefined ? colours : [adobe(transform)];
  const start = [Uint8Array.of(0xff, SOI), ...(tables === undefined ? [] : [tablesOf(tables)])];
  return { ...frame, whole: concatenate([...start, ...markers, ...others]) };
}

function withHeader(header: Uint8Array, bytes: Uint8Array): Uint8Array {
  const isEnded = bytes.at(-2) === 0xff && bytes.at(-1) === EOI;
  return concatenate([header, bytes, isEnded ? new Uint8Array(0) : Uint8Array.of(0xff, EOI)]);
}

/** The segments of an image that has tables alone. */
function tablesOf(tables: Uint8Array): Uint8Array {
  const view = viewHeader(tables, JPEG, false);
  return concatenate(
    Array.from(segments(view, tables), ({ marker, start, end }) =>
      tables.subarray(start, marker === EOI ? start : end),
    ),
  );
}

function readFrame(view: HeaderView, marker: number, start: number): ImageHeader {
  const bits = view.uint8(start + 4);
  if (bits !== 8 || (marker & 3) === 3)
    throw unsupported("lossy samples of 8 bits", `${bits} bits, SOF${marker & 15}`);
  const components = view.uint8(start + 9);
  if (components !== 1 && components !== 3)
    throw unsupported("1 or 3 components, as the package decodes them", `${components}`);
  const size = [view.uint16(start + 5), view.uint16(start + 7)];
  return { shape: components === 1 ? size : [...size, components], dataType: "uint8" };
}

/** `imagecodecs_jpeg`. @param load the package */
export const jpegCodec = (load: () => Promise<Emscripten<Instance>>): CodecEntry =>
  imageCodec<Cornerstone, Header>({
    ...JPEG,
    members: [
      ...["level", "quality", "bitspersample", "tables", "header", "colorspace_data", "colorspace_jpeg"],
      ...["subsampling", "optimize", "smoothing", "lossless", "predictor", "fancyupsampling"],
    ],
    decoder: cornerstoneDecoder(JPEG.codec, load, ({ JPEGDecoder }) => new JPEGDecoder()),
    prepare(configuration) {
      const settings = readSettings(configuration);
      if (configuration.fancyupsampling === false)
        throw unsupported("smoothed colours, as the package decodes them", "fancyupsampling false");
      return {
        readHeader: (bytes) => readHeader(bytes, settings),
        decode: (decoder, _, { shape, whole }) =>
          decodeWith(
            JPEG.codec,
            decoder,
            whole,
            shape.reduce((product, length) => product * length, 1),
          ),
      };
    },
  });

export const jpeg: CodecEntry = jpegCodec(async () => {
  const { default: make } = await importPackage<{ readonly default: Make }>({
    ...{ name: PACKAGE, module: `${PACKAGE}/decodewasmjs`, codec: JPEG.codec, entry: "wazarr/images/jpeg" },
  });
  return { make };
});
