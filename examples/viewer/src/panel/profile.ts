/** A line chart of the values along one dimension. */
import type { Dimension } from "../data/layers.js";

const [WIDTH, HEIGHT, LEFT, BOTTOM, TOP] = [280, 150, 44, 22, 8];
/** Points of a line: more than there are pixels are seen by nobody. */
const MOST = 2000;

/** @param values undefined: missing */
export function drawProfile(
  figure: HTMLElement,
  dimension: Dimension,
  values: readonly (number | undefined)[],
  unit: string | undefined,
  caption: string,
): void {
  const there = values.filter((value) => value !== undefined);
  const [low, high] = there.reduce(
    ([least, most], value) => [Math.min(least, value), Math.max(most, value)],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  );
  const x = (i: number): number => LEFT + (i / Math.max(1, values.length - 1)) * (WIDTH - LEFT - 6);
  const y = (value: number): number =>
    HEIGHT - BOTTOM - ((value - low) / (high - low || 1)) * (HEIGHT - BOTTOM - TOP);
  const step = Math.max(1, Math.ceil(values.length / MOST));
  let path = "";
  let isDown = false;
  for (let i = 0; i < values.length; i += step) {
    const value = values[i];
    if (value === undefined) {
      isDown = false;
      continue;
    }
    path += `${isDown ? "L" : "M"}${x(i).toFixed(1)} ${y(value).toFixed(1)}`;
    isDown = true;
  }
  const labelOf = (i: number): string => dimension.labels?.[i] ?? String(i);
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", `0 0 ${WIDTH} ${HEIGHT}`);
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", `${caption}: from ${format(low)} to ${format(high)}`);
  const add = (name: string, attributes: Readonly<Record<string, string | number>>, text = ""): void => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
    element.textContent = text;
    svg.append(element);
  };
  const words = { "font-size": 9, fill: "currentColor" };
  add("path", { d: path, fill: "none", stroke: "var(--accent)", "stroke-width": 1.2 });
  if (there.length > 0) {
    add("text", { ...words, x: LEFT - 4, y: TOP + 6, "text-anchor": "end" }, format(high));
    add("text", { ...words, x: LEFT - 4, y: HEIGHT - BOTTOM, "text-anchor": "end" }, format(low));
  }
  add("text", { ...words, x: LEFT, y: HEIGHT - 6 }, labelOf(0));
  add("text", { ...words, x: WIDTH - 6, y: HEIGHT - 6, "text-anchor": "end" }, labelOf(values.length - 1));
  const legend = document.createElement("figcaption");
  legend.textContent = unit ? `${caption}, ${unit}` : caption;
  figure.replaceChildren(svg, legend);
  figure.hidden = false;
}

export const format = (value: number): string =>
  Number.isFinite(value) ? String(Number(value.toPrecision(5))) : "none";
