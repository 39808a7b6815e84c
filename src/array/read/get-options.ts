/**
 * The options of reads, and lists of their names: misspelt options throw, where JavaScript would ignore them.
 */

import { InvalidArgumentError } from "../../base/errors.js";
import { checkNames, checkObject, type NamesOf } from "../../base/option-names.js";
import type { ChunkWorkers } from "../../core/line/shared/chunk-workers.js";
import type { OnProgress } from "../../core/line/shared/on-progress.js";
import type { CoalesceOptions } from "../../core/stores/requests/merged-requests.js";
import type { Priority } from "../../core/stores/requests/request-queue.js";
import type { InvalidText } from "../../data-types/extra/text.js";
import type { DataOf, DataTypeName } from "../../data-types/names.js";
import type { ZarritaQueue, ZarritaSignal } from "../create/zarrita-options.js";
import type { ChunkCache } from "./chunk-cache.js";

/**
 * Options of `get` and `getChunk`.
 * @typeParam D the data type of the array
 */
export interface GetOptions<D = DataTypeName> extends ZarritaSignal {
  /** Aborts the read; the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Waiting requests of a higher priority start first. 0 unless given; below 0 is background work.
   * A function is called whenever a request can start, so the priority of a waiting read can change.
   */
  readonly priority?: Priority | undefined;
  /** Store requests under way at once; 32 unless given, fewer if chunks are large. */
  readonly concurrency?: number | undefined;
  /** Memory for the result: an array of the data type with exactly as many elements as the selection. */
  readonly out?: DataOf<D> | undefined;
  /**
   * True puts the result into a SharedArrayBuffer, into which `workers` write directly and which other
   * threads can read. UnsupportedError on a page that is not cross-origin isolated. Ignored with `out`, which
   * is the result's memory.
   */
  readonly shared?: boolean | undefined;
  /**
   * zarrita's name of `shared`. It has no effect on elements of variable length, which are objects in a plain
   * array.
   */
  readonly useSharedArrayBuffer?: boolean | undefined;
  /**
   * Sharded arrays: byte ranges of a shard at most 32 KiB apart become one request of at most 5 MiB, unless
   * given.
   */
  readonly coalesce?: Partial<CoalesceOptions> | undefined;
  /** A WorkerPool of `wazarr/workers`: chunks are decoded on other cores. */
  readonly workers?: ChunkWorkers | undefined;
  /** The read takes decoded chunks from this cache, and adds those that it decodes. */
  readonly cache?: ChunkCache | undefined;
  /** Called after every chunk or shard. */
  readonly onProgress?: OnProgress | undefined;
  /**
   * Maximum number of bytes that one chunk (or inner chunk) may decode to; a longer one is a CodecError.
   * Unless given, chunks of elements without a fixed size decode to at most 256 MiB or 32 times their stored
   * length, whichever is more; other chunks have the length that their shape gives.
   */
  readonly maximumDecodedBytes?: number | undefined;
  /** "replace" puts U+FFFD in place of bytes that are not UTF-8; unless given, they are an error. */
  readonly invalidText?: InvalidText | undefined;
}

/**
 * Reads elements of variable length as one column of offsets and data, as in Arrow, without decoding them.
 * The column of one whole chunk whose codecs keep that layout (ZEP 7 without a compressor) is a view of the
 * store's bytes: do not change it.
 */
export interface ColumnOptions<D> extends Omit<GetOptions<D>, "out" | "shared" | "useSharedArrayBuffer"> {
  /** The result is a Column. */
  readonly as: "column";
}

/**
 * Reads 64-bit integers as numbers: a Float64Array, or a number. UnsupportedError for integers beyond 2^53 -
 * 1. Other data types are not affected.
 */
export interface SafeIntegersOptions<D>
  extends Omit<GetOptions<D>, "out" | "shared" | "useSharedArrayBuffer"> {
  /** 64-bit integers as numbers. */
  readonly safeIntegers: true;
}

/** Options of reads that return elements as they are stored. */
export interface StoredAlone {
  /** Not an option here: `get` and `getChunk` convert elements. */
  readonly as?: undefined;
}

/** @throws InvalidArgumentError for `as`, and for an option that the function does not take */
export function checkStoredAlone(options: object = {}, name: string, known: NamesOf<object>): void {
  checkObject(options, name);
  if ("as" in options && options.as !== undefined)
    throw new InvalidArgumentError(
      `${name} has no option "as"; read elements as another type with get or getChunk`,
    );
  checkNames(options, name, known);
}

export const FANCY: NamesOf<Omit<GetOptions, "shared" | "useSharedArrayBuffer">> = {
  signal: true,
  priority: true,
  opts: "unlisted",
  concurrency: true,
  out: true,
  coalesce: true,
  workers: true,
  cache: true,
  onProgress: "function",
  invalidText: true,
  maximumDecodedBytes: true,
};
export const GET: NamesOf<
  GetOptions & ColumnOptions<DataTypeName> & SafeIntegersOptions<DataTypeName> & ZarritaQueue
> = {
  ...FANCY,
  shared: true,
  useSharedArrayBuffer: "unlisted",
  safeIntegers: true,
  as: true,
  createQueue: "unlisted",
};
