/**
 * `--select`: indices in NumPy's notation, "0:10,::2,5", or labels of named dimensions,
 * "time=2026-08-01,lat=40:60".
 */

import { at, type DatasetSelection, type DimensionEntry, nearest, range } from "../../formats/xarray.js";
import { InvalidSelectionError, type Selection, type SelectionEntry, slice } from "../../index.js";
import { type CommandLine, type Options, UsageError } from "../command.js";

export const SELECTION = {
  select: {
    type: "string",
    value: "WHAT",
    help: 'Indices as in NumPy, "0:10,::2,5", or labels of named dimensions, "time=2026-08-01,lat=40:60", both ends included. Dimensions that are not mentioned are taken whole.',
  },
  nearest: { type: "flag", help: "Takes the nearest label for each single label." },
  wrap: {
    type: "list",
    value: "NAME=360",
    help: "The period of a coordinate: with lon=360, -10 is 350, and lon=350:10 crosses 360. May be repeated.",
  },
} as const satisfies Options;

export type ParsedSelection =
  | { readonly kind: "indices"; readonly selection: Selection }
  | { readonly kind: "labels"; readonly selection: DatasetSelection };

/** @throws UsageError for a string that is not a selection */
export function parseSelection({ text, flag, list }: CommandLine): ParsedSelection {
  const selectText = text("select");
  const isByLabel = selectText?.includes("=") === true;
  for (const [option, isGiven] of [
    ["nearest", flag("nearest")],
    ["wrap", list("wrap").length > 0],
  ] as const)
    if (isGiven && !isByLabel)
      throw new UsageError(`--${option}: expected labels in --select, such as lat=47.3`);
  if (selectText === undefined) return { kind: "indices", selection: null };
  if (isByLabel) {
    const wraps = new Map(list("wrap").map(parseWrap));
    const entries = selectText
      .split(",")
      .map((entry) => parseLabel(entry.trim(), selectText, flag("nearest"), wraps));
    for (const name of wraps.keys())
      if (!entries.some(([dimension]) => dimension === name))
        throw new UsageError(`--wrap ${name}: expected a label of ${name} in --select`);
    return { kind: "labels", selection: Object.fromEntries(entries) };
  }
  const entries =
    selectText.trim() === ""
      ? []
      : selectText.split(",").map((entry) => parseEntry(entry.trim(), selectText));
  return { kind: "indices", selection: entries.includes("...") ? entries : [...entries, "..."] };
}

const INTEGER = /^[+-]?\d+$/;
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

function parseEntry(entry: string, text: string): SelectionEntry {
  if (entry === "...") return entry;
  const parts = entry.split(":").map((part) => part.trim());
  const isInteger = parts.length === 1 && INTEGER.test(entry);
  const isSlice =
    parts.length > 1 && parts.length < 4 && parts.every((part) => part === "" || INTEGER.test(part));
  if (!isInteger && !isSlice) {
    throw new UsageError(
      `--select: expected integers, slices (start:stop:step) and one "...", separated by commas, got ${JSON.stringify(entry)} in ${JSON.stringify(text)}`,
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

function parseLabel(
  entry: string,
  text: string,
  isNearest: boolean,
  wraps: ReadonlyMap<string, number>,
): [dimension: string, entry: DimensionEntry] {
  const match = /^([^=]+)=([^=]+)$/.exec(entry);
  if (!match)
    throw new UsageError(`--select: expected NAME=LABEL or NAME=FROM:TO for each dimension, got ${text}`);
  const [name = "", value = ""] = match.slice(1).map((part) => part.trim());
  const wrap = wraps.get(name);
  // Labels stay strings: whether 2026 is a number, a year or a name, the coordinate says.
  const ends = splitRange(value);
  if (ends !== undefined) return [name, range(ends[0], ends[1], { wrap })];
  return [name, (isNearest ? nearest : at)(value, { wrap })];
}

function parseWrap(text: string): [dimension: string, period: number] {
  const [, name = "", period = ""] = /^([^=]+)=([^=]+)$/.exec(text) ?? [];
  if (name === "" || !NUMBER.test(period) || !(Number(period) > 0))
    throw new UsageError(`--wrap: expected NAME=PERIOD, such as lon=360, got ${text}`);
  return [name.trim(), Number(period)];
}

/**
 * Splits FROM:TO, also with times of day, which contain colons: "2026-08-01T06:00:2026-08-02". Undefined for
 * a single label.
 */
function splitRange(value: string): [string, string] | undefined {
  const time = /^(\d{4}-[\d-]*(?:T[\d:.]*?)?):(\d{4}(?:-.*)?)$/.exec(value);
  if (time) {
    const [, from = "", to = ""] = time;
    return [from, to];
  }
  if (/^\d{4}-\d/.test(value)) return undefined;
  const [from, to, ...more] = value.split(":");
  return from !== undefined && to !== undefined && more.length === 0 ? [from, to] : undefined;
}
