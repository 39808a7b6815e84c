/**
 * The grid of a message: section 3 of edition 2 (grid definition templates) or section 2 of edition 1 (data
 * representation types), of which both have the same kinds. WMO's Manual on Codes, FM 92 GRIB.
 */
import { UnsupportedError } from "../../../core/for-codecs.js";
import { damaged, type Section } from "./sections.js";

/** In which order the points follow each other: flag table 3.4, and 8 of edition 1. */
export interface Scan {
  /** The flags as the message has them. */
  readonly flags: number;
  /** Whether columns go from east to west. */
  readonly westward: boolean;
  /** Whether rows go from south to north. */
  readonly northward: boolean;
  /** Whether the points of a column follow each other, and not those of a row. */
  readonly inColumns: boolean;
  /** Whether every other row (or column) goes in the opposite direction. */
  readonly alternating: boolean;
}

/** Half axes in metres. */
export interface Earth {
  readonly major: number;
  readonly minor: number;
}

interface Points {
  /** Of its section in the message, for errors. */
  readonly offset: number;
  /** As errors call it: "template 3.0". */
  readonly name: string;
  readonly scan: Scan;
  readonly rows: number;
  /** Angles of the grid that make a degree. */
  readonly unit: number;
  readonly firstLatitude: number;
  readonly firstLongitude: number;
}

/** Latitudes and longitudes. */
export interface LatitudeGrid extends Points {
  readonly kind: "latitudes";
  readonly columns: number;
  readonly lastLatitude: number;
  readonly lastLongitude: number;
}

/** The same on a globe that is turned so that its southern pole is here. */
export interface RotatedGrid extends Omit<LatitudeGrid, "kind"> {
  readonly kind: "rotated";
  readonly poleLatitude: number;
  readonly poleLongitude: number;
}

export interface GaussianGrid extends Points {
  readonly kind: "gaussian";
  readonly columns: number;
  readonly lastLongitude: number;
  /** N: rows between a pole and the equator. */
  readonly parallels: number;
}

/** Gaussian rows, each with a number of points of its own. */
export interface ReducedGrid extends Points {
  readonly kind: "reduced";
  readonly parallels: number;
  readonly rowLength: (row: number) => number;
}

interface Projected extends Points {
  readonly columns: number;
  readonly earth: Earth;
  /** Metres between points. */
  readonly across: number;
  readonly up: number;
}

export interface MercatorGrid extends Projected {
  readonly kind: "mercator";
  /** Where the distances are those of the earth. */
  readonly trueLatitude: number;
}

/** Polar stereographic, and Lambert's conformal projection. */
export interface ConeGrid extends Projected {
  readonly kind: "polar" | "lambert";
  /** The meridian that is parallel to columns. */
  readonly orientation: number;
  /** Of one standard parallel if they are the same. */
  readonly firstParallel: number;
  readonly secondParallel: number;
  readonly isSouthern: boolean;
}

export type Grid = LatitudeGrid | RotatedGrid | GaussianGrid | ReducedGrid | MercatorGrid | ConeGrid;

export function unsupportedGrid(
  expected: string,
  got: string,
  { offset }: { readonly offset: number },
): UnsupportedError {
  return new UnsupportedError(
    `wazarr reads ${expected}, got ${got}; store coordinates as arrays of numbers`,
    { offset },
  );
}

function scanOf(flags: number): Scan {
  return {
    flags,
    westward: (flags & 0x80) !== 0,
    northward: (flags & 0x40) !== 0,
    inColumns: (flags & 0x20) !== 0,
    alternating: (flags & 0x10) !== 0,
  };
}

/** The shapes of code table 3.2 that need no numbers of the message. */
const EARTHS: readonly (readonly [major: number, minor: number] | undefined)[] = [
  [6367470, 6367470],
  undefined,
  [6378160, 6356775],
  undefined,
  [6378137, 6356752.314],
  [6378137, 6356752.3142],
  [6371229, 6371229],
  undefined,
  [6371200, 6371200],
  [6377563.396, 6356256.909],
];

