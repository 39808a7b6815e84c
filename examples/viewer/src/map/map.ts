/** A layer on a map of MapLibre, flat or on a globe. */
import * as maplibre from "maplibre-gl";
import type { Layer } from "../data/layers.js";
import type { Interval } from "../data/window.js";
import type { Point } from "../picture/controls.js";
import { drawHoles } from "../picture/holes.js";
import { createScene, type Pass, playedOf, type Scene } from "../picture/scene.js";
import { roomIn, type Stage } from "../picture/stage.js";
import { page } from "../state-of-page.js";
import { isOfBase, setBase } from "./base-map.js";
import { type Cells, outlineAround, partsOf } from "./outlines.js";
import { type Place, placeOnEarth } from "./placing.js";
import { RasterLayer } from "./raster-layer.js";

/** Pixels of the whole Earth at zoom 0. */
const WORLD = 512;
/** Metres around the equator. */
const EQUATOR = 40_075_016.7;
/** Sources that need a worker are not used; MapLibre asks for one, which has nothing to do. */
const IDLE_WORKER = "self.onmessage = () => {};";

export type Camera = readonly [longitude: number, latitude: number, zoom: number];

export interface MapEvents {
  onCamera(camera: Camera): void;
  onFrame(): void;
  onPoint(point: Point | undefined): void;
  onPick(point: Point): void;
  onKey(key: string): boolean;
  /** A tile of the base map could not be read. */
  onBaseFailure(error: unknown): void;
}

export interface MapOptions {
  readonly layer: Layer;
  /** Another variable that it is compared with. */
  readonly other: Layer | undefined;
  readonly isGlobe: boolean;
  readonly camera: Camera | undefined;
}

export interface ShownMap extends Stage {
  readonly scene: Scene;
  /** The state has changed. */
  update(): void;
  close(): void;
}

