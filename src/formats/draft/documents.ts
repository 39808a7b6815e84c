/**
 * Reads and writes array and group documents of the 2020 editor's draft of v3 ("Array metadata", "Group
 * metadata").
 */

import {
  type ArrayMetadata,
  type ChunkGrid,
  type CodecMetadata,
  type ErrorContext,
  type GroupMetadata,
  idOf,
  isFilter,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  Member,
  NUMCODECS,
  parseNumcodecs,
  readArrayDimensions,
  splitOrder,
  stringifyJson,
  transposeOf,
  UnsupportedError,
  withArrayDimensions,
  writeNumcodecs,
} from "../../core/for-formats.js";
import {
  parseDraftDataType,
  parseDraftFillValue,
  writeDraftDataType,
  writeDraftFillValue,
} from "./data-type.js";
import { extensionOf, parseDraftExtensions, unknownExtension } from "./entry-point.js";

const CORE_MEMBERS = ["shape", "attributes", "fill_value", "compressor"];
const EXTENSIBLE_MEMBERS = ["data_type", "chunk_grid", "chunk_memory_layout"];

/**
 * Reads an array document. Run it inside `withAllDataTypes`. Members that the draft does not define are
 * ignored, except `storage_transformers` (written by zarr-python 2.14 and acquire): with these, stored values
 * are not chunks.
 * @throws InvalidMetadataError, UnknownDataTypeError
 */
export function parseDraftArray(json: Json, context: ErrorContext = {}): ArrayMetadata {
  const document = new Member(json, context);
  const transformers = document.get("storage_transformers");
  if (!transformers.isNull && transformers.list().length > 0) throw transformers.invalid("an empty list");
  parseDraftExtensions(document.get("extensions"));
  const shape = document.get("shape").shape();
  const attributes = parseAttributes(document.get("attributes"));
  const filters = parseFilters(new Member(attributes, context, "attributes"));
  const type = document.get("data_type");
  const { dataType, endian } = parseDraftDataType(type, filters[0]?.name.slice(NUMCODECS.length));
  const grid = document.get("chunk_grid");
  return {
    nodeType: "array",
    zarrFormat: "draft",
    shape,
    dataType,
    chunkGrid: parseChunkGrid(grid, shape),
    chunkKeyEncoding: { name: "draft", separator: parseSeparator(grid.get("separator")) },
    codecs: [
      ...parseMemoryLayout(document.get("chunk_memory_layout"), shape.length),
      ...filters,
      ...parseDraftCompressor(document.get("compressor")),
    ],
    endian,
    fillValue: parseDraftFillValue(
      document.get("fill_value"),
      { dataType, endian },
      typeof type.json === "string",
    ),
    attributes,
    dimensionNames: readArrayDimensions(attributes, shape.length),
    extra: parseExtra(document),
  };
}

/**
 * The members that the model does not hold, to be written back: extension objects, the fill value of an
 * extension data type, and members that the draft does not define.
 */
function parseExtra(document: Member): JsonObject {
  const core = EXTENSIBLE_MEMBERS.filter((name) => {
    const { json } = document.get(name);
    return !isJsonObject(json) || !Object.hasOwn(json, "extension");
  });
  const known = [...CORE_MEMBERS, ...core];
  return document.others(core.includes("data_type") ? known : known.filter((name) => name !== "fill_value"));
}

/** Reads a group document. @throws InvalidMetadataError */
export function parseDraftGroup(json: Json, context: ErrorContext = {}): GroupMetadata {
  const document = new Member(json, context);
  // "Groups cannot have extensions", but most writers add an empty list.
  parseDraftExtensions(document.get("extensions"));
  return {
    nodeType: "group",
    zarrFormat: "draft",
    attributes: parseAttributes(document.get("attributes")),
    extra: document.others(["attributes"]),
  };
}

/** zarrita.py wrote null for no attributes. */
function parseAttributes(member: Member): JsonObject {
  return member.isNull ? {} : member.object();
}

/**
 * zarr-python stores filters, which the draft lacks, in the attribute `filters`. The draft leaves attributes
 * to users, but reading encoded numbers as data would be worse: a list of only numcodecs filters counts as
 * filters.
 */
function parseFilters(attributes: Member): readonly CodecMetadata[] {
  const filters = attributes.get("filters");
  if (
    !isJsonArray(filters.json) ||
    !filters.json.every((item) => isJsonObject(item) && typeof item.id === "string")
  ) {
    return [];
  }
  const codecs = filters.list().map(parseNumcodecs);
  return codecs.every(isFilter) ? codecs : [];
}

/** Reads a chunk length of 0 as 1 along a dimension without elements. */
function parseChunkShape(member: Member, shape: readonly number[]): readonly number[] {
  const lengths = member
    .list(shape.length)
    .map(({ json }, i) => (json === 0 && shape[i] === 0 ? 1 : (json ?? null)));
  return member.as(lengths).integers(1, shape.length);
}

function parseChunkGrid(member: Member, shape: readonly number[]): ChunkGrid {
  if (Object.hasOwn(member.object(), "extension")) {
    const chunkGrid = extensionOf(member)?.chunkGrid;
    if (chunkGrid !== undefined) return member.check(() => chunkGrid(member.object(), shape));
    throw unknownExtension(member.get("extension"));
  }
  const name = member.get("type").oneOf("regular");
  return { name, chunkShape: parseChunkShape(member.get("chunk_shape"), shape) };
}

