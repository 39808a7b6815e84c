/** Metadata of nodes as `info` and `tree` print them. Members are stable: they are added to, not renamed. */
import { gridShape } from "../chunk-grids/regular.js";
import { product } from "../codecs/array-stage.js";
import { endianOf } from "../hierarchy/convert-codecs.js";
import type { Node, Array as ZarrArray } from "../index.js";
import type { JsonObject } from "../metadata/json.js";
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
    chunk_shape: node.chunks,
    shard_shape: node.shards ?? null,
    dimension_names: node.dimensionNames ?? null,
  };
}

/** What `info` says of a node. */
export function describeNode(node: Node): JsonObject {
  const { attributes } = node.metadata;
  return node.kind === "group"
    ? { ...outline(node), attributes }
    : { ...outline(node), ...describeStorage(node), attributes };
}

function describeStorage({ metadata, shape, dataType, chunks }: ZarrArray): JsonObject {
  const endian = endianOf(metadata);
  return {
    chunk_grid_shape: gridShape(shape, chunks),
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
