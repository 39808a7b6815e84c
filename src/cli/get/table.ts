/** Elements as tables for people: of long dimensions the first and the last ones. */
import { itemAt as at, stringifyJson } from "../../extend.js";
import type { Json } from "../../index.js";
import type { Paint } from "../text/colours.js";
import { type Choice, countOf, partOf } from "./choice.js";
import type { Elements } from "./elements.js";
import { indexIn } from "./formats.js";
import { shapeOf } from "./slabs.js";
import { wordOf } from "./values.js";

/** Rows of a table, and tables, on each side of those that are left out. */
const ROWS = 10;
const TABLES = 2;
/** Columns on each side that are read; those that do not fit are left out. */
const COLUMNS = 10;
const GAP = "...";

/**
 * Positions along a dimension of the result that are shown; `undefined` stands for those that are left out.
 */
type Shown = readonly (number | undefined)[];

/** @param width columns of the terminal */
export async function tableOf(elements: Elements, width: number): Promise<string> {
  const shape = shapeOf(elements);
  const head = headOf(elements);
  if (shape.includes(0)) return `${head}\nno elements\n`;
  const sideOf = (d: number): number => {
    if (d === shape.length - 1 && shape.length > 1) return COLUMNS;
    return d >= shape.length - 2 ? ROWS : TABLES;
  };
  const shown = shape.map((length, d) => endsOf(length, sideOf(d)));
  const { values, labels } = await readShown(elements, shown);
  const label = (d: number, position: number): string =>
    wordIn(labels[d]?.[position] ?? indexIn(elements, d, at(at(shown, d).filter(isShown), position)));
  const names = elements.choices.flatMap((choice, d) =>
    choice.kind === "index" ? [] : [elements.dims[d] ?? `dim_${d}`],
  );
  if (shape.length === 0) return `${head}\n${wordIn(at(values, 0))}\n`;
  const [columns, rows] = [shown.at(-1) ?? [], shown.at(-2) ?? []];
  if (shape.length === 1)
    return `${head}\n${listing(columns, (i) => [label(0, i), wordIn(at(values, i))], at(names, 0))}`;
  const outer = shown.slice(0, -2);
  const columnCount = columns.filter(isShown).length;
  const rowCount = rows.filter(isShown).length;
  const texts: string[] = [];
  let table = 0;
  for (const position of positionsOf(outer)) {
    if (position === undefined) {
      texts.push(`${GAP}\n`);
      continue;
    }
    const begin = table++ * rowCount * columnCount;
    const where = position.map((i, d) => `${names[d]} = ${label(d, i)}`).join(", ");
    texts.push(
      (where === "" ? "" : `${where}\n`) +
        grid(
          { names: [names.at(-2) ?? "", names.at(-1) ?? ""], rows, columns, width },
          (i) => label(outer.length, i),
          (i) => label(outer.length + 1, i),
          (row, column) => wordIn(at(values, begin + row * columnCount + column)),
        ),
    );
  }
  return `${head}\n${texts.join("\n")}`;
}

/** Adds colours to a table. */
export function tableInColour(text: string, paint: Paint): string {
  return text
    .replace(/^.*/, (head) => paint("bold", head))
    .replace(/^\S+ = .*$/gm, (where) => paint("cyan", where));
}

/** The name, dimensions and type of the elements. */
function headOf({ name, dims, choices, type, units }: Elements): string {
  const left = choices.flatMap((choice, d) =>
    choice.kind === "index" ? [] : [`${dims[d] === undefined ? "" : `${dims[d]}: `}${countOf(choice)}`],
  );
  const dataType = typeof type === "string" ? type : stringifyJson(type);
  return `${name || "/"} (${left.join(", ")}) ${dataType}${units === undefined ? "" : `, ${units}`}`;
}

const isShown = (position: number | undefined): position is number => position !== undefined;

function endsOf(length: number, side: number): Shown {
  // A mark for a single position would take its place.
  if (length <= 2 * side + 1) return Array.from({ length }, (_, i) => i);
  const first = Array.from({ length: side }, (_, i) => i);
  return [...first, undefined, ...first.map((i) => length - side + i)];
}