/** A separator of key characters other than digits, so that indices stay apart, with at most one "/". */
function parseSeparator(member: Member): string {
  if (member.json === undefined) return "/";
  const separator = member.string();
  if (/^[A-Za-z._/-]+$/.test(separator) && separator.split("/").length <= 2) return separator;
  throw member.invalid('a separator of a-z, A-Z, -, _, . and at most one "/"');
}

function parseMemoryLayout(member: Member, rank: number): readonly CodecMetadata[] {
  if (!isJsonObject(member.json)) return transposeOf(member.oneOf("C", "F"), rank);
  const memoryLayout = extensionOf(member)?.memoryLayout;
  if (memoryLayout === undefined) throw unknownExtension(member.get("extension"));
  return [
    { name: "transpose", configuration: { order: member.check(() => memoryLayout(member.object(), rank)) } },
  ];
}

/**
 * The document of an array. It has all members that some reader requires, and none that another refuses.
 * @throws UnsupportedError for metadata of another format, or that the draft cannot hold
 */
export function writeDraftArray(metadata: ArrayMetadata): JsonObject {
  checkDraft(metadata.zarrFormat);
  const { shape, dataType, chunkGrid, chunkKeyEncoding, extra } = metadata;
  const layout = Object.hasOwn(extra, "chunk_memory_layout")
    ? { order: "C", codecs: metadata.codecs.slice(1) }
    : splitOrder(metadata.codecs, shape.length);
  const attributes = withArrayDimensions(metadata.attributes, metadata.dimensionNames);
  const filters = parseFilters(new Member(attributes, {}));
  checkFilters(layout.codecs.slice(0, filters.length), filters);
  const [compressor, ...others] = layout.codecs.slice(filters.length);
  if (others.length > 0)
    throw new UnsupportedError(
      "expected at most a compressor, because the 2020 draft has no filters; omit them, or write v3",
    );
  const type = extra.data_type ?? writeDraftDataType(dataType, metadata.endian ?? "little");
  return {
    shape,
    data_type: type,
    chunk_grid: { type: "regular", chunk_shape: chunkGrid.chunkShape, separator: chunkKeyEncoding.separator },
    chunk_memory_layout: layout.order,
    ...(compressor === undefined ? {} : { compressor: writeDraftCompressor(compressor) }),
    fill_value: writeDraftFillValue(metadata.fillValue, metadata, typeof type === "string"),
    extensions: [],
    attributes,
    ...extra,
  };
}

function checkFilters(codecs: readonly CodecMetadata[], filters: readonly CodecMetadata[]): void {
  const json = (list: readonly CodecMetadata[]) => stringifyJson(list.map(writeNumcodecs));
  if (json(codecs) !== json(filters)) {
    throw new UnsupportedError('expected the codecs that the attribute "filters" names, got other codecs');
  }
}

/**
 * The document of a group: `attributes` and kept unknown members.
 * @throws UnsupportedError for metadata of another format
 */
export function writeDraftGroup({ zarrFormat, attributes, extra }: GroupMetadata): JsonObject {
  checkDraft(zarrFormat);
  return { ...extra, attributes };
}

function checkDraft(zarrFormat: ArrayMetadata["zarrFormat"]): void {
  if (zarrFormat !== "draft")
    throw new UnsupportedError(`expected metadata of the 2020 draft, got format ${zarrFormat}`);
}

// The codec registry first wrote "codecs" and no version; the specification wrote "codecs" in 2021.
const CODEC_URI = /^https?:\/\/purl\.org\/zarr\/spec\/codecs?\/([^/]+)(\/[\d.]+)?$/;
const writtenCodec = (id: string) => `https://purl.org/zarr/spec/codec/${id}/1.0`;

/**
 * Reads `compressor`. A codec of another registry keeps its URI as its name: an application may have
 * registered it under the URI.
 * @throws InvalidMetadataError
 */
export function parseDraftCompressor(member: Member): readonly CodecMetadata[] {
  if (member.isNull) return [];
  const uri = member.get("codec").string();
  const id = CODEC_URI.exec(uri)?.[1];
  const configuration = member.get("configuration");
  const parameters = configuration.isNull ? {} : configuration.object();
  return [
    id === undefined
      ? { name: uri, configuration: parameters }
      : { name: NUMCODECS + id, configuration: id === "lzma" ? fromGdal(parameters) : parameters },
  ];
}

/**
 * Converts GDAL's options of lzma to numcodecs. They have the same names, except that GDAL's `delta` is a
 * filter in numcodecs.
 */
function fromGdal({ delta, preset, ...others }: JsonObject): JsonObject {
  if (delta === undefined) return preset === undefined ? others : { ...others, preset };
  const filters = [
    { id: 3, dist: delta },
    { id: 33, ...(preset === undefined ? {} : { preset }) },
  ];
  return { format: 1, check: -1, preset: null, filters, ...others };
}

/** @throws UnsupportedError for a filter, and for a codec that numcodecs does not have */
function writeDraftCompressor(codec: CodecMetadata): JsonObject {
  const { name, configuration } = codec;
  if (isFilter(codec))
    throw new UnsupportedError("expected a compressor, because the 2020 draft has no filters", {
      codec: name,
    });
  return { codec: name.includes("://") ? name : writtenCodec(idOf(name)), configuration };
}
