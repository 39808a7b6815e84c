/** Parses `--select`: indices in NumPy's notation, "0:10,::2,5", or labels of named dimensions, "time=2026-08-01,lat=40:60". */
import { InvalidSelectionError } from "../errors.js";
import { open, type Selection, type SelectionEntry, slice } from "../index.js";
import { at, type DimensionEntry, openDataset, range } from "../xarray.js";
import { UsageError } from "./arguments.js";
import { type NodeName, openHierarchy } from "./stores.js";

const INTEGER = /^[+-]?\d+$/;

/**
 * Returns the selection of an array. Dimensions that the text does not mention are selected as a whole.
 * @throws UsageError for invalid text, InvalidSelectionError for unknown dimensions and labels
 */
export async function parseSelection(array: NodeName, text: string | undefined): Promise<Selection> {
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
async function parseLabels({ store, path }: NodeName, text: string): Promise<Selection> {
  const names = path.split("/").filter(Boolean);
  const name = names.pop();
  if (name === undefined) {
    throw new UsageError(
      "labels are in the arrays beside an array: name the group, and PATH of the array in it",
    );
  }
  const group = await open(await openHierarchy({ store, path: `/${names.join("/")}` }), { kind: "group" });
  const { variables } = await openDataset(group);
  const variable = variables[name];
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
