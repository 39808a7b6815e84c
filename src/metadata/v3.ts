/** The final v3 format: `zarr.json` of arrays and groups, to the model (v3 core specification, "Metadata"); metadata/write.ts is the way back. */
import { dataTypeFromV3 } from "../data-types/registry.js";
import type { ErrorContext } from "../errors.js";
import { parseChunkGrid, parseChunkKeyEncoding, parseCodecs } from "./extension.js";
import type { Json, JsonObject } from "./json.js";
import { Member } from "./member.js";
import type { ArrayMetadata, GroupMetadata, NodeMetadata } from "./model.js";

const NODE_MEMBERS = ["zarr_format", "node_type", "attributes"];
const GROUP_MEMBERS = [...NODE_MEMBERS, "consolidated_metadata"];
const ARRAY_MEMBERS = [
  ...NODE_MEMBERS,
  "shape",
  "data_type",
  "chunk_grid",
  "chunk_key_encoding",
  "fill_value",
  "codecs",
  "dimension_names",
  "storage_transformers",
];

/**
 * Reads a `zarr.json`. Run it inside `withAllDataTypes`, which loads the rarer data types when one is needed.
 * @param context says the document's key and the node's path, for errors
 * @throws InvalidMetadataError for a document that is incomplete, wrong, or asks for what must be understood and is not
 * @throws UnknownDataTypeError when no registered data type accepts `data_type`
 */
export async function parseV3(json: Json, context: ErrorContext = {}): Promise<NodeMetadata> {
  const document = new Member(json, context);
  document.get("zarr_format").oneOf(3);
  return document.get("node_type").oneOf("array", "group") === "array"
    ? parseArray(document)
    : parseGroup(document);
}

async function parseArray(document: Member): Promise<ArrayMetadata> {
  const extra = document.ignorable(ARRAY_MEMBERS);
  const transformers = document.get("storage_transformers");
  // A storage transformer changes what stands under a chunk's key, so none can be ignored.
  if (!transformers.isNull && transformers.list().length > 0) throw transformers.invalid("an empty list");
  const shape = document.get("shape").shape();
  const dataType = document.get("data_type").check(dataTypeFromV3);
  const codecs = parseCodecs(document.get("codecs"));
  // Used only for base64 fill values of the legacy `structured` data type.
  const endian =
    codecs.find(({ name }) => name === "bytes")?.configuration.endian === "big" ? "big" : "little";
  return {
    nodeType: "array",
    zarrFormat: 3,
    shape,
    dataType,
    chunkGrid: await parseChunkGrid(document.get("chunk_grid"), shape, codecs),
    chunkKeyEncoding: parseChunkKeyEncoding(document.get("chunk_key_encoding")),
    codecs,
    endian: undefined,
    // zarrita's `create` writes null unless told otherwise, and reads zeros: as null of v2, it is no value of the array's. Of variable
    // length it is the empty element (ZEP 7), of optional elements the missing one.
    fillValue: document
      .get("fill_value")
      .check((json) =>
        json === null && !dataType.variable && dataType.defaultScalar !== null
          ? undefined
          : dataType.scalarFromJson(json, 3, endian),
      ),
    attributes: parseAttributes(document),
    dimensionNames: parseDimensionNames(document.get("dimension_names"), shape.length),
    extra,
  };
}

function parseGroup(document: Member): GroupMetadata {
  const extra = document.ignorable(GROUP_MEMBERS);
  const consolidated = document.get("consolidated_metadata");
  return {
    nodeType: "group",
    zarrFormat: 3,
    attributes: parseAttributes(document),
    extra: consolidated.isNull ? extra : { ...extra, consolidated_metadata: consolidated.object() },
  };
}

function parseAttributes(document: Member): JsonObject {
  const attributes = document.get("attributes");
  // Null is not in the specification, but zarr-python reads it as none.
  return attributes.isNull ? {} : attributes.object();
}

function parseDimensionNames(names: Member, rank: number): readonly (string | null)[] | undefined {
  if (names.isNull) return undefined;
  return names.list(rank).map((name) => (name.json === null ? null : name.string()));
}
