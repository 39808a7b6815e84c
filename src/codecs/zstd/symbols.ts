/** The symbols of sequences: the values of their codes (RFC 8878 section 3.1.1.3.2.1.1) and default distributions (3.1.1.3.2.2). */

/** What the symbols of a table stand for: a value, and extra bits to add to it. */
export interface SymbolMeaning {
  readonly values: ArrayLike<number>;
  readonly extraBits: ArrayLike<number>;
}

export interface Kind {
  readonly meaning: SymbolMeaning;
  readonly maximumLog: number;
  readonly maximumSymbol: number;
  readonly defaultLog: number;
  readonly defaults: readonly number[];
}

function lengthsFrom(first: number, plain: number, extraBits: readonly number[]): SymbolMeaning {
  const values: number[] = [];
  let value = first;
  for (let code = 0; code < plain + extraBits.length; code++) {
    values.push(value);
    value += 2 ** (extraBits[code - plain] ?? 0);
  }
  return { values, extraBits: [...Array<number>(plain).fill(0), ...extraBits] };
}

const repeated = (value: number, count: number): number[] => Array<number>(count).fill(value);

export const LITERAL_LENGTHS: Kind = {
  meaning: lengthsFrom(0, 16, [1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]),
  maximumLog: 9,
  maximumSymbol: 35,
  defaultLog: 6,
  defaults: [
    4,
    3,
    ...repeated(2, 11),
    1,
    1,
    1,
    ...repeated(2, 9),
    3,
    2,
    ...repeated(1, 5),
    ...repeated(-1, 4),
  ],
};
const OFFSETS: Kind = {
  // Codes 0 and 1 say which repeated offset, from 0 on; the others an offset, 3 below the coded value.
  meaning: {
    values: Array.from({ length: 32 }, (_, code) => 2 ** code - (code < 2 ? 1 : 3)),
    extraBits: Array.from({ length: 32 }, (_, code) => code),
  },
  maximumLog: 8,
  maximumSymbol: 31,
  defaultLog: 5,
  defaults: [...repeated(1, 6), 2, 2, 2, ...repeated(1, 15), ...repeated(-1, 5)],
};
export const MATCH_LENGTHS: Kind = {
  meaning: lengthsFrom(3, 32, [1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]),
  maximumLog: 9,
  maximumSymbol: 52,
  defaultLog: 6,
  defaults: [1, 4, 3, ...repeated(2, 6), ...repeated(1, 37), ...repeated(-1, 7)],
};
/** In the order in which their tables stand in a block. */
export const KINDS = [LITERAL_LENGTHS, OFFSETS, MATCH_LENGTHS] as const;

/** Where a table comes from; 3 is the one before. */
export const PREDEFINED = 0;
export const SINGLE = 1;
export const DESCRIBED = 2;
