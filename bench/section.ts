/** What a benchmark hands over: printed by index.ts, written into docs/performance.md by report.ts. */
import { formatTable } from "./harness.js";

export interface Table {
  readonly header: readonly string[];
  /** Cells; the first of a row says what it is about. */
  readonly rows: readonly (readonly string[])[];
}

export interface Chart {
  /** Name of the file in docs/images, without ".svg". */
  readonly name: string;
  readonly title: string;
  readonly svg: string;
}

export interface Section {
  readonly title: string;
  /** Markdown: what was done, and what the figures mean. */
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
  // Numbers to the right: columns in which no cell begins with a letter.
  const isText = header.map((_, column) => rows.some((row) => /^[[a-z(]/i.test(row[column] ?? "")));
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [line(header), line(isText.map((text) => (text ? "---" : "---:"))), ...rows.map(line)].join("\n");
}

/** Three digits, more or less: 0.12, 3.4, 56, 7890; empty where nothing was measured. */
export function figure(value: number | undefined): string {
  if (value === undefined || Number.isNaN(value)) return "";
  return value.toFixed(value < 1 ? 2 : value < 10 ? 1 : 0);
}

/** Times of a rival to one's own, or one's own rates to a rival's: how many times as fast. */
export function ratio(one: number | undefined, other: number | undefined): string {
  return one === undefined || other === undefined ? "" : times(one / other);
}

/** How many times as fast; empty where nothing was measured. */
export function times(value: number | undefined): string {
  return value === undefined || Number.isNaN(value) ? "" : `${value.toFixed(2)}x`;
}
