/**
 * Grids of edition 1 as edition 2 has them, so that one code calculates coordinates: section 3 with the
 * templates 3.0 (latitudes and longitudes), 3.1 (the same, rotated), 3.10 (Mercator), 3.20 (polar
 * stereographic), 3.30 (Lambert) and 3.40 (Gaussian).
 */
import { type Section, sectionOf } from "../../../codecs/for-stores.js";
import type { GribGrid } from "./field.js";

const [LATITUDES, MERCATOR, LAMBERT, GAUSSIAN, POLAR, ROTATED] = [0, 1, 3, 4, 5, 10];
const TEMPLATES: ReadonlyMap<number, number> = new Map([
  [LATITUDES, 0],
  [ROTATED, 1],
  [MERCATOR, 10],
  [LAMBERT, 30],
  [GAUSSIAN, 40],
  [POLAR, 20],
]);
/** Numbers of columns or rows that a grid does not have. */
const REDUCED = 0xffff;
const MISSING = 0xffffffff;
const LIST_ABSENT = 0xff;
/** An ellipsoid instead of a sphere. */
const IS_ELLIPSOID = 0x40;
/** Octets of the templates, less one, and where a list of the lengths of rows begins. */
const LENGTH = 72;
const CONE_LENGTH = 81;
const ROTATED_LENGTH = 84;

export function gridOfFirstEdition(grid: Section): GribGrid {
  let key = "1";
  for (const byte of grid.bytes) key += String.fromCharCode(byte);
  const [columns, rows] = [grid.uint16(6), grid.uint16(8)];
  const lengths = columns === REDUCED ? rowLengths(grid, rows) : undefined;
  const points = lengths?.reduce((sum, length) => sum + length, 0) ?? columns * rows;
  return { key, points, section: translated(grid, columns, rows, points, lengths) };
}

/** Numbers of points of the rows of a reduced grid: after the vertical coordinates, at the octet in `PL`. */
function rowLengths(grid: Section, rows: number): number[] {
  const [vertical, location] = [grid.uint8(3), grid.uint8(4)];
  if (location === LIST_ABSENT) return [];
  const start = location - 1 + 4 * vertical;
  return Array.from({ length: rows }, (_, row) => grid.uint16(start + 2 * row));
}

/** Sign and magnitude in 4 bytes. */
const signed = (number: number): number => (number < 0 ? 2 ** 31 - number : number);

function translated(
  grid: Section,
  columns: number,
  rows: number,
  points: number,
  lengths: readonly number[] | undefined,
): Section | undefined {
  const template = TEMPLATES.get(grid.uint8(5));
  if (template === undefined) return undefined;
  const isCone = template === 20 || template === 30;
  const length = isCone ? CONE_LENGTH : template === 1 ? ROTATED_LENGTH : LENGTH;
  const bytes = new Uint8Array(length + 2 * (lengths?.length ?? 0));
  const view = new DataView(bytes.buffer);
  const degrees = (at: number): number => signed(1000 * grid.signed(at, 3));
  view.setUint32(0, bytes.length);
  view.setUint8(4, 3);
  view.setUint32(6, points);
  view.setUint16(12, template);
  view.setUint8(14, (grid.uint8(16) & IS_ELLIPSOID) === 0 ? 0 : 2);
  view.setUint32(30, lengths === undefined ? columns : MISSING);
  view.setUint32(34, rows);
  const [first, last, scan] = [degrees(10), degrees(13), grid.uint8(27)];
  if (isCone) {
    view.setUint32(38, first);
    view.setUint32(42, last);
    // Edition 1 has no other latitude for the lengths of a polar stereographic grid.
    const trueAt = 60_000_000 * ((grid.uint8(26) & 0x80) === 0 ? 1 : -1);
    view.setUint32(47, template === 20 ? signed(trueAt) : degrees(28));
    view.setUint32(51, degrees(17));
    view.setUint32(55, 1000 * grid.unsigned(20, 3));
    view.setUint32(59, 1000 * grid.unsigned(23, 3));
    view.setUint8(63, grid.uint8(26));
    view.setUint8(64, scan);
    if (template === 30) {
      view.setUint32(65, degrees(28));
      view.setUint32(69, degrees(31));
    }
  } else if (template === 10) {
    view.setUint32(38, first);
    view.setUint32(42, last);
    view.setUint32(47, degrees(23));
    view.setUint32(51, degrees(17));
    view.setUint32(55, degrees(20));
    view.setUint8(59, scan);
    view.setUint32(64, 1000 * grid.unsigned(28, 3));
    view.setUint32(68, 1000 * grid.unsigned(31, 3));
  } else {
    view.setUint32(46, first);
    view.setUint32(50, last);
    view.setUint32(55, degrees(17));
    view.setUint32(59, degrees(20));
    view.setUint32(67, template === 40 ? grid.uint16(25) : 1000 * grid.uint16(25));
    view.setUint8(71, scan);
    if (template === 1) {
      view.setUint32(72, degrees(32));
      view.setUint32(76, degrees(35));
      // The angle is a float of IBM: only that it is zero is read, and zero is zero there, too.
      view.setUint32(80, grid.uint32(38));
    }
  }
  if (lengths !== undefined) {
    view.setUint8(10, 2);
    view.setUint8(11, 1);
    for (const [row, count] of lengths.entries()) view.setUint16(length + 2 * row, count);
  }
  return sectionOf("section 2", bytes, grid.offset);
}
