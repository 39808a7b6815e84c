/**
 * A map of a variable over time: MapLibre draws, wazarr reads. `?url=` is a Zarr group with latitudes and
 * longitudes, `&variable=` an array in it, `&range=0,30` the values of the first and the last colour.
 */
import * as maplibre from "maplibre-gl";
import { HttpStore } from "wazarr";
import { openGeoZarr } from "wazarr/geozarr";
import { TileSource } from "wazarr/tiles";
import { RasterLayer } from "./raster-layer.js";

const query = new URL(location.href).searchParams;
const store = new HttpStore(new URL(query.get("url") ?? "store", location.href));
const raster = await openGeoZarr(store, { variable: query.get("variable") ?? "data" });
if (raster.crs?.isGeographic !== true) throw new Error("this map shows latitudes and longitudes");
const [low = 0, high = 1] = (query.get("range") ?? "0,1").split(",").map(Number);
const { shape = [], dimensionNames = [] } = raster.levels[0]?.array ?? {};
const steps = shape[dimensionNames.indexOf("time")] ?? 1;

const button = Object.assign(document.createElement("button"), { textContent: "Play" });
const slider = Object.assign(document.createElement("input"), {
  type: "range",
  max: `${steps - 1}`,
  value: "0",
});
const output = document.createElement("output");
document.body.append(button, slider, output);

const style = { version: 8 as const, sources: {}, layers: [] };
const map = new maplibre.Map({ container: "map", style, hash: true, zoom: 1 });
const onChange = () => map.triggerRepaint();
const missing = { missing: -9999, missingAs: RasterLayer.MISSING };
const source = new TileSource(raster, { as: "float32", ...missing, onChange });

/** The part of the data that the map shows, in degrees. */
function show(): void {
  const [[west, south], [east, north]] = map.getBounds().toArray();
  const resolution = 360 / (512 * 2 ** map.getZoom() * devicePixelRatio);
  const time = steps > 1 ? { selectors: { time: slider.valueAsNumber }, ahead: { time: 2 } } : {};
  source.show({ bounds: [west, south, east, north], resolution, ...time });
  map.triggerRepaint();
}

/** From step to step, each as soon as the one before is on the screen. */
let isPlaying = false;
async function play(): Promise<void> {
  while (isPlaying) {
    await source.complete();
    map.triggerRepaint();
    await map.once("render");
    if (!isPlaying) return;
    slider.value = String((slider.valueAsNumber + 1) % steps);
    show();
  }
}

await map.once("load");
map.addLayer(new RasterLayer(source, [low, high]));
map.on("move", show);
map.on("render", () => {
  const { step, isComplete } = source.picture();
  output.value = `${step.time ?? 0}${isComplete ? "" : " (loading)"}`;
});
slider.addEventListener("input", show);
button.addEventListener("click", () => {
  isPlaying = !isPlaying;
  button.textContent = isPlaying ? "Stop" : "Play";
  void play();
});
show();
