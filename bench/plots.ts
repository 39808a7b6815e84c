/** The pictures of performance.md: figures of the tables, drawn as SVG. */
import type { Section, Table } from "./table.js";

const WIDTH = 760;
const LEFT = 200;
const RIGHT = 24;
const ROW = 34;
const TOP = 64;
const COLORS: Readonly<Record<string, string>> = {
  wazarr: "#12806f",
  zarrita: "#d3722a",
  TensorStore: "#4b6fb8",
  floor: "#a7b0b8",
};

interface Row {
  readonly label: string;
  /** By the name of a library. */
  readonly values: ReadonlyMap<string, readonly number[]>;
}

interface Axis {
  readonly ticks: readonly number[];
  readonly unit: string;
  /** From 0 to 1. */
  readonly place: (value: number) => number;
}

/** By name of the file. Those whose section was not measured are left out. */
export function plotsOf(sections: readonly Section[]): ReadonlyMap<string, string> {
  const plots = new Map<string, string>();
  const speeds = speedRows(sections.flatMap(({ tables }) => tables));
  if (speeds.length > 0)
    plots.set("performance-speed.svg", dots("How many times as fast wazarr is as", speeds, logarithmic()));
  const pages = sections
    .flatMap(({ tables }) => tables)
    .find(({ header }) => header[0] === "50 ms away" && header.includes("first tile ms"));
  if (pages !== undefined)
    plots.set(
      "performance-page.svg",
      bars("First tile of a page, 50 ms away: milliseconds", pageRows(pages)),
    );
  return plots;
}

/** The ratios of the tables of arrays in files, by what is done. */
function speedRows(tables: readonly Table[]): Row[] {
  const kinds = new Map<string, Map<string, number[]>>();
  for (const { header, rows } of tables.filter(
    ({ header }) => header[1] === "operation" && header.includes("files alone ms"),
  ))
    for (const row of rows)
      for (const peer of ["zarrita", "TensorStore"]) {
        const ratio = Number.parseFloat(row[header.indexOf(`against ${peer}`)] ?? "");
        const operation = row[1] ?? "";
        const kind = operation.includes("[") ? "read a part" : operation;
        const found = kinds.get(kind) ?? new Map<string, number[]>();
        kinds.set(kind, found);
        if (Number.isFinite(ratio)) found.set(peer, [...(found.get(peer) ?? []), ratio]);
      }
  return Array.from(kinds, ([label, values]) => ({ label, values }));
}

function pageRows({ header, rows }: Table): Row[] {
  const column = header.indexOf("first tile ms");
  const labels = [...new Set(rows.map(([label = ""]) => label))];
  return labels.map((label) => ({
    label,
    values: new Map(
      rows.filter((row) => row[0] === label).map((row) => [row[1] ?? "", [Number(row[column])]]),
    ),
  }));
}

function logarithmic(): Axis {
  const [low, high] = [0.1, 100];
  return {
    ticks: [0.1, 0.3, 1, 3, 10, 30, 100],
    unit: "×",
    place: (value) => Math.log(Math.min(Math.max(value, low), high) / low) / Math.log(high / low),
  };
}

function dots(title: string, rows: readonly Row[], axis: Axis): string {
  const names = ["zarrita", "TensorStore"];
  const marks = rows.flatMap(({ values }, i) =>
    names.flatMap((name, n) => {
      const y = TOP + (i + 0.5) * 1.6 * ROW + (n - 0.5) * 20;
      const found = (values.get(name) ?? []).toSorted((a, b) => a - b);
      const middle = found[Math.floor(found.length / 2)];
      const circles = found.map(
        (value) =>
          `<circle cx="${x(axis.place(value))}" cy="${y}" r="4" fill="${COLORS[name]}" fill-opacity=".45"/>`,
      );
      if (middle === undefined) return circles;
      const at = x(axis.place(middle));
      return [...circles, `<path d="M${at} ${y - 9}V${y + 9}" stroke="${COLORS[name]}" stroke-width="3"/>`];
    }),
  );
  return frame(title, names, rows, 1.6 * ROW, axis, marks, 1);
}

function bars(title: string, rows: readonly Row[]): string {
  const names = ["wazarr", "zarrita", "floor"];
  const all = rows.flatMap(({ values }) => [...values.values()].flat());
  const high = Math.ceil(Math.max(...all) / 250) * 250;
  const ticks = Array.from({ length: high / 250 + 1 }, (_, i) => i * 250);
  const axis: Axis = { ticks, unit: "", place: (value) => value / high };
  const marks = rows.flatMap(({ values }, i) =>
    names.flatMap((name, n) =>
      (values.get(name) ?? []).map((value) => {
        const y = TOP + i * 1.4 * ROW + 5 + n * 13;
        return `<rect x="${LEFT}" y="${y}" width="${x(axis.place(value)) - LEFT}" height="11" rx="2" fill="${COLORS[name]}"/>`;
      }),
    ),
  );
  return frame(title, names, rows, 1.4 * ROW, axis, marks);
}

const x = (share: number): number => Math.round(LEFT + share * (WIDTH - LEFT - RIGHT));

/** @param mark a value at which the axis has a stronger line */
function frame(
  title: string,
  names: readonly string[],
  rows: readonly Row[],
  row: number,
  axis: Axis,
  marks: readonly string[],
  mark?: number,
): string {
  const bottom = TOP + rows.length * row;
  const grid = axis.ticks.map((tick) => {
    const at = x(axis.place(tick));
    const stroke = tick === mark ? "#5b6670" : "#dfe4e8";
    return `<path d="M${at} ${TOP}V${bottom}" stroke="${stroke}"/><text x="${at}" y="${bottom + 20}" text-anchor="middle">${tick}${axis.unit}</text>`;
  });
  const labels = rows.map(
    ({ label }, i) =>
      `<text x="${LEFT - 14}" y="${TOP + (i + 0.5) * row + 5}" text-anchor="end">${label}</text>`,
  );
  const legend = names.map(
    (name, i) =>
      `<circle cx="${LEFT + 6 + i * 120}" cy="46" r="5" fill="${COLORS[name]}"/><text x="${LEFT + 18 + i * 120}" y="50">${name}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${bottom + 36}" width="${WIDTH}" font-family="system-ui, sans-serif" font-size="13" fill="#33404a">
<rect width="100%" height="100%" rx="8" fill="#fff"/>
<text x="${LEFT}" y="26" font-size="15" font-weight="600">${title}</text>
${[...legend, ...grid, ...labels, ...marks].join("\n")}
</svg>
`;
}
