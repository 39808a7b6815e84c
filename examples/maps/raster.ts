/**
 * What the three maps share: the data and their colours. `?url=` is a Zarr group with a place on Earth,
 * `&variable=` an array in it, `&range=0,30` the values of the first and the last colour.
 */
import proj4 from "proj4";
import { HttpStore } from "wazarr";
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

const query = new URL(location.href).searchParams;
const [low = 0, high = 1] = (query.get("range") ?? "0,1").split(",").map(Number);
export const RANGE: [low: number, high: number] = [low, high];

export type MapSource = TileSource<"float32">;

/** @param map from longitudes and latitudes to the plane of the map */
export async function openSource(map: PlaneProjection, onChange: () => void): Promise<MapSource> {
  const url = new URL(query.get("url") ?? "store", location.href);
  const raster = await openGeoZarr(new HttpStore(url), { variable: query.get("variable") ?? "data" });
  const from = raster.crs?.wkt ?? raster.crs?.code;
  const isInDegrees = raster.crs?.isGeographic === true || from === undefined;
  const degrees = isInDegrees ? undefined : proj4(from, "EPSG:4326");
  const projection: PlaneProjection = degrees
    ? {
        ...map,
        forward: (point) => map.forward(degrees.forward(point)),
        inverse: (point) => degrees.inverse([...map.inverse(point)]),
      }
    : map;
  return new TileSource(raster, { as: "float32", missing: -9999, missingAs: MISSING, projection, onChange });
}
