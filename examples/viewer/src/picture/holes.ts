/**
 * Hatches over what could not be read: elsewhere a picture without it would look as if there were nothing.
 */
import type { TileHole } from "wazarr/tiles";
import type { Seen } from "./tiles.js";

/** A tile that may have holes. */
interface Tile {
  readonly rows: readonly [start: number, stop: number];
  readonly columns: readonly [start: number, stop: number];
  readonly bounds: Seen["bounds"];
  readonly holes: readonly TileHole[];
}

type Corner = readonly [x: number, y: number];

/** Outer edges of the holes of a tile, as `bounds` of the tile are. */
export function holesOf({ rows, columns, bounds, holes }: Tile): Seen["bounds"][] {
  const [width, height] = [columns[1] - columns[0], rows[1] - rows[0]];
  const across = (column: number): number =>
    bounds[0] + ((column - columns[0]) / width) * (bounds[2] - bounds[0]);
  const down = (row: number): number => bounds[1] + ((row - rows[0]) / height) * (bounds[3] - bounds[1]);
  return holes.map((hole) => [
    across(hole.columns[0]),
    down(hole.rows[0]),
    across(hole.columns[1]),
    down(hole.rows[1]),
  ]);
}

export const cornersOf = (left: number, top: number, right: number, bottom: number): readonly Corner[] => [
  [left, top],
  [right, top],
  [right, bottom],
  [left, bottom],
];

/** @param holes corners of each, in pixels of the canvas */
export function drawHoles(canvas: HTMLCanvasElement, holes: readonly (readonly Corner[])[]): void {
  canvas.dataset.holes = String(holes.length);
  const context = canvas.getContext("2d");
  if (!context || holes.length === 0) return;
  const style = getComputedStyle(canvas);
  context.save();
  context.resetTransform();
  for (const corners of holes) {
    context.save();
    context.beginPath();
    for (const [x, y] of corners) context.lineTo(x, y);
    context.clip();
    const within = (value: number, length: number): number => Math.min(length, Math.max(0, value));
    const [xs, ys] = [
      corners.map(([x]) => within(x, canvas.width)),
      corners.map(([, y]) => within(y, canvas.height)),
    ];
    const [left, top] = [Math.min(...xs), Math.min(...ys)];
    const [right, bottom] = [Math.max(...xs), Math.max(...ys)];
    context.fillStyle = style.getPropertyValue("--stage");
    context.fillRect(left, top, right - left, bottom - top);
    context.strokeStyle = style.getPropertyValue("--ink-3");
    context.lineWidth = 2 * devicePixelRatio;
    context.beginPath();
    const step = 12 * devicePixelRatio;
    // Lines of neighbours go on in each other.
    for (let sum = Math.floor((left + top) / step) * step; sum < right + bottom; sum += step) {
      context.moveTo(sum - top, top);
      context.lineTo(sum - bottom, bottom);
    }
    context.stroke();
    context.restore();
  }
  context.restore();
}
