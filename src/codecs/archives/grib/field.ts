/** A field of a GRIB message: its points, which of them have values, and how the values are packed. */
import { UnsupportedError } from "../../../core/for-codecs.js";
import { linesOf, readGrid } from "./grid.js";
import { type Reordering, reordering, type WantedOrder } from "./order.js";
import { hasTurnedLines, type Packing, readPacking } from "./representation.js";
import { damaged, findSections, type Section } from "./sections.js";

export interface Field {
  readonly points: number;
  /**
   * Number of packed values, which is that of the bitmap or of all points; undefined if the message has none.
   */
  readonly values: number | undefined;
  /** A bit for each point, most significant first; undefined if all have values. */
  readonly bitmap: Uint8Array | undefined;
  readonly packing: Packing;
  /** The packed values. */
  readonly data: Uint8Array;
  /** Byte offset of `data` in the message. */
  readonly dataOffset: number;
  /** Lengths of the lines of points, if every other line is stored from its end ("boustrophedonic"). */
  readonly turned: Uint32Array | undefined;
  /** How the points get the order that is wanted; undefined if they have it. */
  readonly reordering: Reordering | undefined;
}

/**
 * The first field of a message of edition 2.
 * @param expected number of points
 * @param order of the points
 * @throws CodecError for damaged messages and other numbers of points, UnsupportedError for other packings
 */
export function readField(bytes: Uint8Array, expected: number, order: WantedOrder): Field {
  const { grid, representation, bitmap, data } = findSections(bytes);
  const points = grid.uint32(6);
  if (points !== expected) {
    const message = `expected a field of ${expected} points, as many as a chunk has, got ${points}`;
    throw damaged(message, grid.offset + 6);
  }
  const values = representation.uint32(5);
  const map = readBitmap(bitmap, points);
  if (values > points || (map === undefined && values !== points)) {
    throw damaged(`expected ${points} values, one for each point, got ${values}`, representation.offset + 5);
  }
  const packing = readPacking(representation, data, values);
  const isTurned = packing.kind === "second order" && hasTurnedLines(representation);
  return {
    points,
    values,
    bitmap: map,
    packing,
    data: data.bytes.subarray(5),
    dataOffset: data.offset + 5,
    turned: isTurned ? linesOf(readGrid(grid), points) : undefined,
    reordering: order.northUp || order.fromWest ? reordering(readGrid(grid), points, order) : undefined,
  };
}

const NO_BITMAP = 255;
const BITMAP_FOLLOWS = 0;

function readBitmap(section: Section, points: number): Uint8Array | undefined {
  const indicator = section.uint8(5);
  if (indicator === NO_BITMAP) return undefined;
  if (indicator !== BITMAP_FOLLOWS) throw unreadBitmap(indicator, section.offset + 5);
  const length = Math.ceil(points / 8);
  const bitmap = section.bytes.subarray(6, 6 + length);
  if (bitmap.length === length) return bitmap;
  throw damaged(`expected a bitmap of ${length} bytes, got ${bitmap.length}`, section.offset + 6);
}

/** The error for a bitmap that is not in the field. */
export function unreadBitmap(number: number, offset: number): UnsupportedError {
  return new UnsupportedError(
    `wazarr reads bitmaps that are in the field itself, got the predefined bitmap ${number}, at byte ${offset} of the GRIB message`,
    { offset },
  );
}
