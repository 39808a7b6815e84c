/** The encoders of LZ4, Snappy and BloscLZ in JavaScript: the same bytes as assembly/lz-encode.ts and assembly/lz4-encode-high.ts. */
import { BLOSCLZ, type HashedBytes, LZ_WORKSPACE, LZ4, type LzFormat, SNAPPY } from "../../formats.js";
import { type Sequence, writeSequence } from "./lz-format.js";

const HASH_BITS = 13;
const LAST_MATCH = 16;
const LAST_LITERALS = 5;
const LZ4_WINDOW = 65535;
const BLOSCLZ_WINDOW = 8191;

/** The encoded length, or 0 when it does not fit `target`. `workspace` is LZ_WORKSPACE bytes, aligned to 2. */
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
  to = writeSequence(format, target, to, source, {
    from: anchor,
    literals: end - anchor,
    distance: 0,
    length: 0,
  });
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

/** The upper bits of (bytes << shift) * 0x9e3779b185ebca87 modulo 2^64, by halves: the lower one has 8 or 16 bits, at its top. */
function hash(source: Uint8Array, at: number, hashed: HashedBytes): number {
  const low = hashed === 5 ? (source[at] ?? 0) << 8 : (source[at] ?? 0) | ((source[at + 1] ?? 0) << 8);
  const carry = Math.floor((low * 0x85ebca87) / 65536);
  const upper =
    Math.imul(group(source, at + hashed - 4), 0x85ebca87) + Math.imul(low << 16, 0x9e3779b1) + carry;
  return upper >>> (32 - HASH_BITS);
}

/** How many bytes from `a` on, before `aEnd`, equal those from `b` on. */
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

/** LZ4 with chains of candidates. The encoded length, or 0 when it does not fit `target`. `workspace` is LZ4_HIGH_WORKSPACE bytes, aligned to 4. */
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
  return writeSequence(LZ4, target, to, source, {
    from: anchor,
    literals: end - anchor,
    distance: 0,
    length: 0,
  });
}

/** Every position so far, by hash. Heads hold position + 1, links the distance back (0: none in the window). */
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
