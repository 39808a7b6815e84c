/** Where an image lies: the tags of GeoTIFF (OGC 19-008r4) as a transform and a reference system. */
import type { JsonObject } from "../../../core/for-stores.js";
import type { Directory } from "./directory.js";
import type { GeoKeys } from "./geo-keys.js";
import { readGeoKeys } from "./geo-keys.js";
import { TAG } from "./tags.js";

/** x = a * column + b * row + c, y = d * column + e * row + f, from the outer edges of the first pixel. */
export type Transform = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

export interface Place {
  readonly transform: Transform;
  /** "EPSG:32633"; undefined for a reference system without a code. */
  readonly code: string | undefined;
  /** Attributes of a grid mapping of CF, of a reference system without a code. */
  readonly mapping: JsonObject | undefined;
  /** Whether x and y are longitudes and latitudes. */
  readonly isGeographic: boolean;
}

/** The place of an image that has one. Ground control points are no transform. */
export async function placeOf(directory: Directory): Promise<Place | undefined> {
  const keys = await readGeoKeys(directory);
  const edges = await transformOf(directory);
  if (edges === undefined) return undefined;
  return {
    transform: keys.isPoint ? moved(edges, -0.5, -0.5) : edges,
    ...crsOf(keys),
  };
}

async function transformOf(directory: Directory): Promise<Transform | undefined> {
  const matrix = await directory.numbers(TAG.transformation);
  const [a, b, , c, d, e, , f] = matrix;
  const isWhole = [a, b, c, d, e, f].every(Number.isFinite);
  if (isWhole && a !== undefined && b !== undefined && c !== undefined)
    if (d !== undefined && e !== undefined && f !== undefined) return [a, b, c, d, e, f];
  const [across, down] = await directory.numbers(TAG.pixelScale);
  const [column, row, , x, y] = await directory.numbers(TAG.tiepoints);
  if (across === undefined || down === undefined || column === undefined || row === undefined)
    return undefined;
  if (x === undefined || y === undefined || ![across, down, column, row, x, y].every(Number.isFinite))
    return undefined;
  if (across === 0 || down === 0) return undefined;
  // Rows go down, whatever the sign: GDAL reads it so.
  const height = Math.abs(down);
  return [across, 0, x - column * across, 0, -height, y + row * height];
}

/** The transform of pixels that begin at this column and row. */
const moved = ([a, b, c, d, e, f]: Transform, column: number, row: number): Transform => [
  ...([a, b, c + a * column + b * row] as const),
  ...([d, e, f + d * column + e * row] as const),
];

/** The transform of pixels that are so many times wider and higher. */
export const scaled = ([a, b, c, d, e, f]: Transform, across: number, down: number): Transform => [
  ...([a * across, b * down, c] as const),
  ...([d * across, e * down, f] as const),
];

function crsOf({ code, isGeographic, mapping }: GeoKeys): Omit<Place, "transform"> {
  return { code, mapping, isGeographic };
}

/** Attributes that say where an array lies, by the conventions `spatial` and `proj` and those of CF. */
export function placeAttributes(
  { transform, code }: Place,
  shape: readonly [rows: number, columns: number],
  dimensions: readonly [y: string, x: string],
): JsonObject {
  return {
    "spatial:dimensions": [...dimensions],
    "spatial:shape": [...shape],
    "spatial:transform": [...transform],
    ...(code === undefined ? {} : { "proj:code": code }),
  };
}

/** The name of the grid mapping, as rioxarray has it. */
export const MAPPING = "spatial_ref";

export function mappingAttributes({ transform, code, mapping, isGeographic }: Place): JsonObject {
  const [a, b, c, d, e, f] = transform;
  return {
    ...(isGeographic ? { grid_mapping_name: "latitude_longitude" } : {}),
    ...mapping,
    ...(code === undefined ? {} : { spatial_ref: code }),
    GeoTransform: [c, a, b, f, d, e].join(" "),
  };
}

/** Middles of the pixels along x or y; undefined for a raster that is rotated. */
export function coordinatesAlong(
  { transform: [a, b, c, d, e, f] }: Place,
  axis: "x" | "y",
  length: number,
): (() => Float64Array) | undefined {
  if (b !== 0 || d !== 0) return undefined;
  const [first, step] = axis === "x" ? [c, a] : [f, e];
  return () => Float64Array.from({ length }, (_, i) => first + (i + 0.5) * step);
}

export function coordinateAttributes({ isGeographic }: Place, axis: "x" | "y"): JsonObject {
  const name = axis === "x" ? "longitude" : "latitude";
  const units = axis === "x" ? "degrees_east" : "degrees_north";
  if (isGeographic) return { axis: axis.toUpperCase(), standard_name: name, units };
  return { axis: axis.toUpperCase(), standard_name: `projection_${axis}_coordinate` };
}
