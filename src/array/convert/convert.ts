/** Converts the metadata of a node to another format, layout or set of codecs, to create a copy with. */

import { InvalidArgumentError, isZarrError, UnsupportedError } from "../../base/errors.js";
import { bytesCodec, isBytesCodec } from "../../core/codecs/bytes.js";
import { sharded, withoutSharding } from "../../core/codecs/sharding/codec-lists.js";
import { SHARDING } from "../../core/codecs/sharding/document.js";
import { orderOf, storedOrder } from "../../core/codecs/transpose.js";
import {
  type DataType,
  type Endian,
  fillPattern,
  fillScalar,
  type ZarrFormat,
} from "../../data-types/data-type.js";
import type { Json, JsonObject } from "../../metadata/json.js";
import { stringifyJson } from "../../metadata/json-text.js";
import type {
  ArrayMetadata,
  ChunkGrid,
  ChunkLengths,
  CodecMetadata,
  GroupMetadata,
} from "../../metadata/model.js";
import { keepSpellings } from "../../metadata/number-spellings.js";
import { ARRAY_DIMENSIONS, namesOfRank, transposeOf } from "../../metadata/v2.js";
import { isFilter, writeChunkGrid } from "../../metadata/write.js";
import { encodedDataType } from "../create/codec-chain.js";
import { type CodecChoice, codecList, describeCodecs } from "../create/codec-options.js";
import { checkGrid, checkInnerChunks, chunkGridOf, keyEncodingOf } from "../create/create-grid.js";
import { checkAttributes } from "../create/create-options.js";
import { codecsForV3, codecsInV3, codecsOfNumcodecs, endianBefore, endianOf } from "./convert-codecs.js";
import { withMissingValue } from "./convert-missing.js";

/** The properties that a copy changes. All others are kept as far as the target's format can hold them. */
export interface Conversion {
  /** The format of the copy; that of the source unless given. */
  readonly zarrFormat?: ZarrFormat | undefined;
  /**
   * Chunk shape (inner chunk shape with shards) for arrays of that many dimensions; v3 also takes lists of
   * lengths, as `create` does.
   */
  readonly chunkShape?: readonly ChunkLengths[] | undefined;
  /**
   * Shard shape for arrays of that many dimensions, as `create` takes it. `chunkShape` without `shards` makes
   * arrays without shards.
   */
  readonly shards?: readonly ChunkLengths[] | undefined;
  /** As `create` takes them. */
  readonly codecs?: CodecChoice["codecs"];
  /**
   * The fill value as metadata documents write it: `0`, `"NaN"`, `"0x7fc00001"`, null. Elements keep their
   * values.
   */
  readonly fillValue?: Json | undefined;
  /** Element order within a stored chunk. */
  readonly order?: "C" | "F" | undefined;
  /** Byte order of stored elements. */
  readonly endian?: Endian | undefined;
  /** For arrays of that many dimensions. */
  readonly dimensionNames?: readonly (string | null)[] | undefined;
  /** Replaces the attributes of the copied node; nodes below it keep theirs. */
  readonly attributes?: Readonly<Record<string, unknown>> | undefined;
}

export function convertGroup(source: GroupMetadata, conversion: Conversion): GroupMetadata {
  const { zarrFormat = source.zarrFormat } = conversion;
  const attributes =
    keepSpellings(checkAttributes(conversion.attributes), source.attributes) ?? source.attributes;
  // Consolidated metadata would describe the source's nodes.
  const { consolidated_metadata: _, ...extra } = source.extra;
  const group = { nodeType: "group", zarrFormat, attributes } as const;
  if (zarrFormat !== source.zarrFormat) return { ...group, extra: {} };
  // An implicit group of the draft stays implicit in a copy, unless it gets attributes.
  const isImplicit = source.isImplicit === true && Object.keys(attributes).length === 0;
  return isImplicit ? { ...group, extra, isImplicit } : { ...group, extra };
}

/**
 * @throws UnsupportedError for features that the format lacks, InvalidArgumentError for options that do not
 * fit, UnknownCodecError
 */
