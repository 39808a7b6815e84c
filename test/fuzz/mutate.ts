/** Mutations of valid inputs, reproducible from a seed. */

/** xorshift32: integers below `limit`. */
export type Random = (limit: number) => number;

export function random(seed: number): Random {
  let state = Math.imul(seed, 2654435761) | 1;
  return (limit) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % limit;
  };
}

/** Values at the edges of length fields, tags and signs. */
const EDGES = [0, 1, 2, 3, 15, 16, 31, 32, 59, 60, 63, 64, 127, 128, 192, 224, 239, 240, 254, 255];

/** Bytes that can grow and shrink; arrays of numbers made the collector the busiest part of a fuzz run. */
class Draft {
  readonly #next: Random;
  #bytes: Uint8Array;
  #length: number;

  constructor(input: Uint8Array, next: Random) {
    this.#next = next;
    this.#bytes = new Uint8Array(input.length + 256);
    this.#bytes.set(input);
    this.#length = input.length;
  }

  get length(): number {
    return this.#length;
  }

  finish(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }

  change(value: (byte: number) => number): void {
    const at = this.#next(this.#length);
    this.#bytes[at] = value(this.#bytes[at] ?? 0);
  }

  /** A little-endian field made a little larger or smaller. */
  nudge(): void {
    const at = this.#next(this.#length);
    const width = 1 << this.#next(3);
    let carry = this.#next(33) - 16;
    for (let i = at; i < Math.min(at + width, this.#length); i++) {
      carry += this.#bytes[i] ?? 0;
      this.#bytes[i] = carry & 255;
      carry >>= 8;
    }
  }

  truncate(): void {
    this.#length = this.#next(this.#length + 1);
  }

  /** Puts `piece` in the place of `removed` bytes from `at` on. */
  splice(at: number, removed: number, piece: Uint8Array): void {
    const tail = Math.min(at + removed, this.#length);
    const length = at + piece.length + this.#length - tail;
    if (length > this.#bytes.length) {
      const grown = new Uint8Array(2 * length);
      grown.set(this.#bytes);
      this.#bytes = grown;
    }
    this.#bytes.copyWithin(at + piece.length, tail, this.#length);
    this.#bytes.set(piece, at);
    this.#length = length;
  }

  /** A copy of a short piece. */
  piece(): Uint8Array {
    const from = this.#next(this.#length);
    return this.#bytes.slice(from, Math.min(from + 1 + this.#next(24), this.#length));
  }
}

type Mutation = (draft: Draft, next: Random, other: Uint8Array) => void;

const MUTATIONS: readonly Mutation[] = [
  (draft, next) => draft.change((byte) => byte ^ (1 << next(8))),
  (draft, next) => draft.change(() => next(256)),
  (draft, next) => draft.change(() => EDGES[next(EDGES.length)] ?? 0),
  (draft) => draft.nudge(),
  (draft) => draft.truncate(),
  (draft, next) => draft.splice(next(draft.length), 1 + next(8), new Uint8Array()),
  (draft, next) => {
    const inserted = Uint8Array.from({ length: 1 + next(20) }, () => (next(4) === 0 ? 255 : next(256)));
    draft.splice(next(draft.length + 1), 0, inserted);
  },
  // A piece of the input somewhere else in it: matches, tables and headers in the wrong place.
  (draft, next) => {
    const piece = draft.piece();
    draft.splice(next(draft.length), next(2) * piece.length, piece);
  },
  // The end of another input.
  (draft, next, other) => {
    const at = next(draft.length + 1);
    draft.splice(at, draft.length - at, other.subarray(Math.min(at, other.length)));
  },
];

/** `input` with one to four mutations; `other` lends its end to some. Never modifies either. */
export function mutate(input: Uint8Array, other: Uint8Array, next: Random): Uint8Array {
  const draft = new Draft(input, next);
  for (let count = 1 + next(4); count > 0 && draft.length > 0; count--) {
    MUTATIONS[next(MUTATIONS.length)]?.(draft, next, other);
  }
  return draft.finish();
}