/** @throws ZarrError for a layer that has no place on Earth */
export async function createMap(
  container: HTMLElement,
  { layer, other, isGlobe, camera }: MapOptions,
  events: MapEvents,
): Promise<ShownMap> {
  const [place, otherPlacing] = await Promise.all([placeOnEarth(layer), other && placeOnEarth(other)]);
  maplibre.setWorkerUrl(URL.createObjectURL(new Blob([IDLE_WORKER], { type: "text/javascript" })));
  const map = new maplibre.Map({
    container,
    style: {
      version: 8,
      sources: {},
      layers: [{ id: "background", type: "background", paint: { "background-color": groundOf(container) } }],
      ...(isGlobe ? { projection: { type: "globe" } } : {}),
    },
    attributionControl: false,
    maplibreLogo: false,
    dragRotate: isGlobe,
    maxPitch: 0,
    renderWorldCopies: true,
    canvasContextAttributes: { preserveDrawingBuffer: true, antialias: true },
    ...(camera ? { center: [camera[0], camera[1]], zoom: camera[2] } : {}),
  });
  if (!camera) showAll(map, place, container);
  let scene: Scene | undefined;
  let passes: readonly Pass[] = [];
  await new Promise<void>((resolve, reject) => {
    map.once("error", ({ error }) => reject(error));
    map.once("style.load", () => map.addLayer(new RasterLayer(() => passes, resolve)));
  });
  map.on("error", (event) => {
    if (isOfBase(event)) events.onBaseFailure(event.error);
    else console.error(event.error);
  });
  const shown = createScene({
    layer,
    placing: place,
    otherPlacing,
    isFloat: other !== undefined,
    onChange: () => schedule(),
  });
  scene = shown;

  let frame = 0;
  function schedule(): void {
    if (frame !== 0) return;
    frame = requestAnimationFrame(() => {
      frame = 0;
      scene?.report();
      passes = scene?.passes() ?? [];
      map.triggerRepaint();
      markHoles();
      events.onFrame();
    });
  }

  function show(): void {
    map.setPaintProperty("background", "background-color", groundOf(container));
    setBase(map, page.peek().base?.address);
    const [southWest, northEast] = map.getBounds().toArray();
    const [[west, south], [east, north]] = [mercator(southWest), mercator(northEast)];
    const resolution = 1 / (WORLD * 2 ** map.getZoom() * devicePixelRatio);
    passes = scene?.passes() ?? [];
    const seen = { bounds: [west, north, east, south] as const, resolution };
    for (const { tiles, indices, minus } of passes) {
      tiles.show(seen, indices, playedOf(layer));
      minus?.tiles.show(seen, minus.indices);
    }
    schedule();
  }

  const pointAt = (left: number, top: number): Point | undefined => {
    const { lng, lat } = map.unproject([left, top]);
    return place.pointAt(lng, lat);
  };
  const edgeOf = (column: number, row: number): readonly [left: number, top: number] | undefined => {
    const position = place.positionOf(column, row);
    if (!position) return undefined;
    const { x, y } = map.project(nearest(position, map.getCenter().lng));
    return [x, y];
  };
  const isSeen = (
    [longitude, latitude]: readonly [number, number],
    [left, top]: readonly [number, number],
  ) => {
    // What is behind the globe is at a place of the window where something else is.
    const { lng, lat } = map.unproject([left, top]);
    const isNear = Math.abs(Math.sin(((lng - longitude) * Math.PI) / 360)) < 0.02;
    return isNear && Math.abs(lat - latitude) < 1;
  };
  const marks = document.createElement("canvas");
  marks.className = "over";
  marks.setAttribute("aria-hidden", "true");
  container.append(marks);
  /** Hatches what could not be read. */
  function markHoles(): void {
    const outlines = passes
      .flatMap(({ tiles }) => {
        const { tiles: drawn, unread } = tiles.picture();
        return [...drawn.flatMap(({ holes }) => holes), ...unread];
      })
      // Of a hole around a globe, only parts are seen.
      .flatMap((cells) => (isGlobe ? partsOf(cells) : [cells]))
      .flatMap((cells) => outlineOnScreen(cells) ?? []);
    const { width, height } = map.getCanvas();
    if (outlines.length > 0 || marks.width > 0) Object.assign(marks, { width, height });
    drawHoles(marks, outlines);
  }
  /** In pixels of the canvas; none where a corner is behind the globe. */
  function outlineOnScreen(cells: Cells): (readonly [x: number, y: number])[][] | undefined {
    const positions = outlineAround(cells, place.positionOf, map.getCenter().lng);
    const corners = positions?.map((position) => {
      const { x, y } = map.project([...position]);
      return !isGlobe || isSeen(position, [x, y])
        ? ([x * devicePixelRatio, y * devicePixelRatio] as const)
        : undefined;
    });
    return corners?.every((corner) => corner !== undefined) ? [corners] : undefined;
  }
  map.on("move", show);
  map.on("moveend", () => {
    const { lng, lat } = map.getCenter();
    events.onCamera([lng, lat, map.getZoom()]);
  });
  map.on("mousemove", ({ point }) => events.onPoint(pointAt(point.x, point.y)));
  map.on("mouseout", () => events.onPoint(undefined));
  map.on("click", ({ point }) => {
    const found = pointAt(point.x, point.y);
    if (found) events.onPick(found);
  });
  const canvas = map.getCanvas();
  const lengths = layer.dimensions.map(({ name, length }) => `${name} ${length}`).join(", ");
  canvas.setAttribute("aria-label", `${layer.title}: map of ${lengths}`);
  canvas.setAttribute("aria-describedby", "keys");
  canvas.addEventListener("keydown", (event) => {
    const middle = pointAt(canvas.clientWidth / 2, canvas.clientHeight / 2);
    if (event.key === "Enter" && middle) events.onPick(middle);
    else if (event.key === "0") showAll(map, place, container);
    else if (!events.onKey(event.key)) return;
    event.preventDefault();
  });
  show();

  return {
    scene: shown,
    update: show,
    zoom: (factor) => void map.zoomTo(map.getZoom() + Math.log2(factor), { duration: 160 }),
    showAll: () => showAll(map, place, container),
    window() {
      const corners = [
        [0, 0],
        [1, 1],
      ].map(([x = 0, y = 0]) => pointAt(x * canvas.clientWidth, y * canvas.clientHeight));
      const [width, height] = [
        layer.dimensions[layer.x]?.length ?? 1,
        layer.dimensions[layer.y]?.length ?? 1,
      ];
      const between = (a: number | undefined, b: number | undefined, length: number): Interval =>
        a === undefined || b === undefined || a === b ? [0, length] : [Math.min(a, b), Math.max(a, b) + 1];
      const [first, last] = corners;
      return { x: between(first?.x, last?.x, width), y: between(first?.y, last?.y, height) };
    },
    placeOf(point) {
      const position = place.positionOf(point.x + 0.5, point.y + 0.5);
      const seen = position && edgeOf(point.x + 0.5, point.y + 0.5);
      return seen && isSeen(position, seen) ? seen : undefined;
    },
    metresOfPixel() {
      const { lat } = map.getCenter();
      return (EQUATOR * Math.cos((lat * Math.PI) / 180)) / (WORLD * 2 ** map.getZoom());
    },
    edgeOf,
    pointAt,
    get size(): readonly [number, number] {
      return [canvas.width, canvas.height];
    },
    paint(context) {
      context.drawImage(canvas, 0, 0);
      if (marks.width > 0) context.drawImage(marks, 0, 0);
    },
    close() {
      cancelAnimationFrame(frame);
      scene?.close();
      scene = undefined;
      map.remove();
    },
  };
}

/** What is around the data, as the theme has it. */
const groundOf = (container: HTMLElement): string =>
  getComputedStyle(container).getPropertyValue("--stage").trim();

function mercator([longitude, latitude]: readonly [number, number]): readonly [x: number, y: number] {
  const { x, y } = maplibre.MercatorCoordinate.fromLngLat([longitude, latitude]);
  return [x, y];
}

/** The copy of a place that is nearest to the middle of the map. */
function nearest([longitude, latitude]: readonly [number, number], middle: number): [number, number] {
  return [longitude - 360 * Math.round((longitude - middle) / 360), latitude];
}

/** The data between the panels. */
function showAll(
  map: maplibre.Map,
  { bounds: [west, south, east, north] }: Place,
  container: HTMLElement,
): void {
  const { left, top, right, bottom } = roomIn(container);
  const padding = {
    left,
    top,
    right: container.clientWidth - right,
    bottom: container.clientHeight - bottom,
  };
  // Mercator's plane has no poles.
  const [low, high] = [Math.max(-78, south), Math.min(82, north)];
  map.fitBounds([west, low, east, high], { padding, duration: 0 });
}
