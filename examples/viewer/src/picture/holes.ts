/** Hatches over what could not be read: elsewhere a picture without it would look as if there were nothing. */
import type { TileHole } from "wazarr/tiles";
import type { Seen } from "./tiles.js";

/** A tile that may have holes. */
interface Tile {
  readonly rows: readonly [start: number, stop: number];
  readonly columns: readonly [start: number, stop: number];
  readonly bounds: Seen["bounds"];
  readonly holes: readonly TileHole[];
}

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

/** @param boxes in pixels of the canvas */
export function drawHoles(
  canvas: HTMLCanvasElement,
  boxes: readonly {
    readonly left: number;
    readonly top: number;
    readonly width: number;
    readonly height: number;
  }[],
): void {
  canvas.dataset.holes = String(boxes.length);
  const context = canvas.getContext("2d");
  if (!context || boxes.length === 0) return;
  const style = getComputedStyle(canvas);
  context.save();
  context.resetTransform();
  for (const { left, top, width, height } of boxes) {
    context.save();
    context.beginPath();
    context.rect(left, top, width, height);
    context.clip();
    context.fillStyle = style.getPropertyValue("--stage");
    context.fillRect(left, top, width, height);
    context.strokeStyle = style.getPropertyValue("--ink-3");
    context.lineWidth = 2 * devicePixelRatio;
    const [right, bottom] = [Math.min(left + width, canvas.width), Math.min(top + height, canvas.height)];
    const step = 12 * devicePixelRatio;
    const [first, last] = [Math.max(0, left) + Math.max(0, top), right + bottom];
    context.beginPath();
    for (let sum = first; sum < last; sum += step) {
      context.moveTo(sum - Math.max(0, top), Math.max(0, top));
      context.lineTo(sum - bottom, bottom);
    }
    context.stroke();
    context.restore();
  }
  context.restore();
}
