/** The options of reading, and their names: JavaScript would ignore one that is misspelt. */

import type { InvalidText } from "../data-types/extra/text.js";
import type { DataOf, DataTypeName } from "../data-types/names.js";
import type { ChunkWorkers, OnProgress } from "../engine/prepared.js";
import type { CoalesceOptions } from "../stores/keys-and-ranges.js";
import type { Priority } from "../stores/request-queue.js";
import type { NamesOf } from "./check-arguments.js";
import type { ChunkCache } from "./chunk-cache.js";

export interface GetOptions<D = DataTypeName> {
  /** Stops reading; the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Which requests go out first: those of more, while there are too many for all at once. 0 unless given; less than 0 is background. A function is
   * asked whenever a request can begin, so that what waits may become more urgent, or less.
   */
  readonly priority?: Priority | undefined;
  /** @deprecated As in zarrita: give `signal` itself. */
  readonly opts?: { readonly signal?: AbortSignal | undefined } | undefined;
  /** Reads from the store under way at once; 32 unless given. */
  readonly concurrency?: number | undefined;
  /** Memory for the result: an array of the data type with exactly as many elements as are selected. */
  readonly out?: DataOf<D> | undefined;
  /**
   * Puts the result into a SharedArrayBuffer, which `workers` write themselves and other threads can look at. UnsupportedError
   * where there is none: a page has to be cross-origin isolated. An `out` says for itself where it lies.
   */
  readonly shared?: boolean | undefined;
  /** `shared`, as zarrita calls it: elements of variable length, which are objects, come in a list all the same. */
  readonly useSharedArrayBuffer?: boolean | undefined;
  /** Sharded arrays: which byte ranges of a shard become one request. 32 KiB apart and 5 MiB in all unless given. */
  readonly coalesce?: Partial<CoalesceOptions> | undefined;
  /** A WorkerPool of `wazarr/workers`: chunks are decoded on other cores. */
  readonly workers?: ChunkWorkers | undefined;
  /** Decoded chunks are taken from there, and kept there. */
  readonly cache?: ChunkCache | undefined;
  /** Told after every chunk, or shard. */
  readonly onProgress?: OnProgress | undefined;
  /**
   * Bytes that one chunk (an inner chunk of a shard) may decode to; beyond, it is a CodecError. Unless given, chunks whose elements have no fixed size
   * become at most 256 MiB, or 32 times as long as they are stored, whichever is more; others are as long as their shape says.
   */
  readonly maximumDecodedBytes?: number | undefined;
  /** Text that is not UTF-8 is an error unless it is to be read with U+FFFD in place of what is wrong. */
  readonly invalidText?: InvalidText | undefined;
}

/**
 * Elements of variable length as one column, offsets and data as in Arrow; nothing is decoded. Where a single chunk is read whole
 * whose codecs keep that layout (ZEP 7 without a compressor), the column is a view of what the store gave: not to be changed.
 */
export interface ColumnOptions<D> extends Omit<GetOptions<D>, "out" | "shared" | "useSharedArrayBuffer"> {
  readonly as: "column";
}

/**
 * 64-bit integers as numbers: a Float64Array, or a number. UnsupportedError for one beyond 2^53 - 1. Other data types stay
 * what they are.
 */
export interface SafeIntegersOptions<D>
  extends Omit<GetOptions<D>, "out" | "shared" | "useSharedArrayBuffer"> {
  readonly safeIntegers: true;
}

/** A program for zarrita may give it; wazarr has `concurrency` instead, and no need of a queue. */
export interface Zarrita {
  readonly createQueue?: unknown;
}

export const FANCY: NamesOf<Omit<GetOptions, "shared" | "useSharedArrayBuffer">> = {
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
export const GET: NamesOf<
  GetOptions & ColumnOptions<DataTypeName> & SafeIntegersOptions<DataTypeName> & Zarrita
> = {
  ...FANCY,
  shared: true,
  useSharedArrayBuffer: true,
  safeIntegers: true,
  as: true,
  createQueue: true,
};
