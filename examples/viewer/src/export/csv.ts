/** Tables as CSV (RFC 4180), with every digit. */
import type { Layer } from "../data/layers.js";
import { type Table, tableOf } from "../data/rows.js";
import { wordsOfValue } from "../data/values.js";
import { readWindow, type Window } from "../data/window.js";

/** Values of one file: more than spreadsheets take. */
const MOST = 1_000_000;

/**
 * @param indices along the dimensions that are not in the window
 * @throws Error for more values than a file takes
 */
export async function csvOf(layer: Layer, indices: readonly number[], window: Window): Promise<string> {
  const count = sizeOf(window) * (layer.channels?.list.length ?? 1);
  if (count > MOST) {
    const numbers = [count, MOST].map((number) => number.toLocaleString("en"));
    throw new Error(
      `${numbers[0]} values are too many for a CSV file, which takes ${numbers[1]}: zoom in first`,
    );
  }
  const read = async (at: readonly number[]): Promise<Table> =>
    tableOf(layer, window, await readWindow(layer, at, window));
  const { channels } = layer;
  if (!channels) return linesOf(tableRows(await read(indices)));
  const planes = await Promise.all(channels.list.map((_, c) => read(indices.with(channels.dimension, c))));
  return linesOf(channelRows(layer, planes));
}

const sizeOf = ({ x, y }: Window): number => (y[1] - y[0]) * (x[1] - x[0]);

const tableRows = ({ corner, columns, rows }: Table): unknown[][] => [
  [corner, ...columns],
  ...rows.map(({ name, cells }) => [name, ...cells]),
];

/** A line for each element: its row, its column, and its channels. */
function channelRows({ dimensions, x, y, channels }: Layer, planes: readonly Table[]): unknown[][] {
  const head = [dimensions[y]?.name, dimensions[x]?.name, ...(channels?.list ?? []).map(({ name }) => name)];
  const [first] = planes;
  const lines = (first?.rows ?? []).flatMap(({ name }, row) =>
    (first?.columns ?? []).map((column, i) => [
      name,
      column,
      ...planes.map(({ rows }) => rows[row]?.cells[i]),
    ]),
  );
  return [head, ...lines];
}

const linesOf = (rows: readonly (readonly unknown[])[]): string =>
  rows.map((row) => `${row.map(cellOf).join()}\r\n`).join("");

function cellOf(value: unknown): string {
  if (value === undefined) return "";
  if (typeof value === "number") return String(value);
  const words = wordsOfValue(value);
  return /[",\r\n]/.test(words) ? `"${words.replaceAll('"', '""')}"` : words;
}
