/** How LZ4, Snappy and BloscLZ write a sequence: twin of assembly/lz-format.ts, byte for byte. */
import { LZ4, type LzFormat, SNAPPY } from "../../formats.js";
import { copyLiterals } from "../../javascript/shared.js";

/** Literals `source[from, from + literals)`, then `length` bytes from `distance` back; `length` 0 ends the stream. */
export interface Sequence {
  from: number;
  literals: number;
  distance: number;
  length: number;
}

/** Writes a sequence at `to`; returns where the next one goes, or 0 when there is not room for its longest form. */
export function writeSequence(
  format: LzFormat,
  target: Uint8Array,
  to: number,
  source: Uint8Array,
  sequence: Sequence,
): number {
  const { literals, length } = sequence;
  if (literals + (literals >> 5) + (length >> 4) + 16 > target.length - to) return 0;
  if (format === LZ4) return writeLz4(target, to, source, sequence);
  return format === SNAPPY
    ? writeSnappy(target, to, source, sequence)
    : writeBlosclz(target, to, source, sequence);
}

function writeLz4(
  target: Uint8Array,
  to: number,
  source: Uint8Array,
  { from, literals, distance, length }: Sequence,
): number {
  const token = to++;
  if (literals >= 15) to = writeLength(target, to, literals - 15);
  copyLiterals(target, to, source, from, literals);
  to += literals;
  const upper = Math.min(literals, 15) << 4;
  target[token] = upper;
  if (length === 0) return to;
  target[to++] = distance;
  target[to++] = distance >> 8;
  const rest = length - 4;
  target[token] = upper | Math.min(rest, 15);
  return rest >= 15 ? writeLength(target, to, rest - 15) : to;
}

/** A length in bytes of 255 and a last one below. */
function writeLength(target: Uint8Array, to: number, length: number): number {
  for (; length >= 255; length -= 255) target[to++] = 255;
  target[to++] = length;
  return to;
}

function writeSnappy(
  target: Uint8Array,
  to: number,
  source: Uint8Array,
  { from, literals, distance, length }: Sequence,
): number {
  if (literals > 0) {
    const value = literals - 1;
    if (value < 60) {
      target[to++] = value << 2;
    } else {
      const bytes = value < 0x100 ? 1 : value < 0x10000 ? 2 : value < 0x1000000 ? 3 : 4;
      target[to++] = (59 + bytes) << 2;
      for (let i = 0; i < bytes; i++) target[to++] = value >>> (8 * i);
    }
    copyLiterals(target, to, source, from, literals);
    to += literals;
  }
  let rest = length;
  while (rest > 0) {
    if (rest >= 4 && rest < 12 && distance < 2048) {
      target[to++] = 1 | ((rest - 4) << 2) | ((distance >> 8) << 5);
      target[to++] = distance;
      return to;
    }
    // 65 to 67 would leave 1 to 3 bytes, for which no short copy exists.
    const part = rest <= 64 ? rest : rest < 68 ? 60 : 64;
    target[to++] = 2 | ((part - 1) << 2);
    target[to++] = distance;
    target[to++] = distance >> 8;
    rest -= part;
  }
  return to;
}

function writeBlosclz(
  target: Uint8Array,
  to: number,
  source: Uint8Array,
  { from, literals, distance, length }: Sequence,
): number {
  for (let at = from, rest = literals; rest > 0; ) {
    const part = Math.min(rest, 32);
    target[to++] = part - 1;
    copyLiterals(target, to, source, at, part);
    to += part;
    at += part;
    rest -= part;
  }
  if (length === 0) return to;
  const biased = distance - 1;
  const rest = length - 2;
  target[to++] = (Math.min(rest, 7) << 5) | (biased >> 8);
  if (rest >= 7) to = writeLength(target, to, rest - 7);
  target[to++] = biased;
  return to;
}
