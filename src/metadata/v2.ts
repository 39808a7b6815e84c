/** The v2 format: `.zarray`, `.zgroup` and `.zattrs`, to the model and back (v2 storage specification). */
import type { Endian } from "../data-types/data-type.js";
import { dataTypeFromV2 } from "../data-types/registry.js";
import { type ErrorContext, UnsupportedError } from "../errors.js";
import { readArrayDimensions, withArrayDimensions } from "./array-dimensions.js";
import {
  checkMember,
  checkProduct,
  expectIntegers,
  expectObject,
  invalidMember,
  memberOf,
} from "./document.js";
import { isJsonArray, isJsonObject, type Json, type JsonObject } from "./json.js";
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

const ARRAY_MEMBERS: ReadonlySet<string> = new Set([
  "zarr_format",
  "shape",
  "chunks",
  "dtype",
  "compressor",
  "fill_value",
  "order",
  "filters",
  "dimension_separator",
]);

/**
 * Reads a `.zarray` with its `.zattrs`, which may be missing. Run it inside `withAllDataTypes`.
 * @param context says the key of the `.zarray`
 * @throws InvalidMetadataError, UnknownDataTypeError
 */
export function parseV2Array(zarray: Json, zattrs?: Json, context: ErrorContext = {}): ArrayMetadata {
  const document = expectObject(zarray, undefined, context);
  checkFormat(document, context);
  const shape = expectIntegers(memberOf(document, "shape"), 0, undefined, "shape", context);
  checkProduct(shape, "shape", context);
  const filters = parseFilters(memberOf(document, "filters"), context);
  const compressor = memberOf(document, "compressor") ?? null;
  const codecs = compressor === null ? filters : [...filters, parseCodec(compressor, "compressor", context)];
  const dtype = memberOf(document, "dtype");
  if (dtype === undefined) throw invalidMember("a data type", dtype, "dtype", context);
  // The codec that turns objects into bytes has to be the first to see the array.
  const objectCodec = codecs[0]?.name.slice(NUMCODECS.length);
  const { dataType, endian } = checkMember("dtype", context, () => dataTypeFromV2(dtype, objectCodec));
  const fillValue = memberOf(document, "fill_value") ?? null;
  const attributes = parseAttributes(zattrs, context);
  return {
    nodeType: "array",
    zarrFormat: 2,
    shape,
    dataType,
    chunkGrid: { name: "regular", chunkShape: parseChunks(memberOf(document, "chunks"), shape, context) },
    chunkKeyEncoding: {
      name: "v2",
      separator: parseSeparator(memberOf(document, "dimension_separator"), context),
    },
    codecs: [...parseOrder(memberOf(document, "order"), shape.length, context), ...codecs],
    endian,
    fillValue:
      fillValue === null
        ? undefined
        : checkMember("fill_value", context, () => dataType.scalarFromJson(fillValue, 2)),
    attributes,
    dimensionNames: readArrayDimensions(attributes, shape.length),
    extra: otherMembers(document, ARRAY_MEMBERS),
  };
}

/** Reads a `.zgroup` with its `.zattrs`, which may be missing. @throws InvalidMetadataError */
export function parseV2Group(zgroup: Json, zattrs?: Json, context: ErrorContext = {}): GroupMetadata {
  const document = expectObject(zgroup, undefined, context);
  checkFormat(document, context);
  return {
    nodeType: "group",
    zarrFormat: 2,
    attributes: parseAttributes(zattrs, context),
    extra: otherMembers(document, new Set(["zarr_format"])),
  };
}

function checkFormat(document: JsonObject, context: ErrorContext): void {
  const format = memberOf(document, "zarr_format");
  if (format !== 2) throw invalidMember("2", format, "zarr_format", context);
}

/** "Other keys ... should be ignored by implementations"; NCZarr and others add some, so they are kept for rewriting. */
function otherMembers(document: JsonObject, known: ReadonlySet<string>): JsonObject {
  return Object.fromEntries(Object.entries(document).filter(([name]) => !known.has(name)));
}

function parseAttributes(zattrs: Json | undefined, context: ErrorContext): JsonObject {
  const key = context.key?.replace(/\.z(array|group)$/, ".zattrs");
  return expectObject(zattrs ?? {}, undefined, { ...context, key });
}

function parseChunks(
  json: Json | undefined,
  shape: readonly number[],
  context: ErrorContext,
): readonly number[] {
  const chunks = expectIntegers(json, 0, shape.length, "chunks", context);
  checkProduct(chunks, "chunks", context);
  return chunks.map((length, i) => {
    if (length > 0) return length;
    // zarr-python 2 wrote 0 for a dimension without elements (chunks=False); there are no chunks to divide into.
    if (shape[i] === 0) return 1;
    throw invalidMember("an integer from 1 to 2^53 - 1", 0, `chunks[${i}]`, context);
  });
}

