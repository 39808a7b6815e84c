/** `wazarr info`: the metadata of one node. */

import { chunksInGrid, countStoredChunks } from "../../array/chunk-walk.js";
import { innerChunkShape } from "../../codecs/inner-chunk-shape.js";
import { gridShapeOf } from "../../grid/chunk-grid.js";
import { type Json, type Node, open, type Array as ZarrArray } from "../../index.js";
import { type JsonObject, stringifyJson } from "../../metadata/json.js";
import { product } from "../../shape.js";
import type { CommandLine } from "../arguments.js";
import { chunkGridShape, describeChunks, describeNode } from "../describe-node.js";
import { print } from "../output.js";
import { openSource } from "../stores.js";

export async function info({ operands: [store = "", path = "/"], options }: CommandLine): Promise<void> {
  const node = await open(await openSource({ store, path }));
  const stored = node.kind === "array" ? await countStored(node) : undefined;
  if (!options.has("json")) {
    await print(asText(node, stored));
    return;
  }
  const description = describeNode(node);
  const counts = stored === undefined ? {} : { stored };
  await print(`${stringifyJson({ ...description, ...counts }, { indent: 2 })}\n`);
}

/** How much of the grid is there; the count is null where the store cannot be listed. */
interface StoredCount extends JsonObject {
  readonly unit: "chunk" | "shard";
  readonly count: number | null;
  readonly of: number;
}

async function countStored(array: ZarrArray): Promise<StoredCount> {
  const unit = innerChunkShape(array.metadata) === undefined ? "chunk" : "shard";
  return { unit, count: (await countStoredChunks(array, {})) ?? null, of: chunksInGrid(array) };
}

function asText(node: Node, stored: StoredCount | undefined): string {
  const { zarrFormat, attributes } = node.metadata;
  const lines = [
    `${node.path}: ${node.kind}, Zarr ${zarrFormat === "draft" ? "v3 draft of 2020" : `v${zarrFormat}`}`,
  ];
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

/** For reading, not for parsing: text as it is, digits of large integers kept. */
function short(json: Json): string {
  if (typeof json === "string") return JSON.stringify(json);
  const isPlain = typeof json !== "object" || json === null;
  return isPlain
    ? stringifyJson(json)
    : JSON.stringify(json, (_, value) => (typeof value === "bigint" ? String(value) : value));
}
