/** LZ4 blocks made of sequences at random. */
import type { Random } from "../../fuzz/mutate.js";

/** Lengths and distances from 0 to these. */
export interface Manner {
  readonly name: string;
  readonly literals: readonly number[];
  readonly match: readonly number[];
  readonly distance: readonly number[];
  /** Just these. */
  readonly exact?: boolean;
}

/** Those of the data that the decoder has loops for, and all at once. */
export const MANNERS: readonly Manner[] = [
  { name: "runs", literals: [0, 0, 0, 0, 0, 0, 0, 0, 0, 20], match: [5, 20, 80], distance: [2, 20, 4000] },
  { name: "runs of a byte", literals: [0], match: [30, 600], distance: [1] },
  { name: "short sequences", literals: [0, 3, 14], match: [5, 12], distance: [16, 300, 9000] },
  { name: "noise", literals: [3, 40, 100], match: [5, 14], distance: [40, 5000] },
  {
    name: "everything",
    literals: [0, 0, 3, 14, 70, 300],
    match: [4, 14, 70, 300],
    distance: [3, 18, 70, 70_000],
  },
];

/** The sequences of the pair decoder's loop at their shortest and longest. */
export const SHORTEST: Manner = {
  name: "shortest",
  literals: [0],
  match: [0],
  distance: [0, 14, 15, 99],
  exact: true,
};
export const LONGEST: Manner = { ...SHORTEST, name: "longest", literals: [14], match: [12] };

export interface Lz4Block {
  readonly encoded: Uint8Array;
  readonly decoded: Uint8Array;
}

/**
 * A valid block of `length` bytes, and what it says, in words: literals one by one, matches a byte at a time.
 */
export function makeBlock(manner: Manner, length: number, random: Random): Lz4Block {
  const encoded: number[] = [];
  const decoded: number[] = [];
  const one = (of: readonly number[]): number => {
    const value = of[random(of.length)] ?? 0;
    return manner.exact ? value : random(value + 1);
  };
  const more = (rest: number): void => {
    for (; rest >= 255; rest -= 255) encoded.push(255);
    encoded.push(rest);
  };
  const addLiterals = (count: number, low: number): void => {
    encoded.push((Math.min(count, 15) << 4) | low);
    if (count >= 15) more(count - 15);
    for (let i = 0; i < count; i++) {
      const byte = random(256);
      encoded.push(byte);
      decoded.push(byte);
    }
  };
  for (;;) {
    const rest = one(manner.match);
    const literals = one(manner.literals) + (decoded.length === 0 ? 1 : 0);
    if (decoded.length + literals + rest + 4 > length - 5) break;
    addLiterals(literals, Math.min(rest, 15));
    const back = Math.min(1 + one(manner.distance), decoded.length, 65_535);
    encoded.push(back & 255, back >> 8);
    if (rest >= 15) more(rest - 15);
    for (let i = 0; i < rest + 4; i++) decoded.push(decoded[decoded.length - back] ?? 0);
  }
  addLiterals(length - decoded.length, 0);
  return { encoded: Uint8Array.from(encoded), decoded: Uint8Array.from(decoded) };
}
