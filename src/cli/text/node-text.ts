/** A node in words, for `info`. */

import { layoutOf } from "../../extend.js";
import type { Node } from "../../index.js";
import { describeChunks, describeNode, type StoredCount } from "../describe-node.js";
import { product } from "../product.js";
import { counted, short } from "./words.js";

export function headOf({ path, kind, metadata: { zarrFormat } }: Node): string {
  return `${path}: ${kind}, Zarr ${zarrFormat === "draft" ? "v3 draft of 2020" : `v${zarrFormat}`}`;
}

export function nodeText(node: Node, stored: StoredCount | undefined): string {
  const { attributes } = node.metadata;
  const lines = [headOf(node)];
  const add = (label: string, value: string): void => {
    lines.push(`${label.padEnd(17)}${value}`);
  };
  if (node.kind === "array") {
    const { shape, metadata } = node;
    const { dimensionNames } = metadata;
    const description = describeNode(node);
    add("shape", list(shape));
    const dataType = description.data_type ?? null;
    add("data type", typeof dataType === "string" ? dataType : short(dataType));
    const { chunk_shape: chunk, shard_shape: shard, chunk_shapes, shard_shapes } = describeChunks(node);
    const { decodedGrid, grid } = layoutOf(node);
    const chunkCount = `(${counted(product(decodedGrid), "chunk")})`;
    const shardCount = `(${counted(product(grid), "shard")})`;
    if (chunk !== null) add("chunk shape", `${list(chunk)} ${chunkCount}`);
    if (chunk_shapes !== undefined) add("chunk shapes", `${short(chunk_shapes)} ${chunkCount}`);
    if (shard !== null) add("shard shape", `${list(shard)} ${shardCount}`);
    if (shard_shapes !== undefined) add("shard shapes", `${short(shard_shapes)} ${shardCount}`);
    if (stored !== undefined && stored.count !== null)
      add("stored", `${stored.count} of ${counted(stored.of, stored.unit)}`);
    const { name: keys, separator, configuration: ofKeys } = metadata.chunkKeyEncoding;
    add("chunk keys", ofKeys === undefined ? `${keys} "${separator}"` : `${keys} ${short(ofKeys)}`);
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
  const attributeLines = Object.entries(attributes).map(([name, value]) => `  ${name}: ${short(value)}`);
  if (attributeLines.length > 0) lines.push("attributes", ...attributeLines);
  return `${lines.join("\n")}\n`;
}

const list = (numbers: readonly number[]): string =>
  numbers.length === 0 ? "none (0 dimensions)" : numbers.join(", ");
