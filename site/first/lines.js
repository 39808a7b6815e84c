import { ZarrLayer } from "@wazarr/maplibre";
import { Map as MapLibre } from "maplibre-gl";

const style = { version: 8, sources: {}, layers: [] };
const map = new MapLibre({ container: "map", style, center: [-60, 20], zoom: 1.6 });
const source = "https://example.org/seasons.zarr";
const options = { variable: "temperature", colors: "thermal", range: [-40, 40] };
const layer = new ZarrLayer({ source, ...options });
map.on("load", () => map.setProjection({ type: "globe" }).addLayer(layer));
