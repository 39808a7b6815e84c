/** Reads where the levels of a raster lie, from what metadata and coordinates say (facts.ts). */
import { describe, itemAt } from "../../extend.js";
import { InvalidMetadataError, isZarrError, type ZarrError } from "../../index.js";
import {
  areDegrees,
  coordinateNames,
  describedAxes,
  isLatitude,
  isLongitude,
  lastAxes,
  namedAxes,
  type PlaneAxes,
  placesOf,
  statedAxes,
} from "./axes.js";
import { placeBy, spacingOf } from "./coordinates.js";
import { type Crs, crsOf, WGS84 } from "./crs.js";
import {
  type ArrayFacts,
  below,
  type Conversation,
  elementsAt,
  folderOf,
  isNodeName,
  memberOf,
  type NodeFacts,
  nodesAt,
  together,
} from "./facts.js";
import { type Edges, type GeoTransform, Grid } from "./grid.js";
import { type LevelFacts, levelsAt } from "./levels.js";
import { refusal } from "./refusal.js";
import {
  bboxTransform,
  firstOf,
  gdalTransform,
  rescaled,
  spatialTransform,
  statedTransform,
  unlessMalformed,
} from "./transform.js";

/** A level and its place. */
export interface PlacedLevel {
  /** Path below the group, as the metadata name it; "" if the array itself was opened. */
  readonly path: string;
  /** Path of the array in the store. */
  readonly array: string;
  /** Where its elements lie. */
  readonly grid: Grid;
}

/** A level whose place is not known. What else is known of it may suffice with a place from elsewhere. */
export interface UnplacedLevel {
  /** Path below the group, as the metadata name it; "" if the array itself was opened. */
  readonly path: string;
  /** Path of the array in the store. */
  readonly array: string;
  /** Lengths of the array's dimensions. */
  readonly shape: readonly number[];
  /** The dimension that counts rows; undefined if it is not known. */
  readonly yAxis: number | undefined;
  /** The dimension that counts columns; undefined if it is not known. */
  readonly xAxis: number | undefined;
  /** CRS in the metadata of the level; undefined if they have none. */
  readonly crs: Crs | undefined;
  /** Why it has no place: an InvalidMetadataError, or an UnsupportedError for curvilinear grids and such. */
  readonly reason: ZarrError;
}

/** The levels of a raster and their common reference system, as `parseGeoZarr` gives them. */
export interface PlacedRaster {
  /** Levels, the finest first. */
  readonly levels: readonly PlacedLevel[];
  /** Levels without a place, in the order of the metadata. */
  readonly unplaced: readonly UnplacedLevel[];
  /** CRS in the metadata, or the one that is assumed (`isAssumed`); undefined if there is none. */
  readonly crs: Crs | undefined;
  /** What was malformed or not supported, and ignored. */
  readonly warnings: readonly string[];
}

/** Which array is read, and what the caller knows of it. */
export interface RasterChoice {
  /** The array in the group, or in the group of each level. */
  readonly variable: string | undefined;
  /** Names of the dimensions that count rows and columns. */
  readonly dimensions?: readonly [y: string, x: string] | undefined;
}

/** A level with the attributes that were found around it. */
interface Known extends LevelFacts {
  readonly crs: Crs | undefined;
  /** As far as names tell. */
  readonly axes: PlaneAxes | undefined;
  readonly warnings: string[];
  /** What is malformed, and was ignored. */
  readonly malformed: ZarrError[];
}

const note =
  ({ warnings, malformed }: Pick<Known, "warnings" | "malformed">) =>
  (error: ZarrError): void => {
    warnings.push(`${error.message}: ignored`);
    malformed.push(error);
  };

interface Place {
  readonly axes: PlaneAxes;
  readonly place: GeoTransform | Edges;
  readonly crs: Crs | undefined;
}

