/** The options for new nodes: their types, and their checks at run time for JavaScript callers. */

import { describe, InvalidArgumentError, invalid } from "../../base/errors.js";
import { checkNames, type NamesOf } from "../../base/option-names.js";
import { product } from "../../base/shape.js";
import type { DataType, Endian, ZarrFormat } from "../../data-types/data-type.js";
import type { DataTypeName, DataTypeText, ScalarOf } from "../../data-types/names.js";
import { isJsonObject, type Json, type JsonObject } from "../../metadata/json.js";
import { stringifyJson } from "../../metadata/json-text.js";
import type { ChunkLengths } from "../../metadata/model.js";
import type { CodecChoice } from "./codec-options.js";

interface CreateNodeOptions {
  /** User attributes: JSON; integers may be bigints. */
  readonly attributes?: Readonly<Record<string, unknown>> | undefined;
  /** 3 unless given; "draft" at a location that was resolved from a node of the 2020 draft. */
  readonly zarrFormat?: ZarrFormat | undefined;
  /**
   * True replaces an existing node and everything below it; otherwise an existing node is an error. If
   * there is no node, files that are not Zarr's stay.
   */
  readonly overwrite?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Options of `create` for a group. */
export interface CreateGroupOptions extends CreateNodeOptions {
  /** A group has none: with a shape, `create` makes an array. */
  readonly shape?: undefined;
}

/**
 * Options of `create` for an array.
 * @typeParam D the data type that `dtype` gives
 */
export interface CreateArrayOptions<D> extends CreateNodeOptions {
  /** Lengths of the dimensions, each 0 or more; [] for a single element. */
  readonly shape: readonly number[];
  /** A name such as "float32", v2 or v3 JSON, or a DataType. */
  readonly dtype: D;
  /**
   * Chunk shape; inner chunk shape of a sharded array. Unless given, a chunk has about 1 MiB, an inner chunk
   * 128 KiB. v3: a list of lengths in place of one length makes a rectilinear grid, `[[31, 28, [31, 2]],
   * 64]`, where [31, 2] means 31, 31. Not for inner chunks.
   */
  readonly chunkShape?: readonly ChunkLengths[] | "auto" | undefined;
  /**
   * v3: shard shape, a multiple of the chunk shape, or lists of such lengths; "auto" makes shards of up to 32
   * MiB. Not sharded unless given.
   */
  readonly shards?: readonly ChunkLengths[] | "auto" | undefined;
  /**
   * v3: the codecs in encoding order; `bytes` is added to a list without an array-to-bytes codec. v2: filters
   * and compressor. Draft: the compressor. v2 and the draft also take a list of numcodecs codecs. Unless
   * given, v2 and v3 compress chunks (inner chunks of shards) with zstd at level 3, and the draft stores them
   * uncompressed; `[]` means no compression.
   */
  readonly codecs?: CodecChoice["codecs"];
  /**
   * The scalar of elements that were never written; the data type's zero unless given. v2 and the draft: null
   * leaves it undefined.
   */
  readonly fillValue?: ScalarOf<D> | null | undefined;
  /** One name for each dimension, null for a dimension without a name. */
  readonly dimensionNames?: readonly (string | null)[] | undefined;
  /** Element order within a stored chunk, "C" unless given; in "F" the first dimension varies fastest. */
  readonly order?: "C" | "F" | undefined;
  /** Byte order of stored elements; little unless given. */
  readonly endian?: Endian | undefined;
  /** Separator between the indices of a chunk key; unless given, "." for v2 and "/" for the others. */
  readonly chunkSeparator?: "/" | "." | undefined;
  /**
   * v3: how keys of chunks are made, `c/0/1` ("default") or `0/1` ("v2"), or another encoding as documents
   * have it: `{ name: "fanout", configuration: { max_children: 101 } }`. zarr-python only opens "default" and
   * "v2".
   */
  readonly chunkKeyEncoding?:
    | "default"
    | "v2"
    | { readonly name: string; readonly configuration?: JsonObject | undefined }
    | undefined;
}

/**
 * Names that other libraries have for options of `create`: the compiler's message for one of them is the name
 * here.
 */
export interface NamesElsewhere {
  /** As zarr-python has it. */
  readonly chunks?: "the name of this option is chunkShape" | undefined;
  /** As zarrita had it. */
  readonly chunk_shape?: "the name of this option is chunkShape" | undefined;
}

/**
 * The values that `dtype` accepts: a name, JSON, or a DataType. Only names that TypeScript knows give typed
 * results.
 */
export type DataTypeOption = DataTypeText | AnyString | DataType | Exclude<Json, string>;

/** A string that leaves the names beside it in a union, so that editors complete them. */
type AnyString = string & Record<never, never>;

/**
 * Refuses misspelt names when the program is compiled. A name that is only known when it runs is a `string`;
 * one that `registerDataType` adds is known if DataTypeMap has it.
 */
export type KnownDataType<D> = D extends string
  ? string extends D
    ? unknown
    : D extends DataTypeText
      ? unknown
      : { readonly dtype: DataTypeText }
  : unknown;

const OF_GROUPS: NamesOf<CreateGroupOptions> = {
  attributes: true,
  zarrFormat: true,
  overwrite: true,
  signal: true,
  shape: true,
};
const OF_ARRAYS: NamesOf<CreateArrayOptions<DataTypeName>> = {
  ...OF_GROUPS,
  shape: "list",
  dtype: true,
  chunkShape: true,
  shards: true,
  codecs: true,
  fillValue: true,
  dimensionNames: "list",
  order: true,
  endian: true,
  chunkSeparator: true,
  chunkKeyEncoding: true,
};

/** Names of options in other libraries; names that differ by a few letters need no entry. */
const ELSEWHERE: ReadonlyMap<string, string> = new Map([
  ["chunks", "chunkShape"],
  ["chunksize", "chunkShape"],
  ["compressor", "codecs"],
  ["compressors", "codecs"],
  ["compression", "codecs"],
  ["filters", "codecs"],
  ["serializer", "codecs"],
  ["data_type", "dtype"],
  ["dataType", "dtype"],
  ["attrs", "attributes"],
  ["dims", "dimensionNames"],
  ["dimension_separator", "chunkSeparator"],
]);

/** Names that zarrita had before 0.7: libraries that were built with it create arrays with them. */
const EARLIER: ReadonlyMap<string, string> = new Map([
  ["data_type", "dtype"],
  ["chunk_shape", "chunkShape"],
  ["fill_value", "fillValue"],
  ["chunk_separator", "chunkSeparator"],
]);

const ALLOWED: Readonly<Record<string, readonly unknown[]>> = {
  zarrFormat: [2, 3, "draft"],
  order: ["C", "F"],
  endian: ["little", "big"],
  chunkSeparator: ["/", "."],
  chunkKeyEncoding: ["default", "v2"],
};

const ENCODING = { name: true, configuration: true } as const;

/**
 * @throws InvalidArgumentError for an invalid value of an option of `create` or `copyNode`, such as
 * attributes that are not JSON
 */
export function checkOptions(options: object): void {
  const values = new Map<string, unknown>(Object.entries(options));
  for (const [name, allowed] of Object.entries(ALLOWED)) {
    const value = values.get(name);
    if (value === undefined || allowed.includes(value)) continue;
    const isEncoding = name === "chunkKeyEncoding";
    if (isEncoding && isJsonObject(value)) {
      checkNames(value, name, ENCODING);
      continue;
    }
    const other = isEncoding ? ' or { name: "fanout" } and the like' : "";
    throw invalid(name, allowed.map(describe).join(" or ") + other, value);
  }
  checkAttributes(values.get("attributes"));
  const names = values.get("dimensionNames");
  if (names !== undefined && !(Array.isArray(names) && names.every(isDimensionName))) {
    throw invalid("dimensionNames", "a list of strings or null", names);
  }
}

/** The options of `create` by their current names. An old name beside the current one stays, an error. */
export function withCurrentNames<Options extends object>(options: Options): Options {
  if (options === null || !Object.keys(options).some((name) => EARLIER.has(name))) return options;
  const named = Object.entries(options).map(([name, value]) => {
    const current = EARLIER.get(name) ?? name;
    return [Object.hasOwn(options, current) ? name : current, value];
  });
  return Object.fromEntries(named);
}

/** @throws InvalidArgumentError for unknown options, and for options of arrays without `shape` */
export function checkCreateOptions(options: object): void {
  checkNames(options, "create", OF_ARRAYS, ELSEWHERE);
  const values = new Map<string, unknown>(Object.entries(options));
  if (values.get("shape") !== undefined) return;
  for (const [name, value] of values) {
    if (value === undefined || !Object.hasOwn(OF_ARRAYS, name) || Object.hasOwn(OF_GROUPS, name)) continue;
    throw new InvalidArgumentError(
      `shape: expected a list of lengths, because ${name} is an option of arrays, got undefined`,
    );
  }
}

/**
 * Checks given attributes, which may be the `attrs` of a node, typed as unknown.
 * @throws InvalidArgumentError unless they are JSON
 */
export function checkAttributes(attributes: unknown): JsonObject | undefined {
  if (attributes === undefined) return undefined;
  if (!isJsonObject(attributes)) throw invalid("attributes", "an object", attributes);
  stringifyJson(attributes);
  return attributes;
}

function isDimensionName(name: unknown): boolean {
  return name === null || typeof name === "string";
}

/**
 * @param minimum of each length
 * @param name of the argument, for the message
 * @throws InvalidArgumentError
 */
export function checkLengths(lengths: readonly number[], minimum: number, rank: number, name: string): void {
  checkIsList(lengths, name);
  const valid =
    lengths.length === rank && lengths.every((length) => Number.isSafeInteger(length) && length >= minimum);
  if (valid && Number.isSafeInteger(product(lengths))) return;
  throw new InvalidArgumentError(
    `${name}: expected ${rank} integers of at least ${minimum} with a product below 2^53, got [${lengths.map(describe).join(", ")}]`,
  );
}

/** @throws InvalidArgumentError unless `lengths` is a list */
export function checkIsList(lengths: readonly unknown[], name: string): void {
  if (Array.isArray(lengths)) return;
  throw invalid(name, "a list of lengths, one for each dimension", lengths);
}