function earthOf(section: Section): Earth {
  const shape = section.uint8(14);
  const scaled = (at: number) => section.uint32(at + 1) / 10 ** section.uint8(at);
  // Kilometres.
  const unit = shape === 3 ? 1000 : 1;
  const [major, minor] =
    EARTHS[shape] ?? (shape === 1 ? [scaled(15), scaled(15)] : [unit * scaled(20), unit * scaled(25)]);
  if (major >= minor && minor > 0 && shape < 10) return { major, minor };
  throw damaged(
    `expected a sphere or an ellipsoid, got shape ${shape}, ${major} by ${minor} m`,
    section.offset + 14,
  );
}

const MISSING = 0xffffffff;
const OTHER_TEMPLATES: ReadonlyMap<number, string> = new Map([
  [41, "rotated Gaussian"],
  [50, "spherical harmonics"],
  [90, "space view"],
  [101, "unstructured"],
  [140, "Lambert azimuthal equal-area"],
  [150, "HEALPix"],
]);

/** @param section 3 of edition 2. @throws UnsupportedError for other templates */
export function readGrid(section: Section): Grid {
  const template = section.uint16(12);
  const { offset } = section;
  const common = (flagsAt: number, anglesAt: number) => ({
    ...{ offset, name: `template 3.${template}`, unit: 1e6, rows: section.uint32(34) },
    ...{ columns: section.uint32(30), scan: scanOf(section.uint8(flagsAt)) },
    ...{ firstLatitude: section.signed(anglesAt, 4), firstLongitude: section.signed(anglesAt + 4, 4) },
  });
  switch (template) {
    case 0:
    case 1:
    case 40: {
      const basic = section.uint32(38);
      if (basic !== 0 && basic !== MISSING)
        throw unsupportedGrid("angles in millionths of a degree", "a basic angle", section);
      const points = common(71, 46);
      const lastLongitude = section.signed(59, 4);
      if (template === 40) {
        const parallels = section.uint32(67);
        if (points.columns !== MISSING) return { kind: "gaussian", ...points, lastLongitude, parallels };
        return { kind: "reduced", ...points, parallels, rowLength: rowLengthsOf(section) };
      }
      const grid = { ...points, lastLatitude: section.signed(55, 4), lastLongitude };
      if (template === 0) return { kind: "latitudes", ...grid };
      return rotated(grid, section.signed(72, 4), section.signed(76, 4), section.float32(80));
    }
    case 10: {
      if (section.uint32(60) !== 0)
        throw unsupportedGrid("Mercator's grids along parallels", "turned ones", section);
      const earth = earthOf(section);
      const [across, up] = [section.uint32(64) / 1000, section.uint32(68) / 1000];
      const trueLatitude = section.signed(47, 4);
      return { kind: "mercator", ...common(59, 38), earth, across, up, trueLatitude };
    }
    case 20:
    case 30: {
      const cone = {
        ...common(64, 38),
        ...{ earth: earthOf(section), orientation: section.signed(51, 4) },
        ...{ across: section.uint32(55) / 1000, up: section.uint32(59) / 1000 },
        isSouthern: (section.uint8(63) & 0x80) !== 0,
      };
      const first = section.signed(template === 20 ? 47 : 65, 4);
      const second = template === 20 ? first : section.signed(69, 4);
      return {
        ...{ kind: template === 20 ? "polar" : "lambert", ...cone },
        ...{ firstParallel: first, secondParallel: second },
      };
    }
    default: {
      const name = OTHER_TEMPLATES.get(template);
      const got = `template 3.${template}${name === undefined ? "" : ` (${name})`}`;
      throw unsupportedGrid("grids of templates 3.0, 3.1, 3.10, 3.20, 3.30 and 3.40", got, section);
    }
  }
}

function rotated(
  grid: Omit<LatitudeGrid, "kind">,
  poleLatitude: number,
  poleLongitude: number,
  angle: number,
): RotatedGrid {
  if (angle === 0) return { kind: "rotated", ...grid, poleLatitude, poleLongitude };
  throw unsupportedGrid("rotated grids without an angle of rotation", `one of ${angle}`, grid);
}

/** They follow the template. */
function rowLengthsOf(section: Section): (row: number) => number {
  const size = section.uint8(10);
  if (size === 0 || size > 4)
    throw damaged(`expected 1 to 4 bytes for the length of a row, got ${size}`, section.offset + 10);
  return (row) => section.unsigned(72 + row * size, size);
}

