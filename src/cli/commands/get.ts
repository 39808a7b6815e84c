/** `wazarr get`: writes elements of an array to an npy file, or as JSON. */
import type { DataType } from "../../data-types/data-type.js";
import { InvalidSelectionError, UnsupportedError } from "../../errors.js";
import { type DimensionSelection, normaliseSelection, type Selection } from "../../grid/selection.js";
import {
  getChunk,
  get as getElements,
  open,
  read,
  type SelectionEntry,
  type Slice,
  slice,
  type Array as ZarrArray,
} from "../../index.js";
import { ownMember } from "../../metadata/json.js";
import { stringifyJson } from "../../metadata/json-text.js";
import { formatNpyHeader } from "../../npy/file.js";
import { product } from "../../shape.js";
import { at, type DimensionEntry, openDataset, range } from "../../xarray.js";
import { type CommandLine, listOf, textOf, UsageError } from "../arguments.js";
import { createProgress, dataTypeJson, elementJson, elementsOf, type Output, withOutput } from "../output.js";
import { type NodeName, openHierarchy, openSource } from "../stores.js";

export async function get({ operands: [store = "", path = "/"], options }: CommandLine): Promise<void> {
  const out = textOf({ options }, "out");
  const isNpy = out?.endsWith(".npy");
  if (out === undefined || !(isNpy || out.endsWith(".json") || out === "-")) {
    throw new UsageError(`expected --out FILE.npy, FILE.json or -, got ${out ?? "nothing"}`);
  }
  const node = { store, path, allow: listOf({ options }, "allow") };
  const selection = await parseSelection(node, textOf({ options }, "select"));
  const array = await open(await openSource(node), { kind: "array" });
  const { dataType } = array;
  const { shape } = normaliseSelection(selection, array.shape);
  // Makes the header first: it throws for a data type that npy cannot hold, before the file is created.
  const header = isNpy ? formatNpyHeader(dataType, shape) : undefined;
  const progress = createProgress("elements");
  try {
    await withOutput(out, (output) => {
      const slabs = readSlabs(array, selection, (done) => progress.update(done, product(shape)));
      return header === undefined
        ? writeJson(output, dataType, shape, slabs)
        : writeNpy(output, dataType, header, slabs);
    });
  } finally {
    progress.end();
  }
}

/**
 * Yields the selected elements in C order, in slabs, because they may not fit into memory.
 * @param onRead called with the number of elements yielded so far
 * @returns slabs in the type of `data` of `get`
 */
async function* readSlabs(
  array: ZarrArray,
  selection: Selection,
  onRead: (elements: number) => void,
): AsyncGenerator<unknown, void, undefined> {
  const { dimensions, shape } = normaliseSelection(selection, array.shape);
  if (shape.length === 0) {
    // Yields data of one element, because `get` would return a scalar.
    const { data } =
      array.shape.length === 0
        ? await getChunk(array, [])
        : await getElements(array, dimensions.map(sliceOf));
    yield data;
    onRead(1);
    return;
  }
  let done = 0;
  for await (const { data, shape: extent } of read(array, selection)) {
    yield data;
    done += product(extent);
    onRead(done);
  }
}

function sliceOf({ start }: DimensionSelection): Slice {
  return { start, stop: start + 1, step: 1 };
}

async function writeNpy(
  output: Output,
  dataType: DataType,
  header: Uint8Array,
  slabs: AsyncIterable<unknown>,
): Promise<void> {
  await output.write(header);
  for await (const data of slabs) {
    const bytes = dataType.bytesOf(data);
    if (bytes === undefined)
      throw new UnsupportedError(`npy cannot hold data type ${dataType.name}; write .json instead`);
    await output.write(bytes);
  }
}

/** Number of elements converted to text before they are written. */
const PIECE = 1 << 14;

async function writeJson(
  output: Output,
  dataType: DataType,
  shape: readonly number[],
  slabs: AsyncIterable<unknown>,
): Promise<void> {
  await output.write(
    `{"shape": ${stringifyJson(shape)}, "data_type": ${stringifyJson(dataTypeJson(dataType))}, "data": [`,
  );
  let separator = "";
  let texts: string[] = [];
  const flush = async (): Promise<void> => {
    if (texts.length === 0) return;
    await output.write(separator + texts.join(", "));
    separator = ", ";
    texts = [];
  };
  for await (const data of slabs) {
    for (const element of elementsOf(data, dataType)) {
      texts.push(stringifyJson(elementJson(element, dataType)));
      if (texts.length === PIECE) await flush();
    }
  }
  await flush();
  await output.write("]}\n");
}

