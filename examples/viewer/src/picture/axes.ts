/** Ticks with the labels of both axes, in front of the picture. */
import type { Dimension } from "../data/layers.js";
import type { Room } from "./stage.js";

export interface Axis {
  readonly dimension: Dimension;
  /** Position on the screen of an index, in CSS pixels. */
  readonly at: (index: number) => number;
  /** Index at a position. */
  readonly index: (position: number) => number;
}

const SPACE = { x: 90, y: 50 };

export function drawAxes(
  canvas: HTMLCanvasElement,
  x: Axis,
  y: Axis,
  room: Room,
  cross?: readonly [number, number],
): void {
  const ratio = devicePixelRatio;
  const [width, height] = [canvas.clientWidth, canvas.clientHeight];
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  const context = canvas.getContext("2d");
  if (!context) return;
  context.scale(ratio, ratio);
  context.font = "11px system-ui, sans-serif";
  const style = getComputedStyle(canvas);
  const text = (words: string, left: number, top: number): void => {
    context.strokeStyle = style.getPropertyValue("--stage");
    context.lineWidth = 3;
    context.strokeText(words, left, top);
    context.fillStyle = style.getPropertyValue("--ink");
    context.fillText(words, left, top);
  };
  const line = (x0: number, y0: number, x1: number, y1: number): void => {
    context.beginPath();
    context.moveTo(x0, y0);
    context.lineTo(x1, y1);
    context.stroke();
  };
  // Beside the picture where there is room, else within the edges of the screen.
  const [west, east] = edgesOf(x, room.left, room.right);
  const [north, south] = edgesOf(y, room.top, room.bottom);
  const isRoomBelow = room.bottom - south >= 40;
  const down = ticks(y, [room.top, room.bottom], SPACE.y);
  const isRoomBeside =
    west - room.left >= 11 + Math.max(0, ...down.map(({ label }) => context.measureText(label).width));
  const floor = isRoomBelow ? south + 18 : room.bottom - 9;
  const wall = isRoomBeside ? west - 9 : room.left + 9;
  context.textAlign = "center";
  for (const { index, label } of ticks(x, [room.left, room.right], SPACE.x)) {
    const left = x.at(index);
    context.strokeStyle = style.getPropertyValue("--ink-3");
    context.lineWidth = 1;
    line(left, isRoomBelow ? south : room.bottom - 6, left, isRoomBelow ? south + 6 : room.bottom);
    text(label, left, floor);
  }
  if (isRoomBelow) text(nameOf(x.dimension), (west + east) / 2, floor + 16);
  context.textAlign = isRoomBeside ? "right" : "left";
  for (const { index, label } of down) {
    const top = y.at(index);
    context.strokeStyle = style.getPropertyValue("--ink-3");
    context.lineWidth = 1;
    line(isRoomBeside ? west - 6 : room.left, top, isRoomBeside ? west : room.left + 6, top);
    text(label, wall, top + 4);
  }
  context.textAlign = "left";
  if (!isRoomBelow) text(nameOf(x.dimension), west + 9, room.bottom - 24);
  text(
    nameOf(y.dimension),
    isRoomBeside ? west : room.left + 9,
    north - room.top >= 24 ? north - 8 : room.top + 16,
  );
  if (cross) {
    context.strokeStyle = style.getPropertyValue("--accent");
    line(cross[0] - 8, cross[1], cross[0] + 8, cross[1]);
    line(cross[0], cross[1] - 8, cross[0], cross[1] + 8);
  }
}

/** Where the data begin and end on the screen. */
function edgesOf(
  { at, dimension }: Axis,
  first: number,
  last: number,
): readonly [start: number, end: number] {
  const edges = [at(0), at(dimension.length)].map((edge) => Math.min(last, Math.max(first, edge)));
  return [Math.min(...edges), Math.max(...edges)];
}

const nameOf = ({ name, unit }: Dimension): string => (unit ? `${name} (${unit})` : name);

/** Ticks at round coordinates where these are numbers in even steps, at round indices otherwise. */
export function ticks(
  { dimension, at, index }: Axis,
  [start, end]: readonly [start: number, end: number],
  space: number,
): { index: number; label: string }[] {
  const ends = [index(start), index(end)].map((at) => Math.min(dimension.length - 1, Math.max(0, at)));
  const [low = 0, high = 0] = ends.sort((a, b) => a - b);
  const { values, labels } = dimension;
  const most = Math.max(2, Math.floor(Math.abs(at(high) - at(low)) / space));
  const step0 = values && values.length > 1 ? Number(values[1]) - Number(values[0]) : 1;
  const isEven =
    values !== undefined &&
    labels?.every((label) => Number.isFinite(Number(label))) === true &&
    step0 !== 0 &&
    Math.abs(Number(values[dimension.length - 1]) - (Number(values[0]) + step0 * (dimension.length - 1))) <
      Math.abs(step0) / 2;
  const [from, to] = isEven
    ? [low, high].map((end) => Number(values?.[0]) + end * step0).sort((a, b) => a - b)
    : [low, high];
  const step = round(((to ?? 0) - (from ?? 0)) / most);
  const found: { index: number; label: string }[] = [];
  for (let n = Math.ceil((from ?? 0) / step); n * step <= (to ?? 0) && found.length < 100; n++) {
    const value = n * step;
    const position = isEven ? (value - Number(values?.[0])) / step0 : Math.round(value);
    const label = isEven ? String(Number(value.toPrecision(9))) : (labels?.[position] ?? String(position));
    if (isEven || Math.abs(position - value) < 1e-9) found.push({ index: position + 0.5, label });
  }
  return found;
}

/** 1, 2 or 5 times a power of ten, not below `step`. */
function round(step: number): number {
  const power = 10 ** Math.floor(Math.log10(step || 1));
  return power * ([1, 2, 5].find((factor) => factor * power >= step) ?? 10);
}