/** @throws NotFoundError, InvalidMetadataError, InvalidArgumentError */
export function* readRaster(start: NodeFacts, choice: RasterChoice): Conversation<PlacedRaster> {
  const warnings: string[] = [];
  const levels = yield* together(
    (yield* levelsAt(start, choice.variable)).map((level) => lookAround(level, choice, warnings)),
  );
  // By asset; the first of several items of the same name counts.
  const indices = new Map(levels.map(({ derivation }, i) => [derivation?.asset, i] as const).reverse());
  const rootOf = (level: Known, i: number): number =>
    isDerived(level) ? (indices.get(level.derivation?.root) ?? i) : i;
  const located = yield* together(
    levels.map((level, i) => settle(level, stateOf(level, i === 0), rootOf(level, i) === i)),
  );
  const places = yield* together(
    levels.map((level, i) => {
      const known = located[i];
      if (known?.reason !== undefined) return settled(known);
      return settle(level, known?.place ?? derive(level, located[rootOf(level, i)]?.place), true);
    }),
  );
  const crs =
    places.find(({ place }) => place?.crs !== undefined)?.place?.crs ??
    levels.find((level) => level.crs !== undefined)?.crs ??
    (levels.some(({ array, axes }, i) => axes && areDegrees(array.dimensions, axes) && fitsDegrees(places[i]))
      ? WGS84
      : undefined);
  const placed: PlacedLevel[] = [];
  const unplaced: UnplacedLevel[] = [];
  for (const [i, level] of levels.entries()) {
    const { place, reason } = places[i] ?? {};
    try {
      if (reason !== undefined) throw reason;
      if (place !== undefined) placed.push(gridOf(level, place, place.crs ?? crs));
    } catch (error) {
      if (!isZarrError(error, ...REASONS)) throw error;
      unplaced.push(unplacedOf(level, error));
    }
  }
  const area = ({ grid: { resolution } }: PlacedLevel): number => resolution[0] * resolution[1];
  return {
    levels: placed.sort((a, b) => area(a) - area(b)),
    unplaced,
    crs,
    warnings: [...new Set(warnings)],
  };
}

const REASONS = ["InvalidMetadataError", "UnsupportedError"] as const;

/** A place, or why there is none. Neither for a level whose place depends on another's. */
interface Settled {
  readonly place?: Place | undefined;
  readonly reason?: ZarrError | undefined;
}

// biome-ignore lint/correctness/useYield: a conversation without a question
function* settled(known: Settled): Conversation<Settled> {
  return known;
}

function unplacedOf({ label, node, array, axes, crs }: Known, reason: ZarrError): UnplacedLevel {
  const { yAxis, xAxis } = axes ?? {};
  return { path: label, array: node.path, shape: array.shape, yAxis, xAxis, crs, reason };
}

/** Whether coordinates may be degrees: those of a projection in metres have millions. */
function fitsDegrees(settled: Settled | undefined): boolean {
  const { place } = settled?.place ?? {};
  if (place === undefined) return true;
  const values = "x" in place ? [...place.x, ...place.y] : [place[2], place[5]];
  return values.every((value) => Math.abs(value) <= 720);
}

function gridOf({ label, node, array }: Known, { axes, place }: Place, crs: Crs | undefined): PlacedLevel {
  const { yAxis, xAxis } = axes;
  const wraps = crs?.isGeographic === true ? 360 : undefined;
  const grid = new Grid({ crs, shape: shapeOf(array, axes), yAxis, xAxis, place, wraps });
  if (![...grid.bounds, ...grid.resolution].every(Number.isFinite))
    throw new InvalidMetadataError(`expected finite bounds, got ${describe(grid.bounds)}`, {
      path: node.path,
    });
  return { path: label, array: node.path, grid };
}

function shapeOf({ shape }: ArrayFacts, { yAxis, xAxis }: PlaneAxes): readonly [number, number] {
  return [itemAt(shape, yAxis), itemAt(shape, xAxis)];
}

/** Whether the metadata say how the pixels of a level are made of those of another one. */
function isDerived({ derivation }: LevelFacts): boolean {
  return derivation !== undefined && derivation.root !== derivation.asset;
}

/** @param searches whether to look for a place that is not known */
function* settle(level: Known, place: Place | undefined, searches: boolean): Conversation<Settled> {
  if (place !== undefined || !searches) return { place };
  try {
    return { place: yield* locate(level) };
  } catch (error) {
    if (!isZarrError(error, ...REASONS)) throw error;
    return { reason: level.malformed[0] ?? error };
  }
}

/**
 * The place that the metadata of a level state.
 * @param isFirst whether a transform of the group around all levels is that of this one
 */
function stateOf(level: Omit<Known, "crs">, isFirst: boolean): Place | undefined {
  const axes = level.axes ?? lastAxes(level.array.shape);
  if (axes === undefined) return undefined;
  const { attributes, inherited, warnings } = level;
  const shape = shapeOf(level.array, axes);
  const tried = (read: () => GeoTransform | undefined) => unlessMalformed(read, note(level));
  const place =
    tried(() => statedTransform(attributes, inherited, shape, warnings)) ??
    level.transformOf?.(shape) ??
    tried(() => derivedTransform(level, level.root && spatialTransform([level.root], inherited))) ??
    (isFirst ? tried(() => spatialTransform(inherited, [], warnings)) : undefined);
  return place && { axes, place, crs: firstOf([...attributes, ...inherited], crsOf) };
}

