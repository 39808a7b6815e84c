/**
 * Reads `zarr.json` of the final v3 into the model (v3 core specification, "Metadata"); metadata/write.ts
 * writes it.
 */

import type { ErrorContext } from "../base/errors.js";
import { dataTypeFromV3 } from "../data-types/registry.js";
import { loadChunkKeyEncoding, parseChunkKeyEncoding } from "./chunk-key-encodings.js";
import { parseExtension } from "./extension.js";
import { isJsonArray, isJsonObject, type Json, type JsonObject } from "./json.js";
import { Member } from "./member.js";
import type { ArrayMetadata, ChunkGrid, CodecMetadata, GroupMetadata, NodeMetadata } from "./model.js";

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
 * @param context the document's key and the node's path, for errors
 * @throws InvalidMetadataError for a document that is incomplete, invalid, or has an unknown extension that
 * must be understood
 * @throws UnknownDataTypeError when no registered data type accepts `data_type`
 */
export async function parseV3(json: Json, context: ErrorContext = {}): Promise<NodeMetadata> {
  const document = new Member(json, context);
  document.get("zarr_format").oneOf(3);
  if (document.get("node_type").oneOf("array", "group") === "group") return parseGroup(document);
  await loadChunkKeyEncoding(document.get("chunk_key_encoding").json);
  const { grid, ...metadata } = parseArray(document);
  return { ...metadata, chunkGrid: await parseChunkGrid(grid, metadata.shape, metadata.codecs) };
}

/** The content of a `zarr.json` of a group, as the constructor of `Group` takes it. */
export interface GroupDocument {
  readonly zarr_format: 3;
  readonly node_type: "group";
  readonly attributes?: Readonly<Record<string, unknown>>;
}

/** The content of a `zarr.json` of an array, as the constructor of `Array` takes it. */
export interface ArrayDocument {
  readonly zarr_format: 3;
  readonly node_type: "array";
  readonly shape: readonly number[];
  readonly data_type: string | object;
  readonly chunk_grid: { readonly name: string; readonly configuration?: object };
  readonly chunk_key_encoding: { readonly name: string; readonly configuration?: object };
  readonly fill_value: unknown;
  readonly codecs: readonly (string | object)[];
  readonly attributes?: Readonly<Record<string, unknown>>;
  readonly dimension_names?: readonly (string | null)[] | null;
}

/** Reads the document of a group, which must not be that of an array. @throws as `parseV3` */
export function readGroupDocument(document: GroupDocument, context: ErrorContext): GroupMetadata {
  return parseGroup(documentOf(document, "group", context));
}

/**
 * Reads the document of an array at once: of the data types those that are loaded, and regular grids. @throws
 * as `parseV3`
 */
export function readArrayDocument(document: ArrayDocument, context: ErrorContext): ArrayMetadata {
  const { grid, ...metadata } = parseArray(documentOf(document, "array", context));
  const { name, configuration } = parseExtension(grid);
  name.oneOf("regular");
  const lengths = configuration.get("chunk_shape");
  const chunkShape = lengths.integers(1, metadata.shape.length);
  return { ...metadata, chunkGrid: { name: "regular", chunkShape } };
}

function documentOf(document: object, nodeType: string, context: ErrorContext): Member {
  const member = new Member(isJsonObject(document) ? document : null, context);
  member.get("zarr_format").oneOf(3);
  member.get("node_type").oneOf(nodeType);
  return member;
}

/** All but the chunk grid, code for which may have to be loaded. */
function parseArray(document: Member): Omit<ArrayMetadata, "chunkGrid"> & { readonly grid: Member } {
  const extra = document.ignorable(ARRAY_MEMBERS);
  const transformers = document.get("storage_transformers");
  // A storage transformer changes the values under chunk keys, so none can be ignored.
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
    grid: document.get("chunk_grid"),
    chunkKeyEncoding: parseChunkKeyEncoding(document.get("chunk_key_encoding"), shape.length),
    codecs,
    endian: undefined,
    // zarrita's `create` writes null by default and reads zeros: null means undefined, as in v2. For elements
    // of variable length it is the empty element (ZEP 7), for optional elements the missing one.
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
  // Null is not in the specification, but zarr-python reads it as no attributes.
  return attributes.isNull ? {} : attributes.object();
}

