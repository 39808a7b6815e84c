/**
 * The chunks of an image: tiles as they are, strips as they are or, without compression, several together.
 */
import { at, type Extent, type JsonObject } from "../../../core/for-stores.js";
import type { VirtualChunk } from "../port.js";
import { isPlain } from "./codecs.js";
import { bytesOfRow, type TiffImage, wrong } from "./image.js";
import { TAG } from "./tags.js";

/**
 * Bytes of a chunk of strips that are not compressed. Each strip alone would be a request, or a part of one.
 */
const CHUNK_BYTES = 512 << 10;

export interface ChunkLayout {
  /** `chunk_grid` of the document. */
  readonly grid: JsonObject;
  /** Numbers of chunks: planes, and rows and columns of each. */
  readonly planes: number;
  readonly rows: number;
  readonly columns: number;
  /** Where the chunk of this plane, row and column lies. */
  readonly find: (plane: number, row: number, column: number) => Promise<VirtualChunk | undefined>;
}

/**
 * @param fill the bytes of a sample that is not stored; undefined: strips that are not stored must be chunks
 * that are not stored
 */
export function layOut(image: TiffImage, fill: Uint8Array | undefined): ChunkLayout {
  const { height, width, chunkHeight, chunkWidth, samples, isPlanar, isTiled } = image;
  const planes = isPlanar ? samples : 1;
  const columns = Math.ceil(width / chunkWidth);
  const table = blocksOf(image, planes * Math.ceil(height / chunkHeight) * columns);
  const perPlane = Math.ceil(height / chunkHeight) * columns;
  const lead = samples > 1 ? [isPlanar ? 1 : samples] : [];
  if (!isTiled && isPlain(image)) {
    const rows = fill === undefined ? chunkHeight : plainRows(image);
    const count = Math.ceil(height / rows);
    return {
      grid: regular([...lead, rows, width]),
      planes,
      rows: count,
      columns: 1,
      find: (plane, row) => plainChunk(image, table, plane * perPlane, row * rows, rows, fill),
    };
  }
  const rows = Math.ceil(height / chunkHeight);
  const last = height - (rows - 1) * chunkHeight;
  return {
    grid:
      isTiled || last === chunkHeight
        ? regular([...lead, chunkHeight, chunkWidth])
        : rectilinear([
            ...(samples > 1 ? [isPlanar ? [[1, samples]] : [samples]] : []),
            [[chunkHeight, rows - 1], last],
            [width],
          ]),
    planes,
    rows,
    columns,
    find: async (plane, row, column) => {
      const block = await table(plane * perPlane + row * columns + column);
      return block && { parts: [block] };
    },
  };
}

const regular = (shape: readonly number[]): JsonObject => ({
  name: "regular",
  configuration: { chunk_shape: [...shape] },
});

/** Lengths, or pairs of a length and how often it comes. The last strip is as long as its rows. */
const rectilinear = (lengths: readonly (readonly (number | readonly number[])[])[]): JsonObject => ({
  name: "rectilinear",
  configuration: { kind: "inline", chunk_shapes: lengths.map((each) => [...each]) },
});

type Blocks = (index: number) => Promise<Extent | undefined>;

/** Where tiles or strips lie, each looked up when it is wanted. Those of length 0 are not stored. */
function blocksOf(image: TiffImage, count: number): Blocks {
  const { directory, isTiled } = image;
  const offsets = isTiled && directory.has(TAG.tileOffsets) ? TAG.tileOffsets : TAG.stripOffsets;
  const lengths = isTiled && directory.has(TAG.tileByteCounts) ? TAG.tileByteCounts : TAG.stripByteCounts;
  return async (index) => {
    const [offset, length] = await Promise.all([
      directory.numberAt(offsets, index),
      directory.has(lengths) ? directory.numberAt(lengths, index) : lengthWithout(image, index, count),
    ]);
    if (offset === 0 || length === 0) return undefined;
    const { byteLength } = directory.bytes.file;
    if (offset + length <= byteLength) return { offset, length };
    throw wrong(
      directory,
      `expected ${length} bytes of tile ${index} at byte ${offset}, got a file of ${byteLength} bytes: it is truncated or damaged`,
    );
  };
}

/** Early writers left the lengths out. */
async function lengthWithout(image: TiffImage, index: number, count: number): Promise<number> {
  const { directory, isTiled, height, chunkHeight } = image;
  const rows = isTiled ? chunkHeight : Math.min(chunkHeight, height - ((index * chunkHeight) % height));
  if (isPlain(image)) return rows * bytesOfRow(image);
  if (count === 1) return directory.bytes.file.byteLength - (await directory.numberAt(TAG.stripOffsets, 0));
  throw wrong(directory, "expected the lengths of strips, got none");
}

/** Rows of a chunk of strips that are not compressed: a number of strips, or a part of one. */
function plainRows(image: TiffImage): number {
  const { height, chunkHeight } = image;
  const most = Math.max(1, Math.floor(CHUNK_BYTES / bytesOfRow(image)));
  const rows = chunkHeight <= most ? most - (most % chunkHeight) : most;
  return Math.min(height, rows);
}

/** The rows from `first` on, with rows of the fill value after the last one of the image. */
async function plainChunk(
  image: TiffImage,
  blocks: Blocks,
  plane: number,
  first: number,
  count: number,
  fill: Uint8Array = Uint8Array.of(0),
): Promise<VirtualChunk | undefined> {
  const { height, chunkHeight, directory } = image;
  const rowBytes = bytesOfRow(image);
  const end = Math.min(first + count, height);
  const stripRanges: { readonly strip: number; readonly from: number; readonly to: number }[] = [];
  for (let row = first; row < end; ) {
    const strip = Math.floor(row / chunkHeight);
    const to = Math.min(end, (strip + 1) * chunkHeight);
    stripRanges.push({ strip, from: row - strip * chunkHeight, to: to - strip * chunkHeight });
    row = to;
  }
  const found = await Promise.all(stripRanges.map(({ strip }) => blocks(plane + strip)));
  if (found.every((block) => block === undefined)) return undefined;
  const parts: (Extent | Uint8Array)[] = [];
  for (const [i, { strip, from, to }] of stripRanges.entries()) {
    const block = found[i];
    const length = (to - from) * rowBytes;
    if (block === undefined) {
      parts.push(repeated(fill, length));
      continue;
    }
    if (to * rowBytes > block.length)
      throw wrong(directory, `strip ${strip}: expected ${to * rowBytes} bytes, got ${block.length}`);
    const offset = block.offset + from * rowBytes;
    const before = parts.at(-1);
    if (before !== undefined && !(before instanceof Uint8Array) && before.offset + before.length === offset)
      parts[parts.length - 1] = { offset: before.offset, length: before.length + length };
    else parts.push({ offset, length });
  }
  if (end < first + count) parts.push(repeated(fill, (first + count - end) * rowBytes));
  return { parts };
}

function repeated(fill: Uint8Array, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  if (fill.some((byte) => byte !== 0)) for (let i = 0; i < length; i++) bytes[i] = at(fill, i % fill.length);
  return bytes;
}
