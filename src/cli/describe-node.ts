/** What `info --json` and `tree --json` say of a node. */

import type { ChunkLengths } from "../extend.js";
import { layoutOf } from "../extend.js";
import type { JsonObject, Node, Array as ZarrArray } from "../index.js";
import { product } from "./product.js";
import { dataTypeJson } from "./text/element-json.js";

/** The description of a node in `tree`, without its children. */
export function outline(node: Node): JsonObject {
  const { zarrFormat } = node.metadata;
  const common = { path: node.path, node_type: node.kind, zarr_format: zarrFormat };
  if (node.kind === "group") return common;
  return {
    ...common,
    shape: node.shape,
    data_type: dataTypeJson(node.dataType),
    ...describeChunks(node),
    dimension_names: node.metadata.dimensionNames ?? null,
  };
}

/**
 * Shapes of chunks and shards. If they vary, the shape is null, and `chunk_shapes` or `shard_shapes` has them
 * as in the document.
 */
export function describeChunks(array: ZarrArray): {
  readonly chunk_shape: readonly number[] | null;
  readonly shard_shape: readonly number[] | null;
  readonly chunk_shapes?: readonly ChunkLengths[];
  readonly shard_shapes?: readonly ChunkLengths[];
} {
  const { chunkGrid } = array.metadata;
  const inner = layoutOf(array).innerShape ?? null;
  if (chunkGrid.name === "regular") {
    const outer = chunkGrid.chunkShape;
    return { chunk_shape: inner ?? outer, shard_shape: inner && outer };
  }
  const shapes = chunkGrid.chunkShapes;
  const lengths = inner === null ? { chunk_shapes: shapes } : { shard_shapes: shapes };
  return { chunk_shape: inner, shard_shape: null, ...lengths };
}

/** The description of a node in `info`. */
export function describeNode(node: Node): JsonObject {
  const { attributes } = node.metadata;
  return node.kind === "group"
    ? { ...outline(node), attributes }
    : { ...outline(node), ...describeStorage(node), attributes };
}

function describeStorage(array: ZarrArray): JsonObject {
  const { metadata, shape, dataType } = array;
  const { endian, decodedGrid } = layoutOf(array);
  const { name: keys, separator, configuration: ofKeys } = metadata.chunkKeyEncoding;
  return {
    chunk_grid_shape: decodedGrid,
    chunk_key_encoding: {
      name: keys,
      separator,
      ...(ofKeys === undefined ? {} : { configuration: ofKeys }),
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

/** How many chunks or shards of the grid are stored; the count is null when the store cannot be listed. */
export interface StoredCount extends JsonObject {
  readonly unit: "chunk" | "shard";
  readonly count: number | null;
  readonly of: number;
}

export async function countStored(array: ZarrArray): Promise<StoredCount> {
  const layout = layoutOf(array);
  const unit = layout.innerShape === undefined ? "chunk" : "shard";
  return { unit, count: (await layout.countStored()) ?? null, of: product(layout.grid) };
}
