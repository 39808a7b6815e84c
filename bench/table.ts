/** What a section of the benchmarks gives: tables, and what their figures mean. */
import { median, timesAsFast } from "./race.js";

export interface Table {
  readonly header: readonly string[];
  /** Cells; the first cell of a row is its title. */
  readonly rows: readonly (readonly string[])[];
}

export interface Section {
  readonly title: string;
  /** Markdown: how it was measured, what the figures mean. */
  readonly text: string;
  readonly tables: readonly Table[];
}

export function asText({ title, text, tables }: Section): string {
  return [title.toUpperCase(), text, ...tables.map(tableAsText)].join("\n\n");
}

export function asMarkdown({ title, text, tables }: Section): string {
  return [`## ${title}`, ...(text === "" ? [] : [text]), ...tables.map(tableAsMarkdown)].join("\n\n");
}

export function tableAsText({ header, rows }: Table): string {
  const all = [header, ...rows];
  const widths = header.map((_, column) => Math.max(...all.map((row) => (row[column] ?? "").length)));
  const line = (row: readonly string[]): string =>
    row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join("  ");
  return [line(header), widths.map((width) => "-".repeat(width)).join("  "), ...rows.map(line)].join("\n");
}

function tableAsMarkdown({ header, rows }: Table): string {
  // Columns of numbers are aligned to the right.
  const isText = header.map((_, column) => rows.some((row) => /^[[a-z(]/i.test(row[column] ?? "")));
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [line(header), line(isText.map((text) => (text ? "---" : "---:"))), ...rows.map(line)].join("\n");
}

/** A number with about three digits: 0.12, 3.4, 56, 7890. Empty if not measured. */
export function figure(value: number | undefined): string {
  if (value === undefined || Number.isNaN(value)) return "";
  return value.toFixed(value < 1 ? 2 : value < 10 ? 1 : 0);
}

/** A speed-up: "1.50x". Empty if not measured. */
export function times(value: number | undefined): string {
  return value === undefined || Number.isNaN(value) ? "" : `${value.toFixed(2)}x`;
}

/** Median of turns, as a cell. */
export function milliseconds(turns: readonly number[] | undefined): string {
  return figure(median(turns));
}

/** How many times as fast `own` was as `theirs`, as a cell. */
export function against(theirs: readonly number[] | undefined, own: readonly number[] | undefined): string {
  return times(timesAsFast(theirs, own));
}
