/**
 * Filters before LZMA. Delta stores differences of bytes, as .xz files of numbers do. Filters for machine
 * code are not supported.
 */
import { byteAt, UnsupportedError } from "../../../core/for-codecs.js";
import { LZMA } from "./lzma-decoder.js";

const DELTA = 3;
const LZMA2 = 0x21;
/** 0x4000000000000001 as a double; no other id is near it. */
const LZMA1 = 2 ** 62;

export interface FilterSpec {
  readonly id: number;
  /** Distance of a delta filter: 1 to 256 bytes. */
  readonly distance: number;
}
export interface FilterChain {
  readonly last: "lzma1" | "lzma2";
  /** Distances of the delta filters before it, in encoding order. */
  readonly deltas: readonly number[];
}

/** The chain that these filters describe. @throws UnsupportedError for other filters */
export function chainOf(filters: readonly FilterSpec[]): FilterChain {
  const last = filters.at(-1);
  const before = filters.slice(0, -1);
  const other = before.find(({ id }) => id !== DELTA);
  const kind = last?.id === LZMA2 ? "lzma2" : last?.id === LZMA1 ? "lzma1" : undefined;
  if (other !== undefined || kind === undefined) {
    const id = other?.id ?? last?.id ?? "none";
    throw new UnsupportedError(
      `filter ${id} of lzma is not supported: expected delta filters (3) and LZMA2 (33) or LZMA1`,
      { codec: LZMA },
    );
  }
  return { last: kind, deltas: before.map(({ distance }) => distance) };
}

/** Undoes delta filters in place, the last one first. */
export function undoDelta(bytes: Uint8Array, distances: readonly number[]): void {
  for (const distance of distances.toReversed()) {
    for (let i = distance; i < bytes.length; i++) bytes[i] = byteAt(bytes, i) + byteAt(bytes, i - distance);
  }
}
