/**
 * A map of a variable over time in MapLibre. `?url=` is a Zarr group with a place on Earth, `&variable=` an array
 * in it, `&range=0,30` the values of the first and the last colour; `&globe` shows a globe.
 */
import { ZarrLayer } from "@wazarr/maplibre";
import * as maplibre from "maplibre-gl";
import { controls } from "../controls.js";

const query = new URL(location.href).searchParams;
const [low = 0, high = 1] = (query.get("range") ?? "0,1").split(",").map(Number);
const style = { version: 8 as const, sources: {}, layers: [] };
const map = new maplibre.Map({ container: "map", style, hash: true, zoom: 1 });
const layer = new ZarrLayer({
  source: query.get("url") ?? "store",
  variable: query.get("variable") ?? "data",
  colors: ["#0000ff", "#808080", "#ff0000"],
  range: [low, high],
  missing: -9999,
  fade: 0,
});
const { slider, button, again, say } = controls();
map.on("load", () => {
  if (query.has("globe")) map.setProjection({ type: "globe" });
  map.addLayer(layer);
});
layer.on("ready", () => {
  slider.max = `${(layer.dimensions.time ?? 1) - 1}`;
});
slider.oninput = () => layer.setSelection({ time: slider.valueAsNumber });
let playing: AbortController | undefined;
button.onclick = () => {
  playing?.abort();
  playing = playing ? undefined : new AbortController();
  if (playing) void layer.play("time", { signal: playing.signal });
};
again.onclick = () => layer.retry();
map.on("render", () => say(layer));
map.on("error", ({ error }) => console.warn(error.message));