/** The place of a level whose pixels are those of another one, scaled and moved. */
function derive(level: Known, root: Place | undefined): Place | undefined {
  const axes = level.axes ?? lastAxes(level.array.shape);
  const place = root && !("x" in root.place) ? derivedTransform(level, root.place) : undefined;
  return axes && place && { axes, place, crs: level.crs ?? root?.crs };
}

function derivedTransform({ derivation }: LevelFacts, root: GeoTransform | undefined) {
  return root && derivation && rescaled(root, derivation.scale, derivation.translation);
}

/** What there is to find a place by: coordinates of columns and rows, or GDAL's GeoTransform alone. */
interface Signs {
  readonly axes: PlaneAxes;
  readonly coordinates: { readonly x: NodeFacts; readonly y: NodeFacts } | undefined;
  readonly gdal: GeoTransform | undefined;
  readonly crs: Crs | undefined;
}

/**
 * Finds the place by the coordinates of rows and columns, and GDAL's GeoTransform. The coordinates count if
 * they disagree: who selects a part of an array, or makes a coarser one, often leaves the transform as it
 * was.
 */
function* locate(level: Known): Conversation<Place> {
  const { axes, coordinates, gdal, crs } = yield* signsOf(level);
  if (coordinates === undefined) {
    const place = gdal ?? bboxOf(level, axes);
    if (place !== undefined) return { axes, place, crs };
    throw yield* refusal(level);
  }
  const { x, y } = coordinates;
  const [xs, ys, xBounds, yBounds] = yield* elementsAt([x.path, y.path, boundsOf(x), boundsOf(y)]);
  const place = placeBy(spacingOf(x, xs, xBounds), spacingOf(y, ys, yBounds), unitOf(x, crs));
  const isUpToDate = gdal !== undefined && agree(gdal, place, shapeOf(level.array, axes));
  const found = { axes, place: isUpToDate ? gdal : place, crs };
  return crs?.isAssumed && !fitsDegrees({ place: found }) ? { ...found, crs: undefined } : found;
}

/** The box of a level, or of the group around levels that all show the same. */
function bboxOf(level: Known, axes: PlaneAxes): GeoTransform | undefined {
  const { attributes, inherited, array } = level;
  const shape = shapeOf(array, axes);
  return unlessMalformed(() => bboxTransform([...attributes, ...inherited], shape), note(level));
}

/** @throws the error for an array without a place, and for grids that are curvilinear or unstructured */
function* signsOf(level: Known): Conversation<Signs> {
  const { node, array, attributes } = level;
  const own = level.axes;
  const found = yield* nodesAt(
    array.dimensions.map((name, d) =>
      isNodeName(name) && (own === undefined || d === own.yAxis || d === own.xAxis)
        ? below(folderOf(node.path), name)
        : undefined,
    ),
  );
  const axes = own ?? describedAxes(found);
  const gdal = unlessMalformed(() => firstOf(attributes, gdalTransform), note(level));
  const x = axes && coordinateAt(found, array, axes.xAxis);
  const y = axes && coordinateAt(found, array, axes.yAxis);
  if (axes === undefined || x === undefined || y === undefined) {
    const last = axes ?? lastAxes(array.shape);
    if (last === undefined || (gdal === undefined && bboxOf(level, last) === undefined))
      throw yield* refusal(level);
    return { axes: last, coordinates: undefined, gdal, crs: level.crs };
  }
  const isDegrees = isLongitude(x) && isLatitude(y);
  const crs = level.crs ?? (isDegrees ? WGS84 : undefined);
  if (crs === undefined && gdal === undefined && isBare(x) && isBare(y)) {
    const error = yield* refusal(level);
    if (isZarrError(error, "UnsupportedError")) throw error;
  }
  return { axes, coordinates: { x, y }, gdal, crs };
}