export async function convertArray(source: ArrayMetadata, conversion: Conversion): Promise<ArrayMetadata> {
  const zarrFormat = conversion.zarrFormat ?? source.zarrFormat;
  const isSameFormat = zarrFormat === source.zarrFormat;
  const rank = source.shape.length;
  const keepsStruct = isSameFormat && conversion.endian === undefined && conversion.codecs === undefined;
  const dataType = keepsStruct ? source.dataType : (source.dataType.uniform ?? source.dataType);
  const before = zarrFormat === 3 ? undefined : endianBefore(source);
  const endian = conversion.endian ?? before ?? endianOf(source) ?? "little";
  const { codecs, chunkGrid } = await convertStorage(source, conversion, zarrFormat, dataType, endian);
  checkGrid(chunkGrid, zarrFormat);
  const names = ofRank(conversion.dimensionNames, rank) ?? source.dimensionNames;
  const attributeOption = checkAttributes(conversion.attributes);
  const copy: ArrayMetadata = {
    nodeType: "array",
    zarrFormat,
    shape: source.shape,
    dataType,
    chunkGrid,
    chunkKeyEncoding: isSameFormat ? source.chunkKeyEncoding : keyEncodingOf({}, zarrFormat, rank),
    codecs,
    endian: zarrFormat === 3 || !dataType.needsEndian ? undefined : endian,
    fillValue: convertFillValue(source.fillValue, conversion.fillValue, { dataType, zarrFormat, endian }),
    attributes: keepSpellings(
      attributeOption ?? convertAttributes(source, zarrFormat, names),
      source.attributes,
    ),
    dimensionNames: isSameFormat ? names : namesOfRank(names, zarrFormat, rank),
    extra: isSameFormat ? convertExtra(source, conversion) : {},
  };
  return withMissingValue(source, copy, {
    fillValue: conversion.fillValue !== undefined,
    attribute: attributeOption?._FillValue !== undefined,
  });
}

/** The option, if it has an item for each dimension; else undefined. */
function ofRank<Item>(option: readonly Item[] | undefined, rank: number): readonly Item[] | undefined {
  return option?.length === rank ? option : undefined;
}

interface Storage {
  readonly codecs: readonly CodecMetadata[];
  readonly chunkGrid: ChunkGrid;
}

async function convertStorage(
  source: ArrayMetadata,
  conversion: Conversion,
  zarrFormat: ZarrFormat,
  dataType: DataType,
  endian: Endian,
): Promise<Storage> {
  const rank = source.shape.length;
  const stored: Storage = { codecs: source.codecs, chunkGrid: source.chunkGrid };
  const chunkShape = ofRank(conversion.chunkShape, rank);
  const shards = ofRank(conversion.shards, rank);
  const { codecs, order } = conversion;
  const keepsStorage = [chunkShape, shards, codecs, order, conversion.endian].every(
    (option) => option === undefined,
  );
  if (zarrFormat === 3 && keepsStorage) return { ...stored, codecs: await codecsForV3(source) };
  const flat = withoutSharding(stored.codecs, stored.chunkGrid);
  const inner: Storage = {
    chunkGrid: chunkShape ? await chunkGridOf(chunkShape, source.shape, "chunkShape") : flat.chunkGrid,
    codecs: await convertCodecs({ ...source, codecs: flat.codecs }, conversion, zarrFormat, dataType, endian),
  };
  // A v3 copy keeps shards unless the options change the chunk shape.
  const isSharded = flat.codecs !== stored.codecs && zarrFormat === 3 && chunkShape === undefined;
  const chunkGrid = isSharded ? stored.chunkGrid : undefined;
  const shard = shards ? await chunkGridOf(shards, source.shape, "shards") : chunkGrid;
  if (shard === undefined || inner.codecs.some(({ name }) => name === SHARDING)) return inner;
  if (zarrFormat !== 3) throw new UnsupportedError("shards: only v3 has shards; use zarrFormat: 3");
  checkInnerChunks(shard, inner.chunkGrid);
  return { chunkGrid: shard, codecs: [sharded(inner.codecs, inner.chunkGrid.chunkShape)] };
}

/** @param source without sharding */
async function convertCodecs(
  source: ArrayMetadata,
  conversion: Conversion,
  zarrFormat: ZarrFormat,
  dataType: DataType,
  endian: Endian,
): Promise<readonly CodecMetadata[]> {
  const rank = source.shape.length;
  if (conversion.codecs !== undefined) {
    const order = conversion.order ?? (zarrFormat === 3 ? undefined : orderOf(source.codecs, rank));
    return codecList({ codecs: conversion.codecs, order, rank, zarrFormat }, dataType, endian);
  }
  let { codecs } = source;
  if (zarrFormat === 3) codecs = await codecsForV3(source);
  else if (source.zarrFormat === 3) codecs = await codecsOfNumcodecs(codecs, dataType);
  // Draft to draft keeps transpositions as they are: draft extensions may define others than C and F.
  const isOther = zarrFormat !== 3 && zarrFormat !== source.zarrFormat;
  const order = conversion.order ?? (isOther ? orderOf(codecs, rank) : undefined);
  if (order !== undefined) {
    codecs = [...transposeOf(order, rank), ...codecs.filter(({ name }) => name !== "transpose")];
  }
  if (zarrFormat === 3 && conversion.endian !== undefined) {
    const bytes = bytesCodec(await encodedDataType(codecs, dataType), endian);
    codecs = codecs.map((codec) => (isBytesCodec(codec) ? bytes : codec));
  }
  return codecs;
}

/**
 * The source's order of dimensions, if the copy has another because its format cannot store that order; else
 * undefined.
 */
export function lostOrder(
  source: ArrayMetadata,
  { codecs, zarrFormat }: ArrayMetadata,
): readonly number[] | undefined {
  if (zarrFormat === 3) return undefined;
  const rank = source.shape.length;
  const before = storedOrder(withoutSharding(source.codecs, source.chunkGrid).codecs, rank);
  return isSameJson(before ?? [], storedOrder(codecs, rank) ?? []) ? undefined : before;
}

