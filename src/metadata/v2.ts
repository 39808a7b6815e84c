/** The v2 format: `.zarray`, `.zgroup` and `.zattrs`, to the model and back (v2 storage specification). */
import { dataTypeFromV2 } from "../data-types/registry.js";
import { type ErrorContext, UnsupportedError } from "../errors.js";
import { readArrayDimensions, withArrayDimensions } from "./array-dimensions.js";
import { isJsonArray, type Json, type JsonObject } from "./json.js";
import { Member } from "./member.js";
import type { ArrayMetadata, CodecMetadata, GroupMetadata } from "./model.js";

/** The documents of a v2 array, by the name that follows the node's path in the key. */
export interface V2ArrayDocuments {
  readonly ".zarray": JsonObject;
  readonly ".zattrs": JsonObject;
}
export interface V2GroupDocuments {
  readonly ".zgroup": JsonObject;
  readonly ".zattrs": JsonObject;
}

const ARRAY_MEMBERS = [
  "zarr_format",
  "shape",
  "chunks",
  "dtype",
  "compressor",
  "fill_value",
  "order",
  "filters",
  "dimension_separator",
];

/**
 * Reads a `.zarray` with its `.zattrs`, which may be missing. Run it inside `withAllDataTypes`.
 * @param context says the key of the `.zarray` and the node's path, for errors
 * @throws InvalidMetadataError, UnknownDataTypeError
 */
export function parseV2Array(zarray: Json, zattrs?: Json, context: ErrorContext = {}): ArrayMetadata {
  const document = new Member(zarray, context);
  document.get("zarr_format").oneOf(2);
  const shape = document.get("shape").integers(0);
  const codecs = parseCodecs(document);
  // The codec that makes bytes of objects has to be the first to see the array.
  const objectCodec = codecs[0]?.name.slice(NUMCODECS.length);
  const { dataType, endian } = document.get("dtype").check((dtype) => dataTypeFromV2(dtype, objectCodec));
  const fillValue = document.get("fill_value");
  const separator = document.get("dimension_separator");
  const attributes = parseAttributes(zattrs, context);
  return {
    nodeType: "array",
    zarrFormat: 2,
    shape,
    dataType,
    chunkGrid: { name: "regular", chunkShape: parseChunks(document.get("chunks"), shape) },
    chunkKeyEncoding: {
      name: "v2",
      separator: separator.json === undefined ? "." : separator.oneOf(".", "/"),
    },
    codecs: [...parseOrder(document.get("order"), shape.length), ...codecs],
    endian,
    fillValue: fillValue.isNull ? undefined : fillValue.check((json) => dataType.scalarFromJson(json, 2)),
    attributes,
    dimensionNames: readArrayDimensions(attributes, shape.length),
    // "Other keys ... should be ignored by implementations"; NCZarr adds some, which a rewrite must not lose.
    extra: document.others(ARRAY_MEMBERS),
  };
}

/** Reads a `.zgroup` with its `.zattrs`, which may be missing. @throws InvalidMetadataError */
export function parseV2Group(zgroup: Json, zattrs?: Json, context: ErrorContext = {}): GroupMetadata {
  const document = new Member(zgroup, context);
  document.get("zarr_format").oneOf(2);
  return {
    nodeType: "group",
    zarrFormat: 2,
    attributes: parseAttributes(zattrs, context),
    extra: document.others(["zarr_format"]),
  };
}

function parseAttributes(zattrs: Json | undefined, context: ErrorContext): JsonObject {
  const key = context.key?.replace(/\.z(array|group)$/, ".zattrs");
  return new Member(zattrs ?? {}, { ...context, key }).object();
}

function parseChunks(member: Member, shape: readonly number[]): readonly number[] {
  // zarr-python 2 wrote 0 for a dimension without elements (chunks=False), where there is nothing to divide.
  const isEmpty = (i: number) => shape[i] === 0;
  const lengths = member
    .list(shape.length)
    .map((length, i) => (isEmpty(i) && length.json === 0 ? 1 : length.json));
  return member.as(lengths.map((length) => length ?? null)).integers(1, shape.length);
}

