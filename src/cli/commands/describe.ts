/** `wazarr info` prints the metadata of a node or data set, `wazarr tree` the nodes of a hierarchy. */

import { endianOf } from "../../array/convert-codecs.js";
import { readRuns } from "../../array/read-runs.js";
import { chunksInGrid, countStoredChunks } from "../../array/stored-chunks.js";
import { innerChunkShape } from "../../codecs/sharding/layout.js";
import { chunksBetween, gridShapeOf } from "../../grid/chunk-grid.js";
import {
  children,
  type Group,
  isZarrError,
  type JsonObject,
  type Node,
  open,
  tree as treeText,
  type Array as ZarrArray,
} from "../../index.js";
import { stringifyJson } from "../../metadata/json-text.js";

import type { ChunkLengths } from "../../metadata/model.js";
import { product } from "../../shape.js";
import { CalendarTimes, type Dataset, DateTimeArray, openDataset, type Variable } from "../../xarray.js";
import { type CommandLine, listOf } from "../arguments.js";
import { dataTypeJson, isIterable, print, short } from "../output.js";
import { openHierarchy, openSource } from "../stores.js";

export async function info({ operands: [store = "", path = "/"], options }: CommandLine): Promise<void> {
  const node = await open(await openSource({ store, path, allow: listOf({ options }, "allow") }));
  const dataset = node.kind === "group" && !options.has("json") ? await datasetText(node) : undefined;
  if (dataset !== undefined) {
    await print(`${headOf(node)}\n${dataset}`);
    return;
  }
  const stored = node.kind === "array" ? await countStored(node) : undefined;
  if (!options.has("json")) {
    await print(asText(node, stored));
    return;
  }
  const description = describeNode(node);
  const counts = stored === undefined ? {} : { stored };
  await print(`${stringifyJson({ ...description, ...counts }, { indent: 2 })}\n`);
}

/** How many chunks or shards of the grid are stored; the count is null when the store cannot be listed. */
interface StoredCount extends JsonObject {
  readonly unit: "chunk" | "shard";
  readonly count: number | null;
  readonly of: number;
}

async function countStored(array: ZarrArray): Promise<StoredCount> {
  const unit = innerChunkShape(array.metadata) === undefined ? "chunk" : "shard";
  return { unit, count: (await countStoredChunks(array, {})) ?? null, of: chunksInGrid(array) };
}

function headOf({ path, kind, metadata: { zarrFormat } }: Node): string {
  return `${path}: ${kind}, Zarr ${zarrFormat === "draft" ? "v3 draft of 2020" : `v${zarrFormat}`}`;
}

function asText(node: Node, stored: StoredCount | undefined): string {
  const { attributes } = node.metadata;
  const lines = [headOf(node)];
  const add = (label: string, value: string): void => {
    lines.push(`${label.padEnd(17)}${value}`);
  };
  if (node.kind === "array") {
    const { shape, dimensionNames, metadata } = node;
    const description = describeNode(node);
    add("shape", list(shape));
    const dataType = description.data_type ?? null;
    add("data type", typeof dataType === "string" ? dataType : short(dataType));
    const { chunk_shape: chunk, shard_shape: shard, chunk_shapes, shard_shapes } = describeChunks(node);
    const chunkCount = `(${product(chunkGridShape(node))} chunks)`;
    const shardCount = `(${product(gridShapeOf(metadata))} shards)`;
    if (chunk !== null) add("chunk shape", `${list(chunk)} ${chunkCount}`);
    if (chunk_shapes !== undefined) add("chunk shapes", `${short(chunk_shapes)} ${chunkCount}`);
    if (shard !== null) add("shard shape", `${list(shard)} ${shardCount}`);
    if (shard_shapes !== undefined) add("shard shapes", `${short(shard_shapes)} ${shardCount}`);
    if (stored !== undefined && stored.count !== null)
      add("stored", `${stored.count} of ${stored.of} ${stored.unit}s`);
    add("chunk keys", `${metadata.chunkKeyEncoding.name} "${metadata.chunkKeyEncoding.separator}"`);
    add(
      "codecs",
      metadata.codecs
        .map(({ name, configuration }) => `${name} ${short(configuration)}`.replace(/ \{\}$/, ""))
        .join(", ") || "none",
    );
    if (metadata.endian !== undefined) add("endian", metadata.endian);
    add("fill value", short(description.fill_value ?? null));
    if (dimensionNames !== undefined)
      add("dimension names", dimensionNames.map((name) => name ?? "-").join(", "));
    if (typeof description.byte_length === "number")
      add("size", `${description.byte_length.toLocaleString("en")} bytes`);
  }
  const names = Object.keys(attributes);
  if (names.length > 0)
    lines.push("attributes", ...names.map((name) => `  ${name}: ${short(attributes[name] ?? null)}`));
  return `${lines.join("\n")}\n`;
}

