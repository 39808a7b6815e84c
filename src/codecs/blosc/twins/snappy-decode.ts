/** Snappy decoder: twin of assembly/snappy.ts, accepting and refusing the same streams at the same byte. */

import { BAD_DISTANCE, BAD_LENGTH, failure, OUTPUT_OVERRUN, TRUNCATED } from "../../decoder-result.js";
import { copyLiterals, copyMatch } from "./copy-match.js";

export function decodeSnappy(target: Uint8Array, source: Uint8Array): number {
  const capacity = target.length;
  const end = source.length;
  let from = 0;

  let expected = 0;
  let scale = 1;
  let byte: number;
  do {
    if (from >= end) return failure(TRUNCATED, 0);
    byte = source[from++] ?? 0;
    expected += (byte & 127) * scale;
    scale *= 128;
    if (expected > capacity) return failure(OUTPUT_OVERRUN, 0);
    if (scale > 2 ** 35) return failure(BAD_LENGTH, 0);
  } while (byte >= 128);

  let to = 0;
  while (from < end) {
    const element = from;
    const tag = source[from++] ?? 0;
    const kind = tag & 3;
    let length = tag >> 2;
    if (kind === 0) {
      if (length >= 60) {
        const lengthBytes = length - 59;
        if (end - from < lengthBytes) return failure(TRUNCATED, element);
        length = littleEndian(source, from, lengthBytes);
        from += lengthBytes;
      }
      if (length >= capacity - to) return failure(OUTPUT_OVERRUN, element);
      if (length >= end - from) return failure(TRUNCATED, element);
      length++;
      copyLiterals(target, to, source, from, length);
      from += length;
    } else {
      const distanceBytes = kind === 3 ? 4 : kind;
      if (end - from < distanceBytes) return failure(TRUNCATED, element);
      let distance = littleEndian(source, from, distanceBytes);
      from += distanceBytes;
      if (kind === 1) {
        distance |= (tag >> 5) << 8;
        length = (length & 7) + 4;
      } else {
        length++;
      }
      if (distance === 0 || distance > to) return failure(BAD_DISTANCE, element);
      if (length > capacity - to) return failure(OUTPUT_OVERRUN, element);
      copyMatch(target, to, distance, length);
    }
    to += length;
  }
  return to === expected ? to : failure(BAD_LENGTH, end);
}

function littleEndian(source: Uint8Array, from: number, count: number): number {
  let value = 0;
  for (let i = count - 1; i >= 0; i--) value = value * 256 + (source[from + i] ?? 0);
  return value;
}
