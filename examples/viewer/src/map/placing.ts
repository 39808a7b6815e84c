/** Where the elements of an array lie on Earth, and on the plane of a map. */
import { MercatorCoordinate } from "maplibre-gl";
import { openGeoZarr } from "wazarr/geozarr";
import type { PlaneProjection, TileLevel } from "wazarr/tiles";
import type { Layer } from "../data/layers.js";
import type { Point } from "../picture/controls.js";
import type { Placing } from "../picture/tiles.js";

type Position = [longitude: number, latitude: number];

export interface Place extends Placing {
  /** Undefined outside the data. */
  pointAt(longitude: number, latitude: number): Point | undefined;
  /** Of a corner between elements. */
  positionOf(column: number, row: number): Position | undefined;
  /** West, south, east and north, in degrees. */
  readonly bounds: readonly [number, number, number, number];
}

const RADIANS = Math.PI / 180;
/** Mercator's plane ends here; the poles are on the globe alone. */
const NEAR_POLE = 89.99;

/** The plane of Mercator's projection, 1 wide. On a globe it has the poles, too, almost. */
const MERCATOR: PlaneProjection = {
  turn: 1,
  forward([longitude, latitude]) {
    const lat = Math.max(-NEAR_POLE, Math.min(NEAR_POLE, latitude));
    const { x, y } = MercatorCoordinate.fromLngLat([longitude, lat]);
    // The place on a sphere, too, so that triangles are small enough for the globe.
    const [a, b, radius] = [longitude * RADIANS, latitude * RADIANS, 0.5 / Math.PI];
    const distance = radius * Math.cos(b);
    return [x, y, distance * Math.cos(a), distance * Math.sin(a), radius * Math.sin(b)];
  },
  inverse: ([x, y]) => new MercatorCoordinate(x, y).toLngLat().toArray(),
};

/** @throws ZarrError for an array whose place on Earth the metadata do not tell */
export async function placeOnEarth(layer: Layer): Promise<Place> {
  const [array] = layer.levels;
  if (!array) throw new Error("a layer without an array");
  const raster = await openGeoZarr(array);
  const [level] = raster.levels;
  const { grid } = level ?? {};
  if (!level || !grid) throw raster.unplaced[0]?.reason ?? new Error("no place on Earth");
  if (grid.xAxis !== layer.x || grid.yAxis !== layer.y) throw new Error("rows and columns are not of a map");
  const system = raster.crs?.isGeographic === false ? (raster.crs.wkt ?? raster.crs.code) : undefined;
  const converter = system === undefined ? undefined : (await import("proj4")).default(system, "EPSG:4326");
  const toEarth = ([x, y]: [number, number]): Position => {
    const [longitude = Number.NaN, latitude = Number.NaN] = converter?.forward([x, y]) ?? [x, y];
    return [longitude, latitude];
  };
  const fromEarth = ([longitude, latitude]: Position): [number, number] => {
    const [x = Number.NaN, y = Number.NaN] = converter?.inverse([longitude, latitude]) ?? [
      longitude,
      latitude,
    ];
    return [x, y];
  };
  const projection: PlaneProjection = {
    ...MERCATOR,
    forward: (point) => MERCATOR.forward(toEarth(point)),
    inverse: (point) => {
      const [longitude = Number.NaN, latitude = Number.NaN] = MERCATOR.inverse(point);
      return fromEarth([longitude, latitude]);
    },
  };
  const levels: TileLevel[] = [{ array, grid }];
  const [rows, columns] = grid.shape;
  return {
    levels,
    projection,
    bounds: boundsOf(columns, rows, (column, row) => toEarth([...grid.toCoordinates(column, row)])),
    pointAt(longitude, latitude) {
      const [x, y] = fromEarth([longitude, latitude]);
      if (!Number.isFinite(x) || !Number.isFinite(y)) return undefined;
      const [window] = grid.windows([x, y, x, y]);
      return window && { x: window.columns[0], y: window.rows[0] };
    },
    positionOf(column, row) {
      const position = toEarth([...grid.toCoordinates(column, row)]);
      return position.every(Number.isFinite) ? position : undefined;
    },
  };
}

/** Of points along the edges: a projection bends them. */
function boundsOf(
  columns: number,
  rows: number,
  at: (column: number, row: number) => Position,
): readonly [number, number, number, number] {
  const found: [number, number, number, number] = [180, 90, -180, -90];
  for (let i = 0; i <= 8; i++)
    for (let j = 0; j <= 8; j++) {
      const [longitude, latitude] = at((columns * i) / 8, (rows * j) / 8);
      if (!Number.isFinite(longitude) || !Number.isFinite(latitude)) continue;
      found[0] = Math.min(found[0], longitude);
      found[1] = Math.min(found[1], latitude);
      found[2] = Math.max(found[2], longitude);
      found[3] = Math.max(found[3], latitude);
    }
  return found;
}
