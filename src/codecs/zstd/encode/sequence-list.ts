/** What the match finders give: sequences of one block, as columns, and the literals between and behind them. */

export interface Sequences {
  count: number;
  readonly literalLengths: Uint32Array;
  readonly matchLengths: Uint32Array;
  /** As the format codes them: 1 to 3 for repeated ones, else 3 more than the offset (RFC 8878 section 3.1.1.5). */
  readonly offsets: Uint32Array;
  literalCount: number;
  readonly literals: Uint8Array;
}

/** A match has 4 bytes at least. */
export function makeSequences(maximumBlock: number): Sequences {
  const most = maximumBlock / 4;
  return {
    count: 0,
    literalLengths: new Uint32Array(most),
    matchLengths: new Uint32Array(most),
    offsets: new Uint32Array(most),
    literalCount: 0,
    literals: new Uint8Array(maximumBlock),
  };
}

/** A sequence: `literals`, then a match. */
export function addSequence(
  sequences: Sequences,
  literals: Uint8Array,
  matchLength: number,
  offset: number,
): void {
  addLiterals(sequences, literals);
  const { count } = sequences;
  sequences.literalLengths[count] = literals.length;
  sequences.matchLengths[count] = matchLength;
  sequences.offsets[count] = offset;
  sequences.count = count + 1;
}

export function addLiterals(sequences: Sequences, literals: Uint8Array): void {
  sequences.literals.set(literals, sequences.literalCount);
  sequences.literalCount += literals.length;
}

/** An offset as the format codes it behind so many literals; it becomes the first of `repeats`, newest first. */
export function codeOffset(repeats: Uint32Array, offset: number, literalLength: number): number {
  const [first = 0, second = 0, third = 0] = repeats;
  // Without literals, repeated offsets count from the second.
  const shift = literalLength === 0 ? 1 : 0;
  if (offset === first && shift === 0) return 1;
  repeats[0] = offset;
  repeats[1] = first;
  if (offset === second) return 2 - shift;
  repeats[2] = second;
  return offset === third ? 3 - shift : offset + 3;
}
