/**
 * A map of a variable over time in OpenLayers, with the options of the map in MapLibre. `&view=EPSG:3413` is the
 * projection of the map.
 */
import { colorScale } from "@wazarr/colors";
import { colorStyle, ZarrSource } from "@wazarr/openlayers";
import Link from "ol/interaction/Link.js";
import WebGLTileLayer from "ol/layer/WebGLTile.js";
import OpenLayersMap from "ol/Map.js";
import { register } from "ol/proj/proj4.js";
import View from "ol/View.js";
import proj4 from "proj4";
import { controls } from "../controls.js";

// Around the North Pole, and what else OpenLayers does not know.
proj4.defs("EPSG:3413", "+proj=stere +lat_0=90 +lat_ts=70 +lon_0=-45 +datum=WGS84 +units=m");
register(proj4);
const query = new URL(location.href).searchParams;
const [low = 0, high = 1] = (query.get("range") ?? "0,1").split(",").map(Number);
const source = new ZarrSource({
  source: query.get("url") ?? "store",
  variable: query.get("variable") ?? "data",
  missing: -9999,
});
const scale = await colorScale(["#0000ff", "#808080", "#ff0000"], { range: [low, high] });
const layer = new WebGLTileLayer({ source, style: colorStyle(scale) });
const view = new View({ projection: query.get("view") ?? "EPSG:3857", center: [0, 0], zoom: 1 });
const map = new OpenLayersMap({ target: "map", layers: [layer], view });
map.addInteraction(new Link());
const { slider, button, say } = controls();
await source.opened;
slider.max = `${(source.dimensions.time ?? 1) - 1}`;
slider.oninput = () => source.setSelection({ time: slider.valueAsNumber });
button.onclick = () => {
  slider.value = `${(slider.valueAsNumber + 1) % (Number(slider.max) + 1)}`;
  slider.dispatchEvent(new Event("input"));
};
map.on("rendercomplete", () => say({ step: source.step, isComplete: true, failures: [] }));
