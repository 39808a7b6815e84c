/** Messages between a pool and its workers, and errors from them. Memory is transferred in both directions, not copied. */

import type { ChunkLocation } from "../codecs/pipeline.js";
import { CodecError, UnsupportedError } from "../errors.js";
import type { ArrayMetadata } from "../metadata/model.js";
import type { Extent } from "../stores/keys-and-ranges.js";

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
  /** Whether kernels are to be the TypeScript twin's. */
  readonly javascript: boolean;
}

/** The array is no longer used. */
export interface ForgetMessage {
  readonly type: "forget";
  readonly array: number;
}

/** The worker is to end after the requests before this one. */
interface EndMessage {
  readonly type: "end";
}

export interface ChunkMessage {
  readonly type: "decode" | "encode";
  readonly id: number;
  readonly array: number;
  /** 0: the array's own pipeline; 1: that of the inner chunks of its shards, and so on inwards. */
  readonly level: number;
  readonly bytes: Uint8Array;
  /** Whether the answer is to be in the memory of `bytes`, if there is room for it. */
  readonly inPlace: boolean;
}

/** Chunks to be encoded, of one shard. */
export interface BatchMessage {
  readonly type: "batch";
  readonly id: number;
  readonly array: number;
  readonly level: number;
  /** Each is encoded in place where there is room before the next one. */
  readonly chunks: readonly Uint8Array[];
}

/** A file of which parts are read, as long as it is the same file. */
export interface KnownFile {
  readonly path: string;
  /** See `fileVersion`. */
  readonly version: string;
}

/** A band to be put together: see engine/assembler.ts. */
export interface BandMessage {
  readonly type: "band";
  readonly id: number;
  readonly array: number;
  readonly level: number;
  readonly start: readonly number[];
  readonly shape: readonly number[];
  readonly steps: readonly number[];
  /** Four numbers (chunk, source, count, target) a dimension a chunk: as one array they are copied at once. */
  readonly projections: Float64Array;
  /** For each chunk its encoded bytes, the path of its file, or its extent in `file`; undefined: absent. */
  readonly values: readonly (Uint8Array | string | Extent | undefined)[];
  readonly file: KnownFile | undefined;
  /** The result, in shared memory; or memory for the band alone, which comes back with the answer. */
  readonly window: {
    readonly bytes: Uint8Array;
    readonly offset: number;
    readonly strides: readonly number[];
    readonly fresh: boolean;
  };
}

export type Request = ArrayMessage | ForgetMessage | EndMessage | ChunkMessage | BatchMessage | BandMessage;
/** Requests that have an answer. */
export type Question = Exclude<Request, ForgetMessage | EndMessage>;

/** The tag of a Failure to read a file. */
export const UNREAD = "Unread";

export interface Failure {
  readonly tag: string;
  readonly reason: string;
  readonly codec: string | undefined;
  readonly offset: number | undefined;
  /** Which chunk of a band or a batch it was. */
  readonly position: number;
}

export interface Answer {
  readonly id: number;
  readonly failure: Failure | undefined;
  /** Encoded or decoded chunks. */
  readonly chunks: readonly Uint8Array[];
  /** What was read from files: see BandValues. */
  readonly reads: readonly number[];
  /** Memory that came with the request. */
  readonly returned: readonly ArrayBuffer[];
}

/** An array that all workers know. */
export interface KnownArray {
  readonly number: number;
}

/** The error of the calling thread for a failure in a worker. */
export function toError({ tag, reason, codec, offset }: Failure, at: ChunkLocation | undefined): Error {
  if (tag === "CodecError") return new CodecError(reason, { codec, offset, ...at });
  const said = tag === "UnsupportedError" ? reason : `in a worker: ${reason}`;
  return new UnsupportedError(said, { codec, offset, ...at });
}