/** Reads the positions that are shown: at most a beginning and an end of each dimension. */
async function readShown(
  elements: Elements,
  shown: readonly Shown[],
): Promise<{ values: readonly Json[]; labels: readonly (readonly Json[] | undefined)[] }> {
  let d = 0;
  const choices = elements.choices.map((choice): Choice => {
    if (choice.kind === "index") return choice;
    const positions = at(shown, d++).filter(isShown);
    const isWhole = positions.length === countOf(choice);
    if (isWhole) return choice;
    const picked = (each: number): number => {
      const one = partOf(choice, each, 1);
      return one.kind === "list" ? at(one.indices, 0) : one.kind === "slice" ? one.start : one.index;
    };
    return { kind: "list", indices: positions.map(picked) };
  });
  const { data, labels } = await elements.read(choices);
  return { values: [...elements.values(data)], labels };
}

/**
 * Combinations of the positions that are shown, as places among those that are read; undefined for what is
 * left out.
 */
function positionsOf(shown: readonly Shown[]): readonly (readonly number[] | undefined)[] {
  let found: readonly (readonly number[] | undefined)[] = [[]];
  for (const each of shown) {
    found = found.flatMap((position) => {
      if (position === undefined) return [undefined];
      let place = 0;
      return each.map((one) => (one === undefined ? undefined : [...position, place++]));
    });
  }
  return found;
}

/** Two columns: labels and values. */
function listing(shown: Shown, row: (place: number) => [string, string], name: string): string {
  let place = 0;
  const rows = shown.map((position): [string, string] =>
    position === undefined ? [GAP, GAP] : row(place++),
  );
  return aligned([[name, ""], ...rows]);
}

/** A table with labels on its top and left. Columns in the middle are left out until the rest fits. */
function grid(
  {
    names,
    rows,
    columns,
    width,
  }: { names: readonly [string, string]; rows: Shown; columns: Shown; width: number },
  rowLabel: (place: number) => string,
  columnLabel: (place: number) => string,
  value: (row: number, column: number) => string,
): string {
  let place = 0;
  const places = columns.map((position) => (position === undefined ? undefined : place++));
  place = 0;
  const rowPlaces = rows.map((position) => (position === undefined ? undefined : place++));
  for (let shown: Shown = places; ; shown = narrower(shown)) {
    const head = [
      `${names[0]} \\ ${names[1]}`,
      ...shown.map((at) => (at === undefined ? GAP : columnLabel(at))),
    ];
    const lines = rowPlaces.map((row) => [
      row === undefined ? GAP : rowLabel(row),
      ...shown.map((at) => (at === undefined || row === undefined ? GAP : value(row, at))),
    ]);
    const text = aligned([head, ...lines]);
    if (shown.length <= 3 || text.indexOf("\n") <= width) return text;
  }
}

/** Leaves out one more column on each side of the middle. */
function narrower(shown: Shown): Shown {
  const rows = shown.filter(isShown);
  const side = Math.max(1, Math.floor((rows.length - 1) / 2));
  return [...rows.slice(0, side), undefined, ...rows.slice(-side)];
}

/** Columns of equal width, aligned to the right but for the first one. */
function aligned(rows: readonly (readonly string[])[]): string {
  const [head = []] = rows;
  const widths = head.map((_, column) => Math.max(...rows.map((row) => at(row, column).length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => {
          const width = at(widths, column);
          return column === 0 ? cell.padEnd(width) : cell.padStart(width);
        })
        .join("  ")
        .trimEnd(),
    )
    .map((line) => `${line}\n`)
    .join("");
}

/** Significant digits of a number that is no integer. */
const DIGITS = 7;
/** Characters of a value. */
const LONGEST = 40;

function wordIn(value: Json): string {
  const isFraction = typeof value === "number" && !Number.isInteger(value);
  const word = isFraction ? String(Number(value.toPrecision(DIGITS))) : wordOf(value).replaceAll(/\s/g, " ");
  return word.length > LONGEST ? `${word.slice(0, LONGEST - GAP.length)}${GAP}` : word;
}
