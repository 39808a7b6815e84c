/**
 * The sequences section of a compressed block (RFC 8878 sections 3.1.1.3.2 and 3.1.1.4), as
 * assembly/zstd-sequences.ts runs it.
 */
import { byteAt, uint16At, uint32At } from "../../../../base/at.js";
import { BAD_DISTANCE, BAD_LENGTH, BAD_TABLE, OUTPUT_OVERRUN, TRUNCATED } from "../../decoder-result.js";
import {
  BackwardBits,
  buildTable,
  type FseTable,
  Refusal,
  readDescription,
  type SymbolMeaning,
  singleTable,
} from "./entropy.js";

/**
 * One of the three codes of sequences: its values (RFC 8878 section 3.1.1.3.2.1.1) and its default
 * distribution (3.1.1.3.2.2).
 */
export interface Kind {
  readonly meaning: SymbolMeaning;
  readonly maximumLog: number;
  readonly maximumSymbol: number;
  readonly defaultLog: number;
  readonly defaults: readonly number[];
}

function lengthsFrom(first: number, plain: number, more: readonly number[]): SymbolMeaning {
  const extraBits = [...Array<number>(plain).fill(0), ...more];
  const values: number[] = [];
  let value = first;
  for (const bits of extraBits) {
    values.push(value);
    value += 2 ** bits;
  }
  return { values, extraBits };
}

export const LITERAL_LENGTHS: Kind = {
  meaning: lengthsFrom(0, 16, [1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]),
  maximumLog: 9,
  maximumSymbol: 35,
  defaultLog: 6,
  defaults: [
    4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1, 1, -1, -1,
    -1, -1,
  ],
};
export const OFFSETS: Kind = {
  // Codes 0 and 1 select a repeated offset, from 0 on. The others give an offset, which is the coded value
  // less 3.
  meaning: {
    values: Array.from({ length: 32 }, (_, code) => 2 ** code - (code < 2 ? 1 : 3)),
    extraBits: Array.from({ length: 32 }, (_, code) => code),
  },
  maximumLog: 8,
  maximumSymbol: 31,
  defaultLog: 5,
  defaults: [1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1],
};
export const MATCH_LENGTHS: Kind = {
  meaning: lengthsFrom(3, 32, [1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]),
  maximumLog: 9,
  maximumSymbol: 52,
  defaultLog: 6,
  defaults: [
    1, 4, 3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1,
  ],
};

/** In the order of their tables in a block. */
export const KINDS = [LITERAL_LENGTHS, OFFSETS, MATCH_LENGTHS] as const;

/** Modes of a table; 3 repeats the previous table. */
export const PREDEFINED = 0;
export const SINGLE = 1;
export const DESCRIBED = 2;

/** State that one block leaves to the next. */
export interface SequenceState {
  readonly tables: (FseTable | undefined)[];
  /** Newest first. */
  readonly repeats: Uint32Array;
}

/** The number of sequences, and the bytes it takes. @throws Refusal */
export function readSequenceCount(
  source: DataView,
  start: number,
  end: number,
): { readonly count: number; readonly length: number } {
  if (start >= end) throw new Refusal(TRUNCATED);
  const first = source.getUint8(start);
  if (first < 128) return { count: first, length: 1 };
  const length = first < 255 ? 2 : 3;
  if (end - start < length) throw new Refusal(TRUNCATED);
  if (first < 255) return { count: ((first - 128) << 8) + source.getUint8(start + 1), length };
  return { count: source.getUint16(start + 1, true) + 0x7f00, length };
}

/** Makes one of the three tables as its mode says. @throws Refusal */
export function readTable(
  mode: number,
  kind: Kind,
  previous: FseTable | undefined,
  source: DataView,
  start: number,
  end: number,
): { readonly table: FseTable; readonly length: number } {
  if (mode === PREDEFINED)
    return { table: buildTable(kind.defaultLog, kind.defaults, kind.meaning), length: 0 };
  if (mode === SINGLE) {
    if (start >= end) throw new Refusal(TRUNCATED);
    const symbol = source.getUint8(start);
    if (symbol > kind.maximumSymbol) throw new Refusal(BAD_TABLE);
    return { table: singleTable(symbol, kind.meaning), length: 1 };
  }
  if (mode === DESCRIBED) {
    const { log, probabilities, length } = readDescription(
      source,
      start,
      end,
      kind.maximumLog,
      kind.maximumSymbol,
    );
    return { table: buildTable(log, probabilities, kind.meaning), length };
  }
  if (previous === undefined) throw new Refusal(BAD_TABLE);
  return { table: previous, length: 0 };
}

