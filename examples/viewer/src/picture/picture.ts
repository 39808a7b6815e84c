/** The picture: which tiles are seen, and where they are drawn. */

import type { Layer } from "../data/layers.js";
import type { Interval, Window } from "../data/window.js";
import type { View } from "../state.js";
import { type Axis, drawAxes } from "./axes.js";
import { listen, type Point } from "./controls.js";
import { cornersOf, drawHoles, holesOf } from "./holes.js";
import type { Box, Renderer } from "./renderer.js";
import { type Pass, playedOf, type Scene } from "./scene.js";
import { sidesOf } from "./sides.js";
import { type Room, roomIn } from "./stage.js";
import { createTextures } from "./textures.js";
import { placeOf, type Seen, type Tiles } from "./tiles.js";

const LARGEST_ZOOM = 64;

export interface PictureEvents {
  onView(view: View): void;
  /** A frame has been drawn. */
  onFrame(): void;
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
  const textures = createTextures(renderer.painter);
  let scene: Scene | undefined;
  let passes: readonly Pass[] = [];
  /** What was drawn last. */
  let drawn: ReadonlyMap<Tiles, ReturnType<Tiles["picture"]>> = new Map();
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
    return [dimensions[x]?.length ?? 1, dimensions[y]?.length ?? 1];
  };
  const across = (index: number): number => (index - view.centre[0]) * view.zoom + canvas.clientWidth / 2;
  const direction = (): number => (scene?.layer.isFlipped ? -1 : 1);
  const down = (index: number): number =>
    direction() * (index - view.centre[1]) * view.zoom + canvas.clientHeight / 2;
  const indexAcross = (left: number): number => (left - canvas.clientWidth / 2) / view.zoom + view.centre[0];
  const indexDown = (top: number): number =>
    (direction() * (top - canvas.clientHeight / 2)) / view.zoom + view.centre[1];

  function clamp(next: View): View {
    const [width, height] = lengths();
    const middle = (value: number, length: number): number => Math.min(length, Math.max(0, value));
    let zoom = Math.min(LARGEST_ZOOM, Math.max(smallestZoom(), next.zoom));
    if (!Number.isFinite(zoom)) zoom = 1;
    return { centre: [middle(next.centre[0], width), middle(next.centre[1], height)], zoom };
  }

  const roomNow = (): Room => roomIn(canvas);

  /** All of it with a margin, or as much as there is room for. */
  function smallestZoom(): number {
    const [width, height] = lengths();
    const { left, top, right, bottom } = roomNow();
    const fit = Math.min((right - left) / width, (bottom - top) / height) * 0.9;
    const most = Math.min(...passes.map(({ tiles }) => tiles.most()));
    const filled = Math.sqrt((canvas.clientWidth * canvas.clientHeight) / most);
    return width * height > most ? Math.max(fit, filled) : fit;
  }

  function setView(next: View): void {
    isWhole = false;
    // The first size of the canvas sets the view.
    if (canvas.clientWidth === 0 || canvas.clientHeight === 0) {
      view = next;
      return;
    }
    size = { width: canvas.clientWidth, height: canvas.clientHeight };
    view = clamp(next);
    events.onView(view);
    want();
  }

  function want(): void {
    if (canvas.clientWidth === 0 || canvas.clientHeight === 0) return;
    const [top = 0, bottom = 0] = [indexDown(0), indexDown(canvas.clientHeight)].sort((a, b) => a - b);
    const bounds = [indexAcross(0), top, indexAcross(canvas.clientWidth), bottom] as const;
    const resolution = 1 / (view.zoom * devicePixelRatio);
    passes = scene?.passes() ?? [];
    const played = scene && playedOf(scene.layer);
    for (const { tiles, indices, minus } of passes) {
      tiles.show({ bounds, resolution }, indices, played);
      minus?.tiles.show({ bounds, resolution }, minus.indices);
    }
    schedule();
  }

  function schedule(): void {
    if (frame !== 0) return;
    frame = requestAnimationFrame(() => {
      frame = 0;
      scene?.report();
      passes = scene?.passes() ?? [];
      draw();
      events.onFrame();
    });
  }

  /**
   * What has arrived of each pass. While some passes have changed to another step and others have not, what
   * was drawn before stays.
   */
  function drawable(): typeof drawn {
    const now = new Map(passes.map(({ tiles }) => [tiles, tiles.picture()]));
    const pictures = [...now];
    const isOfOneStep =
      pictures.every(([, { isCurrent }]) => isCurrent) ||
      pictures.every(([tiles, { step }]) => drawn.get(tiles)?.step === step);
    return isOfOneStep ? now : drawn;
  }

  function draw(): void {
    const ratio = devicePixelRatio;
    const [width, height] = [Math.round(canvas.clientWidth * ratio), Math.round(canvas.clientHeight * ratio)];
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    renderer.clear();
    if (!scene) return;
    const { layer } = scene;
    drawn = drawable();
    let count = 0;
    const holes: ReturnType<typeof cornersOf>[] = [];
    const mark = ({ layer: of }: Tiles, bounds: Seen["bounds"]): void => {
      const { left, top, width, height } = boxOnScreen(of, bounds, ratio);
      holes.push(cornersOf(left, top, left + width, top + height));
    };
    for (const { tiles, paint, minus, side } of passes) {
      renderer.clip(side && sidesOf(side, width));
      renderer.beginPass();
      const others = minus && new Map(minus.tiles.picture().tiles.map((tile) => [placeOf(tile), tile]));
      // The finest first: it is not drawn over.
      for (const tile of drawn.get(tiles)?.tiles.toReversed() ?? []) {
        const box = boxOnScreen(tiles.layer, tile.bounds, ratio);
        const other = others?.get(placeOf(tile));
        // Of a difference, there is nothing until both are there.
        if (others && !other) continue;
        const texture = minus && other && textures.of(other, minus.tiles.toTexture);
        const taken = texture ? { ...paint, minus: { texture, factor: minus.factor } } : paint;
        renderer.draw(textures.of(tile, tiles.toTexture), box, taken, layer.isFlipped);
        for (const bounds of holesOf(tile)) mark(tiles, bounds);
        count++;
      }
      for (const { bounds } of drawn.get(tiles)?.unread ?? []) mark(tiles, bounds);
    }
    renderer.clip(undefined);
    textures.trim(count);
    const { dimensions, x, y } = layer;
    const [first, second] = [dimensions[x], dimensions[y]];
    if (!first || !second) return;
    const axis: Axis = { dimension: first, at: across, index: indexAcross };
    const other: Axis = { dimension: second, at: down, index: indexDown };
    drawAxes(axes, axis, other, roomNow(), cross && [across(cross.x + 0.5), down(cross.y + 0.5)]);
    drawHoles(axes, holes);
  }

  function boxOnScreen({ x, y, factors }: Layer, bounds: Seen["bounds"], ratio: number): Box {
    const [fx, fy] = [factors[x] ?? 1, factors[y] ?? 1];
    const [left, right] = [across(bounds[0] * fx), across(bounds[2] * fx)];
    const [top = 0, bottom = 0] = [down(bounds[1] * fy), down(bounds[3] * fy)].sort((a, b) => a - b);
    // On whole pixels: no seams.
    const edges = [left, top, right, bottom].map((edge) => Math.round(edge * ratio));
    const [l = 0, t = 0, r = 0, b = 0] = edges;
    return { left: l, top: t, width: r - l, height: b - t };
  }

  function pointAt(left: number, top: number): Point | undefined {
    const [width, height] = lengths();
    const point = {
      x: Math.floor(indexAcross(left)),
      y: Math.floor(indexDown(top)),
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
  const observer = new ResizeObserver(() => {
    const { clientWidth: width, clientHeight: height } = canvas;
    // It is also called when the canvas is shown again, as large as before, or hidden.
    if (!scene || width === 0 || (width === size.width && height === size.height)) return;
    if (isWhole) showAll();
    else setView(view);
  });
  observer.observe(canvas);

  function showAll(): void {
    const [width, height] = lengths();
    const { zoom } = clamp({ centre: [width / 2, height / 2], zoom: 0 });
    // In the middle of what no panel covers.
    const { left, top, right, bottom } = roomNow();
    const aside = (left + right - canvas.clientWidth) / 2;
    const below = (top + bottom - canvas.clientHeight) / 2;
    setView({ centre: [width / 2 - aside / zoom, height / 2 - (direction() * below) / zoom], zoom: 0 });
    isWhole = true;
  }

  return {
    /** @param given without a view: all of it */
    show(next: Scene, given?: View): void {
      scene = next;
      passes = scene.passes();
      cross = undefined;
      if (given) setView(given);
      else showAll();
    },
    /** The state has changed. */
    update: want,
    /** An empty picture. */
    clear(): void {
      scene = undefined;
      passes = [];
      drawn = new Map();
      cross = undefined;
      textures.clear();
      renderer.clear();
      axes.width = 0;
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
    pointAt,
    locate(point: Point): readonly [left: number, top: number] | undefined {
      const [left, top] = [across(point.x + 0.5), down(point.y + 0.5)];
      const isSeen = left >= 0 && top >= 0 && left <= canvas.clientWidth && top <= canvas.clientHeight;
      return isSeen ? [left, top] : undefined;
    },
    edgeOf: (x: number, y: number): readonly [left: number, top: number] => [across(x), down(y)],
    zoom: (factor: number): void => zoomAt(factor, canvas.clientWidth / 2, canvas.clientHeight / 2),
    draw: schedule,
    showAll,
    close(): void {
      cancelAnimationFrame(frame);
      observer.disconnect();
    },
  };
}

export type Picture = ReturnType<typeof createPicture>;
