/** The sequences section of a compressed block (RFC 8878 sections 3.1.1.3.2 and 3.1.1.4), as assembly/zstd-sequences.ts runs it. */
import { BAD_DISTANCE, BAD_LENGTH, BAD_TABLE, OUTPUT_OVERRUN, TRUNCATED } from "../../decoder-result.js";
import { DESCRIBED, KINDS, type Kind, PREDEFINED, SINGLE } from "../symbols.js";
import { BackwardBits, buildTable, type FseTable, Refusal, readDescription, singleTable } from "./fse.js";

/** What one block leaves to the next. */
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

function readTable(
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

export interface SequencesInput {
  readonly source: DataView;
  readonly start: number;
  readonly end: number;
  readonly count: number;
  readonly literals: Uint8Array;
}
export interface SequencesOutput {
  readonly bytes: Uint8Array;
  /** Where to write, where not to go beyond, and how far back matches reach. */
  readonly start: number;
  readonly limit: number;
  readonly windowStart: number;
}

/** Runs the sequences; where in the output it ended. @throws Refusal */
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
    const literalBase = at(literalTable.values, literalState);
    const offset = readOffset(bits, offsetTable, offsetState, literalBase === 0, repeats);
    const matchLength = at(matchTable.values, matchState) + bits.take(at(matchTable.extraBits, matchState));
    const literalLength = literalBase + bits.take(at(literalTable.extraBits, literalState));
    if (bits.left < 0) throw new Refusal(TRUNCATED);

    if (literalLength > literals.length - literal) throw new Refusal(BAD_LENGTH);
    if (literalLength + matchLength > limit - to) throw new Refusal(OUTPUT_OVERRUN);
    for (const stop = literal + literalLength; literal < stop; ) bytes[to++] = literals[literal++] ?? 0;
    if (offset === 0 || offset > to - windowStart) throw new Refusal(BAD_DISTANCE);
    for (const stop = to + matchLength; to < stop; to++) bytes[to] = bytes[to - offset] ?? 0;

    if (--left === 0) break;
    literalState =
      at(literalTable.nextStates, literalState) + bits.take(at(literalTable.nextBits, literalState));
    matchState = at(matchTable.nextStates, matchState) + bits.take(at(matchTable.nextBits, matchState));
    offsetState = at(offsetTable.nextStates, offsetState) + bits.take(at(offsetTable.nextBits, offsetState));
  }
  if (bits.left !== 0) throw new Refusal(TRUNCATED);
  const rest = literals.subarray(literal);
  if (rest.length > limit - to) throw new Refusal(OUTPUT_OVERRUN);
  bytes.set(rest, to);
  return to + rest.length;
}

function at(list: Uint32Array | Uint16Array | Uint8Array, index: number): number {
  return list[index] ?? 0;
}

/** The next offset, 0 for one that does not exist; moves the repeated ones. */
function readOffset(
  bits: BackwardBits,
  table: FseTable,
  offsetState: number,
  noLiterals: boolean,
  repeats: Uint32Array,
): number {
  const extraBits = table.extraBits[offsetState] ?? 0;
  const coded = (table.values[offsetState] ?? 0) + bits.take(extraBits);
  const [first = 0, second = 0, third = 0] = repeats;
  if (extraBits > 1) {
    repeats.set([coded, first, second]);
    return coded;
  }
  // Without literals the first would be the same match again, so they count from the second.
  const which = noLiterals ? coded + 1 : coded;
  if (which === 0) return first;
  const offset = which === 1 ? second : which === 2 ? third : first - 1;
  repeats.set(which === 1 ? [offset, first] : [offset, first, second]);
  return offset;
}