// --select: indices in NumPy's notation, "0:10,::2,5", or labels of named dimensions, "time=2026-08-01,lat=40:60".

const INTEGER = /^[+-]?\d+$/;

/**
 * Returns the selection of an array. Dimensions that the text does not mention are selected as a whole.
 * @throws UsageError for invalid text, InvalidSelectionError for unknown dimensions and labels
 */
async function parseSelection(array: NodeName, text: string | undefined): Promise<Selection> {
  if (text === undefined) return null;
  if (text.includes("=")) return parseLabels(array, text);
  const entries = text.trim() === "" ? [] : text.split(",").map((entry) => parseEntry(entry.trim(), text));
  return entries.includes("...") ? entries : [...entries, "..."];
}

function parseEntry(entry: string, text: string): SelectionEntry {
  if (entry === "...") return entry;
  const parts = entry.split(":").map((part) => part.trim());
  const isInteger = parts.length === 1 && INTEGER.test(entry);
  const isSlice =
    parts.length > 1 && parts.length < 4 && parts.every((part) => part === "" || INTEGER.test(part));
  if (!isInteger && !isSlice) {
    throw new UsageError(
      `--select: expected integers, slices (start:stop:step) and one "..." with commas between, got ${JSON.stringify(entry)} in ${JSON.stringify(text)}`,
    );
  }
  if (isInteger) return Number(entry);
  const [start = null, stop = null, step = null] = parts.map((part) => (part === "" ? null : Number(part)));
  try {
    return slice(start, stop, step);
  } catch (error) {
    if (error instanceof InvalidSelectionError) throw new UsageError(`--select: ${error.message}`);
    throw error;
  }
}

/** @throws UsageError for invalid text, and for an array at the root of its store: labels are in the arrays beside an array */
async function parseLabels({ store, path, allow }: NodeName, text: string): Promise<Selection> {
  const names = path.split("/").filter(Boolean);
  const name = names.pop();
  if (name === undefined) {
    throw new UsageError(
      "labels are in the arrays beside an array: name the group, and PATH of the array in it",
    );
  }
  const group = await open(await openHierarchy({ store, path: `/${names.join("/")}`, allow }), {
    kind: "group",
  });
  const { variables } = await openDataset(group);
  const variable = ownMember(variables, name);
  if (variable === undefined) throw new UsageError(`no array ${name} in ${group.path}`);
  const entries = text.split(",").map((entry) => parseLabel(entry.trim(), text));
  const chosen = await variable.locate(Object.fromEntries(entries));
  return variable.array.shape.map((_, d): SelectionEntry => {
    const where = chosen.get(variable.dims[d] ?? "");
    if (where === undefined) return null;
    if (where.kind === "index") return where.index;
    if (where.kind === "list")
      throw new UsageError(`${text}: expected labels that are one run of the coordinate`);
    const { start, step, count } = where;
    const stop = start + step * count;
    return count === 0 ? slice(0, 0) : slice(start, stop < 0 ? null : stop, step);
  });
}

function parseLabel(entry: string, text: string): [dimension: string, entry: DimensionEntry] {
  const match = /^([^=]+)=([^=]+)$/.exec(entry);
  if (!match)
    throw new UsageError(`--select: expected NAME=LABEL or NAME=FROM:TO for each dimension, got ${text}`);
  const [, name = "", value = ""] = match;
  const ends = splitRange(value.trim());
  const label = (words: string): number | string =>
    /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(words) ? Number(words) : words;
  if (ends === undefined) {
    const one = label(value.trim());
    // Text may name a period, such as a month, and then selects all of it.
    return [name.trim(), typeof one === "string" ? one : at(one)];
  }
  return [name.trim(), range(label(ends[0]), label(ends[1]))];
}

/** Splits FROM:TO, also with times of day, which contain colons: "2026-08-01T06:00:2026-08-02". Undefined for a single label. */
function splitRange(value: string): [string, string] | undefined {
  const time = /^(\d{4}-[\d-]*(?:T[\d:.]*?)?):(\d{4}-.*)$/.exec(value);
  if (time) return [time[1] ?? "", time[2] ?? ""];
  if (/^\d{4}-\d/.test(value)) return undefined;
  const [from, to, ...more] = value.split(":");
  return from !== undefined && to !== undefined && more.length === 0 ? [from, to] : undefined;
}
