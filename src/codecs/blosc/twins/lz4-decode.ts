/** LZ4 block decoder: twin of assembly/lz4.ts, accepting and refusing the same blocks at the same byte. */

import { BAD_DISTANCE, failure, OUTPUT_OVERRUN, TRUNCATED } from "../../decoder-result.js";
import { copyLiterals, copyMatch } from "./copy-match.js";

/** A block of `target.length` bytes, or, where `wanted` is less, of one only as far as its first `wanted` bytes need. */
export function decodeLz4(target: Uint8Array, source: Uint8Array, wanted = target.length): number {
  const capacity = target.length;
  const stop = wanted < capacity ? wanted : capacity + 1;
  const end = source.length;
  let to = 0;
  let from = 0;
  while (from < end) {
    if (to >= stop) return wanted;
    const sequence = from;
    const token = source[from++] ?? 0;
    let length = token >> 4;
    if (length === 15) {
      let more: number;
      do {
        if (from >= end) return failure(TRUNCATED, sequence);
        more = source[from++] ?? 0;
        length += more;
        if (length > capacity) return failure(OUTPUT_OVERRUN, sequence);
      } while (more === 255);
    }
    if (length > capacity - to) return failure(OUTPUT_OVERRUN, sequence);
    if (length > end - from) return failure(TRUNCATED, sequence);
    copyLiterals(target, to, source, from, length);
    to += length;
    from += length;
    if (from === end) return Math.min(to, wanted);
    if (end - from < 2) return failure(TRUNCATED, sequence);
    const distance = (source[from] ?? 0) | ((source[from + 1] ?? 0) << 8);
    from += 2;
    if (distance === 0 || distance > to) return failure(BAD_DISTANCE, sequence);
    length = token & 15;
    if (length === 15) {
      let more: number;
      do {
        if (from >= end) return failure(TRUNCATED, sequence);
        more = source[from++] ?? 0;
        length += more;
        if (length > capacity) return failure(OUTPUT_OVERRUN, sequence);
      } while (more === 255);
    }
    length += 4;
    if (length > capacity - to) return failure(OUTPUT_OVERRUN, sequence);
    copyMatch(target, to, distance, length);
    to += length;
  }
  return failure(TRUNCATED, end);
}
