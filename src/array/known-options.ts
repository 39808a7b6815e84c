/** The names of the options that functions take: JavaScript would ignore one that is misspelt. */

import type { DataTypeName } from "../data-types/names.js";
import { describe, didYouMean, InvalidArgumentError } from "../errors.js";
import type { PrefetchOptions } from "./chunk-cache.js";
import type { CreateArrayOptions, CreateGroupOptions } from "./create.js";
import type { ColumnOptions, SafeIntegersOptions } from "./get.js";
import type { GetOptions } from "./get-options.js";
import type { ReadSlabsOptions } from "./read.js";
import type { SetOptions } from "./set.js";

/** Every member of `Options`, so that the compiler finds one that is missing. */
type NamesOf<Options> = Readonly<Record<keyof Options, true>>;

const all = <Options>(names: NamesOf<Options>): ReadonlySet<string> => new Set(Object.keys(names));

/** A program for zarrita may give it; wazarr has `concurrency` instead, and no need of a queue. */
interface Zarrita {
  readonly createQueue?: unknown;
}

const GROUP: NamesOf<CreateGroupOptions> = {
  attributes: true,
  zarrFormat: true,
  overwrite: true,
  signal: true,
  shape: true,
};
const ARRAY: NamesOf<CreateArrayOptions<DataTypeName>> = {
  ...GROUP,
  dtype: true,
  chunkShape: true,
  shards: true,
  codecs: true,
  fillValue: true,
  dimensionNames: true,
  order: true,
  endian: true,
  chunkSeparator: true,
  chunkKeyEncoding: true,
};
const FANCY: NamesOf<Omit<GetOptions, "shared" | "useSharedArrayBuffer">> = {
  signal: true,
  priority: true,
  opts: true,
  concurrency: true,
  out: true,
  coalesce: true,
  workers: true,
  cache: true,
  onProgress: true,
  invalidText: true,
  maximumDecodedBytes: true,
};
const { out: _, ...slabs } = FANCY;

/** By the function that takes them. */
export const KNOWN_OPTIONS = {
  create: all(ARRAY),
  createGroup: all(GROUP),
  get: all<GetOptions & ColumnOptions<DataTypeName> & SafeIntegersOptions<DataTypeName> & Zarrita>({
    ...FANCY,
    shared: true,
    useSharedArrayBuffer: true,
    safeIntegers: true,
    as: true,
    createQueue: true,
  }),
  getOrthogonal: all(FANCY),
  getCoordinates: all(FANCY),
  read: all<ReadSlabsOptions<DataTypeName>>({
    ...slabs,
    shared: true,
    useSharedArrayBuffer: true,
    maximumBytes: true,
  }),
  prefetch: all<PrefetchOptions>({
    cache: true,
    signal: true,
    priority: true,
    concurrency: true,
    coalesce: true,
    workers: true,
    invalidText: true,
  }),
  set: all<SetOptions & Zarrita>({
    signal: true,
    opts: true,
    concurrency: true,
    writeEmptyChunks: true,
    workers: true,
    onProgress: true,
    createQueue: true,
  }),
} as const;

/** What other libraries call an option; names that differ by a few letters need no entry. */
const ELSEWHERE: ReadonlyMap<string, string> = new Map([
  ["chunks", "chunkShape"],
  ["chunk_shape", "chunkShape"],
  ["chunksize", "chunkShape"],
  ["compressor", "codecs"],
  ["compressors", "codecs"],
  ["compression", "codecs"],
  ["filters", "codecs"],
  ["serializer", "codecs"],
  ["data_type", "dtype"],
  ["dataType", "dtype"],
  ["fill_value", "fillValue"],
  ["attrs", "attributes"],
  ["dims", "dimensionNames"],
  ["dimension_separator", "chunkSeparator"],
  ["write_empty_chunks", "writeEmptyChunks"],
]);

/**
 * Checks the members of a plain object; an instance of a class may have members of its own. One that is undefined counts as not given.
 * @throws InvalidArgumentError for an option that the function does not take, with the nearest that it does
 */
export function checkKnownOptions(options: unknown, name: keyof typeof KNOWN_OPTIONS): void {
  if (options === undefined) return;
  if (typeof options !== "object" || options === null) {
    throw new InvalidArgumentError(`${name}: expected an object of options, got ${describe(options)}`);
  }
  const prototype: unknown = Object.getPrototypeOf(options);
  if (prototype !== Object.prototype && prototype !== null) return;
  const known = KNOWN_OPTIONS[name];
  for (const option in options) {
    if (!known.has(option) && Reflect.get(options, option) !== undefined) throw unknown(option, name);
  }
}

function unknown(option: string, name: keyof typeof KNOWN_OPTIONS): InvalidArgumentError {
  const known = KNOWN_OPTIONS[name];
  const elsewhere = ELSEWHERE.get(option);
  const nearest =
    elsewhere !== undefined && known.has(elsewhere)
      ? `: did you mean ${JSON.stringify(elsewhere)}?`
      : didYouMean(option, known) || `: expected one of ${[...known].join(", ")}`;
  return new InvalidArgumentError(`${name} has no option ${JSON.stringify(option)}${nearest}`);
}