interface SequencesInput {
  readonly source: DataView;
  readonly start: number;
  readonly end: number;
  readonly count: number;
  readonly literals: Uint8Array;
}
interface SequencesOutput {
  readonly bytes: Uint8Array;
  /** The position and the limit of writing, and how far back matches reach. */
  readonly start: number;
  readonly limit: number;
  readonly windowStart: number;
}

/** Runs the sequences. Returns where they end in the output. @throws Refusal */
export function runSequences(input: SequencesInput, output: SequencesOutput, state: SequenceState): number {
  const { source, end, literals } = input;
  if (input.start >= end) throw new Refusal(TRUNCATED);
  const modes = source.getUint8(input.start);
  if (modes & 3) throw new Refusal(BAD_TABLE);
  let from = input.start + 1;
  for (const [i, kind] of KINDS.entries()) {
    const { table, length } = readTable(
      (modes >>> (6 - 2 * i)) & 3,
      kind,
      state.tables[i],
      source,
      from,
      end,
    );
    state.tables[i] = table;
    from += length;
  }
  const [literalTable, offsetTable, matchTable] = state.tables;
  if (literalTable === undefined || offsetTable === undefined || matchTable === undefined)
    throw new Refusal(BAD_TABLE);

  const bits = new BackwardBits(source, from, end, TRUNCATED);
  let literalState = bits.take(literalTable.log);
  let offsetState = bits.take(offsetTable.log);
  let matchState = bits.take(matchTable.log);
  const { bytes, limit, windowStart } = output;
  let to = output.start;
  let literal = 0;
  const { repeats } = state;
  for (let left = input.count; ; ) {
    const literalBase = valueAt(literalTable, literalState);
    const offset = readOffset(bits, offsetTable, offsetState, literalBase === 0, repeats);
    const matchLength = valueAt(matchTable, matchState) + bits.take(extraBitsAt(matchTable, matchState));
    const literalLength = literalBase + bits.take(extraBitsAt(literalTable, literalState));
    if (bits.left < 0) throw new Refusal(TRUNCATED);

    if (literalLength > literals.length - literal) throw new Refusal(BAD_LENGTH);
    if (literalLength + matchLength > limit - to) throw new Refusal(OUTPUT_OVERRUN);
    for (const stop = literal + literalLength; literal < stop; ) bytes[to++] = byteAt(literals, literal++);
    if (offset === 0 || offset > to - windowStart) throw new Refusal(BAD_DISTANCE);
    for (const stop = to + matchLength; to < stop; to++) bytes[to] = byteAt(bytes, to - offset);

    if (--left === 0) break;
    literalState = follow(literalTable, literalState, bits);
    matchState = follow(matchTable, matchState, bits);
    offsetState = follow(offsetTable, offsetState, bits);
  }
  if (bits.left !== 0) throw new Refusal(TRUNCATED);
  const rest = literals.subarray(literal);
  if (rest.length > limit - to) throw new Refusal(OUTPUT_OVERRUN);
  bytes.set(rest, to);
  return to + rest.length;
}

// A function for each class of typed array: one that saw all three would be slower.
const valueAt = ({ values }: FseTable, state: number): number => uint32At(values, state);
const extraBitsAt = ({ extraBits }: FseTable, state: number): number => byteAt(extraBits, state);

/** Reads the state that follows. */
function follow({ nextStates, nextBits }: FseTable, state: number, bits: BackwardBits): number {
  const first = uint16At(nextStates, state);
  return first + bits.take(byteAt(nextBits, state));
}

/** Reads the next offset, 0 for one that does not exist, and moves the repeated ones. */
function readOffset(
  bits: BackwardBits,
  table: FseTable,
  offsetState: number,
  noLiterals: boolean,
  repeats: Uint32Array,
): number {
  const extraBits = extraBitsAt(table, offsetState);
  const coded = valueAt(table, offsetState) + bits.take(extraBits);
  const [first = 0, second = 0, third = 0] = repeats;
  if (extraBits > 1) {
    repeats.set([coded, first, second]);
    return coded;
  }
  // Without literals the first would be the same match again, so repeated offsets count from the second.
  const which = noLiterals ? coded + 1 : coded;
  if (which === 0) return first;
  const offset = which === 1 ? second : which === 2 ? third : first - 1;
  repeats.set(which === 1 ? [offset, first] : [offset, first, second]);
  return offset;
}
