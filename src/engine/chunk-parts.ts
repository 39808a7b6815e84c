/** Parts of chunks, read in place of whole ones: what parts.ts chooses from. */
import type { Awaitable } from "../stores/store.js";
import type { ChunkValue } from "./assembler.js";
import type { ChunkProjection } from "./bands.js";
import type { PreparedArray, ValueLocation } from "./prepared.js";
import type { Stop } from "./stop.js";

/** Codecs that leave all elements as they are, somewhere. */
export const PLAIN = ["bytes", "transpose"];
/** More than this is for the store to read in its own way: reads at once, one after the other, hold everything else up. */
export const LARGEST_AT_ONCE = 16 << 20;

export interface ChunkParts {
  /** The array whose chunks are what `get` gives. */
  readonly array: PreparedArray;
  /** What is needed of a chunk for its selected elements. @param allocate as `getInto` has it @param later as its options have it */
  get(
    chunk: ChunkProjection,
    at: ValueLocation,
    allocate: ((byteLength: number) => Uint8Array) | undefined,
    stop: Stop,
    later: ((byteLength: number) => Uint8Array) | undefined,
  ): Awaitable<ChunkValue>;
}

export const ownMemory = (byteLength: number): Uint8Array => new Uint8Array(byteLength);
