/**
 * A map of a variable over time: OpenLayers moves it, wazarr reads. `&view=EPSG:3413` is the projection of
 * the map.
 */
import { getWidth } from "ol/extent.js";
import Link from "ol/interaction/Link.js";
import Layer from "ol/layer/Layer.js";
import OpenLayersMap, { type FrameState } from "ol/Map.js";
import { register } from "ol/proj/proj4.js";
import { get as getProjection, transform } from "ol/proj.js";
import View from "ol/View.js";
import proj4 from "proj4";
import type { PlaneProjection } from "wazarr/tiles";
import { Drawing, programOf } from "../drawing.js";
import { openSource } from "../raster.js";
import { addTime } from "../time.js";

// Around the North Pole, and what else OpenLayers does not know.
proj4.defs("EPSG:3413", "+proj=stere +lat_0=90 +lat_ts=70 +lon_0=-45 +datum=WGS84 +units=m");
register(proj4);
const code = new URL(location.href).searchParams.get("view") ?? "EPSG:3857";
const world = getProjection(code);
const plane: PlaneProjection = {
  turn: world?.canWrapX() ? getWidth(world.getExtent()) : undefined,
  forward: (point) => transform(point, "EPSG:4326", code),
  inverse: (point) => transform(point, code, "EPSG:4326"),
};
const source = await openSource(plane, () => layer.changed());

const canvas = document.createElement("canvas");
canvas.style.position = "absolute";
const gl = canvas.getContext("webgl2", { preserveDrawingBuffer: true });
if (gl === null) throw new Error("this map needs WebGL 2");
const program = programOf(gl, "uniform mat4 matrix;\nvec4 place(vec2 p) { return matrix * vec4(p, 0, 1); }");
const drawing = new Drawing(gl);

/** OpenLayers calls it for every frame, and shows the canvas. */
function render({ size: [width = 0, height = 0], pixelRatio, coordinateToPixelTransform }: FrameState) {
  Object.assign(canvas, { width: width * pixelRatio, height: height * pixelRatio });
  Object.assign(canvas.style, { width: `${width}px`, height: `${height}px` });
  gl?.viewport(0, 0, canvas.width, canvas.height);
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = coordinateToPixelTransform;
  const [x, y] = [2 / width, -2 / height];
  const matrix = [a * x, b * y, 0, 0, c * x, d * y, 0, 0, 0, 0, 1, 0, e * x - 1, f * y + 1, 0, 1];
  drawing.draw(program, source.picture().tiles, { matrix });
  return canvas;
}

const layer = new Layer({ render });
const view = new View({ projection: code, center: [0, 0], zoom: 1 });
const map = new OpenLayersMap({ target: "map", layers: [layer], view });
map.addInteraction(new Link());

function show(): void {
  const [west = 0, south = 0, east = 0, north = 0] = view.calculateExtent(map.getSize());
  const resolution = (view.getResolution() ?? 1) / devicePixelRatio;
  source.show({ bounds: [west, south, east, north], resolution });
}
show();
view.on("change", show);
map.on("change:size", show);
const isDrawn = addTime(source, () => {
  layer.changed();
  return new Promise((resolve) => map.once("postrender", resolve));
});
map.on("postrender", isDrawn);
