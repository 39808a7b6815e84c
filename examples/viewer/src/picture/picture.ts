/** The picture: which tiles are seen, and where they are drawn. */

import type { Layer } from "../data/layers.js";
import type { Interval, Window } from "../data/window.js";
import type { View } from "../state.js";
import { type Axis, drawAxes } from "./axes.js";
import { listen, type Point } from "./controls.js";
import type { Box, Paint, Renderer } from "./renderer.js";
import { levelAt, nearestFirst, seen, type Viewport } from "./seen.js";
import type { Tile, Tiles } from "./tiles.js";

/** Tiles of one level that are drawn at once: where a level has more, the picture does not become smaller. */
const MOST_TILES = 256;
const LARGEST_ZOOM = 64;

/** What is shown, and how. */
export interface Scene {
  readonly layer: Layer;
  /** All that passes may take their tiles from. */
  readonly sources: readonly Tiles[];
  /** Drawn over each other. */
  readonly passes: readonly Pass[];
}

export interface Pass {
  readonly tiles: Tiles;
  readonly indices: readonly number[];
  readonly paint: Paint;
  /** Whether its colours are mixed with what is there. */
  readonly isBlended: boolean;
}

export interface PictureEvents {
  onView(view: View): void;
  onPoint(point: Point | undefined): void;
  onPick(point: Point): void;
  /** Keys that mean nothing to the picture. */
  onKey(key: string): void;
}

