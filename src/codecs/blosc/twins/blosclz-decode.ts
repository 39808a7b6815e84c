/** BloscLZ decoder: twin of assembly/blosclz.ts, accepting and refusing the same streams at the same byte. */

import { BAD_DISTANCE, failure, OUTPUT_OVERRUN, TRUNCATED } from "../../decoder-result.js";
import { copyLiterals, copyMatch } from "./copy-match.js";

const MAXIMUM_SHORT_DISTANCE = 8192;

export function decodeBlosclz(target: Uint8Array, source: Uint8Array): number {
  const capacity = target.length;
  const end = source.length;
  let to = 0;
  let from = 0;
  let mask = 31;
  while (from < end) {
    const item = from;
    const control = (source[from++] ?? 0) & mask;
    mask = 255;
    let length: number;
    if (control < 32) {
      length = control + 1;
      if (length > capacity - to) return failure(OUTPUT_OVERRUN, item);
      if (length > end - from) return failure(TRUNCATED, item);
      copyLiterals(target, to, source, from, length);
      from += length;
    } else {
      length = control >> 5;
      if (length === 7) {
        let more: number;
        do {
          if (from >= end) return failure(TRUNCATED, item);
          more = source[from++] ?? 0;
          length += more;
          if (length > capacity) return failure(OUTPUT_OVERRUN, item);
        } while (more === 255);
      }
      length += 2;
      if (from >= end) return failure(TRUNCATED, item);
      let distance = ((control & 31) << 8) + (source[from++] ?? 0) + 1;
      if (distance === MAXIMUM_SHORT_DISTANCE) {
        if (end - from < 2) return failure(TRUNCATED, item);
        distance += ((source[from] ?? 0) << 8) | (source[from + 1] ?? 0);
        from += 2;
      }
      if (distance > to) return failure(BAD_DISTANCE, item);
      if (length > capacity - to) return failure(OUTPUT_OVERRUN, item);
      copyMatch(target, to, distance, length);
    }
    to += length;
  }
  return to;
}