/** Why a variable has no place, as far as metadata tell; undefined if it has one. */
export function* problemOf(
  start: NodeFacts,
  variable: string | undefined,
): Conversation<ZarrError | undefined> {
  try {
    const [first] = yield* levelsAt(start, variable);
    if (first === undefined) return undefined;
    const known = yield* lookAround(first, { variable }, []);
    if (stateOf(known, true) === undefined) yield* signsOf(known);
    return undefined;
  } catch (error) {
    if (isZarrError(error, "UnsupportedError", "InvalidMetadataError")) return error;
    throw error;
  }
}

/** The coordinate of a dimension, if it is one of a single dimension. */
function coordinateAt(
  coordinates: readonly (NodeFacts | undefined)[],
  { shape }: ArrayFacts,
  axis: number,
): NodeFacts | undefined {
  const found = coordinates[axis];
  const own = found?.array?.shape;
  return own?.length === 1 && own[0] === shape[axis] ? found : undefined;
}

/** Whether nothing says what a coordinate is: it may be nothing but an index. */
function isBare({ attributes: { axis, standard_name: name, units } }: NodeFacts): boolean {
  return axis === undefined && name === undefined && units === undefined;
}

/** The path of the bounds of a coordinate. */
function boundsOf(coordinate: NodeFacts): string | undefined {
  const bounds = memberOf(coordinate).get("bounds");
  return typeof bounds.json === "string" ? below(folderOf(coordinate.path), bounds.path()) : undefined;
}

/** What coordinates are multiplied by to have the units of their CRS: those of satellites are angles. */
function unitOf({ attributes: { units } }: NodeFacts, crs: Crs | undefined): number {
  const height = crs?.gridMapping?.perspective_point_height;
  if (/^rad(ians?)?$/.test(String(units)) && typeof height === "number") return height;
  return crs !== undefined && !crs.isGeographic && /^(km|kilometers?|kilometres?)$/i.test(String(units))
    ? 1000
    : 1;
}

/** Whether a transform gives the corners of a place, but for a twentieth of a pixel. */
function agree(
  [a, b, c, d, e, f]: GeoTransform,
  place: GeoTransform | Edges,
  [rows, columns]: readonly [number, number],
): boolean {
  if ("x" in place || b !== 0 || d !== 0) return false;
  const [width, , left, , height, top] = place;
  const differences = [(c - left) / a, (c + a * columns - left - width * columns) / a];
  differences.push((f - top) / e, (f + e * rows - top - height * rows) / e);
  return differences.every((difference) => Math.abs(difference) <= 1 / 20);
}

/**
 * The path of the grid mapping. Calculations drop the attribute that names it, but not rioxarray's
 * coordinate.
 */
function mappingOf(node: NodeFacts): string | undefined {
  const named = memberOf(node).get("grid_mapping");
  // "spatial_ref", or "crs: x y" in CF's extended form.
  const [name = ""] = named.isNull ? [] : named.string().split(/[:\s]/);
  if (!named.isNull) return below(folderOf(node.path), named.as(name).path());
  const isCoordinate = coordinateNames(memberOf(node)).includes("spatial_ref");
  return isCoordinate ? below(folderOf(node.path), "spatial_ref") : undefined;
}

/** Finds the grid mapping and the group around an array, if what is known already does not suffice. */
function* lookAround(found: LevelFacts, choice: RasterChoice, warnings: string[]): Conversation<Known> {
  const level = { ...found, warnings, malformed: [] };
  const { node, array, attributes, inherited, knowsFolder } = level;
  const [y, x] = choice.dimensions ?? [];
  const chosen =
    y === undefined || x === undefined
      ? undefined
      : placesOf(array.dimensions.indexOf(y), array.dimensions.indexOf(x));
  const axes =
    chosen ?? statedAxes([...attributes, ...inherited], array.dimensions) ?? namedAxes(array.dimensions);
  const folder = folderOf(node.path);
  const needsCrs = firstOf([...attributes, ...inherited], crsOf) === undefined;
  const isPlaced = isDerived(level) || stateOf({ ...level, axes }, true) !== undefined;
  const asks = needsCrs || !isPlaced || axes === undefined;
  const [mapping, group] = yield* nodesAt([
    asks ? mappingOf(node) : undefined,
    asks && !knowsFolder && folder !== node.path ? folder : undefined,
  ]);
  const near = mapping === undefined ? attributes : [...attributes, memberOf(mapping)];
  const far = group === undefined ? inherited : [memberOf(group), ...inherited];
  return {
    ...level,
    attributes: near,
    inherited: far,
    axes: axes ?? statedAxes(far, array.dimensions),
    crs: firstOf([...near, ...far], crsOf),
  };
}
