/**
 * A codestream of JPEG 2000 (ISO/IEC 15444-1, Annex A) of one component of more than 16 bits, which no
 * package decodes: as eccodes and g2c write template 5.40, one tile, without loss. Others are refused.
 */
import { UnsupportedError } from "../../../../core/for-codecs.js";
import { damaged, type Section } from "../sections.js";

export interface Codestream {
  readonly width: number;
  readonly height: number;
  readonly bits: number;
  /** Times that the wavelet halves the image. */
  readonly levels: number;
  readonly layers: number;
  /** Whether packets come by layer, and not by resolution. */
  readonly byLayer: boolean;
  /** log2 of the greatest width and height of a code-block. */
  readonly blockWidth: number;
  readonly blockHeight: number;
  readonly hasSegmentationSymbols: boolean;
  /** Bit planes of the coefficients of each subband: LL, then HL, LH, HH of each resolution. */
  readonly planes: readonly number[];
  /** The packets of the tile. */
  readonly packets: Uint8Array;
  /** Offset of the first packet's header in the message, for errors. */
  readonly offset: number;
}

/** Greatest size of a precinct, of which each resolution has one. */
const PRECINCT = 2 ** 15;
const MOST_LEVELS = 32;
const MOST_PLANES = 31;
/** Coefficients have two bits more than samples, and a sign. */
const MOST_BITS = 28;

const [SOC, SIZ, COD, QCD, SOT, SOD, EOC] = [0xff4f, 0xff51, 0xff52, 0xff5c, 0xff90, 0xff93, 0xffd9];
/** Comments, and lengths of packets and tile-parts, which are not needed. */
const SKIPPED: readonly number[] = [0xff64, 0xff55, 0xff57, 0xff58];
const SEGMENTATION_SYMBOLS = 0x20;

function unsupported(expected: string, got: string, offset: number): UnsupportedError {
  return new UnsupportedError(
    `wazarr reads JPEG 2000 of more than 16 bits in GRIB with ${expected}, got ${got}, at byte ${offset} of the GRIB message`,
    { offset },
  );
}

/** @throws CodecError for damaged codestreams, UnsupportedError for what is not read of them */
export function readCodestream(image: Section): Codestream {
  if (image.uint16(0) !== SOC || image.uint16(2) !== SIZ)
    throw damaged("expected the markers SOC and SIZ of JPEG 2000", image.offset);
  let at = 2;
  let size: ReturnType<typeof readSize> | undefined;
  let coding: ReturnType<typeof readCoding> | undefined;
  let planes: readonly number[] | undefined;
  const parts: Uint8Array[] = [];
  let first: number | undefined;
  for (let marker = image.uint16(at); marker !== EOC; marker = image.uint16(at)) {
    const length = image.uint16(at + 2);
    if (length < 2) throw damaged("a segment of JPEG 2000 has no length", image.offset + at);
    if (marker === SIZ) size = readSize(image, at);
    else if (marker === COD) coding = readCoding(image, at);
    else if (marker === QCD) planes = readPlanes(image, at, length);
    else if (marker === SOT) {
      const { start, end } = tilePart(image, at);
      first ??= image.offset + start;
      parts.push(image.bytes.subarray(start, end));
      at = end;
      continue;
    } else if (!SKIPPED.includes(marker)) {
      throw unsupported("SIZ, COD and QCD", `the marker 0x${marker.toString(16)}`, image.offset + at);
    }
    at += 2 + length;
  }
  if (size === undefined || coding === undefined || planes === undefined || first === undefined)
    throw damaged("expected SIZ, COD, QCD and a tile in JPEG 2000", image.offset);
  if (planes.length < 3 * coding.levels + 1)
    throw damaged(`expected ${3 * coding.levels + 1} subbands in QCD, got ${planes.length}`, image.offset);
  return { ...size, ...coding, planes, packets: joined(parts), offset: first };
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function readSize(image: Section, at: number): Pick<Codestream, "width" | "height" | "bits"> {
  const [width, height] = [image.uint32(at + 6), image.uint32(at + 10)];
  const offset = image.offset + at;
  const origins = [14, 18, 30, 34].map((each) => image.uint32(at + each));
  const isWhole = image.uint32(at + 22) >= width && image.uint32(at + 26) >= height;
  if (origins.some((each) => each !== 0) || !isWhole)
    throw unsupported("one tile that begins at [0, 0]", "others", offset);
  if (width === 0 || height === 0 || width > PRECINCT || height > PRECINCT)
    throw unsupported(`1 to ${PRECINCT} rows and columns`, `${height} by ${width}`, offset);
  if (image.uint16(at + 38) !== 1 || image.uint8(at + 41) !== 1 || image.uint8(at + 42) !== 1)
    throw unsupported("one component", "others", offset);
  const depth = image.uint8(at + 40);
  const bits = (depth & 127) + 1;
  if (depth > 127 || bits > MOST_BITS)
    throw unsupported(`unsigned samples of up to ${MOST_BITS} bits`, `${bits} bits`, offset);
  return { width, height, bits };
}

function readCoding(image: Section, at: number) {
  const offset = image.offset + at;
  const [style, order] = [image.uint8(at + 4), image.uint8(at + 5)];
  if ((style & 1) !== 0) throw unsupported("the greatest precincts", "others", offset);
  const levels = image.uint8(at + 9);
  const [blockWidth, blockHeight] = [image.uint8(at + 10) + 2, image.uint8(at + 11) + 2];
  if (levels > MOST_LEVELS || order > 4 || blockWidth + blockHeight > 12)
    throw damaged("expected the coding style of JPEG 2000", offset);
  const blockStyle = image.uint8(at + 12);
  if ((blockStyle & ~SEGMENTATION_SYMBOLS) !== 0)
    throw unsupported("code-blocks without options", `options ${blockStyle}`, offset);
  if (image.uint8(at + 13) !== 1) throw unsupported("no loss", "a wavelet with loss", offset);
  return {
    ...{ levels, layers: image.uint16(at + 6), byLayer: order === 0, blockWidth, blockHeight },
    hasSegmentationSymbols: blockStyle !== 0,
  };
}

function readPlanes(image: Section, at: number, length: number): number[] {
  const style = image.uint8(at + 4);
  if ((style & 31) !== 0) throw unsupported("no loss", "quantization", image.offset + at);
  return Array.from({ length: length - 3 }, (_, i) => {
    const planes = (style >> 5) + (image.uint8(at + 5 + i) >> 3) - 1;
    if (planes >= 0 && planes <= MOST_PLANES) return planes;
    throw damaged(`expected 0 to ${MOST_PLANES} bit planes, got ${planes}`, image.offset + at);
  });
}

/** Where the packets of a tile-part are. */
function tilePart(image: Section, at: number): { readonly start: number; readonly end: number } {
  if (image.uint16(at + 4) !== 0) throw unsupported("one tile", "several", image.offset + at);
  const length = image.uint32(at + 6);
  const end = length === 0 ? image.bytes.length - 2 : at + length;
  let start = at + 12;
  for (; image.uint16(start) !== SOD; start += 2 + image.uint16(start + 2)) {
    if (!SKIPPED.includes(image.uint16(start)))
      throw unsupported("tiles without options", "others", image.offset + start);
  }
  start += 2;
  if (end < start || end > image.bytes.length)
    throw damaged(`expected ${length} bytes in a tile-part of JPEG 2000`, image.offset + at);
  return { start, end };
}
