/**
 * What the three maps share: the data and their colours. `?url=` is a Zarr group with a place on Earth,
 * `&variable=` an array in it, `&range=0,30` the values of the first and the last colour.
 */
import proj4 from "proj4";
import { HttpStore, withMaybeConsolidatedMetadata } from "wazarr";
import { openGeoZarr } from "wazarr/geozarr";
import { type PlaneProjection, TileSource } from "wazarr/tiles";

/** A float32 that stands for missing values. */
const MISSING = -(2 ** 100);
/** From blue over grey to red; nothing for missing values. */
export const COLORS = `
vec4 colorOf(float value, vec2 range) {
  float share = clamp((value - range.x) / (range.y - range.x), 0.0, 1.0);
  return value == ${MISSING} ? vec4(0) : vec4(share, 0.5 - abs(share - 0.5), 1.0 - share, 1);
}`;

export async function openRaster(onChange: () => void) {
  const query = new URL(location.href).searchParams;
  const url = new URL(query.get("url") ?? "store", location.href);
  const store = await withMaybeConsolidatedMetadata(new HttpStore(url));
  const raster = await openGeoZarr(store, { variable: query.get("variable") ?? "data" });
  const [low = 0, high = 1] = (query.get("range") ?? "0,1").split(",").map(Number);
  const source = new TileSource(raster, { as: "float32", missing: -9999, missingAs: MISSING, onChange });
  const [west, south, east, north] = raster.bounds;
  const middle: [number, number] = [(west + east) / 2, (south + north) / 2];
  return { source, crs: raster.crs, middle, range: [low, high] as const };
}

export type MapSource = TileSource<"float32">;

/** Projected data lie on one turn around the Earth, which has to be the one that the map shows. */
export class Turns {
  /** Which one the map shows. */
  number = 0;

  /** @param width of a turn, Infinity if there are none. @param middle of the data */
  constructor(
    readonly width: number,
    readonly middle: number,
  ) {}

  show(x: number): void {
    this.number = Math.round((x - this.middle) / this.width);
  }

  place(x: number): number {
    if (this.width === Number.POSITIVE_INFINITY) return x;
    return x + this.width * (this.number - Math.round((x - this.middle) / this.width));
  }
}

type Raster = Awaited<ReturnType<typeof openRaster>>;

/** From the plane of the data to longitudes and latitudes. */
export function toDegrees({ crs, middle }: Raster): PlaneProjection & { readonly turns: Turns } {
  const from = crs?.wkt ?? crs?.code;
  if (crs?.isGeographic === true || from === undefined)
    return { forward: (p) => p, inverse: (p) => p, turns: new Turns(Number.POSITIVE_INFINITY, 0) };
  const { forward, inverse } = proj4(from, "EPSG:4326");
  const turns = new Turns(360, forward(middle)[0]);
  return {
    turns,
    inverse,
    forward(point) {
      const [longitude, latitude] = forward(point);
      return [turns.place(longitude), latitude];
    },
  };
}

const TURN = 2 * Math.PI;
const RADIANS = TURN / 360;

/** From the plane of the data to Mercator's: 1 wide, from 0 in the north to 1 in the south at 85 degrees. */
export function toMercator(degrees: PlaneProjection, most = 85.051129): PlaneProjection {
  return {
    forward(point) {
      const [x = NaN, y = NaN] = degrees.forward(point);
      const latitude = Math.min(most, Math.max(-most, y)) * RADIANS;
      return [0.5 + x / 360, 0.5 - Math.asinh(Math.tan(latitude)) / TURN];
    },
    inverse: ([x, y]) => degrees.inverse([(x - 0.5) * 360, Math.atan(Math.sinh((0.5 - y) * TURN)) / RADIANS]),
  };
}
