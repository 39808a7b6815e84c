/** The plane of MapLibre: that of Mercator's projection, 1 wide, from the north-west corner of the world. */
import type { Map as MapLibreMap } from "maplibre-gl";
// MapLibre 5 is CommonJS, whose names Node does not know when a server imports this module.
import * as maplibre from "maplibre-gl";
import type { PlaneProjection, TileView } from "wazarr/tiles";

const RADIANS = Math.PI / 180;
/** On a globe there are the poles, too, almost: in the plane they are infinitely far. */
const POLE = 89.99;
/** Of MapLibre's world at zoom 0, in pixels. */
const WORLD = 512;

/** Longitudes and latitudes on the plane of the map: the projection of a TileSource for a `ZarrLayer`. */
export const mercator: PlaneProjection = {
  turn: 1,
  forward([longitude, latitude]) {
    const most = Math.max(-POLE, Math.min(POLE, latitude));
    const { x, y } = maplibre.MercatorCoordinate.fromLngLat([longitude, most]);
    // The place on a sphere, too, so that triangles are small enough for the globe.
    const [a, b, radius] = [longitude * RADIANS, latitude * RADIANS, 0.5 / Math.PI];
    const distance = radius * Math.cos(b);
    return [x, y, distance * Math.cos(a), distance * Math.sin(a), radius * Math.sin(b)];
  },
  inverse: ([x, y]) => new maplibre.MercatorCoordinate(x, y).toLngLat().toArray(),
};

/** What a map shows, in its plane. */
export function viewOf(map: MapLibreMap): Pick<TileView, "bounds" | "resolution"> {
  const [southWest, northEast] = map.getBounds().toArray();
  const [[west = 0, south = 0], [east = 0, north = 0]] = [
    mercator.forward(southWest),
    mercator.forward(northEast),
  ];
  return {
    bounds: [west, north, east, south],
    resolution: 1 / (WORLD * 2 ** map.getZoom() * map.getPixelRatio()),
  };
}
