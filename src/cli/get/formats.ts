/** The formats that `wazarr get` writes, but for tables. */

import { itemAt, stringifyJson } from "../../extend.js";
import { formatNpyHeader } from "../../formats/for-cli.js";
import { UnsupportedError } from "../../index.js";
import type { Output } from "../output.js";
import { product } from "../product.js";
import type { Elements } from "./elements.js";
import { shapeOf, slabsOf } from "./slabs.js";
import { wordOf } from "./values.js";

/** @param onRead called with the number of elements written so far */
type Write = (elements: Elements, output: Output, onRead: (count: number) => void) => Promise<void>;

/** Number of elements converted to strings before they are written. */
const PIECE = 1 << 14;

/**
 * Collects strings and writes them in pieces. `add` returns a promise when it writes: an `await` for each
 * element would take most of the time.
 */
function inPieces(output: Output): { add(text: string): Promise<void> | undefined; flush(): Promise<void> } {
  let texts: string[] = [];
  const flush = async (): Promise<void> => {
    const text = texts.join("");
    texts = [];
    if (text !== "") await output.write(text);
  };
  return { add: (text) => (texts.push(text) === PIECE ? flush() : undefined), flush };
}

/** An object with the shape, the data type, the units, and all elements in one list. */
const json: Write = async (elements, output, onRead) => {
  const { units, type } = elements;
  const members = [
    `"shape": ${stringifyJson(shapeOf(elements))}`,
    `"data_type": ${stringifyJson(type)}`,
    ...(units === undefined ? [] : [`"units": ${stringifyJson(units)}`]),
  ];
  await output.write(`{${members.join(", ")}, "data": [`);
  const pieces = inPieces(output);
  let count = 0;
  for await (const { data } of slabsOf(elements)) {
    for (const value of elements.values(data)) {
      const full = pieces.add(`${count++ === 0 ? "" : ", "}${stringifyJson(value)}`);
      if (full !== undefined) await full;
    }
    onRead(count);
  }
  await pieces.flush();
  await output.write("]}\n");
};

/** A list for each dimension, within each other. */
const lists: Write = async (elements, output, onRead) => {
  const shape = shapeOf(elements);
  if (shape.includes(0)) return output.write(`${emptyLists(shape)}\n`);
  // The number of elements in a list of each level.
  const lengths = shape.map((_, d) => product(shape.slice(d)));
  const pieces = inPieces(output);
  let count = 0;
  for await (const { data } of slabsOf(elements)) {
    for (const value of elements.values(data)) {
      const opening = lengths.filter((length) => count % length === 0).length;
      const ended = lengths.filter((length) => (count + 1) % length === 0).length;
      const separator = count === 0 ? "" : opening === 0 ? ", " : ",\n";
      const full = pieces.add(
        `${separator}${"[".repeat(opening)}${stringifyJson(value)}${"]".repeat(ended)}`,
      );
      count++;
      if (full !== undefined) await full;
    }
    onRead(count);
  }
  await pieces.flush();
  await output.write("\n");
};

function emptyLists([length = 0, ...rest]: readonly number[]): string {
  return length === 0 ? "[]" : `[${Array.from({ length }, () => emptyLists(rest)).join(", ")}]`;
}

/** A row for each element: the label, or else the index, in each dimension, and the value. */
const csv: Write = async (elements, output, onRead) => {
  const { name, units, dims, choices } = elements;
  const left = choices.flatMap((choice, d) => (choice.kind === "index" ? [] : [dims[d] ?? `dim_${d}`]));
  const column = `${name || "value"}${units === undefined ? "" : ` (${units})`}`;
  const pieces = inPieces(output);
  await pieces.add(`${[...left, column].map(csvField).join(",")}\n`);
  const shape = shapeOf(elements);
  const rows = product(shape.slice(1));
  let count = 0;
  for await (const { data, labels } of slabsOf(elements)) {
    const start = Math.floor(count / rows);
    for (const value of elements.values(data)) {
      const position = positionOf(count, shape);
      // The labels of the first dimension are those of the slab.
      const at = position.map((i, d) => labels[d]?.[d === 0 ? i - start : i] ?? indexIn(elements, d, i));
      const full = pieces.add(`${[...at, value].map((field) => csvField(wordOf(field))).join(",")}\n`);
      count++;
      if (full !== undefined) await full;
    }
    onRead(count);
  }
  await pieces.flush();
};

/** The index of the array at a position along a dimension that is left. */
export function indexIn({ choices }: Elements, dimension: number, position: number): number {
  const choice = choices.filter(({ kind }) => kind !== "index")[dimension];
  if (choice?.kind === "list") return itemAt(choice.indices, position);
  return choice?.kind === "slice" ? choice.start + position * choice.step : position;
}

function positionOf(element: number, shape: readonly number[]): number[] {
  const position: number[] = [];
  let rest = element;
  for (const length of shape.toReversed()) {
    position.unshift(rest % length);
    rest = Math.floor(rest / length);
  }
  return position;
}

const csvField = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

const npy: Write = async (elements, output, onRead) => {
  const { dataType, type } = elements;
  const refusal = `npy cannot hold ${typeof type === "string" ? type : "these elements"}; write .json or .csv instead`;
  if (dataType === undefined) throw new UnsupportedError(refusal);
  await output.write(formatNpyHeader(dataType, shapeOf(elements)));
  let bytesWritten = 0;
  for await (const { data } of slabsOf(elements)) {
    const bytes = dataType.bytesOf(data);
    if (bytes === undefined) throw new UnsupportedError(refusal);
    await output.write(bytes);
    bytesWritten += bytes.length;
    onRead(bytesWritten / dataType.itemSize);
  }
};

export const FORMATS = { json, lists, csv, npy } as const satisfies Readonly<Record<string, Write>>;
