/** What the calling thread knows of an array that workers work on. */
import type { ChunkLocation, Pipeline } from "../codecs/prepared-pipeline.js";
import { CodecError, UnsupportedError } from "../errors.js";
import type { Failure } from "./messages.js";

/** Less than this is mostly the overhead of a chunk, which the calling thread has as well. */
const SMALLEST_CHUNK = 8 << 10;

/** An array that every worker has been told of. */
export interface KnownArray {
  readonly number: number;
}

/** Whether decoding is real work: some codec beyond the bytes themselves. */
export function paysOff({ byteLength, wrapped, sharding }: Pipeline): boolean {
  return sharding === undefined ? wrapped && byteLength >= SMALLEST_CHUNK : paysOff(sharding.inner);
}

/** What a worker said went wrong, as an error of the calling thread. */
export function toError({ tag, reason, codec, offset }: Failure, at: ChunkLocation | undefined): Error {
  if (tag === "CodecError") return new CodecError(reason, { codec, offset, ...at });
  const said = tag === "UnsupportedError" ? reason : `in a worker: ${reason}`;
  return new UnsupportedError(said, { codec, offset, ...at });
}
