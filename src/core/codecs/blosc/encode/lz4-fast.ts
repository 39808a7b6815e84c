/** The fast encoder of LZ4 in JavaScript: the same bytes as assembly/lz-encode.ts. */
import { byteAt, uint16At } from "../../../../base/at.js";
import { type HashedBytes, LZ_WORKSPACE } from "../formats.js";
import { copyLiterals } from "../javascript/shared.js";

const HASH_BITS = 13;
const LAST_MATCH = 16;
const LAST_LITERALS = 5;
const WINDOW = 65535;

/**
 * Returns the encoded length, or 0 when it does not fit `target`. `workspace` is LZ_WORKSPACE bytes, aligned
 * to 2.
 */
export function encodeLz4Fast(
  target: Uint8Array,
  source: Uint8Array,
  workspace: Uint8Array,
  acceleration: number,
  hashed: HashedBytes,
): number {
  if (target.length < 16) return 0;
  const end = source.length;
  const searchEnd = end - LAST_MATCH;
  const table = new Uint16Array(workspace.buffer, workspace.byteOffset, LZ_WORKSPACE / 2).fill(0);
  let to = 0;
  let anchor = 0;
  let position = 1;
  let step = 1;
  let attempts = acceleration << 6;
  while (position <= searchEnd) {
    const slot = hash(source, position, hashed);
    const distance = (position - uint16At(table, slot)) & 0xffff;
    table[slot] = position;
    let match = position - distance;
    if (
      distance === 0 ||
      distance > Math.min(position, WINDOW) ||
      group(source, match) !== group(source, position)
    ) {
      position += step;
      step = attempts++ >>> 6;
      continue;
    }
    while (position > anchor && match > 0 && source[position - 1] === source[match - 1]) {
      position--;
      match--;
    }
    const length = 4 + commonLength(source, position + 4, match + 4, end - LAST_LITERALS);
    to = writeSequence(target, to, source, anchor, position - anchor, distance, length);
    if (to === 0) return 0;
    position += length;
    anchor = position;
    step = 1;
    attempts = acceleration << 6;
    if (position <= searchEnd) table[hash(source, position - 2, hashed)] = position - 2;
  }
  return writeSequence(target, to, source, anchor, end - anchor, 0, 0);
}

/** Four bytes as one word. */
function group(source: Uint8Array, at: number): number {
  return (
    byteAt(source, at) |
    (byteAt(source, at + 1) << 8) |
    (byteAt(source, at + 2) << 16) |
    (byteAt(source, at + 3) << 24)
  );
}

/**
 * The top bits of (bytes << shift) * 0x9e3779b185ebca87 modulo 2^64, by 32-bit halves; the lower half has 8
 * or 16 bits, at its top.
 */
function hash(source: Uint8Array, at: number, hashed: HashedBytes): number {
  const low = hashed === 5 ? byteAt(source, at) << 8 : byteAt(source, at) | (byteAt(source, at + 1) << 8);
  const carry = Math.floor((low * 0x85ebca87) / 65536);
  const upper =
    Math.imul(group(source, at + hashed - 4), 0x85ebca87) + Math.imul(low << 16, 0x9e3779b1) + carry;
  return upper >>> (32 - HASH_BITS);
}

/** Number of bytes from `a` on, before `aEnd`, that equal those from `b` on. */
function commonLength(source: Uint8Array, a: number, b: number, aEnd: number): number {
  const start = a;
  while (a < aEnd && source[a] === source[b]) {
    a++;
    b++;
  }
  return a - start;
}

/**
 * Writes literals, then a match of `length` bytes from `distance` back; without one (`length` 0) the stream
 * ends. Returns where the next sequence goes, or 0 without room for the longest form of this one.
 */
function writeSequence(
  target: Uint8Array,
  to: number,
  source: Uint8Array,
  from: number,
  literals: number,
  distance: number,
  length: number,
): number {
  if (literals + (literals >> 5) + (length >> 4) + 16 > target.length - to) return 0;
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

/** Writes a length as bytes of 255 and a last byte below 255. */
function writeLength(target: Uint8Array, to: number, length: number): number {
  for (; length >= 255; length -= 255) target[to++] = 255;
  target[to++] = length;
  return to;
}
