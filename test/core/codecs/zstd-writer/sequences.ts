/**
 * For tests: the sequences section of a block (RFC 8878 sections 3.1.1.3.2 and 3.1.1.4), from sequences as
 * columns.
 */
import {
  DESCRIBED,
  KINDS,
  type Kind,
  LITERAL_LENGTHS,
  MATCH_LENGTHS,
  PREDEFINED,
  SINGLE,
} from "../../../../src/core/codecs/zstd/javascript/sequences.js";
import {
  BitWriter,
  countSymbols,
  encodeSymbol,
  type FseEncoder,
  firstState,
  makeEncoder,
  makeSingleEncoder,
  normalise,
  writeDescription,
} from "./fse.js";

/** Fewer sequences than this do not earn a table of their own. */
const MINIMUM_DESCRIBED = 48;

/** Writes the section; where it ends. */
export function writeSequences(target: Uint8Array, start: number, sequences: Sequences): number {
  const { count } = sequences;
  let to = writeCount(target, start, count);
  if (count === 0) return to;
  const columns = [
    codesOf(sequences.literalLengths, count, literalLengthCode),
    codesOf(sequences.offsets, count, highestBit),
    codesOf(sequences.matchLengths, count, matchLengthCode),
  ] as const;
  const modesAt = to++;
  let modes = 0;
  const encoders: FseEncoder[] = [];
  for (const [i, kind] of KINDS.entries()) {
    const table = writeTable(target, to, columns[i] ?? columns[0], kind);
    modes |= table.mode << (6 - 2 * i);
    to = table.end;
    encoders.push(table.encoder);
  }
  target[modesAt] = modes;
  const [literalEncoder, offsetEncoder, matchEncoder] = encoders;
  if (literalEncoder === undefined || offsetEncoder === undefined || matchEncoder === undefined) return to;
  return writeBits(target, to, sequences, columns, { literalEncoder, offsetEncoder, matchEncoder });
}

function writeCount(target: Uint8Array, start: number, count: number): number {
  if (count < 128) {
    target[start] = count;
    return start + 1;
  }
  if (count < 0x7f00) {
    target[start] = (count >> 8) + 128;
    target[start + 1] = count;
    return start + 2;
  }
  target[start] = 255;
  target[start + 1] = count - 0x7f00;
  target[start + 2] = (count - 0x7f00) >> 8;
  return start + 3;
}

function codesOf(values: Uint32Array, count: number, codeOf: (value: number) => number): Uint8Array {
  const codes = new Uint8Array(count);
  for (let i = 0; i < count; i++) codes[i] = codeOf(values[i] ?? 0);
  return codes;
}

const highestBit = (value: number): number => 31 - Math.clz32(value);

/** Code by value for the small ones; above, each code is a power of two more. */
function codeTable({ meaning }: Kind, first: number, length: number): Uint8Array {
  let code = 0;
  return Uint8Array.from({ length }, (_, i) => {
    while ((meaning.values[code + 1] ?? Number.POSITIVE_INFINITY) <= i + first) code++;
    return code;
  });
}
const LITERAL_LENGTH_CODES = codeTable(LITERAL_LENGTHS, 0, 64);
const MATCH_LENGTH_CODES = codeTable(MATCH_LENGTHS, 3, 128);

function literalLengthCode(length: number): number {
  return LITERAL_LENGTH_CODES[length] ?? highestBit(length) + 19;
}

function matchLengthCode(length: number): number {
  return MATCH_LENGTH_CODES[length - 3] ?? highestBit(length - 3) + 36;
}

interface WrittenTable {
  readonly mode: number;
  readonly encoder: FseEncoder;
  readonly end: number;
}

function writeTable(target: Uint8Array, start: number, codes: Uint8Array, kind: Kind): WrittenTable {
  const counts = countSymbols(codes, kind.maximumSymbol + 1);
  const used = counts.filter((count) => count > 0).length;
  if (used === 1) {
    target[start] = codes[0] ?? 0;
    return { mode: SINGLE, encoder: makeSingleEncoder(), end: start + 1 };
  }
  if (codes.length < MINIMUM_DESCRIBED && counts.every((count, code) => count === 0 || kind.defaults[code])) {
    return { mode: PREDEFINED, encoder: makeEncoder(kind.defaults, kind.defaultLog), end: start };
  }
  // Finer than the number of sequences is no use, and every symbol needs room.
  const log = Math.max(Math.min(kind.maximumLog, highestBit(codes.length) - 1), highestBit(used) + 2, 5);
  const probabilities = normalise(counts, codes.length, log);
  return {
    mode: DESCRIBED,
    encoder: makeEncoder(probabilities, log),
    end: writeDescription(target, start, probabilities, log),
  };
}

function writeBits(
  target: Uint8Array,
  start: number,
  { count, literalLengths, matchLengths, offsets }: Sequences,
  [literalCodes, offsetCodes, matchCodes]: readonly [Uint8Array, Uint8Array, Uint8Array],
  encoders: Readonly<Record<"literalEncoder" | "offsetEncoder" | "matchEncoder", FseEncoder>>,
): number {
  const { literalEncoder, offsetEncoder, matchEncoder } = encoders;
  const writer = new BitWriter(target, start);
  // The decoder begins with the first sequence, so the last is written first.
  const last = count - 1;
  let literalState = firstState(literalEncoder, literalCodes[last] ?? 0);
  let offsetState = firstState(offsetEncoder, offsetCodes[last] ?? 0);
  let matchState = firstState(matchEncoder, matchCodes[last] ?? 0);
  for (let i = last; ; i--) {
    const literalCode = literalCodes[i] ?? 0;
    const offsetCode = offsetCodes[i] ?? 0;
    const matchCode = matchCodes[i] ?? 0;
    if (i < last) {
      offsetState = encodeSymbol(offsetEncoder, offsetState, offsetCode, writer);
      matchState = encodeSymbol(matchEncoder, matchState, matchCode, writer);
      literalState = encodeSymbol(literalEncoder, literalState, literalCode, writer);
    }
    writer.add(
      (literalLengths[i] ?? 0) - (LITERAL_LENGTHS.meaning.values[literalCode] ?? 0),
      LITERAL_LENGTHS.meaning.extraBits[literalCode] ?? 0,
    );
    writer.add(
      (matchLengths[i] ?? 0) - (MATCH_LENGTHS.meaning.values[matchCode] ?? 0),
      MATCH_LENGTHS.meaning.extraBits[matchCode] ?? 0,
    );
    writer.add(offsets[i] ?? 0, offsetCode);
    if (i === 0) break;
  }
  writer.add(matchState, matchEncoder.log);
  writer.add(offsetState, offsetEncoder.log);
  writer.add(literalState, literalEncoder.log);
  return writer.close();
}

/** Sequences of one block, as columns, and the literals between and behind them. */
export interface Sequences {
  count: number;
  readonly literalLengths: Uint32Array;
  readonly matchLengths: Uint32Array;
  /**
   * As the format codes them: 1 to 3 for repeated ones, else 3 more than the offset (RFC 8878 section
   * 3.1.1.5).
   */
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

function addLiterals(sequences: Sequences, literals: Uint8Array): void {
  sequences.literals.set(literals, sequences.literalCount);
  sequences.literalCount += literals.length;
}

/**
 * An offset as the format codes it behind so many literals; it becomes the first of `repeats`, newest first.
 */
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
