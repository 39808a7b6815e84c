/**
 * How many bytes one read or write holds at once, and how many values these are. Encoded lengths are not
 * known beforehand: decoded ones count instead, because encoding mostly makes values shorter.
 */
import type { Concurrency } from "./concurrency.js";

/**
 * Encoded chunks of a read; at least two of any size. Twice as many save no time, not even over HTTP on one
 * machine, and take some 30 MiB more.
 */
export const HELD_FOR_READ = 16 << 20;

/**
 * Encoded parts of all shards of a read. Twice as many save no time, and the garbage of answers grows with
 * them.
 */
export const HELD_FOR_SHARDS = 20 << 20;

/** Decoded boxes of a read by lists or coordinates with workers; at least two of any size. */
export const HELD_FOR_BOXES = 32 << 20;

/**
 * Encoded chunks on their way to a store that copies values, which is one on this machine. More of them save
 * no time, but their memory, which is used again, is that much larger.
 */
export const HELD_FOR_WRITE = 8 << 20;

/** Joined shards that wait for the store: one of any size, or more while they fit. */
export const HELD_FOR_SHARDS_WRITTEN = 32 << 20;

/** Decoded chunks of a copy, or of a pass over all chunks of an array; at least two of any size. */
export const HELD_FOR_COPY = 64 << 20;

/**
 * Values under way at once: the caller's number, or by default as many as have `held` bytes together, and at
 * least `least`.
 * @param valueBytes the length of a value, if it encodes to its decoded length
 */
export function requestsAtOnce(
  { concurrency, isDefault }: Concurrency,
  valueBytes: number,
  held = HELD_FOR_READ,
  least = 2,
): number {
  if (isDefault !== true) return concurrency;
  return Math.min(concurrency, Math.max(least, Math.floor(held / Math.max(1, valueBytes))));
}
