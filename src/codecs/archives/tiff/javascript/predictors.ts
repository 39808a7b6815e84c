/** The predictors in JavaScript: assembly/tiff.ts with the same bits. */
import { byteAt } from "../../../../core/for-codecs.js";
import type { Rows } from "../rows.js";

export function sumRows(
  target: Uint8Array,
  source: Uint8Array,
  size: 1 | 2 | 4 | 8,
  { count, length, inner }: Rows,
): void {
  target.set(source);
  const group = inner * size;
  for (let row = 0; row < count; row++) {
    const start = row * length * group;
    // Byte by byte, with what is carried to the next one of a number.
    let carry = 0;
    for (let i = start + group; i < start + length * group; i++) {
      const sum = byteAt(target, i) + byteAt(target, i - group) + (i % size === 0 ? 0 : carry);
      target[i] = sum;
      carry = sum >> 8;
    }
  }
}

export function joinRows(
  target: Uint8Array,
  source: Uint8Array,
  size: 2 | 4 | 8,
  count: number,
  length: number,
): void {
  let to = 0;
  for (let start = 0; start < count * length * size; start += length * size) {
    for (let i = start; i < start + length; i++) {
      for (let b = size - 1; b >= 0; b--) target[to++] = byteAt(source, i + b * length);
    }
  }
}
