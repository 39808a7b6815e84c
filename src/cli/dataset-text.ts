/** A group of arrays on named dimensions as text, as xarray shows a data set. */
import { type Group, isZarrError } from "../index.js";
import { CalendarTimes, type Dataset, DateTimeArray, openDataset, type Variable } from "../xarray.js";
import { short } from "./output.js";

/** Chunks of a coordinate that are read for its ends. */
const CHUNKS_READ = 4;

/**
 * Dimensions, coordinates with their first and last label, variables, attributes; undefined for a group that is no data set: without arrays
 * on named dimensions, or with arrays that do not share them, or in a store that cannot be listed.
 */
export async function datasetText(group: Group): Promise<string | undefined> {
  const stored = await opened(group, false);
  if (!("variables" in stored)) return undefined;
  const all = Object.values(stored.variables);
  if (!all.some(({ array }) => array.dimensionNames?.some((name) => name !== null))) return undefined;
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

/** A data set, or why there is none. */
async function opened(group: Group, decode: boolean): Promise<Dataset | { reason: string; message: string }> {
  try {
    return await openDataset(group, { decode });
  } catch (error) {
    if (isZarrError(error, "InvalidMetadataError", "UnsupportedError")) return error;
    throw error;
  }
}

/** First and last label, where they are cheap to read; why they cannot be read. */
async function endsOf(variable: Variable): Promise<string> {
  const { array, shape } = variable;
  const [length = 0] = shape;
  if (array.metadata.chunkGrid.name !== "regular" || length === 0) return "";
  if (Math.ceil(length / (array.chunks[0] ?? 1)) > CHUNKS_READ) return "";
  try {
    const { data } = await variable.get();
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
function isIterable(data: unknown): data is Iterable<unknown> {
  return typeof data === "object" && data !== null && Symbol.iterator in data;
}
