/** The result of a benchmark. index.ts prints it, report.ts writes it to docs/performance.md. */
import { formatTable } from "./harness.js";

export interface Table {
  readonly header: readonly string[];
  /** Cells; the first cell of a row is its title. */
  readonly rows: readonly (readonly string[])[];
}

export interface Chart {
  /** File name in docs/images, without ".svg". */
  readonly name: string;
  readonly title: string;
  readonly svg: string;
}

export interface Section {
  readonly title: string;
  /** Markdown text: the method, and the meaning of the figures. */
  readonly text: string;
  readonly tables: readonly Table[];
  readonly charts: readonly Chart[];
}

export function sectionAsText({ title, text, tables }: Section): string {
  return [title.toUpperCase(), text, ...tables.map(({ header, rows }) => formatTable(header, rows))].join(
    "\n\n",
  );
}

export function sectionAsMarkdown({ title, text, tables, charts }: Section, images: string): string {
  return [
    `## ${title}`,
    text,
    ...tables.map(tableAsMarkdown),
    ...charts.map((chart) => `![${chart.title}](${images}/${chart.name}.svg)`),
  ].join("\n\n");
}

function tableAsMarkdown({ header, rows }: Table): string {
  // Align columns to the right if no cell starts with a letter.
  const isText = header.map((_, column) => rows.some((row) => /^[[a-z(]/i.test(row[column] ?? "")));
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [line(header), line(isText.map((text) => (text ? "---" : "---:"))), ...rows.map(line)].join("\n");
}

/** Formats a number with about three digits: 0.12, 3.4, 56, 7890. Empty if not measured. */
export function figure(value: number | undefined): string {
  if (value === undefined || Number.isNaN(value)) return "";
  return value.toFixed(value < 1 ? 2 : value < 10 ? 1 : 0);
}

/** Formats `one / other` as a speed-up: the rival's time by the own time, or the own rate by the rival's rate. */
export function ratio(one: number | undefined, other: number | undefined): string {
  return one === undefined || other === undefined ? "" : times(one / other);
}

/** Formats a speed-up: "1.50x". Empty if not measured. */
export function times(value: number | undefined): string {
  return value === undefined || Number.isNaN(value) ? "" : `${value.toFixed(2)}x`;
}
