/** Finding matches: greedy, by a hash of the next four bytes, with the last offset tried first. */

/** Sequences of one block, as columns, and the literals between and behind them. */
export interface Sequences {
  count: number;
  readonly literalLengths: Uint32Array;
  readonly matchLengths: Uint32Array;
  /** As the format codes them: 1 to 3 for repeated ones, else 3 more than the offset (RFC 8878 section 3.1.1.5). */
  readonly offsets: Uint32Array;
  literalCount: number;
  readonly literals: Uint8Array;
}

const HASH_BITS = 16;
const MINIMUM_MATCH = 4;

export class MatchFinder {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #window: number;
  /** By hash: a position plus 1. */
  readonly #heads = new Int32Array(1 << HASH_BITS);
  /** Newest first, as the decoder will have them. */
  repeats: readonly [number, number, number] = [1, 4, 8];

  constructor(bytes: Uint8Array, window: number) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#window = window;
  }

  /** Fills `sequences` for the bytes from `start` to `end`. */
  find(start: number, end: number, sequences: Sequences): void {
    const bytes = this.#bytes;
    const view = this.#view;
    const heads = this.#heads;
    sequences.count = 0;
    sequences.literalCount = 0;
    let anchor = start;
    // Words are loaded up to here, and the byte after is looked at too.
    const limit = end - MINIMUM_MATCH - 1;
    for (let at = start; at < limit; ) {
      const word = view.getInt32(at, true);
      const slot = Math.imul(word, 0x9e3779b1) >>> (32 - HASH_BITS);
      let candidate = (heads[slot] ?? 0) - 1;
      heads[slot] = at + 1;
      const [repeat] = this.repeats;
      let from = at;
      if (at + 1 >= repeat && view.getInt32(at + 1 - repeat, true) === view.getInt32(at + 1, true)) {
        // The last offset costs almost nothing; at the next byte, since here it would only prolong the last match.
        from = at + 1;
        candidate = from - repeat;
      } else if (candidate < 0 || at - candidate > this.#window || view.getInt32(candidate, true) !== word) {
        at += 1 + ((at - anchor) >> 7);
        continue;
      }
      let to = from + MINIMUM_MATCH;
      let behind = candidate + MINIMUM_MATCH;
      while (to < end && bytes[to] === bytes[behind]) {
        to++;
        behind++;
      }
      while (from > anchor && candidate > 0 && bytes[from - 1] === bytes[candidate - 1]) {
        from--;
        candidate--;
      }
      this.#add(sequences, anchor, from, to - from, from - candidate);
      anchor = to;
      if (to < limit) {
        const inside = view.getInt32(at + 2, true);
        heads[Math.imul(inside, 0x9e3779b1) >>> (32 - HASH_BITS)] = at + 3;
        const last = view.getInt32(to - 2, true);
        heads[Math.imul(last, 0x9e3779b1) >>> (32 - HASH_BITS)] = to - 1;
      }
      at = to;
    }
    this.#copyLiterals(sequences, anchor, end);
  }

  #add(sequences: Sequences, anchor: number, from: number, matchLength: number, offset: number): void {
    const literalLength = from - anchor;
    this.#copyLiterals(sequences, anchor, from);
    const [first, second, third] = this.repeats;
    // Without literals, repeated offsets count from the second.
    const shift = literalLength === 0 ? 1 : 0;
    let coded = offset + 3;
    if (offset === first && shift === 0) {
      coded = 1;
    } else if (offset === second) {
      coded = 2 - shift;
      this.repeats = [second, first, third];
    } else {
      if (offset === third) coded = 3 - shift;
      this.repeats = [offset, first, second];
    }
    const { count } = sequences;
    sequences.literalLengths[count] = literalLength;
    sequences.matchLengths[count] = matchLength;
    sequences.offsets[count] = coded;
    sequences.count = count + 1;
  }

  #copyLiterals(sequences: Sequences, start: number, end: number): void {
    sequences.literals.set(this.#bytes.subarray(start, end), sequences.literalCount);
    sequences.literalCount += end - start;
  }
}
