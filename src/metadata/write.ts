/**
 * Writes metadata as documents of v2 and v3; metadata/v2.ts and v3.ts read them. What v2 has in common with
 * the 2020 draft is exported for its documents.
 */
import { describe, UnsupportedError } from "../base/errors.js";
import { isJsonArray, isJsonObject, type Json, type JsonObject } from "./json.js";
import type { ArrayMetadata, ChunkGrid, CodecMetadata, GroupMetadata, NodeMetadata } from "./model.js";
import { keepSpellings } from "./number-spellings.js";
import { ARRAY_DIMENSIONS, NUMCODECS } from "./v2.js";

/**
 * The documents of an array by name, with all members that zarr-python requires. Dimension names go into
 * `_ARRAY_DIMENSIONS`.
 * @throws UnsupportedError for metadata of another format, or that v2 cannot hold
 */
export function writeV2Array(metadata: ArrayMetadata): Record<".zarray" | ".zattrs", JsonObject> {
  checkV2(metadata.zarrFormat);
  const { dataType, shape, fillValue, chunkGrid, chunkKeyEncoding, dimensionNames } = metadata;
  const { order, codecs } = splitOrder(metadata.codecs, shape.length);
  // If the last codec is a filter, the array has no compressor. The stored bytes would be the same, but
  // zarr-python expects filters in `filters`.
  const last = codecs.at(-1);
  const compressor = last === undefined || isFilter(last) ? undefined : last;
  const filters = compressor === undefined ? codecs : codecs.slice(0, -1);
  return {
    ".zarray": {
      ...metadata.extra,
      shape,
      chunks: chunkGrid.chunkShape,
      dtype: dataType.toV2(metadata.endian ?? "little"),
      fill_value: fillValue === undefined ? null : dataType.scalarToJson(fillValue, 2, metadata.endian),
      order,
      filters: filters.length === 0 ? null : filters.map(writeNumcodecs),
      dimension_separator: chunkKeyEncoding.separator,
      compressor: compressor === undefined ? null : writeNumcodecs(compressor),
      zarr_format: 2,
    },
    ".zattrs": withArrayDimensions(metadata.attributes, dimensionNames),
  };
}

/** @throws UnsupportedError for metadata of another format */
export function writeV2Group(metadata: GroupMetadata): Record<".zgroup" | ".zattrs", JsonObject> {
  checkV2(metadata.zarrFormat);
  return { ".zgroup": { ...metadata.extra, zarr_format: 2 }, ".zattrs": metadata.attributes };
}

function checkV2(zarrFormat: ArrayMetadata["zarrFormat"]): void {
  if (zarrFormat !== 2) throw new UnsupportedError(`expected metadata of format 2, got format ${zarrFormat}`);
}

export function writeChunkGrid(grid: ChunkGrid): JsonObject {
  const configuration =
    grid.name === "regular"
      ? { chunk_shape: grid.chunkShape }
      : { kind: "inline", chunk_shapes: grid.chunkShapes };
  return { name: grid.name, configuration };
}

/**
 * The `zarr.json` of a node in the form that zarr-python reads: all members present, and no short forms of
 * extensions.
 * @throws UnsupportedError for metadata of another format, which has to be converted first
 */
export function writeV3(metadata: NodeMetadata): JsonObject {
  const { zarrFormat, attributes, extra } = metadata;
  if (zarrFormat !== 3) throw new UnsupportedError(`expected metadata of format 3, got format ${zarrFormat}`);
  if (metadata.nodeType === "group") return { ...extra, attributes, zarr_format: 3, node_type: "group" };
  const { shape, dataType, chunkGrid, chunkKeyEncoding, fillValue, dimensionNames } = metadata;
  const isStruct = dataType.name === "struct" && dataType.needsEndian;
  const codecs = isStruct ? metadata.codecs.map(withEndian) : metadata.codecs;
  return {
    ...extra,
    shape,
    data_type: dataType.toV3(),
    chunk_grid: writeChunkGrid(chunkGrid),
    chunk_key_encoding: {
      name: chunkKeyEncoding.name,
      configuration: chunkKeyEncoding.configuration ?? { separator: chunkKeyEncoding.separator },
    },
    fill_value: dataType.scalarToJson(fillValue ?? dataType.defaultScalar, 3),
    codecs: codecs.map(writeCodec),
    attributes,
    ...(dimensionNames === undefined ? {} : { dimension_names: dimensionNames }),
    zarr_format: 3,
    node_type: "array",
    storage_transformers: [],
  };
}

