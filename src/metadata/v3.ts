/** The final v3 format: `zarr.json` of arrays and groups, to the model and back (v3 core specification, "Metadata"). */
import { dataTypeFromV3 } from "../data-types/registry.js";
import { type ErrorContext, UnsupportedError } from "../errors.js";
import {
  checkMember,
  checkProduct,
  expectIntegers,
  expectObject,
  ignorableMembers,
  invalidMember,
  memberOf,
} from "./document.js";
import { parseChunkGrid, parseChunkKeyEncoding, parseCodecs, writeCodec } from "./extension.js";
import { isJsonArray, type Json, type JsonObject } from "./json.js";
import type { ArrayMetadata, GroupMetadata, NodeMetadata } from "./model.js";

const ARRAY_MEMBERS: ReadonlySet<string> = new Set([
  "zarr_format",
  "node_type",
  "shape",
  "data_type",
  "chunk_grid",
  "chunk_key_encoding",
  "fill_value",
  "codecs",
  "attributes",
  "dimension_names",
  "storage_transformers",
]);
const GROUP_MEMBERS: ReadonlySet<string> = new Set([
  "zarr_format",
  "node_type",
  "attributes",
  "consolidated_metadata",
]);

/**
 * Reads a `zarr.json`. Run it inside `withAllDataTypes`, which loads the rarer data types when one is needed.
 * @throws InvalidMetadataError for a document that is incomplete, wrong, or asks for what must be understood and is not
 * @throws UnknownDataTypeError when no registered data type accepts `data_type`
 */
export function parseV3(json: Json, context: ErrorContext = {}): NodeMetadata {
  const document = expectObject(json, undefined, context);
  const format = memberOf(document, "zarr_format");
  if (format !== 3) throw invalidMember("3", format, "zarr_format", context);
  const nodeType = memberOf(document, "node_type");
  if (nodeType === "array") return parseArray(document, context);
  if (nodeType === "group") return parseGroup(document, context);
  throw invalidMember('"array" or "group"', nodeType, "node_type", context);
}

function parseArray(document: JsonObject, context: ErrorContext): ArrayMetadata {
  const extra = ignorableMembers(document, ARRAY_MEMBERS, context);
  refuseStorageTransformers(memberOf(document, "storage_transformers"), context);
  const shape = expectIntegers(memberOf(document, "shape"), 0, undefined, "shape", context);
  checkProduct(shape, "shape", context);
  const dataTypeJson = memberOf(document, "data_type");
  if (dataTypeJson === undefined) throw invalidMember("a data type", undefined, "data_type", context);
  const dataType = checkMember("data_type", context, () => dataTypeFromV3(dataTypeJson));
  const fillValue = memberOf(document, "fill_value");
  if (fillValue === undefined || fillValue === null) {
    throw invalidMember(`a fill value of data type ${dataType.name}`, fillValue, "fill_value", context);
  }
  return {
    nodeType: "array",
    zarrFormat: 3,
    shape,
    dataType,
    chunkGrid: parseChunkGrid(memberOf(document, "chunk_grid"), shape.length, context),
    chunkKeyEncoding: parseChunkKeyEncoding(memberOf(document, "chunk_key_encoding"), context),
    codecs: parseCodecs(memberOf(document, "codecs"), "codecs", context),
    endian: undefined,
    fillValue: checkMember("fill_value", context, () => dataType.scalarFromJson(fillValue, 3)),
    attributes: parseAttributes(document, context),
    dimensionNames: parseDimensionNames(memberOf(document, "dimension_names"), shape.length, context),
    extra,
  };
}

function parseGroup(document: JsonObject, context: ErrorContext): GroupMetadata {
  const extra = ignorableMembers(document, GROUP_MEMBERS, context);
  const consolidated = memberOf(document, "consolidated_metadata") ?? null;
  return {
    nodeType: "group",
    zarrFormat: 3,
    attributes: parseAttributes(document, context),
    extra:
      consolidated === null
        ? extra
        : { ...extra, consolidated_metadata: expectObject(consolidated, "consolidated_metadata", context) },
  };
}

function parseAttributes(document: JsonObject, context: ErrorContext): JsonObject {
  // Null is not in the specification; zarr-python reads it as none.
  return expectObject(memberOf(document, "attributes") ?? {}, "attributes", context);
}

function refuseStorageTransformers(json: Json | undefined, context: ErrorContext): void {
  if (json === undefined || json === null || (isJsonArray(json) && json.length === 0)) return;
  throw invalidMember(
    "an empty list, as no storage transformer is known and its chunks could not be understood",
    json,
    "storage_transformers",
    context,
  );
}

function parseDimensionNames(
  json: Json | undefined,
  rank: number,
  context: ErrorContext,
): readonly (string | null)[] | undefined {
  if (json === undefined || json === null) return undefined;
  if (!isJsonArray(json) || json.length !== rank) {
    throw invalidMember(`a list of ${rank} names`, json, "dimension_names", context);
  }
  return json.map((name, i) => {
    if (typeof name === "string" || name === null) return name;
    throw invalidMember("a string or null", name, `dimension_names[${i}]`, context);
  });
}

/**
 * The `zarr.json` of a node, in the forms that zarr-python reads: no short-hand names, every member present.
 * @throws UnsupportedError for metadata of another format: convert it first
 */
export function writeV3(metadata: NodeMetadata): JsonObject {
  if (metadata.zarrFormat !== 3) {
    throw new UnsupportedError(
      `expected metadata of format 3, got format ${metadata.zarrFormat}: convert it first`,
    );
  }
  if (metadata.nodeType === "group") {
    return { ...metadata.extra, attributes: metadata.attributes, zarr_format: 3, node_type: "group" };
  }
  const { dataType, chunkGrid, chunkKeyEncoding, dimensionNames } = metadata;
  return {
    shape: metadata.shape,
    data_type: dataType.toV3(),
    chunk_grid: { name: chunkGrid.name, configuration: { chunk_shape: chunkGrid.chunkShape } },
    chunk_key_encoding: {
      name: chunkKeyEncoding.name,
      configuration: { separator: chunkKeyEncoding.separator },
    },
    fill_value: dataType.scalarToJson(metadata.fillValue ?? dataType.defaultScalar, 3),
    codecs: metadata.codecs.map(writeCodec),
    attributes: metadata.attributes,
    ...(dimensionNames === undefined ? {} : { dimension_names: dimensionNames }),
    zarr_format: 3,
    node_type: "array",
    storage_transformers: [],
    ...metadata.extra,
  };
}