const FIRST_MISSING = 0xffff;
/** Vertical coordinates, of 4 bytes each, stand before the lengths of rows. */
const NO_LISTS = 255;

/** @param section 2 of edition 1. @throws UnsupportedError for other types */
export function readFirstGrid(section: Section): Grid {
  const type = section.uint8(5);
  const { offset } = section;
  const [columns, rows] = [section.uint16(6), section.uint16(8)];
  // Edition 1 has no alternating rows: the bit is reserved.
  const points = {
    ...{ offset, name: `type ${type} of edition 1`, unit: 1e3, rows, columns },
    ...{ scan: scanOf(section.uint8(27) & 0xe0) },
    ...{ firstLatitude: section.signed(10, 3), firstLongitude: section.signed(13, 3) },
  };
  const lastLongitude = () => section.signed(20, 3);
  const isOblate = (section.uint8(16) & 0x40) !== 0;
  const earth = isOblate ? { major: 6378160, minor: 6356775 } : { major: 6367470, minor: 6367470 };
  switch (type) {
    case 0:
    case 10: {
      const grid = { ...points, lastLatitude: section.signed(17, 3), lastLongitude: lastLongitude() };
      if (columns === FIRST_MISSING) throw unsupportedGrid("rows of one length", "a reduced grid", section);
      if (type === 0) return { kind: "latitudes", ...grid };
      return rotated(grid, section.signed(32, 3), section.signed(35, 3), section.unsigned(38, 4));
    }
    case 4: {
      const parallels = section.uint16(25);
      if (columns !== FIRST_MISSING)
        return { kind: "gaussian", ...points, lastLongitude: lastLongitude(), parallels };
      return { kind: "reduced", ...points, parallels, rowLength: firstRowLengths(section) };
    }
    case 1: {
      const [across, up] = [section.unsigned(28, 3), section.unsigned(31, 3)];
      return { kind: "mercator", ...points, earth, across, up, trueLatitude: section.signed(23, 3) };
    }
    case 3:
    case 5: {
      const cone = {
        ...{ ...points, earth, orientation: section.signed(17, 3) },
        ...{ across: section.unsigned(20, 3), up: section.unsigned(23, 3) },
      };
      const isSouthern = (section.uint8(26) & 0x80) !== 0;
      if (type === 3) {
        const [firstParallel, secondParallel] = [section.signed(28, 3), section.signed(31, 3)];
        return { kind: "lambert", ...cone, isSouthern, firstParallel, secondParallel };
      }
      // Of both hemispheres.
      const parallel = isSouthern ? -60_000 : 60_000;
      return { kind: "polar", ...cone, isSouthern, firstParallel: parallel, secondParallel: parallel };
    }
    default:
      throw unsupportedGrid("grids of types 0, 1, 3, 4, 5 and 10", `type ${type} of edition 1`, section);
  }
}

function firstRowLengths(section: Section): (row: number) => number {
  const list = section.uint8(4);
  if (list === NO_LISTS) throw damaged("expected the lengths of rows, got none", section.offset + 4);
  const start = list - 1 + 4 * section.uint8(3);
  return (row) => section.uint16(start + 2 * row);
}

/**
 * Numbers of points that follow each other in a line: a row, or a column if the points of columns do.
 * @throws CodecError unless the grid has that many points
 */
export function linesOf(grid: Grid, points: number): Uint32Array {
  const { rows, scan, offset } = grid;
  if (grid.kind !== "reduced") {
    if (rows * grid.columns !== points) {
      const got = `${rows} rows of ${grid.columns}`;
      throw damaged(`expected a grid of ${points} points, as many as a chunk has, got ${got}`, offset + 6);
    }
    return new Uint32Array(scan.inColumns ? grid.columns : rows).fill(scan.inColumns ? rows : grid.columns);
  }
  if (rows > points) throw damaged(`expected at most ${points} rows, got ${rows}`, offset + 6);
  const lengths = Uint32Array.from({ length: rows }, (_, row) => grid.rowLength(row));
  const sum = lengths.reduce((before, length) => before + length, 0);
  if (sum === points) return lengths;
  throw damaged(`expected a grid of ${points} points, as many as a chunk has, got ${sum}`, offset + 6);
}