export function createPicture(
  canvas: HTMLCanvasElement,
  axes: HTMLCanvasElement,
  renderer: Renderer,
  events: PictureEvents,
) {
  let scene: Scene | undefined;
  let view: View = { centre: [0, 0], zoom: 1 };
  let cross: Point | undefined;
  let frame = 0;
  /** That of the canvas when the view was set. */
  let size = { width: 0, height: 0 };
  /**
   * Whether everything is on the screen because nobody has panned or zoomed: it stays so when the canvas
   * grows.
   */
  let isWhole = false;

  const lengths = (): readonly [number, number] => {
    const { x, y, dimensions } = scene?.layer ?? { x: 0, y: 0, dimensions: [] };
    return [dimensions[x]?.length ?? 1, x === y ? 1 : (dimensions[y]?.length ?? 1)];
  };
  const across = (index: number): number => (index - view.centre[0]) * view.zoom + canvas.clientWidth / 2;
  const direction = (): number => (scene?.layer.isFlipped ? -1 : 1);
  const down = (index: number): number =>
    direction() * (index - view.centre[1]) * view.zoom + canvas.clientHeight / 2;
  const indexAcross = (left: number): number => (left - canvas.clientWidth / 2) / view.zoom + view.centre[0];
  const indexDown = (top: number): number =>
    (direction() * (top - canvas.clientHeight / 2)) / view.zoom + view.centre[1];

  const port = (): Viewport => {
    const { clientWidth: width, clientHeight: height } = canvas;
    return { width, height, centre: view.centre, indexAcross, indexDown };
  };

  function clamp(next: View): View {
    const [width, height] = lengths();
    const middle = (value: number, length: number): number => Math.min(length, Math.max(0, value));
    let zoom = Math.min(LARGEST_ZOOM, Math.max(smallestZoom(), next.zoom));
    if (!Number.isFinite(zoom)) zoom = 1;
    return { centre: [middle(next.centre[0], width), middle(next.centre[1], height)], zoom };
  }

  /** All of it with a margin, or as much as `MOST_TILES` of the coarsest level show. */
  function smallestZoom(): number {
    const [width, height] = lengths();
    const fit = Math.min(canvas.clientWidth / width, canvas.clientHeight / height) * 0.9;
    const [first] = scene?.sources ?? [];
    const { levels, x, y } = first?.layer ?? { levels: [], x: 0, y: 0 };
    const size = first?.sizeOf(levels.length - 1) ?? { width: 1, height: 1 };
    const factors = levels.at(-1)?.factors;
    const tile = size.width * (factors?.[x] ?? 1) * size.height * (factors?.[y] ?? 1);
    const most = Math.sqrt((canvas.clientWidth * canvas.clientHeight) / (MOST_TILES * tile));
    return width * height > MOST_TILES * tile ? Math.max(fit, most) : fit;
  }

  function setView(next: View): void {
    isWhole = false;
    size = { width: canvas.clientWidth, height: canvas.clientHeight };
    view = clamp(next);
    events.onView(view);
    want();
  }

  function want(): void {
    if (!scene) return;
    for (const tiles of scene.sources) {
      const level = levelAt(tiles, view.zoom);
      const own = scene.passes.filter((pass) => pass.tiles === tiles);
      tiles.want(
        own.flatMap(({ indices }) => nearestFirst(port(), tiles, seen(port(), tiles, level, indices))),
      );
    }
    schedule();
  }

  function schedule(): void {
    if (frame === 0)
      frame = requestAnimationFrame(() => {
        frame = 0;
        draw();
      });
  }

  function draw(): void {
    const ratio = devicePixelRatio;
    const [width, height] = [Math.round(canvas.clientWidth * ratio), Math.round(canvas.clientHeight * ratio)];
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    renderer.clear();
    if (!scene) return;
    const { layer, passes } = scene;
    for (const { tiles, indices, paint, isBlended } of passes) {
      // Coarser ones stand in for those that are on their way; colours that are mixed would be mixed twice.
      const level = levelAt(tiles, view.zoom);
      const coarsest = isBlended ? level : tiles.layer.levels.length - 1;
      for (let each = coarsest; each >= level; each--) {
        for (const tile of seen(port(), tiles, each, indices)) {
          const found = tiles.find(tile);
          if (found) renderer.draw(found.texture, boxOnScreen(tiles, tile, ratio), paint, layer.isFlipped);
        }
      }
    }
    const { dimensions, x, y } = layer;
    const [first, second] = [dimensions[x], dimensions[y]];
    if (!first) return;
    const axis: Axis = { dimension: first, at: across, index: indexAcross };
    const other: Axis | undefined =
      second && x !== y ? { dimension: second, at: down, index: indexDown } : undefined;
    drawAxes(axes, axis, other, cross && [across(cross.x + 0.5), down(cross.y + 0.5)]);
  }

  function boxOnScreen(tiles: Tiles, tile: Tile, ratio: number): Box {
    const { layer } = tiles;
    const box = tiles.boxOf(tile);
    const { factors } = layer.levels[tile.level] ?? {};
    const [fx, fy] = [factors?.[layer.x] ?? 1, factors?.[layer.y] ?? 1];
    const [left, right] = [across(box.left * fx), across(box.right * fx)];
    const [top = 0, bottom = 0] = [down(box.top * fy), down(box.bottom * fy)].sort((a, b) => a - b);
    // On whole pixels: no seams.
    const edges = [left, top, right, bottom].map((edge) => Math.round(edge * ratio));
    const [l = 0, t = 0, r = 0, b = 0] = edges;
    return { left: l, top: t, width: r - l, height: b - t };
  }

  function pointAt(left: number, top: number): Point | undefined {
    const [width, height] = lengths();
    const point = {
      x: Math.floor(indexAcross(left)),
      y: scene?.layer.x === scene?.layer.y ? 0 : Math.floor(indexDown(top)),
    };
    return scene && point.x >= 0 && point.y >= 0 && point.x < width && point.y < height ? point : undefined;
  }

  function zoomAt(factor: number, left: number, top: number): void {
    const zoom = clamp({ ...view, zoom: view.zoom * factor }).zoom;
    // What is under the pointer stays there.
    const [x, y] = [indexAcross(left), indexDown(top)];
    const part = 1 - view.zoom / zoom;
    setView({
      centre: [view.centre[0] + (x - view.centre[0]) * part, view.centre[1] + (y - view.centre[1]) * part],
      zoom,
    });
  }

  const pan = (x: number, y: number): void =>
    setView({
      ...view,
      centre: [view.centre[0] - x / view.zoom, view.centre[1] - (direction() * y) / view.zoom],
    });

  listen(canvas, {
    pointAt,
    zoomAt,
    pan,
    showAll,
    hover(point) {
      cross = undefined;
      events.onPoint(point);
    },
    pick(point) {
      cross = point;
      events.onPick(point);
      schedule();
    },
    moveCross(across, down) {
      const from = crossOrMiddle() ?? { x: 0, y: 0 };
      const jump = Math.max(1, Math.round(4 / view.zoom));
      const [width, height] = lengths();
      const within = (value: number, length: number): number => Math.min(length - 1, Math.max(0, value));
      cross = {
        x: within(from.x + jump * across, width),
        y: within(from.y + jump * direction() * down, height),
      };
      events.onPoint(cross);
      schedule();
    },
    pickCross() {
      const point = crossOrMiddle();
      if (point) events.onPick(point);
    },
    onKey: events.onKey,
  });
  const crossOrMiddle = (): Point | undefined =>
    cross ?? pointAt(canvas.clientWidth / 2, canvas.clientHeight / 2);
  new ResizeObserver(() => {
    const { clientWidth: width, clientHeight: height } = canvas;
    // It is also called when the canvas is shown again, as large as before, or hidden.
    if (!scene || width === 0 || (width === size.width && height === size.height)) return;
    if (isWhole) showAll();
    else setView(view);
  }).observe(canvas);

  function showAll(): void {
    const [width, height] = lengths();
    setView({ centre: [width / 2, height / 2], zoom: 0 });
    isWhole = true;
  }

  return {
    /** @param given undefined: all of it */
    show(next: Scene, given: View | undefined): void {
      scene = next;
      cross = undefined;
      if (given) setView(given);
      else showAll();
    },
    /** Other indices or colours of the same layer. */
    update(passes: readonly Pass[]): void {
      if (!scene) return;
      scene = { ...scene, passes };
      want();
    },
    /** Other colours of the same tiles. */
    setPasses(passes: readonly Pass[]): void {
      if (scene) scene = { ...scene, passes };
    },
    /** An empty picture. */
    clear(): void {
      scene = undefined;
      cross = undefined;
      renderer.clear();
      axes.width = 0;
    },
    /** Tiles around those on the screen, and those on it at other indices. */
    around(tiles: Tiles, others: readonly (readonly number[])[]): readonly Tile[] {
      const level = levelAt(tiles, view.zoom);
      const first = scene?.passes.find((pass) => pass.tiles === tiles);
      return [
        ...others.flatMap((indices) => [...seen(port(), tiles, level, indices)]),
        ...nearestFirst(port(), tiles, first ? seen(port(), tiles, level, first.indices, 1) : []),
      ];
    },
    /** More tiles to draw from. */
    addSource(tiles: Tiles): void {
      if (scene) scene = { ...scene, sources: [...scene.sources, tiles] };
    },
    /** Elements of the finest level that are on the screen. */
    window(): Window {
      const [width, height] = lengths();
      const within = (from: number, to: number, length: number): Interval => {
        const [low = 0, high = 0] = [from, to].sort((a, b) => a - b);
        return [Math.max(0, Math.floor(low)), Math.min(length, Math.ceil(high))];
      };
      return {
        x: within(indexAcross(0), indexAcross(canvas.clientWidth), width),
        y: within(indexDown(0), indexDown(canvas.clientHeight), height),
      };
    },
    draw: schedule,
    showAll,
  };
}

export type Picture = ReturnType<typeof createPicture>;
