/** Draws charts as SVG. For two kinds of charts a library would be larger than this file. */
import type { Chart } from "./section.js";

const INK = "#222";
const COLOURS = ["#3a7d5c", "#b3542e", "#3b5f9a", "#8a6d1f", "#7a4b8c"];

function drawing(width: number, height: number, title: string, body: readonly string[]): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12" fill="${INK}"><rect width="100%" height="100%" fill="#fff"/><text x="12" y="22" font-size="14" font-weight="bold">${escapeXml(title)}</text>${body.join("")}</svg>\n`;
}

const escapeXml = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

export interface Bar {
  readonly label: string;
  readonly value: number;
}

/** Bars of speed relative to a rival. The scale ends at the largest bar; a line marks equal speed. */
export function barChart(name: string, title: string, bars: readonly Bar[]): Chart {
  const most = Math.max(1, ...bars.map(({ value }) => value));
  const [left, width, height] = [210, 420, 24];
  const body = bars.map(({ label, value }, i) => {
    const y = 44 + i * height;
    const length = (value / most) * width;
    const colour = value < 1 ? COLOURS[1] : COLOURS[0];
    return `<text x="${left - 8}" y="${y + 14}" text-anchor="end">${escapeXml(label)}</text><rect x="${left}" y="${y + 3}" width="${length.toFixed(1)}" height="15" rx="2" fill="${colour}"/><text x="${(left + length + 6).toFixed(1)}" y="${y + 14}">${value.toFixed(value < 2 ? 2 : 1)}x</text>`;
  });
  const one = (left + width / most).toFixed(1);
  const bottom = 44 + bars.length * height;
  body.push(`<line x1="${one}" x2="${one}" y1="38" y2="${bottom}" stroke="${INK}" stroke-dasharray="3 3"/>`);
  return { name, title, svg: drawing(left + width + 70, bottom + 14, title, body) };
}

export interface Line {
  readonly label: string;
  readonly points: readonly { readonly x: number; readonly y: number }[];
}

export interface Axis {
  readonly label: string;
  readonly format: (value: number) => string;
}

const FRAME = { left: 70, right: 640, top: 44, bottom: 320 };

/** Lines on two logarithmic axes, so that proportional growth is a straight line. */
export function lineChart(name: string, title: string, x: Axis, y: Axis, lines: readonly Line[]): Chart {
  const points = lines.flatMap((line) => line.points);
  const across = scale(
    points.map((point) => point.x),
    FRAME.left,
    FRAME.right,
  );
  const up = scale(
    points.map((point) => point.y),
    FRAME.bottom,
    FRAME.top,
  );
  const body: string[] = [];
  for (const value of new Set(points.map((point) => point.x))) {
    const at = across(value).toFixed(1);
    body.push(
      `<line x1="${at}" x2="${at}" y1="${FRAME.top}" y2="${FRAME.bottom}" stroke="#eee"/><text x="${at}" y="${FRAME.bottom + 18}" text-anchor="middle">${x.format(value)}</text>`,
    );
  }
  for (const value of decades(points.map((point) => point.y))) {
    const at = up(value).toFixed(1);
    body.push(
      `<line x1="${FRAME.left}" x2="${FRAME.right}" y1="${at}" y2="${at}" stroke="#ddd"/><text x="${FRAME.left - 8}" y="${Number(at) + 4}" text-anchor="end">${y.format(value)}</text>`,
    );
  }
  lines.forEach(({ label, points: own }, i) => {
    const colour = COLOURS[i % COLOURS.length];
    const path = own.map((point) => `${across(point.x).toFixed(1)},${up(point.y).toFixed(1)}`);
    const dots = path
      .map((point) => point.split(","))
      .map(([cx, cy]) => `<circle cx="${cx}" cy="${cy}" r="3"/>`);
    const legend = FRAME.top + 14 + i * 18;
    body.push(
      `<polyline points="${path.join(" ")}" fill="none" stroke="${colour}" stroke-width="2"/><g fill="${colour}">${dots.join("")}<rect x="${FRAME.right + 20}" y="${legend - 9}" width="12" height="10"/></g><text x="${FRAME.right + 38}" y="${legend}">${escapeXml(label)}</text>`,
    );
  });
  body.push(
    `<text x="${(FRAME.left + FRAME.right) / 2}" y="${FRAME.bottom + 40}" text-anchor="middle">${escapeXml(x.label)}</text><text x="12" y="38">${escapeXml(y.label)}</text>`,
  );
  return { name, title, svg: drawing(840, FRAME.bottom + 54, title, body) };
}

function scale(values: readonly number[], from: number, to: number): (value: number) => number {
  const logarithms = values.map(Math.log);
  const least = Math.min(...logarithms);
  const most = Math.max(...logarithms);
  return (value) => from + ((Math.log(value) - least) / Math.max(1e-9, most - least)) * (to - from);
}

/** Ticks: powers of ten within the range of the values, and their multiples by 2 and 5 if there are few. */
function decades(values: readonly number[]): number[] {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const exponents = Array.from({ length: 24 }, (_, i) => i - 12);
  const marks = (factors: readonly number[]): number[] =>
    exponents
      .flatMap((exponent) => factors.map((factor) => factor * 10 ** exponent))
      .filter((value) => value >= least && value <= most);
  const tens = marks([1]);
  return tens.length > 2 ? tens : marks([1, 2, 5]);
}