function convertFillValue(
  fillValue: unknown,
  fillValueOption: Json | undefined,
  { dataType, zarrFormat, endian }: { dataType: DataType; zarrFormat: ZarrFormat; endian: Endian },
): unknown {
  if (fillValueOption !== undefined && fillValueOption !== null) {
    try {
      return dataType.scalarFromJson(fillValueOption, zarrFormat, endian);
    } catch (cause) {
      if (!isZarrError(cause, "InvalidMetadataError")) throw cause;
      throw new InvalidArgumentError(`fillValue: ${cause.message}`, { cause });
    }
  }
  const sourceFill = fillValueOption === null ? undefined : fillValue;
  if (sourceFill !== undefined || zarrFormat !== 3) return sourceFill;
  // v3 has no null. The data type's default keeps absent chunks as they were read.
  return fillScalar(dataType, undefined);
}

/** Whether chunks of `a`, including absent ones, are byte for byte valid chunks of `b`. */
export async function hasSameChunks(a: ArrayMetadata, b: ArrayMetadata): Promise<boolean> {
  if (!isSameJson(writeChunkGrid(a.chunkGrid), writeChunkGrid(b.chunkGrid))) return false;
  if (a.dataType !== b.dataType) {
    const { isSameDataType } = await import("../../data-types/extra/struct.js");
    if (!isSameDataType(a.dataType, b.dataType) || a.dataType.uniform !== undefined) return false;
  }
  if (!isSameFill(a, b)) return false;
  const isSameNotation = (a.zarrFormat === 3) === (b.zarrFormat === 3) && a.endian === b.endian;
  if (isSameNotation && isSameJson(describeCodecs(a.codecs), describeCodecs(b.codecs))) return true;
  return isSameJson(await describeInV3(a), await describeInV3(b));
}

/** The codecs as v3 JSON. Leading `transpose` codecs, where nearly all are, are joined into one order. */
async function describeInV3(metadata: ArrayMetadata): Promise<Json> {
  const codecs = await codecsInV3(metadata);
  const first = codecs.findIndex(({ name }) => name !== "transpose");
  const others = first < 0 ? [] : codecs.slice(first);
  return [
    storedOrder(codecs.slice(0, codecs.length - others.length), metadata.shape.length) ?? null,
    ...describeCodecs(others),
  ];
}

/** Whether absent chunks have the same elements in both arrays. */
export function isSameFill(a: ArrayMetadata, b: ArrayMetadata): boolean {
  if (a.dataType.itemSize === 0) {
    const json = ({ dataType, fillValue }: ArrayMetadata): Json =>
      dataType.scalarToJson(fillValue ?? dataType.defaultScalar, 3);
    return isSameJson(json(a), json(b));
  }
  const pattern = fillPattern(b.dataType, b.fillValue);
  return fillPattern(a.dataType, a.fillValue).every((byte, i) => byte === pattern[i]);
}

/** Whether two JSON values are equal, ignoring the order of members. */
function isSameJson(a: Json, b: Json): boolean {
  return stringifyJson(sorted(a)) === stringifyJson(sorted(b));
}

function sorted(json: Json): Json {
  if (typeof json !== "object" || json === null) return json;
  if (Array.isArray(json)) return json.map(sorted);
  const entries = Object.entries<Json>(json).map(([name, value]) => [name, sorted(value)] as const);
  return Object.fromEntries(entries.sort(([x], [y]) => (x < y ? -1 : 1)));
}

/**
 * Drops attributes that only hold metadata of the source's format: dimension names of v2, filters of the
 * draft.
 */
function convertAttributes(
  source: ArrayMetadata,
  zarrFormat: ZarrFormat,
  names: readonly (string | null)[] | undefined,
): JsonObject {
  const moved: string[] = [];
  if (zarrFormat === 3 && names !== undefined) moved.push(ARRAY_DIMENSIONS);
  // zarr-python stores the filters of draft arrays in this attribute.
  if (source.zarrFormat === "draft" && zarrFormat !== "draft" && source.codecs.some(isFilter)) {
    moved.push("filters");
  }
  return Object.fromEntries(Object.entries(source.attributes).filter(([name]) => !moved.includes(name)));
}

/** Keeps extension objects of the draft, except those that the conversion changes. */
function convertExtra({ extra, zarrFormat }: ArrayMetadata, conversion: Conversion): JsonObject {
  if (zarrFormat !== "draft") return extra;
  const { chunkShape, codecs, order, endian, fillValue } = conversion;
  const untrue = [
    ...(endian === undefined && fillValue === undefined ? [] : ["data_type", "fill_value"]),
    ...(chunkShape === undefined ? [] : ["chunk_grid"]),
    ...(order === undefined && codecs === undefined ? [] : ["chunk_memory_layout"]),
  ];
  return Object.fromEntries(Object.entries(extra).filter(([name]) => !untrue.includes(name)));
}
