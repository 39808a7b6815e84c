/** The slow LZ4 encoder: twin of assembly/lz4-encode-high.ts, byte for byte. */
import { LZ4 } from "../formats.js";
import { commonLength, group, LAST_LITERALS, LAST_MATCH, LZ4_WINDOW } from "./lz-encode.js";
import { type Sequence, writeSequence } from "./lz-format.js";

const HASH_BITS = 15;
const HEADS = 1 << HASH_BITS;
const LINKS = 1 << 16;
const LONG_MATCH = 64;

/** The encoded length, or 0 when it does not fit `target`. `workspace` is LZ4_HIGH_WORKSPACE bytes, aligned to 4. */
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
      const slot = Math.imul(group(this.#source, position), 2654435761) >>> (32 - HASH_BITS);
      const head = this.#heads[slot] ?? 0;
      const back = position + 1 - head;
      this.#heads[slot] = position + 1;
      this.#links[position & 0xffff] = head !== 0 && back <= LZ4_WINDOW ? back : 0;
    }
    this.#inserted = Math.max(this.#inserted, last + 1);
  }
}
