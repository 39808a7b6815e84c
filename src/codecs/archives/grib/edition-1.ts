/**
 * A message of edition 1 (WMO's Manual on Codes, FM 92-IX Ext. GRIB), in simple or second-order packing:
 *
 *     0 indicator | 1 product | 2 grid | 3 bitmap | 4 data | 5 end
 *
 * Section 0 has 8 bytes, section 5 is "7777"; each other begins with its length (3 bytes). A flag of section
 * 1 says whether there are sections 2 and 3. Section 4 has what sections 5 and 7 of edition 2 have.
 */
import { UnsupportedError } from "../../../core/for-codecs.js";
import { type Field, unreadBitmap } from "./field.js";
import { readFirstSecondOrder } from "./first-second-order.js";
import { readWidth } from "./representation.js";
import { checkScaling, power, type Scaling } from "./scaling.js";
import { checkEnd, damaged, type Section, sectionOf } from "./sections.js";

const INDICATOR_LENGTH = 8;
/** A length with this bit counts units of 120 bytes, which ECMWF does in messages of more than 8 MiB. */
const LONG = 0x800000;
const HAS_GRID = 0x80;
const HAS_BITMAP = 0x40;
/** Flags of section 4. */
const SPECTRAL = 0x80;
const SECOND_ORDER = 0x40;
/** Columns of a grid whose rows differ in length. */
const REDUCED = 0xffff;
const DATA_OFFSET = 11;

interface FirstSections {
  readonly product: Section;
  /** Undefined if the message has a grid of WMO's catalogue. */
  readonly grid: Section | undefined;
  readonly bitmap: Section | undefined;
  readonly data: Section;
}

/** @throws CodecError for damaged messages, UnsupportedError for those of more than 8 MiB */
export function findFirstSections(bytes: Uint8Array): FirstSections {
  const total = sectionOf("section 0", bytes.subarray(0, INDICATOR_LENGTH), 0).unsigned(4, 3);
  if (total >= LONG) {
    throw new UnsupportedError("wazarr reads GRIB of edition 1 up to 8 MiB, got a longer message", {
      offset: 4,
    });
  }
  const end = checkEnd(bytes, total, 4);
  let at = INDICATOR_LENGTH;
  const next = (number: number): Section => {
    const left = bytes.subarray(at, end);
    const length = sectionOf(`section ${number}`, left, at).unsigned(0, 3);
    if (length < 3 || length > left.length) {
      throw damaged(`expected 3 to ${left.length} bytes in section ${number}, got ${length}`, at);
    }
    const section = sectionOf(`section ${number}`, left.subarray(0, length), at);
    at += length;
    return section;
  };
  const product = next(1);
  const flags = product.uint8(7);
  const grid = (flags & HAS_GRID) === 0 ? undefined : next(2);
  const bitmap = (flags & HAS_BITMAP) === 0 ? undefined : next(3);
  return { product, grid, bitmap, data: next(4) };
}

/**
 * @param points that the message must have
 * @throws CodecError for damaged messages and other numbers of points, UnsupportedError for other packings
 */
export function readFirstEdition(bytes: Uint8Array, points: number): Field {
  const { product, grid, bitmap: map, data } = findFirstSections(bytes);
  if (grid !== undefined) checkGrid(grid, points);
  const bitmap = map && readBitmap(map, points);
  const kind = data.uint8(3);
  if ((kind & SPECTRAL) !== 0) {
    throw new UnsupportedError("wazarr reads grids of GRIB edition 1, got spherical harmonics", {
      offset: data.offset + 3,
    });
  }
  const scaling: Scaling = checkScaling(
    {
      reference: ibmFloat(data, 6),
      scale: power(2, data.signed(4, 2)),
      decimal: power(10, -product.signed(26, 2)),
    },
    data.offset + 6,
  );
  // There is no number of values to compare.
  const field = { points, values: undefined, bitmap, reordering: undefined };
  if ((kind & SECOND_ORDER) !== 0) return { ...field, ...readFirstSecondOrder(data, grid, field, scaling) };
  return {
    ...{ ...field, turned: undefined, packing: { kind: "simple", ...scaling, width: readWidth(data, 10) } },
    data: data.bytes.subarray(DATA_OFFSET),
    dataOffset: data.offset + DATA_OFFSET,
  };
}

/** @throws CodecError unless the grid has as many points as the chunk, if it says how many */
function checkGrid(grid: Section, expected: number): void {
  const columns = grid.uint16(6);
  const rows = grid.uint16(8);
  if (columns === REDUCED || rows === REDUCED || columns * rows === expected) return;
  const offset = grid.offset + 6;
  throw damaged(
    `expected a field of ${expected} points, as many as a chunk has, got ${rows} rows of ${columns}`,
    offset,
  );
}

function readBitmap(section: Section, points: number): Uint8Array {
  const table = section.uint16(4);
  if (table !== 0) throw unreadBitmap(table, section.offset + 4);
  const bits = 8 * (section.bytes.length - 6) - section.uint8(3);
  if (bits !== points) {
    throw damaged(`expected a bitmap of ${points} points, got one of ${bits}`, section.offset);
  }
  return section.bytes.subarray(6);
}

/** A floating-point number of IBM: sign, exponent of 16, and 24 bits of fraction. */
function ibmFloat(section: Section, at: number): number {
  const sign = section.uint8(at) >= 0x80 ? -1 : 1;
  const exponent = (section.uint8(at) & 0x7f) - 64;
  return sign * section.unsigned(at + 1, 3) * power(2, 4 * exponent - 24);
}
