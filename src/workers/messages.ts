/**
 * Messages between a pool and its workers, and errors from workers. Buffers are transferred in both
 * directions, not copied.
 */

import { CodecError, placeOf, UnsupportedError } from "../base/errors.js";
import type { ChunkLocation } from "../core/codecs/pipeline.js";
import type { FoundInChunk } from "../core/line/placing/statistics.js";
import type { Encoded, Target } from "../core/line/ports.js";
import type { Conversion } from "../data-types/drawn.js";
import type { ArrayMetadata } from "../metadata/model.js";

/** The metadata of an array, from which a worker prepares the same pipelines. */
export interface ArrayMessage {
  readonly type: "array";
  readonly id: number;
  readonly array: number;
  readonly zarrFormat: ArrayMetadata["zarrFormat"];
  /** The array's `zarr.json`, `.zarray`, or document of the 2020 draft. */
  readonly document: string;
  /** Fill value as one element in memory order. */
  readonly fillPattern: Uint8Array;
  /** Modules compiled since the last message of this kind, by name. */
  readonly modules: readonly (readonly [name: string, module: WebAssembly.Module])[];
  /** Whether the worker must use the TypeScript kernels instead of WebAssembly. */
  readonly javascript: boolean;
}

/** Tells a worker to drop an array that is no longer used. */
export interface ForgetMessage {
  readonly type: "forget";
  readonly array: number;
}

/** Tells a worker to end after all earlier requests. */
interface EndMessage {
  readonly type: "end";
}

/** One chunk to decode or encode, or inner chunks of one shard to encode. */
export interface ChunksMessage {
  readonly type: "decode" | "encode";
  readonly id: number;
  readonly array: number;
  /** 0: the array's own pipeline; 1: that of the inner chunks of its shards, and so on inwards. */
  readonly level: number;
  readonly chunks: readonly Uint8Array[];
  /** Whether to put each result in place of its chunk, if it fits into the memory before the next chunk. */
  readonly inPlace: boolean;
}

/** A block of chunks to decode and place: see core/line/ports.ts. */
export interface BandMessage {
  readonly type: "band";
  readonly id: number;
  readonly array: number;
  readonly level: number;
  readonly start: readonly number[];
  readonly shape: readonly number[];
  readonly steps: readonly number[];
  /**
   * Four numbers (chunk, source, count, target) per dimension per chunk, in one array, because that is copied
   * fastest.
   */
  readonly projections: Float64Array;
  /** For each chunk its encoded bytes, or the path of its file; undefined for a missing chunk. */
  readonly values: readonly (Encoded | string)[];
  /**
   * The result if it is in shared memory; otherwise a buffer for the block alone, which is returned with the
   * answer unless shared.
   */
  readonly window: Target;
  /** What the elements of the result are converted to, if they are. */
  readonly conversion: Conversion | undefined;
}

export type Request = ArrayMessage | ForgetMessage | EndMessage | ChunksMessage | BandMessage;
/** Requests that a worker answers. */
export type Question = Exclude<Request, ForgetMessage | EndMessage>;

/** The tag of a Failure that means that the worker could not read a file. */
export const UNREAD = "Unread";

export interface Failure {
  readonly tag: string;
  readonly reason: string;
  readonly codec: string | undefined;
  readonly offset: number | undefined;
  /** Index of the chunk that failed in the message. */
  readonly position: number;
}

export interface Answer {
  readonly id: number;
  readonly failure: Failure | undefined;
  /** Encoded or decoded chunks. */
  readonly chunks: readonly Uint8Array[];
  /** Durations and lengths of file reads: see BandValues. */
  readonly reads: readonly number[];
  /** Statistics of the chunks of a band, if they were asked for. */
  readonly found: readonly FoundInChunk[];
  /** Buffers that were transferred with the request. */
  readonly returned: readonly ArrayBuffer[];
}

/** An array whose description all workers have. */
export interface KnownArray {
  readonly number: number;
}

/** The error that the calling thread throws for a failure in a worker. */
export function toError({ tag, reason, codec, offset }: Failure, at: ChunkLocation | undefined): Error {
  const place = at && placeOf(at);
  if (tag === "CodecError") return new CodecError(reason, { codec, offset, ...place });
  const message = tag === "UnsupportedError" ? reason : `in a worker: ${reason}`;
  return new UnsupportedError(message, { codec, offset, ...place });
}
