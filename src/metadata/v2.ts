/**
 * Reads `.zarray`, `.zgroup` and `.zattrs` of v2 into the model (v2 storage specification); metadata/write.ts
 * writes them. The 2020 draft states orders, codecs of numcodecs and dimension names in the same way.
 */

import type { ErrorContext } from "../base/errors.js";
import type { ZarrFormat } from "../data-types/data-type.js";
import { dataTypeFromV2 } from "../data-types/registry.js";
import { isJsonArray, type Json, type JsonObject } from "./json.js";
import { Member } from "./member.js";
import type { ArrayMetadata, CodecMetadata, GroupMetadata } from "./model.js";
import { readLengths } from "./v3.js";

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
 * @param context the key of the `.zarray` and the node's path, for errors
 * @throws InvalidMetadataError, UnknownDataTypeError
 */
export function parseV2Array(zarray: Json, zattrs?: Json, context: ErrorContext = {}): ArrayMetadata {
  const document = new Member(zarray, context);
  document.get("zarr_format").oneOf(2);
  const shape = document.get("shape").shape();
  const codecs = parseCodecs(document);
  // v2 requires that an object codec is the first codec.
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
    // "Other keys ... should be ignored by implementations". NCZarr adds some, which a rewrite must keep.
    extra: document.others(ARRAY_MEMBERS),
  };
}

/** Earlier versions of zarr-python wrote other values than positive integers: see `readLengths`. */
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

/** The filters, then the compressor: encoding order. */
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

/** The `transpose` codec for order F, which reverses the dimensions; none for rank 0 and 1. */
export function transposeOf(order: "C" | "F", rank: number): readonly CodecMetadata[] {
  if (order === "C" || rank < 2) return [];
  return [
    { name: "transpose", configuration: { order: Array.from({ length: rank }, (_, i) => rank - 1 - i) } },
  ];
}

/** Prefix of the v3 names of numcodecs codecs. The pipeline uses v3 names for all formats. */
export const NUMCODECS = "numcodecs.";

export function parseNumcodecs(member: Member): CodecMetadata {
  return { name: NUMCODECS + member.get("id").string(), configuration: member.others(["id"]) };
}

/**
 * The attribute with dimension names in formats that have no such member: a convention of xarray, NCZarr and
 * GDAL. Reading keeps it in the attributes, where users of v2 look for it; conversion to v3 drops it.
 */
export const ARRAY_DIMENSIONS = "_ARRAY_DIMENSIONS";

/**
 * The dimension names of a new array: of v2 an array without dimensions has the empty list, without which
 * xarray refuses the whole group.
 */
export function namesOfRank(
  names: readonly (string | null)[] | undefined,
  zarrFormat: ZarrFormat,
  rank: number,
): readonly (string | null)[] | undefined {
  return names ?? (zarrFormat === 2 && rank === 0 ? [] : undefined);
}

/**
 * The names, if the attribute is a list with one string (or null) per dimension; any other value is an
 * ordinary attribute.
 */
export function readArrayDimensions(
  attributes: JsonObject,
  rank: number,
): readonly (string | null)[] | undefined {
  const value = attributes[ARRAY_DIMENSIONS];
  if (!isJsonArray(value) || value.length !== rank) return undefined;
  const names = value.filter((name) => typeof name === "string" || name === null);
  return names.length === rank ? names : undefined;
}
