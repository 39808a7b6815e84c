/** A map of a variable over time: MapLibre draws, wazarr reads. `&globe` shows a globe. */
import * as maplibre from "maplibre-gl";
import type { PlaneProjection } from "wazarr/tiles";
import { openSource } from "../raster.js";
import { addTime } from "../time.js";
import { RasterLayer } from "./raster-layer.js";

const style = { version: 8 as const, sources: {}, layers: [] };
const map = new maplibre.Map({ container: "map", style, hash: true, zoom: 1 });
const isLoaded = map.once("load");

const { MercatorCoordinate } = maplibre;
const RADIANS = Math.PI / 180;
/** The plane is that of Mercator's projection, 1 wide. On a globe it has the poles, too, almost. */
const plane: PlaneProjection = {
  turn: 1,
  forward([longitude, latitude]) {
    const most = Math.max(-89.99, Math.min(89.99, latitude));
    const { x, y } = MercatorCoordinate.fromLngLat([longitude, most]);
    // The place on a sphere, too, so that triangles are small enough for the globe.
    const [a, b, radius] = [longitude * RADIANS, latitude * RADIANS, 0.5 / Math.PI];
    const distance = radius * Math.cos(b);
    return [x, y, distance * Math.cos(a), distance * Math.sin(a), radius * Math.sin(b)];
  },
  inverse: ([x, y]) => new MercatorCoordinate(x, y).toLngLat().toArray(),
};
const source = await openSource(plane, () => map.triggerRepaint());

await isLoaded;
if (new URL(location.href).searchParams.has("globe")) map.setProjection({ type: "globe" });
map.addLayer(new RasterLayer(source));

function show(): void {
  const [southWest, northEast] = map.getBounds().toArray();
  const [[west = 0, south = 0], [east = 0, north = 0]] = [plane.forward(southWest), plane.forward(northEast)];
  const resolution = 1 / (512 * 2 ** map.getZoom() * devicePixelRatio);
  source.show({ bounds: [west, north, east, south], resolution });
}
show();
map.on("move", show);
const isDrawn = addTime(source, () => {
  map.triggerRepaint();
  return map.once("render");
});
map.on("render", isDrawn);
map.triggerRepaint();
