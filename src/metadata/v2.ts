/** The v2 format: `.zarray`, `.zgroup` and `.zattrs`, to the model and back (v2 storage specification). */
import { dataTypeFromV2 } from "../data-types/registry.js";
import { type ErrorContext, UnsupportedError } from "../errors.js";
import { readArrayDimensions, withArrayDimensions } from "./array-dimensions.js";
import { readLengths } from "./early-grids.js";
import { isJsonArray, type Json, type JsonObject } from "./json.js";
import { Member } from "./member.js";
import type { ArrayMetadata, CodecMetadata, GroupMetadata } from "./model.js";
import { isFilter, NUMCODECS, parseNumcodecs, splitOrder, transposeOf, writeNumcodecs } from "./v2-layout.js";

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
    chunkGrid: { name: "regular", chunkShape: parseChunks(document.get("chunks"), shape.length) },
    chunkKeyEncoding: {
      name: "v2",
      separator: separator.json === undefined ? "." : separator.oneOf(".", "/"),
    },
    codecs: [...transposeOf(parseOrder(document.get("order")), shape.length), ...codecs],
    endian,
    fillValue: fillValue.isNull
      ? undefined
      : fillValue.check((json) => dataType.scalarFromJson(json, 2, endian)),
    attributes,
    dimensionNames: readArrayDimensions(attributes, shape.length),
    // "Other keys ... should be ignored by implementations"; NCZarr adds some, which a rewrite must not lose.
    extra: document.others(ARRAY_MEMBERS),
  };
}

/** Nearly always plain lengths; others are what earlier versions of zarr-python wrote. */
function parseChunks(chunks: Member, rank: number): readonly number[] {
  return (isJsonArray(chunks.json) ? chunks.as(readLengths(chunks.json)) : chunks).integers(1, rank);
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

/** Filters, then the compressor: the order of encoding. */
function parseCodecs(document: Member): readonly CodecMetadata[] {
  const filters = document.get("filters");
  const compressor = document.get("compressor");
  return [...(filters.isNull ? [] : filters.list()), ...(compressor.isNull ? [] : [compressor])].map(
    parseNumcodecs,
  );
}

function parseOrder(member: Member): "C" | "F" {
  return member.json === undefined ? "C" : member.oneOf("C", "F");
}

/**
 * The documents of an array, every member present as zarr-python wants it. Dimension names go into `_ARRAY_DIMENSIONS`.
 * @throws UnsupportedError for metadata of another format, or that v2 cannot hold
 */
export function writeV2Array(metadata: ArrayMetadata): V2ArrayDocuments {
  checkV2(metadata.zarrFormat);
  const { dataType, shape, fillValue, chunkGrid, chunkKeyEncoding, dimensionNames } = metadata;
  const { order, codecs } = splitOrder(metadata.codecs, shape.length);
  // A filter in the last place means that there was no compressor. The stored bytes are the same either way, but
  // filters are where zarr-python looks for them.
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
export function writeV2Group(metadata: GroupMetadata): V2GroupDocuments {
  checkV2(metadata.zarrFormat);
  return { ".zgroup": { ...metadata.extra, zarr_format: 2 }, ".zattrs": metadata.attributes };
}

function checkV2(zarrFormat: ArrayMetadata["zarrFormat"]): void {
  if (zarrFormat !== 2) throw new UnsupportedError(`expected metadata of format 2, got format ${zarrFormat}`);
}
