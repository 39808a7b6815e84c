/**
 * A map of a variable over time: deck.gl draws, wazarr reads. `&place=170,-20,3` is its longitude, latitude,
 * zoom.
 */
import { Deck, MapView, WebMercatorViewport } from "@deck.gl/core";
import type { PlaneProjection } from "wazarr/tiles";
import { openSource } from "../raster.js";
import { addTime } from "../time.js";
import { RasterLayer } from "./raster-layer.js";

const mercator = new WebMercatorViewport();
/** Mercator's plane of deck.gl is 512 wide. */
const plane: PlaneProjection = {
  turn: 512,
  forward: (point) => mercator.projectFlat(point),
  inverse: (point) => mercator.unprojectFlat(point),
};
const source = await openSource(plane, draw);

const place = new URL(location.href).searchParams.get("place") ?? "0,0,1";
const [longitude = 0, latitude = 0, zoom = 1] = place.split(",").map(Number);
const deck = new Deck({
  parent: document.querySelector<HTMLDivElement>("#map"),
  views: new MapView({ id: "map" }),
  initialViewState: { longitude, latitude, zoom },
  controller: true,
  onViewStateChange: () => {
    requestAnimationFrame(show);
  },
});
await new Promise<void>((onLoad) => deck.setProps({ onLoad }));

function draw(): void {
  const { tiles } = source.picture();
  deck.setProps({ layers: tiles.map((tile) => new RasterLayer({ id: `${tile.key} ${tile.turn}`, tile })) });
}

function show(): void {
  const [viewport] = deck.getViewports();
  if (viewport === undefined) return;
  const [west, south, east, north] = viewport.getBounds();
  const bounds = [...mercator.projectFlat([west, south]), ...mercator.projectFlat([east, north])] as const;
  source.show({ bounds, resolution: 1 / (2 ** viewport.zoom * devicePixelRatio) });
  draw();
}
show();
const isDrawn = addTime(source, () => {
  draw();
  return new Promise((resolve) => requestAnimationFrame(resolve));
});
deck.setProps({ onAfterRender: isDrawn });
