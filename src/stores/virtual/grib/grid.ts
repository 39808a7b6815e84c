/** Dimensions and coordinates of grids, as cfgrib has them. */

import {
  type Coordinate,
  calculateCoordinates,
  readGrid,
  type Section,
  sectionOf,
} from "../../../codecs/for-stores.js";
import { UnsupportedError } from "../../../core/for-stores.js";
import type { GribGrid } from "./field.js";

export interface GridLayout {
  readonly type: string;
  /** Dimensions of the points, and their lengths. */
  readonly dimensions: readonly string[];
  readonly shape: readonly number[];
  /** Latitudes and longitudes, which are worked out when they are wanted; empty for grids without. */
  readonly coordinates: readonly GridCoordinate[];
}

export interface GridCoordinate {
  readonly name: Coordinate;
  readonly dimensions: readonly string[];
  readonly shape: readonly number[];
  readonly values: () => Float64Array;
}

const [MERCATOR, GAUSSIAN] = [10, 40];
/** Grid types by template: those of rows and columns with a number each, and those whose points have two. */
const TYPES: ReadonlyMap<number, string> = new Map([
  [0, "regular_ll"],
  [1, "rotated_ll"],
  [MERCATOR, "mercator"],
  [20, "polar_stereographic"],
  [30, "lambert"],
  [31, "albers"],
  [GAUSSIAN, "regular_gg"],
  [41, "rotated_gg"],
  [50, "sh"],
  [90, "space_view"],
  [101, "unstructured_grid"],
  [140, "lambert_azimuthal_equal_area"],
  [150, "healpix"],
]);
const WITH_AXES = ["regular_ll", "regular_gg"];
const OF_ROWS = [
  "rotated_ll",
  "rotated_gg",
  "lambert",
  "lambert_azimuthal_equal_area",
  "albers",
  "polar_stereographic",
];
const REDUCED = 0xffffffff;
/** Octets of the scanning mode, less one. */
const SCANS: ReadonlyMap<number, number> = new Map([
  [0, 71],
  [1, 71],
  [MERCATOR, 59],
  [20, 64],
  [30, 64],
  [31, 64],
  [40, 71],
  [41, 71],
  [140, 63],
]);
/** Points of a column one after the other; rows in turn in both directions. */
const [BY_COLUMNS, IN_TURN] = [0x20, 0x10];
/** Points of a grid whose coordinates are calculated. */
const MOST_POINTS = 1 << 26;

export function layOutGrid({ section, points }: GribGrid): GridLayout {
  if (section === undefined) return ofPoints("unknown", points, undefined);
  const template = section.uint16(12);
  const known = TYPES.get(template) ?? "unknown";
  const isReduced = template <= 41 && section.uint32(30) === REDUCED;
  const type = isReduced ? known.replace("regular", "reduced") : known;
  const scanAt = SCANS.get(template);
  const scan = scanAt === undefined ? 0 : section.uint8(scanAt);
  // Rows in turn in both directions are left in the order of the message.
  if ((scan & IN_TURN) !== 0) return ofPoints(type, points, undefined);
  const isTurned = (scan & BY_COLUMNS) !== 0;
  const isCalculated = !isTurned && canBeCalculated(section);
  const hasAxes = WITH_AXES.includes(type);
  if (!hasAxes && !OF_ROWS.includes(type)) {
    const hasPlaces = isCalculated && template === (isReduced ? GAUSSIAN : MERCATOR);
    return ofPoints(type, points, hasPlaces ? section : undefined);
  }
  const [columns, rows] = [section.uint32(30), section.uint32(34)];
  if (columns * rows !== points) return ofPoints(type, points, undefined);
  const order = <Item>(row: Item, column: Item): Item[] => (isTurned ? [column, row] : [row, column]);
  if (hasAxes) {
    const byRows = isTurned && scanAt !== undefined ? withByte(section, scanAt, scan & ~BY_COLUMNS) : section;
    return {
      type,
      dimensions: order("latitude", "longitude"),
      shape: order(rows, columns),
      coordinates: [
        coordinateOf("latitude", ["latitude"], [rows], byRows),
        coordinateOf("longitude", ["longitude"], [columns], byRows),
      ],
    };
  }
  const [dimensions, shape] = [order("y", "x"), order(rows, columns)];
  return { type, dimensions, shape, coordinates: isCalculated ? both(dimensions, shape, section) : [] };
}

/** Whether the codec knows the grid: not with an angle of rotation, for example. */
function canBeCalculated(section: Section): boolean {
  try {
    readGrid(section);
    return true;
  } catch (error) {
    if (error instanceof UnsupportedError) return false;
    throw error;
  }
}

function ofPoints(type: string, points: number, section: Section | undefined): GridLayout {
  const [dimensions, shape] = [["values"], [points]];
  return { type, dimensions, shape, coordinates: section ? both(dimensions, shape, section) : [] };
}

const both = (dimensions: readonly string[], shape: readonly number[], section: Section): GridCoordinate[] =>
  (["latitude", "longitude"] as const).map((name) => coordinateOf(name, dimensions, shape, section));

function coordinateOf(
  name: Coordinate,
  dimensions: readonly string[],
  shape: readonly number[],
  section: Section,
): GridCoordinate {
  const values = (): Float64Array => {
    const points = shape.reduce((product, length) => product * length, 1);
    if (points > MOST_POINTS)
      throw new UnsupportedError(`wazarr calculates the coordinates of ${MOST_POINTS} points, got ${points}`);
    const numbers = new Float64Array(points);
    const order = { northUp: false, fromWest: false };
    calculateCoordinates(readGrid(section), numbers, { name, like: "eccodes", order });
    return numbers;
  };
  return { name, dimensions, shape, values };
}

function withByte({ bytes, offset }: Section, at: number, byte: number): Section {
  const copy = bytes.slice();
  copy[at] = byte;
  return sectionOf("section 3", copy, offset);
}
