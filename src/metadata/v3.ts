/** The final v3 format: `zarr.json` of arrays and groups, to the model (v3 core specification, "Metadata"); metadata/write.ts is the way back. */

import type { DataType, Endian, ResolvedDataType } from "../data-types/data-type.js";
import { dataTypeFromV3 } from "../data-types/registry.js";
import type { ErrorContext } from "../errors.js";
import { isJsonArray, isJsonObject, type Json, type JsonObject } from "./json.js";
import { Member } from "./member.js";
import type {
  ArrayMetadata,
  ChunkGrid,
  ChunkKeyEncoding,
  CodecMetadata,
  GroupMetadata,
  NodeMetadata,
} from "./model.js";

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

// The extension points of an array: chunk grid, chunk key encoding and codecs.

interface Extension {
  readonly name: Member;
  readonly configuration: Member;
  readonly mustUnderstand: boolean;
}

/** An extension object, or the short-hand name of one without configuration ("Extension definition"). */
function parseExtension(member: Member): Extension {
  const extension = typeof member.json === "string" ? member.as({ name: member.json }) : member;
  extension.ignorable(["name", "configuration", "must_understand"]);
  const configuration = extension.get("configuration");
  const mustUnderstand = extension.get("must_understand");
  return {
    name: extension.get("name"),
    configuration: configuration.isNull ? configuration.as({}) : configuration,
    mustUnderstand: mustUnderstand.isNull || mustUnderstand.oneOf(true, false),
  };
}

/** @param codecs the codecs of the array: the inner chunks of shards have lengths */
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

function parseChunkKeyEncoding(member: Member): ChunkKeyEncoding {
  const { name, configuration } = parseExtension(withConfiguration(member));
  const encoding = name.oneOf("default", "v2");
  configuration.ignorable(["separator"]);
  const separator = configuration.get("separator");
  if (separator.json === undefined) return { name: encoding, separator: encoding === "default" ? "/" : "." };
  return { name: encoding, separator: separator.oneOf("/", ".") };
}

/** `{"name", "separator"}`, as early zarr-python 3 wrote it and still reads it. */
function withConfiguration(member: Member): Member {
  if (!isJsonObject(member.json) || !Object.hasOwn(member.json, "separator")) return member;
  const { separator = null, ...rest } = member.json;
  return member.as({ configuration: { separator }, ...rest });
}

/** The codec of an empty list, which zarrita's `create` writes by default. */
const DEFAULT_CODEC: CodecMetadata = { name: "bytes", configuration: { endian: "little" } };

/** The `codecs` of an array. The codec pipeline checks that exactly one makes bytes of an array. */
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
 * Chunk lengths as earlier versions of zarr-python wrote them although no specification allows them, read as zarr-python 3.4 does: 0 and
 * `false` are the shortest length there is, since nothing can have been stored in such chunks; `true` is 1.
 * @param shortest the shortest length that chunks can have, by dimension; 1 by default
 */
export function readLengths(lengths: readonly Json[], shortest: readonly number[] = []): readonly Json[] {
  return lengths.map((length, d) => {
    if (length === 0 || length === false) return shortest[d] ?? 1;
    return length === true ? 1 : length;
  });
}

/**
 * A regular grid of earlier versions of zarr-python. One in which some dimensions have lists of lengths is a rectilinear grid.
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
  // zarr-python 3.2 wrote these, but never for all dimensions at once.
  if (isList.includes(true) && isList.includes(false))
    return (await import("./rectilinear.js")).parseChunkShapes(read, shape);
  return { name: "regular", chunkShape: read.integers(1, shape.length) };
}

function isFlatList(json: Json): boolean {
  return isJsonArray(json) && !json.some((item) => isJsonArray(item));
}

/** Lengths of the inner chunks of shards. */
function innerLengths(codecs: readonly CodecMetadata[]): readonly number[] {
  const sharding = codecs.find(({ name }) => name === "sharding_indexed");
  const lengths = sharding?.configuration.chunk_shape;
  return isJsonArray(lengths) ? readLengths(lengths).map(Number) : [];
}

// What is always loaded of the 2020 draft: how its hierarchies are recognised, and the extensions that an application understands. The rest is in draft/

/** Prefix of the URIs of all versions of the draft. */
export const PROTOCOL = "https://purl.org/zarr/spec/protocol/core/";

/** Whether a `zarr.json` is the draft's (any version's): the final v3 has the number 3 where the draft has a URI. */
export function isDraftEntryPoint(json: Json): boolean {
  return isJsonObject(json) && typeof json.zarr_format === "string" && json.zarr_format.startsWith(PROTOCOL);
}

/** What an extension defines; one without members is only known, where it stands in `extensions`. */
export interface DraftExtension {
  /** Reads the `type` of an extension data type. @throws UnknownDataTypeError, InvalidMetadataError */
  readonly dataType?: (type: Json) => ResolvedDataType;
  /** Writes a data type of its own: the `type`, and the core identifier that others may read it as; undefined for others. */
  readonly writeDataType?: (
    dataType: DataType,
    endian: Endian,
  ) => { readonly type: Json; readonly fallback?: string } | undefined;
  /** Reads an extension chunk grid as a grid of the model. @throws InvalidMetadataError */
  readonly chunkGrid?: (chunkGrid: JsonObject, shape: readonly number[]) => ChunkGrid;
  /** Reads a memory layout: the array's dimensions from the slowest to the fastest changing. @throws InvalidMetadataError */
  readonly memoryLayout?: (layout: JsonObject, rank: number) => readonly number[];
}

/**
 * Extensions of the 2020 draft that are understood, by URI. An application adds its own:
 *
 *     draftExtensions.set("https://example.org/zarr/z-order", { memoryLayout: (json, rank) => ... })
 */
export const draftExtensions = new Map<string, DraftExtension>();
