/** A line of values along one dimension, as SVG. */
import type { Dimension } from "../data/layers.js";
import { type Axis, ticks } from "../picture/axes.js";

export interface Line {
  readonly dimension: Dimension;
  /** Index of the first value. */
  readonly first: number;
  /** NaN: no value, a gap. */
  readonly values: Float64Array;
  readonly unit: string | undefined;
  readonly caption: string;
}

export interface DrawnLine {
  readonly svg: SVGSVGElement;
  /** Index of the value at a position; undefined beside the line. */
  indexAt(left: number): number | undefined;
  /** Marks a value. */
  mark(index: number): void;
}

const [RIGHT, BOTTOM, TOP] = [8, 24, 10];

/** @param width, height in CSS pixels */
export function drawLine(line: Line, width: number, height: number): DrawnLine {
  const { dimension, first, values, unit, caption } = line;
  const [low, high] = extremes(values);
  const isFlat = low === high;
  // A line of one value runs through the middle.
  const [bottom, top] = isFlat ? [low - 1, high + 1] : [low, high];
  const ends = isFlat ? [low] : [low, high];
  const left = Math.max(24, 12 + 7 * Math.max(...ends.map((value) => short(value).length)));
  const steps = Math.max(1, values.length - 1);
  const x = (index: number): number =>
    values.length === 1
      ? (left + width - RIGHT) / 2
      : left + ((index - first) / steps) * (width - left - RIGHT);
  // Halves: the difference of two doubles may be more than the largest.
  const y = (value: number): number =>
    height - BOTTOM - ((value / 2 - bottom / 2) / (top / 2 - bottom / 2)) * (height - BOTTOM - TOP);
  const indexAt = (position: number): number => first + ((position - left) / (width - left - RIGHT)) * steps;

  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const add = (name: string, attributes: Readonly<Record<string, string | number>>, words = ""): Element => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
    made.textContent = words;
    svg.append(made);
    return made;
  };
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.setAttribute("role", "img");
  const range = Number.isFinite(low) ? `from ${short(low)} to ${short(high)}` : "no values";
  svg.setAttribute("aria-label", `${caption}: ${range} ${unit ?? ""}`.trim());
  const words = { "font-size": 11, fill: "currentColor" };
  const rule = { stroke: "var(--line)", "stroke-width": 1 };
  for (const value of Number.isFinite(low) ? ends : []) {
    add("line", { ...rule, x1: left, x2: width - RIGHT, y1: y(value), y2: y(value) });
    add("text", { ...words, x: left - 4, y: y(value) + 4, "text-anchor": "end" }, short(value));
  }
  const shown: Axis = { dimension, at: (index) => x(index - 0.5), index: (at) => indexAt(at) };
  for (const { index, label } of ticks(shown, [left, width - RIGHT], 90)) {
    const at = x(index - 0.5);
    add("line", { ...rule, x1: at, x2: at, y1: height - BOTTOM, y2: height - BOTTOM + 5 });
    const isLast = at > width - 40;
    add(
      "text",
      { ...words, x: at, y: height - 6, "text-anchor": isLast ? "end" : at < 40 ? "start" : "middle" },
      label,
    );
  }
  add("path", {
    d: path(values, x, y, first, width),
    fill: "none",
    stroke: "var(--accent)",
    "stroke-width": 1.3,
    "stroke-linecap": "round",
  });
  if (unit) add("text", { ...words, x: left + 6, y: TOP + 14, fill: "var(--soft)" }, unit);
  const marker = add("circle", { r: 4, fill: "var(--accent)", visibility: "hidden" });
  return {
    svg,
    indexAt(position) {
      const index = Math.round(indexAt(position));
      return index >= first && index < first + values.length ? index : undefined;
    },
    mark(index) {
      const value = values[index - first];
      const isThere = value !== undefined && !Number.isNaN(value);
      marker.setAttribute("visibility", isThere ? "visible" : "hidden");
      if (!isThere) return;
      marker.setAttribute("cx", String(x(index)));
      marker.setAttribute("cy", String(y(value)));
    },
  };
}

/** Of finite values; NaN without any. */
function extremes(values: Float64Array): [low: number, high: number] {
  let [low, high] = [Number.NaN, Number.NaN];
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    if (!(low <= value)) low = value;
    if (!(high >= value)) high = value;
  }
  return [low, high];
}

/** Of the values of one pixel the smallest and the largest, in their order. */
function path(
  values: Float64Array,
  x: (index: number) => number,
  y: (value: number) => number,
  first: number,
  width: number,
): string {
  const step = Math.max(1, Math.floor(values.length / Math.max(1, width)));
  let drawn = "";
  let isDown = false;
  for (let start = 0; start < values.length; start += step) {
    const piece = values.subarray(start, start + step);
    const [low, high] = extremes(piece);
    if (Number.isNaN(low)) {
      isDown = false;
      continue;
    }
    const places = [...new Set([piece.indexOf(low), piece.indexOf(high)])].sort((a, b) => a - b);
    for (const place of places) {
      const value = piece[place];
      if (value === undefined) continue;
      const point = `${x(first + start + place).toFixed(1)} ${y(value).toFixed(1)}`;
      // A line to itself: a single value between gaps is a dot.
      drawn += isDown ? `L${point}` : `M${point}L${point}`;
      isDown = true;
    }
  }
  return drawn;
}

/** A number as a legend has it. */
export function short(value: number): string {
  if (!Number.isFinite(value)) return "none";
  const rounded = Number(value.toPrecision(5));
  return Math.abs(rounded) < 1e12 ? String(rounded) : rounded.toExponential();
}