function parseDimensionNames(names: Member, rank: number): readonly (string | null)[] | undefined {
  if (names.isNull) return undefined;
  return names.list(rank).map((name) => (name.json === null ? null : name.string()));
}

/** @param codecs the codecs of the array, which have the inner chunk shape of a sharded array */
async function parseChunkGrid(
  member: Member,
  shape: readonly number[],
  codecs: readonly CodecMetadata[],
): Promise<ChunkGrid> {
  const { name, configuration } = parseExtension(member);
  const chunkGrid = name.oneOf("regular", "rectilinear");
  if (chunkGrid !== "regular")
    return (await import("./rectilinear.js")).parseRectilinear(configuration, shape);
  configuration.ignorable(["chunk_shape"]);
  const lengths = configuration.get("chunk_shape");
  if (isJsonArray(lengths.json) && lengths.json.some((length) => typeof length !== "number" || length === 0))
    return parseEarlyGrid(lengths, shape, codecs);
  return { name: chunkGrid, chunkShape: lengths.integers(1, shape.length) };
}

/** The codec for an empty list of codecs, which zarrita's `create` writes by default. */
const DEFAULT_CODEC: CodecMetadata = { name: "bytes", configuration: { endian: "little" } };

/** The `codecs` of an array. The codec pipeline checks that exactly one is an array-to-bytes codec. */
function parseCodecs(member: Member): readonly CodecMetadata[] {
  const codecs = member.list();
  return codecs.length === 0
    ? [DEFAULT_CODEC]
    : codecs.map((codec) => {
        const { name, configuration, mustUnderstand } = parseExtension(codec);
        const known = { name: name.string(), configuration: configuration.object() };
        return mustUnderstand ? known : { ...known, mustUnderstand };
      });
}

/**
 * Replaces chunk lengths that earlier versions of zarr-python wrote and no specification allows, as
 * zarr-python 3.4 reads them: 0 and `false` become the shortest possible length, because such chunks cannot
 * hold elements; `true` becomes 1.
 * @param shortest the shortest possible chunk length by dimension; 1 by default
 */
export function readLengths(lengths: readonly Json[], shortest: readonly number[] = []): readonly Json[] {
  return lengths.map((length, d) => {
    if (length === 0 || length === false) return shortest[d] ?? 1;
    return length === true ? 1 : length;
  });
}

/**
 * Reads a regular grid of earlier versions of zarr-python. A grid with lists of lengths for some dimensions
 * is rectilinear.
 * @param lengths `chunk_shape` of the grid @throws InvalidMetadataError
 */
async function parseEarlyGrid(
  lengths: Member,
  shape: readonly number[],
  codecs: readonly CodecMetadata[],
): Promise<ChunkGrid> {
  const stored = isJsonArray(lengths.json) ? lengths.json : [];
  const read = lengths.as(readLengths(stored, innerLengths(codecs)));
  const isList = stored.map(isFlatList);
  // zarr-python 3.2 wrote lists of lengths, but never for all dimensions at once.
  if (isList.includes(true) && isList.includes(false))
    return (await import("./rectilinear.js")).parseChunkShapes(read, shape);
  return { name: "regular", chunkShape: read.integers(1, shape.length) };
}

function isFlatList(json: Json): boolean {
  return isJsonArray(json) && !json.some((item) => isJsonArray(item));
}

/** Inner chunk shape of a sharded array; empty for other arrays. */
function innerLengths(codecs: readonly CodecMetadata[]): readonly number[] {
  const sharding = codecs.find(({ name }) => name === "sharding_indexed");
  const lengths = sharding?.configuration.chunk_shape;
  return isJsonArray(lengths) ? readLengths(lengths).map(Number) : [];
}
