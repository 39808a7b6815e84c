/** A data set in words, for `info`, as xarray shows it. */

import {
  CalendarTimes,
  type Dataset,
  DateTimeArray,
  openDataset,
  type Variable,
} from "../../formats/xarray.js";
import { type Group, isZarrError } from "../../index.js";
import { isIterable } from "./element-json.js";
import { short } from "./words.js";

/** A coordinate with more chunks than this is not read for its first and last label. */
const CHUNKS_READ = 4;
/** A longer coordinate, in bytes, is not read either: a document gives missing chunks any length. */
const MOST_BYTES_READ = 16 << 20;
/** Bytes of a decoded label, at least. */
const LEAST_BYTES = 16;

/**
 * Text of a group as xarray shows a data set: dimensions, coordinates with their first and last label,
 * variables and attributes. Undefined for a group that is not a data set: without arrays with named
 * dimensions, with conflicting dimension lengths, or in a store that cannot be listed.
 */
export async function datasetText(group: Group): Promise<string | undefined> {
  const stored = await opened(group, false);
  if (!("variables" in stored)) return undefined;
  const all = Object.values(stored.variables);
  if (!all.some(({ array }) => array.metadata.dimensionNames?.some((name) => name !== null)))
    return undefined;
  const decoded = await opened(group, true);
  const dataset = "variables" in decoded ? decoded : stored;
  const width = Math.max(12, ...all.map(({ name }) => name.length + 5));
  const line = (mark: string, variable: Variable, more: string): string => {
    const { units } = variable.attrs;
    const unit = units === undefined ? "" : `, ${typeof units === "string" ? units : short(units)}`;
    const head = `  ${mark} ${variable.name}`.padEnd(width);
    const dims = variable.dims.length === 0 ? "()" : `(${variable.dims.join(", ")})`;
    return `${head} ${dims} ${variable.dtype}${more}${unit}`;
  };
  const sizes = Object.entries(dataset.dims).map(([name, length]) => `${name}: ${length}`);
  const lines = [`${"Dimensions:".padEnd(width)} (${sizes.join(", ")})`];
  const coordinates = Object.values(dataset.coords);
  if (coordinates.length > 0) lines.push("Coordinates:");
  for (const variable of coordinates) {
    const isIndex = variable.dims.length === 1 && variable.dims[0] === variable.name;
    lines.push(line(isIndex ? "*" : " ", variable, isIndex ? await endsOf(variable) : ""));
  }
  lines.push("Data variables:");
  if (Object.keys(dataset.dataVars).length === 0) lines.push("    none");
  for (const variable of Object.values(dataset.dataVars)) lines.push(line(" ", variable, ""));
  const attributes = Object.entries(group.metadata.attributes);
  if (attributes.length > 0) lines.push("Attributes:");
  for (const [name, value] of attributes)
    lines.push(`    ${name}: ${typeof value === "string" && !value.includes("\n") ? value : short(value)}`);
  if ("reason" in decoded)
    lines.push(`Not decoded: ${decoded.message.replace(/; open with decode: false[^(]*/, " ")}`);
  return `${lines.join("\n")}\n`;
}

/** Opens a group as a data set; returns the error if it is not one. */
async function opened(group: Group, decode: boolean): Promise<Dataset | { reason: string; message: string }> {
  try {
    return await openDataset(group, { decode });
  } catch (error) {
    if (isZarrError(error, "InvalidMetadataError", "UnsupportedError")) return error;
    throw error;
  }
}

/**
 * Text of the first and last label, or of the error in reading them; "" if reading is expensive (see
 * CHUNKS_READ).
 */
async function endsOf(variable: Variable): Promise<string> {
  const { array, shape } = variable;
  const [length = 0] = shape;
  if (array.metadata.chunkGrid.name !== "regular" || length === 0) return "";
  const [chunkLength = 1] = array.chunks;
  if (Math.ceil(length / chunkLength) > CHUNKS_READ) return "";
  if (Math.max(length, chunkLength) * Math.max(array.dataType.itemSize, LEAST_BYTES) > MOST_BYTES_READ)
    return "";
  try {
    // Not `get`, which would read the coordinates of the coordinate too, of any length.
    const data = await variable.load();
    const labels = labelsOf(data, length);
    return ` ${labels.join(" ... ")}`;
  } catch (error) {
    if (!isZarrError(error)) throw error;
    return ` (${error.tag}: ${error.reason})`;
  }
}

function labelsOf(data: unknown, length: number): readonly string[] {
  const ends = length === 1 ? [0] : [0, length - 1];
  if (data instanceof DateTimeArray || data instanceof CalendarTimes)
    return ends.map((i) => data.toISOString(i).replace(/(?:T00:00:00)?(?:\.0+)?$/, ""));
  const list = isIterable(data) ? Array.from(data) : [data];
  return ends.map((i) => String(list[i]));
}
