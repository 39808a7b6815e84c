/** Metadata of nodes as `info` and `tree` print them. Members are stable: they are added to, not renamed. */

import { readRuns } from "../array/chunk-walk.js";
import { endianOf } from "../array/convert-codecs.js";
import { innerChunkShape } from "../codecs/inner-chunk-shape.js";
import { chunksBetween } from "../grid/chunk-grid.js";
import type { Node, Array as ZarrArray } from "../index.js";
import type { JsonObject } from "../metadata/json.js";
import type { ChunkLengths } from "../metadata/model.js";
import { product } from "../shape.js";
import { dataTypeJson } from "./elements.js";

/** What `tree` says of a node, without those below it. */
export function outline(node: Node): JsonObject {
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

/** Shapes of chunks and shards; null for those that differ, which are then under `chunk_shapes` or `shard_shapes` as documents have them. */
export function describeChunks({ metadata }: ZarrArray): {
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

/** What `info` says of a node. */
export function describeNode(node: Node): JsonObject {
  const { attributes } = node.metadata;
  return node.kind === "group"
    ? { ...outline(node), attributes }
    : { ...outline(node), ...describeStorage(node), attributes };
}

/** Chunks along each dimension: those inside of shards, where there are any. */
export function chunkGridShape({ metadata, shape }: ZarrArray): readonly number[] {
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
    // Variable-length elements have no size before they are read.
    byte_length: dataType.itemSize === 0 ? null : product(shape) * dataType.itemSize,
  };
}
