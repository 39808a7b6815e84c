/** A map of a variable over time: MapLibre draws, wazarr reads. `&globe` shows a globe. */
import * as maplibre from "maplibre-gl";
import { viewOf } from "wazarr/tiles";
import { openRaster, toDegrees, toMercator } from "../raster.js";
import { addTime } from "../time.js";
import { RasterLayer } from "./raster-layer.js";

const style = { version: 8 as const, sources: {}, layers: [] };
const map = new maplibre.Map({ container: "map", style, hash: true, zoom: 1 });
const isLoaded = map.once("load");
const raster = await openRaster(() => map.triggerRepaint());
const { source, range } = raster;
const degrees = toDegrees(raster);
const mercator = toMercator(degrees, 89.99);

/** In Mercator's plane and on a sphere, so that triangles are small enough for both. */
function forward(point: [number, number]): number[] {
  const [x = NaN, y = NaN] = degrees.forward(point).map((part) => (part * Math.PI) / 180);
  const [cosine, sine] = [Math.cos(y) / (2 * Math.PI), Math.sin(y) / (2 * Math.PI)];
  return [...mercator.forward(point), Math.cos(x) * cosine, Math.sin(x) * cosine, sine];
}

await isLoaded;
if (new URL(location.href).searchParams.has("globe")) map.setProjection({ type: "globe" });
map.addLayer(new RasterLayer(source, { forward }, degrees.turns, range));

function show(step: Parameters<Parameters<typeof addTime>[1]>[0] = {}): void {
  const [[west, south], [east, north]] = map.getBounds().toArray();
  degrees.turns.show(map.getCenter().lng);
  const resolution = 360 / (512 * 2 ** map.getZoom() * devicePixelRatio);
  source.show({
    ...viewOf(source.levels, { bounds: [west, south, east, north], resolution }, degrees),
    ...step,
  });
  map.triggerRepaint();
}
const isDrawn = addTime(source, show, () => {
  map.triggerRepaint();
  return map.once("render");
});
map.on("move", () => show());
map.on("render", isDrawn);