// zarr-python requires `configuration` for all codecs but these two, which it writes without an empty one.
const WITHOUT_CONFIGURATION = ["bytes", "crc32c"];

/** A codec as an object with its configuration, never as a bare name, which zarr-python does not read. */
function writeCodec({ name, configuration, mustUnderstand }: CodecMetadata): JsonObject {
  const omit = WITHOUT_CONFIGURATION.includes(name) && Object.keys(configuration).length === 0;
  return {
    name,
    ...(omit ? {} : { configuration }),
    ...(mustUnderstand === undefined ? {} : { must_understand: mustUnderstand }),
  };
}

/**
 * Adds the byte order to `bytes`, also in the inner codecs of shards. Arrays of the legacy type `structured`
 * may omit it, which means little-endian. They are written as `struct`, for which it "MUST be configured".
 */
function withEndian(codec: CodecMetadata): CodecMetadata {
  return { ...codec, configuration: withEndianIn(codec.name, codec.configuration) };
}

function withEndianIn(name: string, configuration: JsonObject): JsonObject {
  if (name === "bytes") return { endian: "little", ...configuration };
  const { codecs } = configuration;
  return name === "sharding_indexed" && isJsonArray(codecs)
    ? { ...configuration, codecs: codecs.map(inner) }
    : configuration;
}

function inner(json: Json): Json {
  const codec = typeof json === "string" ? { name: json } : json;
  if (!isJsonObject(codec) || typeof codec.name !== "string") return json;
  const { configuration = {} } = codec;
  return isJsonObject(configuration)
    ? { ...codec, configuration: withEndianIn(codec.name, configuration) }
    : json;
}

/**
 * Removes the transposition of order F from the codecs.
 * @throws UnsupportedError for any other transposition
 */
export function splitOrder(
  codecs: readonly CodecMetadata[],
  rank: number,
): { readonly order: "C" | "F"; readonly codecs: readonly CodecMetadata[] } {
  const [first, ...others] = codecs;
  if (first?.name !== "transpose") return { order: "C", codecs };
  if (!isReversed(first.configuration.order, rank)) {
    throw new UnsupportedError(
      `expected order C or F, the only ones of this format, got ${describe(first.configuration.order)}`,
    );
  }
  return { order: "F", codecs: others };
}

function isReversed(order: Json | undefined, rank: number): boolean {
  return isJsonArray(order) && order.length === rank && order.every((axis, i) => axis === rank - 1 - i);
}

export function writeNumcodecs({ name, configuration }: CodecMetadata): JsonObject {
  const { id: _, ...parameters } = configuration;
  return { id: idOf(name), ...parameters };
}

/** @throws UnsupportedError for a codec that numcodecs does not have */
export function idOf(name: string): string {
  if (name.startsWith(NUMCODECS)) return name.slice(NUMCODECS.length);
  throw new UnsupportedError(
    "expected a codec of numcodecs (numcodecs.ID), got a codec that only v3 has; choose another, or write v3",
    { codec: name },
  );
}

const FILTERS =
  `adler32 astype base64 bitround categorize crc32 crc32c delta fixedscaleoffset fletcher32 jenkins_lookup3
  json json2 msgpack2 packbits pickle quantize shuffle vlen-array vlen-bytes vlen-utf8`.split(/\s+/);

/** Whether a codec of numcodecs is a filter, and not a compressor. */
export function isFilter({ name }: CodecMetadata): boolean {
  return FILTERS.includes(name.slice(NUMCODECS.length));
}

/** The attributes with the dimension names in `_ARRAY_DIMENSIONS`. */
export function withArrayDimensions(
  attributes: JsonObject,
  dimensionNames: readonly (string | null)[] | undefined,
): JsonObject {
  if (dimensionNames === undefined) return attributes;
  return keepSpellings({ ...attributes, [ARRAY_DIMENSIONS]: dimensionNames }, attributes);
}
