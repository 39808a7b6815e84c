/** The names of the options that functions beside `get` take. */

import type { DataTypeName } from "../data-types/names.js";
import type { PrefetchOptions } from "./chunk-cache.js";
import type { CreateArrayOptions, CreateGroupOptions } from "./create.js";
import { all, checkNames, FANCY, type NamesOf, type Zarrita } from "./known-options.js";
import type { ReadSlabsOptions } from "./read.js";
import type { SetOptions } from "./set.js";

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
const { out: _, ...slabs } = FANCY;

/** By the function that takes them. */
export const KNOWN_OPTIONS = {
  create: all(ARRAY),
  createGroup: all(GROUP),
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

/** @throws InvalidArgumentError as `checkNames` */
export function checkKnownOptions(options: unknown, name: keyof typeof KNOWN_OPTIONS): void {
  checkNames(options, name, KNOWN_OPTIONS[name], ELSEWHERE);
}
