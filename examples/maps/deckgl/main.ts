/**
 * A map of a variable over time: deck.gl draws, wazarr reads. `&place=170,-20,3` is its longitude, latitude,
 * zoom.
 */
import { Deck, MapView } from "@deck.gl/core";
import { viewOf } from "wazarr/tiles";
import { openRaster, toDegrees, toMercator } from "../raster.js";
import { addTime } from "../time.js";
import { RasterLayer } from "./raster-layer.js";

const raster = await openRaster(draw);
const { source, range } = raster;
const degrees = toDegrees(raster);
const projection = toMercator(degrees);
const place = new URL(location.href).searchParams.get("place") ?? "0,0,1";
const [longitude = 0, latitude = 0, zoom = 1] = place.split(",").map(Number);

const deck = new Deck({
  parent: document.querySelector<HTMLDivElement>("#map"),
  views: new MapView({ id: "map" }),
  initialViewState: { longitude, latitude, zoom },
  controller: true,
  onViewStateChange: () => {
    requestAnimationFrame(() => show());
  },
});
await new Promise<void>((onLoad) => deck.setProps({ onLoad }));

function draw(): void {
  const layers = source.picture().tiles.map((tile) => {
    const id = `${tile.key} ${tile.bounds[0]} ${degrees.turns.number}`;
    return new RasterLayer({ id, source, tile, projection, range });
  });
  deck.setProps({ layers });
}

function show(step: Parameters<Parameters<typeof addTime>[1]>[0] = {}): void {
  const [viewport] = deck.getViewports();
  if (viewport === undefined) return;
  const [west, , east] = viewport.getBounds();
  degrees.turns.show((west + east) / 2);
  const resolution = 360 / (512 * 2 ** viewport.zoom * devicePixelRatio);
  source.show({ ...viewOf(source.levels, { bounds: viewport.getBounds(), resolution }, degrees), ...step });
  draw();
}
const isDrawn = addTime(source, show, () => new Promise((resolve) => requestAnimationFrame(resolve)));
deck.setProps({ onAfterRender: isDrawn });