const list = (numbers: readonly number[]): string =>
  numbers.length === 0 ? "none (0 dimensions)" : numbers.join(", ");

export async function tree({ operands: [store = "", path = "/"], options }: CommandLine): Promise<void> {
  const location = await openHierarchy({ store, path, allow: listOf({ options }, "allow") });
  const text = options.has("json")
    ? stringifyJson(await branch(await open(location)), { indent: 2 })
    : await treeText(location);
  await print(`${text}\n`);
}

async function branch(node: Node): Promise<JsonObject> {
  if (node.kind === "array") return outline(node);
  const below: JsonObject[] = [];
  for (const child of await children(node)) below.push(await branch(child));
  return { ...outline(node), children: below };
}

/** The description of a node in `tree`, without its children. */
function outline(node: Node): JsonObject {
  const { zarrFormat } = node.metadata;
  const common = { path: node.path, node_type: node.kind, zarr_format: zarrFormat };
  if (node.kind === "group") return common;
  return {
    ...common,
    shape: node.shape,
    data_type: dataTypeJson(node.dataType),
    ...describeChunks(node),
    dimension_names: node.dimensionNames ?? null,
  };
}

/** Shapes of chunks and shards. If they vary, the shape is null, and `chunk_shapes` or `shard_shapes` has them as in the document. */
function describeChunks({ metadata }: ZarrArray): {
  readonly chunk_shape: readonly number[] | null;
  readonly shard_shape: readonly number[] | null;
  readonly chunk_shapes?: readonly ChunkLengths[];
  readonly shard_shapes?: readonly ChunkLengths[];
} {
  const { chunkGrid } = metadata;
  const inner = innerChunkShape(metadata) ?? null;
  if (chunkGrid.name === "regular") {
    const outer = chunkGrid.chunkShape;
    return { chunk_shape: inner ?? outer, shard_shape: inner && outer };
  }
  const shapes = chunkGrid.chunkShapes;
  const lengths = inner === null ? { chunk_shapes: shapes } : { shard_shapes: shapes };
  return { chunk_shape: inner, shard_shape: null, ...lengths };
}

/** The description of a node in `info`. */
function describeNode(node: Node): JsonObject {
  const { attributes } = node.metadata;
  return node.kind === "group"
    ? { ...outline(node), attributes }
    : { ...outline(node), ...describeStorage(node), attributes };
}

/** The number of chunks along each dimension; of inner chunks for an array with shards. */
function chunkGridShape({ metadata, shape }: ZarrArray): readonly number[] {
  return readRuns(metadata).map((runs, d) => chunksBetween(runs, 0, shape[d] ?? 0));
}

function describeStorage(array: ZarrArray): JsonObject {
  const { metadata, shape, dataType } = array;
  const endian = endianOf(metadata);
  return {
    chunk_grid_shape: chunkGridShape(array),
    chunk_key_encoding: {
      name: metadata.chunkKeyEncoding.name,
      separator: metadata.chunkKeyEncoding.separator,
    },
    codecs: metadata.codecs.map(({ name, configuration }) => ({ name, configuration })),
    endian: endian ?? null,
    fill_value:
      metadata.fillValue === undefined
        ? null
        : dataType.scalarToJson(metadata.fillValue, metadata.zarrFormat, endian),
    // The length of variable-length elements is unknown before they are read.
    byte_length: dataType.itemSize === 0 ? null : product(shape) * dataType.itemSize,
  };
}

/** A coordinate with more chunks than this is not read for its first and last label. */
const CHUNKS_READ = 4;
/** Nor is one that is longer, in bytes: chunks that are not stored can be as long as their document says. */
const MOST_BYTES_READ = 16 << 20;
/** Bytes of a decoded label, at least. */
const LEAST_BYTES = 16;

/**
 * Text of a group as xarray shows a data set: dimensions, coordinates with their first and last label, variables and attributes.
 * Undefined for a group that is no data set: without arrays with named dimensions, with conflicting dimension lengths, or in a store
 * that cannot be listed.
 */
async function datasetText(group: Group): Promise<string | undefined> {
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

/** Opens a group as a data set; returns the error if it is none. */
async function opened(group: Group, decode: boolean): Promise<Dataset | { reason: string; message: string }> {
  try {
    return await openDataset(group, { decode });
  } catch (error) {
    if (isZarrError(error, "InvalidMetadataError", "UnsupportedError")) return error;
    throw error;
  }
}

/** Text of the first and last label, or of the error in reading them; "" if reading is expensive (see CHUNKS_READ). */
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