/** Order F is a transposition by the reversed dimensions, which rank 0 and 1 do not need. */
function parseOrder(member: Member, rank: number): readonly CodecMetadata[] {
  if (member.json === undefined || member.oneOf("C", "F") === "C" || rank < 2) return [];
  return [
    { name: "transpose", configuration: { order: Array.from({ length: rank }, (_, i) => rank - 1 - i) } },
  ];
}

const NUMCODECS = "numcodecs.";

/** Filters, then the compressor: the order of encoding. */
function parseCodecs(document: Member): readonly CodecMetadata[] {
  const filters = document.get("filters");
  const compressor = document.get("compressor");
  return [...(filters.isNull ? [] : filters.list()), ...(compressor.isNull ? [] : [compressor])].map(
    (codec) => ({
      name: NUMCODECS + codec.get("id").string(),
      configuration: codec.others(["id"]),
    }),
  );
}

// Where one of these comes last there was no compressor. The stored bytes are the same either way, but filters are
// where zarr-python looks for them.
const FILTERS =
  `adler32 astype base64 bitround categorize crc32 crc32c delta fixedscaleoffset fletcher32 jenkins_lookup3
  json2 msgpack2 packbits pickle quantize shuffle vlen-array vlen-bytes vlen-utf8`.split(/\s+/);

/**
 * The documents of an array, every member present as zarr-python wants it. Dimension names go into `_ARRAY_DIMENSIONS`.
 * @throws UnsupportedError for metadata of another format, or that v2 cannot hold
 */
export function writeV2Array(metadata: ArrayMetadata): V2ArrayDocuments {
  checkV2(metadata.zarrFormat);
  const { dataType, shape, fillValue, chunkGrid, chunkKeyEncoding, dimensionNames } = metadata;
  const isTransposed = metadata.codecs[0]?.name === "transpose";
  if (isTransposed) checkReversed(metadata.codecs[0]?.configuration.order, shape.length);
  const filters = metadata.codecs.slice(isTransposed ? 1 : 0).map(writeCodec);
  const last = filters.at(-1);
  const compressor = last === undefined || FILTERS.includes(last.id) ? null : last;
  if (compressor !== null) filters.pop();
  return {
    ".zarray": {
      ...metadata.extra,
      shape,
      chunks: chunkGrid.chunkShape,
      dtype: dataType.toV2(metadata.endian ?? "little"),
      fill_value: fillValue === undefined ? null : dataType.scalarToJson(fillValue, 2),
      order: isTransposed ? "F" : "C",
      filters: filters.length === 0 ? null : filters,
      dimension_separator: chunkKeyEncoding.separator,
      compressor,
      zarr_format: 2,
    },
    ".zattrs": withArrayDimensions(metadata.attributes, dimensionNames),
  };
}

/** @throws UnsupportedError for metadata of another format */
export function writeV2Group(metadata: GroupMetadata): V2GroupDocuments {
  checkV2(metadata.zarrFormat);
  return { ".zgroup": { ...metadata.extra, zarr_format: 2 }, ".zattrs": metadata.attributes };
}

function checkV2(zarrFormat: ArrayMetadata["zarrFormat"]): void {
  if (zarrFormat !== 2) throw new UnsupportedError(`expected metadata of format 2, got format ${zarrFormat}`);
}

function checkReversed(order: Json | undefined, rank: number): void {
  const isReversed =
    isJsonArray(order) && order.length === rank && order.every((axis, i) => axis === rank - 1 - i);
  if (!isReversed)
    throw new UnsupportedError("expected order C or F, which is all v2 has, got another transpose");
}

function writeCodec({ name, configuration }: CodecMetadata): JsonObject & { readonly id: string } {
  if (!name.startsWith(NUMCODECS)) {
    throw new UnsupportedError("expected a codec of v2 (numcodecs.ID), got one of v3", { codec: name });
  }
  const { id: _, ...parameters } = configuration;
  return { id: name.slice(NUMCODECS.length), ...parameters };
}
