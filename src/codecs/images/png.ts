/**
 * PNG of 8 and 16 bits: `imagecodecs_png`, and `imagecodecs_spng`, which writes the same. Its own decoder:
 * PNG is zlib with a filter for each row. Palettes, transparent colours, interlaced images and samples of
 * less than 8 bits are refused. https://www.w3.org/TR/png-3/ `{"id": "imagecodecs_png", "level": 6}`
 */
import {
  type BytesToBytesCodec,
  byteAt,
  type CodecEntry,
  concatenate,
  crc32,
  type Kernels,
  lazyCodec,
  loadZlib,
  UnsupportedError,
} from "../../core/for-codecs.js";
import { type HeaderView, type ImageHeader, imageCodec, viewHeader } from "./image-codec.js";

const PNG = { codec: "imagecodecs_png", name: "PNG" };

/** Samples of a pixel, by colour type. */
const SAMPLES: ReadonlyMap<number, number> = new Map([
  [0, 1],
  [2, 3],
  [4, 2],
  [6, 4],
]);

interface Header extends ImageHeader {
  readonly height: number;
  readonly rowLength: number;
  /** Bytes of a pixel: a filter uses the pixel before. */
  readonly pixelLength: number;
  readonly itemSize: 1 | 2;
  /** The zlib stream. */
  readonly data: Uint8Array;
}

function unsupported(expected: string, got: string): UnsupportedError {
  return new UnsupportedError(`wazarr reads PNG with ${expected}, got ${got}`, { codec: PNG.codec });
}

interface Chunk {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

/** The chunks up to IEND, whose checksums are right. */
function* chunks(view: HeaderView, bytes: Uint8Array, kernels: Kernels): Generator<Chunk> {
  if (view.uint32(0) !== 0x89504e47 || view.uint32(4) !== 0x0d0a1a0a)
    throw view.damaged(0, "expected the signature of PNG");
  for (let at = 8, type = ""; type !== "IEND"; ) {
    const start = at + 8;
    const end = start + view.uint32(at);
    type = String.fromCharCode(...[4, 5, 6, 7].map((i) => view.uint8(at + i)));
    if (view.uint32(end) !== crc32(kernels, bytes.subarray(at + 4, end)))
      throw view.damaged(at, "the checksum does not match");
    yield { type, start, end };
    at = end + 4;
    if (type === "IEND" && at < view.length) throw view.damaged(at, "expected the end, got more bytes");
  }
}

function readHeader(bytes: Uint8Array, kernels: Kernels): Header {
  const view = viewHeader(bytes, PNG, false);
  let header: Omit<Header, "data"> | undefined;
  const data: Uint8Array[] = [];
  for (const { type, start, end } of chunks(view, bytes, kernels)) {
    if (type === "IHDR") header = readSize(view, start);
    if (header === undefined) throw view.damaged(start, "expected the chunk IHDR first");
    if (type === "tRNS") throw unsupported("samples as they are stored", "a transparent colour");
    if (type === "IDAT") data.push(bytes.subarray(start, end));
  }
  if (header === undefined) throw view.damaged(8, "expected the chunk IHDR first");
  return { ...header, data: concatenate(data) };
}

function readSize(view: HeaderView, at: number): Omit<Header, "data"> {
  const [width, height, bits] = [view.uint32(at), view.uint32(at + 4), view.uint8(at + 8)];
  const samples = SAMPLES.get(view.uint8(at + 9));
  if (samples === undefined)
    throw unsupported("gray and RGB samples", "a palette, or another type of colours");
  if (bits !== 8 && bits !== 16) throw unsupported("8 and 16 bits", `${bits}`);
  if (view.uint8(at + 12) !== 0) throw unsupported("rows in their order", "interlaced ones");
  const itemSize = bits === 8 ? 1 : 2;
  const pixelLength = samples * itemSize;
  return {
    shape: samples === 1 ? [height, width] : [height, width, samples],
    dataType: `uint${bits}`,
    ...{ height, rowLength: width * pixelLength, pixelLength, itemSize },
  };
}

function decode(codec: BytesToBytesCodec, header: Header, kernels: Kernels): Uint8Array {
  const { data, height, rowLength, itemSize } = header;
  const filtered = height * (1 + rowLength);
  const rows = codec.decode(data, { kernels, byteLength: filtered, maximumByteLength: filtered });
  if (!(rows instanceof Uint8Array) || rows.length !== filtered)
    throw viewHeader(data, PNG, false).damaged(0, `expected ${filtered} bytes of rows`);
  const elements = new Uint8Array(height * rowLength);
  for (let row = 0; row < height; row++) unfilter(rows, row, elements, header);
  if (itemSize === 2) kernels.swap(elements, elements, 2);
  return elements;
}

const at = (bytes: Uint8Array, index: number): number => byteAt(bytes, index);

/** Undoes the filter of a row, which adds bytes to the left, above, or both. */
function unfilter(rows: Uint8Array, row: number, elements: Uint8Array, header: Header): void {
  const { rowLength, pixelLength } = header;
  const from = row * (rowLength + 1) + 1;
  const to = row * rowLength;
  const filter = rows[from - 1];
  if (filter === undefined || filter > 4)
    throw viewHeader(header.data, PNG, false).damaged(0, `row ${row} has filter ${filter}`);
  for (let i = 0; i < rowLength; i++) {
    // Zero before the first pixel and above the first row.
    const left = i < pixelLength ? 0 : at(elements, to + i - pixelLength);
    const up = row === 0 ? 0 : at(elements, to + i - rowLength);
    let predicted = 0;
    if (filter === 1) predicted = left;
    else if (filter === 2) predicted = up;
    else if (filter === 3) predicted = (left + up) >> 1;
    else if (filter === 4) {
      const corner = row === 0 || i < pixelLength ? 0 : at(elements, to + i - rowLength - pixelLength);
      predicted = paeth(left, up, corner);
    }
    elements[to + i] = at(rows, from + i) + predicted;
  }
}

/** Whichever of the three is next to left + up - corner. */
function paeth(left: number, up: number, corner: number): number {
  const toLeft = Math.abs(up - corner);
  const toUp = Math.abs(left - corner);
  const toCorner = Math.abs(left + up - 2 * corner);
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}

const zlib = lazyCodec("zlib", loadZlib);

export const png: CodecEntry = imageCodec<undefined, Header>({
  ...PNG,
  members: ["level", "strategy", "filter", "primaries", "transfer", "matrix"],
  decoder: { load: (kernels) => zlib.load(kernels), run: (work) => work(undefined) },
  prepare: (_, spec) => ({
    readHeader,
    decode: (__, ___, header, kernels) => decode(zlib.of(spec), header, kernels),
  }),
});
