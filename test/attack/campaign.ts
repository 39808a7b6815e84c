/**
 * What a campaign is: some hostile circumstance, again and again for a given time, and what came of it. To
 * add one, write a file that exports a Campaign and a line in campaigns.ts.
 */
export interface Campaign {
  readonly name: string;
  /** One line: what is done, and what must hold. */
  readonly holds: string;
  /** Goes on until `until` (milliseconds of performance.now()), at least one round. */
  run(until: number, random: () => number): Promise<readonly Row[]>;
}

/** One line of the table. */
export interface Row {
  readonly attack: string;
  readonly rounds: number;
  /** What must be none: each says what was wrong. */
  readonly broken: readonly string[];
  /** Other figures: kills, values written, files left. */
  readonly figures: Readonly<Record<string, number>>;
}

/** Numbers in 0 .. 1, the same ones for the same seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
