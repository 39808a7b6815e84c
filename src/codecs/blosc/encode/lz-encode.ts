/**
 * The encoders of LZ4, Snappy and BloscLZ in JavaScript: the same bytes as assembly/lz-encode.ts,
 * assembly/lz4-encode-high.ts and assembly/lz-format.ts.
 */
import { BLOSCLZ, type HashedBytes, LZ_WORKSPACE, LZ4, type LzFormat, SNAPPY } from "../formats.js";
import { copyLiterals } from "../javascript/shared.js";

const HASH_BITS = 13;
const LAST_MATCH = 16;
const LAST_LITERALS = 5;
const LZ4_WINDOW = 65535;
const BLOSCLZ_WINDOW = 8191;

/** Returns the encoded length, or 0 when it does not fit `target`. `workspace` is LZ_WORKSPACE bytes, aligned to 2. */
export function encodeLz(
  format: LzFormat,
  target: Uint8Array,
  source: Uint8Array,
  workspace: Uint8Array,
  acceleration: number,
  hashed: HashedBytes,
): number {
  const end = source.length;
  const window = format === BLOSCLZ ? BLOSCLZ_WINDOW : LZ4_WINDOW;
  let to = 0;
  if (target.length < 16) return 0;
  if (format === SNAPPY) {
    let length = end;
    for (; length >= 128; length = Math.floor(length / 128)) target[to++] = (length & 127) | 128;
    target[to++] = length;
  }
  const sequence: Sequence = { from: 0, literals: 0, distance: 0, length: 0 };
  let anchor = 0;
  if (end > LAST_MATCH) {
    const table = new Uint16Array(workspace.buffer, workspace.byteOffset, LZ_WORKSPACE / 2).fill(0);
    const searchEnd = end - LAST_MATCH;
    let position = 1;
    let step = 1;
    let attempts = acceleration << 6;
    while (position <= searchEnd) {
      const slot = hash(source, position, hashed);
      const distance = (position - (table[slot] ?? 0)) & 0xffff;
      table[slot] = position;
      let match = position - distance;
      if (
        distance === 0 ||
        distance > Math.min(position, window) ||
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
      sequence.from = anchor;
      sequence.literals = position - anchor;
      sequence.distance = distance;
      sequence.length = 4 + commonLength(source, position + 4, match + 4, end - LAST_LITERALS);
      to = writeSequence(format, target, to, source, sequence);
      if (to === 0) return 0;
      position += sequence.length;
      anchor = position;
      step = 1;
      attempts = acceleration << 6;
      if (position <= searchEnd) table[hash(source, position - 2, hashed)] = position - 2;
    }
  }
  to = writeSequence(format, target, to, source, lastSequence(anchor, end));
  if (to !== 0 && format === BLOSCLZ) target[0] = (target[0] ?? 0) | 32;
  return to;
}

/** Four bytes as one word. */
function group(source: Uint8Array, at: number): number {
  return (
    (source[at] ?? 0) |
    ((source[at + 1] ?? 0) << 8) |
    ((source[at + 2] ?? 0) << 16) |
    ((source[at + 3] ?? 0) << 24)
  );
}

/** The top bits of (bytes << shift) * 0x9e3779b185ebca87 modulo 2^64, by 32-bit halves; the lower half has 8 or 16 bits, at its top. */
function hash(source: Uint8Array, at: number, hashed: HashedBytes): number {
  const low = hashed === 5 ? (source[at] ?? 0) << 8 : (source[at] ?? 0) | ((source[at + 1] ?? 0) << 8);
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

const HIGH_HASH_BITS = 15;
const HEADS = 1 << HIGH_HASH_BITS;
const LINKS = 1 << 16;
const LONG_MATCH = 64;

/** Encodes LZ4 with chains of candidates. Returns the length or 0, as `encodeLz`. `workspace` is LZ4_HIGH_WORKSPACE bytes, aligned to 4. */
export function encodeLz4High(
  target: Uint8Array,
  source: Uint8Array,
  workspace: Uint8Array,
  depth: number,
): number {
  const end = source.length;
  if (target.length < 16) return 0;
  let to = 0;
  let anchor = 0;
  if (end > LAST_MATCH) {
    const chains = new Chains(source, workspace, end - LAST_LITERALS, depth);
    const searchEnd = end - LAST_MATCH;
    const match: Sequence = { from: 0, literals: 0, distance: 0, length: 0 };
    let position = 0;
    while (position <= searchEnd) {
      match.length = 3;
      if (!chains.findLonger(position, match)) {
        position++;
        continue;
      }
      while (match.length < LONG_MATCH && position < searchEnd && chains.findLonger(position + 1, match)) {
        position++;
      }
      match.from = anchor;
      match.literals = position - anchor;
      to = writeSequence(LZ4, target, to, source, match);
      if (to === 0) return 0;
      position += match.length;
      anchor = position;
    }
  }
  return writeSequence(LZ4, target, to, source, lastSequence(anchor, end));
}

/** Chains of all positions so far, by hash. Heads hold position + 1, links the distance back (0: none in the window). */
class Chains {
  readonly #source: Uint8Array;
  readonly #heads: Uint32Array;
  readonly #links: Uint16Array;
  readonly #matchEnd: number;
  readonly #depth: number;
  #inserted = 0;

  constructor(source: Uint8Array, workspace: Uint8Array, matchEnd: number, depth: number) {
    this.#source = source;
    this.#heads = new Uint32Array(workspace.buffer, workspace.byteOffset, HEADS).fill(0);
    this.#links = new Uint16Array(workspace.buffer, workspace.byteOffset + 4 * HEADS, LINKS);
    this.#matchEnd = matchEnd;
    this.#depth = depth;
  }

  /** Puts the longest match at `position` into `match` if it is longer than `match.length`. */
  findLonger(position: number, match: Sequence): boolean {
    this.#insertThrough(position);
    const source = this.#source;
    let found = false;
    let candidate = position;
    for (let i = 0; i < this.#depth; i++) {
      const back = this.#links[candidate & 0xffff] ?? 0;
      candidate -= back;
      if (back === 0 || position - candidate > LZ4_WINDOW) break;
      if (source[candidate + match.length] !== source[position + match.length]) continue;
      const length = commonLength(source, position, candidate, this.#matchEnd);
      if (length <= match.length) continue;
      match.length = length;
      match.distance = position - candidate;
      found = true;
      if (position + length >= this.#matchEnd) break;
    }
    return found;
  }

  #insertThrough(last: number): void {
    for (let position = this.#inserted; position <= last; position++) {
      const slot = Math.imul(group(this.#source, position), 2654435761) >>> (32 - HIGH_HASH_BITS);
      const head = this.#heads[slot] ?? 0;
      const back = position + 1 - head;
      this.#heads[slot] = position + 1;
      this.#links[position & 0xffff] = head !== 0 && back <= LZ4_WINDOW ? back : 0;
    }
    this.#inserted = Math.max(this.#inserted, last + 1);
  }
}

/** Literals `source[from, from + literals)`, then `length` bytes from `distance` back; `length` 0 ends the stream. */
interface Sequence {
  from: number;
  literals: number;
  distance: number;
  length: number;
}

/** The literals after the last match. */
const lastSequence = (from: number, end: number): Sequence => ({
  from,
  literals: end - from,
  distance: 0,
  length: 0,
});

/** Writes a sequence at `to`. Returns where the next one goes, or 0 without room for the sequence's longest form. */
function writeSequence(
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

/** Writes a length as bytes of 255 and a last byte below 255. */
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
