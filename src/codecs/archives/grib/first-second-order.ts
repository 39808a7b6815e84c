/**
 * Section 4 of a message of edition 1 in second-order packing: by rows of the grid, or with a second bitmap
 * that says where groups begin, and ECMWF's extension of it with spatial differencing ("general extended").
 */
import { fieldAt, UnsupportedError, uint32At } from "../../../core/for-codecs.js";
import type { Field } from "./field.js";
import { linesOf, readFirstGrid } from "./grid.js";
import type { Scaling } from "./scaling.js";
import { readDifferences, readExtended, readFirstEditionGroups } from "./second-order.js";
import { damaged, type Section } from "./sections.js";

/** Flags of octet 14. */
const MATRIX = 0x40;
const SECOND_BITMAP = 0x20;
const DIFFERENT_WIDTHS = 0x10;
const EXTENDED = 0x08;
const TURNED = 0x04;
const ORDER = 0x03;

const WIDTHS_OFFSET = 21;
const DIFFERENCES_OFFSET = 25;

type SecondOrderField = Pick<Field, "packing" | "data" | "dataOffset" | "turned">;

/** @throws CodecError for damaged sections, UnsupportedError for matrices and rows of one width */
export function readFirstSecondOrder(
  section: Section,
  grid: Section | undefined,
  { points, bitmap }: Pick<Field, "points" | "bitmap">,
  scaling: Scaling,
): SecondOrderField {
  const flags = section.uint8(13);
  const { offset } = section;
  const hasRows = (flags & (EXTENDED | SECOND_BITMAP)) === 0;
  if ((flags & MATRIX) !== 0 || (hasRows && (flags & DIFFERENT_WIDTHS) === 0)) {
    const got = (flags & MATRIX) === 0 ? "rows of one width" : "matrices of values";
    throw new UnsupportedError(
      `wazarr reads second-order packing of GRIB edition 1 with groups of values, got ${got}`,
      { offset: offset + 13 },
    );
  }
  // Without a grid there are no rows.
  const lines = (): Uint32Array => {
    if (grid === undefined) throw damaged("expected a grid of rows, got none", offset + 13);
    return linesOf(readFirstGrid(grid), points);
  };
  const turned = (flags & TURNED) === 0 ? undefined : lines();
  const values = bitmap === undefined ? points : ones(bitmap, 0, points);
  const groups = section.uint16(16) + 65536 * section.uint8(20);
  const widthOfReferences = section.uint8(10);
  const from = (at: number) => ({ data: section.bytes.subarray(at), dataOffset: offset + at });
  if ((flags & EXTENDED) !== 0) {
    const { first, bias, end } = readDifferences(section, DIFFERENCES_OFFSET, flags & ORDER);
    const place = from(end);
    const lists = {
      ...{ groups, widthOfReferences },
      ...{ widthOfWidths: section.uint8(21), widthOfLengths: section.uint8(22) },
    };
    const list = readExtended(place.data, lists, values, place.dataOffset);
    return { packing: { kind: "second order", ...scaling, ...list, first, bias }, ...place, turned };
  }
  const isOfOneWidth = (flags & DIFFERENT_WIDTHS) === 0;
  const end = WIDTHS_OFFSET + (isOfOneWidth ? 1 : groups);
  if (end > section.bytes.length)
    throw damaged(`expected the widths of ${groups} groups, got the end of section 4`, offset + 16);
  const place = from(end);
  const widths = isOfOneWidth
    ? section.uint8(WIDTHS_OFFSET)
    : section.bytes.slice(WIDTHS_OFFSET, WIDTHS_OFFSET + groups);
  const rows = hasRows ? valuesOf(lines(), bitmap) : undefined;
  const group = { widths, groups, widthOfReferences, rows };
  const list = readFirstEditionGroups(place.data, group, values, place.dataOffset);
  return { packing: { kind: "second order", ...scaling, ...list, first: [], bias: 0 }, ...place, turned };
}

/** How many points from one to another have a value. */
function ones(bitmap: Uint8Array, from: number, to: number): number {
  let sum = 0;
  for (let i = from; i < to; i++) sum += fieldAt(bitmap, i, 1);
  return sum;
}

function valuesOf(lines: Uint32Array, bitmap: Uint8Array | undefined): Uint32Array {
  if (bitmap === undefined) return lines;
  let at = 0;
  return lines.map((length, i) => {
    const from = at;
    at += uint32At(lines, i);
    return ones(bitmap, from, from + length);
  });
}
