/** What reading takes. */

import type { InvalidText } from "../data-types/extra/text.js";
import type { DataOf, DataTypeName } from "../data-types/names.js";
import type { ChunkWorkers, OnProgress } from "../engine/prepared.js";
import type { CoalesceOptions } from "../stores/keys-and-ranges.js";
import type { Priority } from "../stores/priority.js";
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
