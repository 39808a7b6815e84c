/** Elements of a layer as a table: names of columns, and a name and cells for each row. */
import { decodedElements } from "./decode.js";
import { type Layer, labelOf } from "./layers.js";
import { type Interval, rowsFirst, type Window } from "./window.js";

export interface Table {
  /** What names rows and columns: "time", "lat \\ lon". */
  readonly corner: string;
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
}

export interface Row {
  readonly name: string;
  /** Undefined: no value. */
  readonly cells: readonly unknown[];
}

/** @param stored what `readWindow` gave for the window */
export function tableOf(layer: Layer, window: Window, stored: unknown): Table {
  const elements = decodedElements(layer, stored);
  const [across, down] = [layer.dimensions[layer.x], layer.dimensions[layer.y]];
  const named = ([first, end]: Interval, of: typeof down): string[] =>
    Array.from({ length: end - first }, (_, i) => (of ? labelOf(of, first + i) : ""));
  if (across && down) {
    const columns = named(window.x, across);
    const sorted = rowsFirst(layer, window, elements);
    const rows = named(window.y, down).map((name, i) => ({
      name,
      cells: sorted.slice(i * columns.length, (i + 1) * columns.length),
    }));
    return { corner: `${down.name} \\ ${across.name}`, columns, rows };
  }
  const names = down ? named(window.y, down) : [""];
  const corner = down?.name ?? "";
  // Structs: their fields are columns.
  const [some] = elements;
  if (isRecord(some)) {
    const columns = Object.keys(some);
    const cellsOf = (record: unknown): unknown[] =>
      isRecord(record) ? columns.map((column) => record[column]) : columns.map(() => undefined);
    return { corner, columns, rows: names.map((name, i) => ({ name, cells: cellsOf(elements[i]) })) };
  }
  const column = layer.unit ? `${layer.title} (${layer.unit})` : layer.title;
  return { corner, columns: [column], rows: names.map((name, i) => ({ name, cells: [elements[i]] })) };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
