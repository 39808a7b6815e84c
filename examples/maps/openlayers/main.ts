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
import { meshOf, type PlaneProjection, viewOf } from "wazarr/tiles";
import { Drawing, programOf } from "../drawing.js";
import { openRaster, Turns } from "../raster.js";
import { addTime } from "../time.js";

const query = new URL(location.href).searchParams;
// Around the North Pole, and what else OpenLayers does not know.
proj4.defs("EPSG:3413", "+proj=stere +lat_0=90 +lat_ts=70 +lon_0=-45 +datum=WGS84 +units=m");
const projection = query.get("view") ?? "EPSG:3857";

const { source, crs, middle, range } = await openRaster(() => layer.changed());
const data = crs?.isGeographic === true ? "EPSG:4326" : (crs?.code ?? "data");
if (crs?.wkt !== undefined && data !== "EPSG:4326") proj4.defs(data, crs.wkt);
register(proj4);
const world = getProjection(projection);
const isRound = world?.canWrapX() === true && data !== "EPSG:4326";
const turns = new Turns(
  isRound ? getWidth(world.getExtent()) : Number.POSITIVE_INFINITY,
  transform(middle, data, projection)[0] ?? 0,
);
const toMap: PlaneProjection = {
  forward(point) {
    const [x = Number.NaN, y = Number.NaN] = transform(point, data, projection);
    return [turns.place(x), y];
  },
  inverse: (point) => transform(point, projection, data),
};

const canvas = document.createElement("canvas");
canvas.style.position = "absolute";
const gl = canvas.getContext("webgl2", { preserveDrawingBuffer: true });
if (gl === null) throw new Error("this map needs WebGL 2");
const vertex = "uniform mat4 matrix;\nvec4 place(vec2 p) { return matrix * vec4(p, 0, 1); }";
const program = programOf(gl, vertex, "bool isOutside(vec2 p) { return false; }");
const drawing = new Drawing(gl, (tile) => meshOf(source.levels, tile, toMap));

/** OpenLayers calls it for every frame, and shows the canvas. */
function render({ size: [width = 0, height = 0], pixelRatio, coordinateToPixelTransform }: FrameState) {
  if (gl === null) return canvas;
  Object.assign(canvas, { width: width * pixelRatio, height: height * pixelRatio });
  Object.assign(canvas.style, { width: `${width}px`, height: `${height}px` });
  gl.viewport(0, 0, canvas.width, canvas.height);
  gl.useProgram(program);
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = coordinateToPixelTransform;
  const [x, y] = [2 / width, -2 / height];
  const matrix = [a * x, b * y, 0, 0, c * x, d * y, 0, 0, 0, 0, 1, 0, e * x - 1, f * y + 1, 0, 1];
  gl.uniformMatrix4fv(gl.getUniformLocation(program, "matrix"), false, matrix);
  gl.uniform2f(gl.getUniformLocation(program, "range"), ...range);
  drawing.draw(source.picture().tiles, turns.number);
  return canvas;
}

const layer = new Layer({ render });
const view = new View({ projection, center: [0, 0], zoom: 1 });
const map = new OpenLayersMap({ target: "map", layers: [layer], view });
map.addInteraction(new Link());

function show(step: Parameters<Parameters<typeof addTime>[1]>[0] = {}): void {
  const [west = 0, south = 0, east = 0, north = 0] = view.calculateExtent(map.getSize());
  turns.show((west + east) / 2);
  const resolution = (view.getResolution() ?? 1) / devicePixelRatio;
  const bounds = [west, south, east, north] as const;
  source.show({ ...viewOf(source.levels, { bounds, resolution }, toMap), ...step });
  layer.changed();
}
const isDrawn = addTime(source, show, () => {
  layer.changed();
  return new Promise((resolve) => map.once("postrender", resolve));
});
view.on("change", () => show());
map.on("change:size", () => show());
map.on("postrender", isDrawn);
