/** Legends: a bar of the colours with the values below it. */
import { ticks } from "d3-array";
import type { ColorScale } from "./scale.js";

export interface LegendOptions {
  readonly title?: string | undefined;
  /** After each value of the legend's title: "°C". */
  readonly unit?: string | undefined;
  /** Pixels; 240 unless given. */
  readonly width?: number | undefined;
  /** How values are written; as `Intl.NumberFormat` of the page's language unless given. */
  readonly format?: ((value: number) => string) | undefined;
}

const [MARGIN, BAR, TICK] = [16, 12, 4];
/** Parts of a continuous bar. */
const PARTS = 64;
/** Of a tick's label, in pixels: more of them would touch. */
const LABEL = 44;

/**
 * A legend as the text of an SVG. It has the colour of the text around it.
 */
export function legendSvg(scale: ColorScale, options: LegendOptions = {}): string {
  const { title = "", unit = "", width = 240, format = defaultFormat } = options;
  const heading = [title, unit && `(${unit})`].filter(Boolean).join(" ");
  const top = heading === "" ? 0 : 18;
  const inner = width - 2 * MARGIN;
  const x = (share: number): string => (MARGIN + share * inner).toFixed(1);
  const values = ticksOf(scale, Math.floor(inner / LABEL));
  const marks = values.map((value) => {
    const at = x(placeOf(scale, value));
    const [bottom, base] = [top + BAR + TICK, top + BAR + TICK + 12];
    return `<path d="M${at} ${top + BAR}V${bottom}" stroke="currentColor"/><text x="${at}" y="${base}" text-anchor="middle">${escaped(format(value))}</text>`;
  });
  const parts = partsOf(scale).map(({ from, to, color: [red, green, blue, alpha] }) => {
    // A part reaches below the next one: no line between them shows the page.
    const end = Math.min(1, to + 0.5 / inner);
    const opacity = alpha === 255 ? "" : ` fill-opacity="${(alpha / 255).toFixed(3)}"`;
    return `<rect x="${x(from)}" y="${top}" width="${((end - from) * inner).toFixed(1)}" height="${BAR}" fill="rgb(${red},${green},${blue})"${opacity}/>`;
  });
  const head = heading && `<text x="${MARGIN}" y="12">${escaped(heading)}</text>`;
  const size = `width="${width}" height="${top + BAR + TICK + 16}"`;
  const label = escaped(`${heading || "Legend"}: ${values.map(format).join(", ")}`);
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img" aria-label="${label}" font-family="sans-serif" font-size="11" fill="currentColor">${head}${parts.join("")}${marks.join("")}</svg>`;
}

/** A legend as an element of the page. */
export function legendElement(scale: ColorScale, options: LegendOptions = {}): Element {
  return new DOMParser().parseFromString(legendSvg(scale, options), "image/svg+xml").documentElement;
}

/** Where on the bar a value is. Classes are equally wide. */
function placeOf({ range: [low, high], classes, isLog }: ColorScale, value: number): number {
  if (classes.length > 0) return classes.indexOf(value) / (classes.length - 1);
  if (isLog) return Math.log(value / low) / Math.log(high / low);
  return (value - low) / (high - low);
}

function partsOf({ table, classes }: ColorScale) {
  const colors = table.length / 4;
  const count = classes.length > 0 ? colors : Math.min(PARTS, colors);
  return Array.from({ length: count }, (_, i) => {
    const start = 4 * Math.floor(((i + 0.5) * colors) / count);
    const [red, green, blue, alpha = 255] = table.subarray(start, start + 4);
    return { from: i / count, to: (i + 1) / count, color: [red, green, blue, alpha] as const };
  });
}

function ticksOf({ range: [low, high], classes, isLog }: ColorScale, most: number): readonly number[] {
  if (classes.length > 0) {
    const step = Math.ceil(classes.length / Math.max(2, most));
    return classes.filter((_, i) => i % step === 0);
  }
  if (!isLog) return ticks(low, high, Math.max(2, most - 1));
  const [first, last] = [Math.ceil(Math.log10(low) - 1e-9), Math.floor(Math.log10(high) + 1e-9)];
  const step = Math.max(1, Math.ceil((last - first + 1) / Math.max(2, most)));
  const powers = Array.from(
    { length: Math.floor((last - first) / step) + 1 },
    (_, i) => 10 ** (first + i * step),
  );
  return powers.length > 1 ? powers : [low, high];
}

const defaultFormat = (value: number): string =>
  new Intl.NumberFormat(undefined, { maximumSignificantDigits: 6 }).format(value);

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (letter) => ENTITIES[letter] ?? letter);
