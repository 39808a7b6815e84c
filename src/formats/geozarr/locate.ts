/** The place of a level by the coordinates of its rows and columns, and GDAL's GeoTransform. */
import { isZarrError } from "../../index.js";
import { describedAxes, isLatitude, isLongitude, lastAxes, type PlaneAxes } from "./axes.js";
import { placeBy, spacingOf } from "./coordinates.js";
import { type Crs, WGS84 } from "./crs.js";
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
} from "./facts.js";
import type { Edges, GeoTransform } from "./grid.js";
import { type Known, note } from "./known-level.js";
import { refusal } from "./refusal.js";
import { type Place, shapeOf } from "./stated-place.js";
import { bboxTransform, firstOf, gdalTransform, unlessMalformed } from "./transform.js";

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
export function* locate(level: Known): Conversation<Place> {
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
  return crs?.isAssumed && !fitsDegrees(found) ? { ...found, crs: undefined } : found;
}

/** The box of a level, or of the group around levels that all show the same. */
function bboxOf(level: Known, axes: PlaneAxes): GeoTransform | undefined {
  const { attributes, inherited, array } = level;
  const shape = shapeOf(array, axes);
  return unlessMalformed(() => bboxTransform([...attributes, ...inherited], shape), note(level));
}

/** @throws the error for an array without a place, and for grids that are curvilinear or unstructured */
export function* signsOf(level: Known): Conversation<Signs> {
  const { node, array, attributes } = level;
  const levelAxes = level.axes;
  const found = yield* nodesAt(
    array.dimensions.map((name, d) =>
      isNodeName(name) && (levelAxes === undefined || d === levelAxes.yAxis || d === levelAxes.xAxis)
        ? below(folderOf(node.path), name)
        : undefined,
    ),
  );
  const axes = levelAxes ?? describedAxes(found);
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

/** The coordinate of a dimension, if it is one of a single dimension. */
function coordinateAt(
  coordinates: readonly (NodeFacts | undefined)[],
  { shape }: ArrayFacts,
  axis: number,
): NodeFacts | undefined {
  const found = coordinates[axis];
  const arrayShape = found?.array?.shape;
  return arrayShape?.length === 1 && arrayShape[0] === shape[axis] ? found : undefined;
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

/** Whether coordinates may be degrees: those of a projection in metres have millions. */
export function fitsDegrees(found: Place | undefined): boolean {
  if (found === undefined) return true;
  const { place } = found;
  const values = "x" in place ? [...place.x, ...place.y] : [place[2], place[5]];
  return values.every((value) => Math.abs(value) <= 720);
}