function parseSeparator(json: Json | undefined, context: ErrorContext): "/" | "." {
  if (json === undefined) return ".";
  if (json === "." || json === "/") return json;
  throw invalidMember('"." or "/"', json, "dimension_separator", context);
}

/** Order F is a transposition by the reversed dimensions, which rank 0 and 1 do not need. */
function parseOrder(json: Json | undefined, rank: number, context: ErrorContext): readonly CodecMetadata[] {
  if (json !== "F" && json !== "C" && json !== undefined)
    throw invalidMember('"C" or "F"', json, "order", context);
  return json === "F" && rank > 1 ? [{ name: "transpose", configuration: { order: reversed(rank) } }] : [];
}

function reversed(rank: number): readonly number[] {
  return Array.from({ length: rank }, (_, i) => rank - 1 - i);
}

function parseFilters(json: Json | undefined, context: ErrorContext): readonly CodecMetadata[] {
  if (json === undefined || json === null) return [];
  if (!isJsonArray(json)) throw invalidMember("a list or null", json, "filters", context);
  return json.map((filter, i) => parseCodec(filter, `filters[${i}]`, context));
}

const NUMCODECS = "numcodecs.";

function parseCodec(json: Json, member: string, context: ErrorContext): CodecMetadata {
  if (!isJsonObject(json)) throw invalidMember('an object with "id"', json, member, context);
  const id = memberOf(json, "id");
  if (typeof id !== "string") throw invalidMember("a string", id, `${member}.id`, context);
  return {
    name: NUMCODECS + id,
    configuration: Object.fromEntries(Object.entries(json).filter(([name]) => name !== "id")),
  };
}

// Where one of these comes last there was no compressor. The stored bytes are the same either way, but filters are
// where zarr-python looks for them.
const FILTERS: ReadonlySet<string> = new Set(
  [
    ..."adler32 astype base64 bitround categorize crc32 crc32c delta fixedscaleoffset fletcher32".split(" "),
    ..."jenkins_lookup3 json2 msgpack2 packbits pickle quantize shuffle vlen-array vlen-bytes vlen-utf8".split(
      " ",
    ),
  ].map((id) => NUMCODECS + id),
);

/**
 * The documents of an array, every member present as zarr-python wants it. Dimension names go into `_ARRAY_DIMENSIONS`.
 * @throws UnsupportedError for metadata of another format, or that v2 cannot hold
 */
export function writeV2Array(metadata: ArrayMetadata): V2ArrayDocuments {
  checkV2(metadata.zarrFormat);
  const { dataType, shape, fillValue } = metadata;
  const [order, codecs] = splitOrder(metadata.codecs, shape.length);
  const last = codecs.at(-1);
  const compressor = last !== undefined && !FILTERS.has(last.name) ? last : undefined;
  const filters = compressor === undefined ? codecs : codecs.slice(0, -1);
  const endian: Endian = metadata.endian ?? "little";
  return {
    ".zarray": {
      ...metadata.extra,
      shape,
      chunks: metadata.chunkGrid.chunkShape,
      dtype: dataType.toV2(endian),
      fill_value: fillValue === undefined ? null : dataType.scalarToJson(fillValue, 2),
      order,
      filters: filters.length === 0 ? null : filters.map(writeCodec),
      dimension_separator: metadata.chunkKeyEncoding.separator,
      compressor: compressor === undefined ? null : writeCodec(compressor),
      zarr_format: 2,
    },
    ".zattrs": withArrayDimensions(metadata.attributes, metadata.dimensionNames),
  };
}

/** @throws UnsupportedError for metadata of another format */
export function writeV2Group(metadata: GroupMetadata): V2GroupDocuments {
  checkV2(metadata.zarrFormat);
  return { ".zgroup": { ...metadata.extra, zarr_format: 2 }, ".zattrs": metadata.attributes };
}

function checkV2(zarrFormat: ArrayMetadata["zarrFormat"]): void {
  if (zarrFormat === 2) return;
  throw new UnsupportedError(`expected metadata of format 2, got format ${zarrFormat}: convert it first`);
}

function splitOrder(
  codecs: readonly CodecMetadata[],
  rank: number,
): readonly ["C" | "F", readonly CodecMetadata[]] {
  const [first, ...others] = codecs;
  if (first?.name !== "transpose") return ["C", codecs];
  const order = memberOf(first.configuration, "order");
  const isReversed =
    isJsonArray(order) && order.length === rank && order.every((axis, i) => axis === rank - 1 - i);
  if (!isReversed) throw new UnsupportedError("v2 has the orders C and F only, not any transpose");
  return ["F", others];
}

function writeCodec({ name, configuration }: CodecMetadata): JsonObject {
  if (!name.startsWith(NUMCODECS)) {
    throw new UnsupportedError(`v2 holds numcodecs codecs only (numcodecs.ID), not ${name}`, { codec: name });
  }
  return { id: name.slice(NUMCODECS.length), ...configuration };
}
