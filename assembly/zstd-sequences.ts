/**
 * The sequences section of a compressed block (RFC 8878 sections 3.1.1.3.2 and 3.1.1.4): tables, then
 * sequences, which are decoded and run in turns. Called by zstd.ts.
 */
import { BAD_TABLE, OUTPUT_OVERRUN, TRUNCATED } from "./result";
import { LITERAL_LENGTH_DEFAULT, MATCH_LENGTH_DEFAULT, OFFSET_DEFAULT } from "./zstd-defaults";
import { BATCH, beginSequences, decodeBatch, endsExactly } from "./zstd-batch";
import {
  LITERALS, LITERAL_COUNT, LITERAL_LENGTH_LOG, LITERAL_LENGTH_TABLE, MATCH_LENGTH_LOG, MATCH_LENGTH_TABLE, NO_TABLE, OFFSET_LOG,
  OFFSET_TABLE, PROBABILITIES,
} from "./zstd-context";
import { LITERAL_LENGTHS, MATCH_LENGTHS, OFFSETS, buildSingle, buildTable, readProbabilities } from "./zstd-fse";
import { runBatch } from "./zstd-run";

const PREDEFINED: u32 = 0;
const SINGLE: u32 = 1;
export const DESCRIBED: u32 = 2;

/** Makes one of the three tables as its mode says. Returns bytes read, or -code. */
function readTable(
  mode: u32, src: usize, end: usize, table: usize, log: usize, kind: i32,
  defaults: usize, defaultCount: u32, defaultLog: u32, maximumLog: u32, maximumSymbol: u32,
): i32 {
  if (mode == PREDEFINED) {
    memory.copy(PROBABILITIES, defaults, <usize>defaultCount << 1);
    buildTable(table, defaultLog, kind, defaultCount);
    store<u32>(log, defaultLog);
    return 0;
  }
  if (mode == SINGLE) {
    if (src >= end) return -TRUNCATED;
    const symbol = <u32>load<u8>(src);
    if (symbol > maximumSymbol) return -BAD_TABLE;
    buildSingle(table, kind, symbol);
    store<u32>(log, 0);
    return 1;
  }
  if (mode == DESCRIBED) {
    const description = readProbabilities(src, end, maximumLog, maximumSymbol);
    if (description < 0) return description;
    const tableLog = <u32>description & 255;
    buildTable(table, tableLog, kind, maximumSymbol + 1);
    store<u32>(log, tableLog);
    return description >>> 8;
  }
  return load<u32>(log) == NO_TABLE ? -BAD_TABLE : 0;
}

/** Makes the tables of the three codes, as `readTable`. */
export function readLiteralLengths(mode: u32, src: usize, end: usize): i32 {
  return readTable(
    mode, src, end, LITERAL_LENGTH_TABLE, LITERAL_LENGTH_LOG, LITERAL_LENGTHS, LITERAL_LENGTH_DEFAULT, 36, 6, 9, 35);
}
export function readOffsets(mode: u32, src: usize, end: usize): i32 {
  return readTable(mode, src, end, OFFSET_TABLE, OFFSET_LOG, OFFSETS, OFFSET_DEFAULT, 29, 5, 8, 31);
}
export function readMatchLengths(mode: u32, src: usize, end: usize): i32 {
  return readTable(
    mode, src, end, MATCH_LENGTH_TABLE, MATCH_LENGTH_LOG, MATCH_LENGTHS, MATCH_LENGTH_DEFAULT, 53, 6, 9, 52);
}

/**
 * Reads the number of sequences. Returns it shifted by 2, with the bytes it takes (1 to 3) in the low two
 * bits, or -code.
 */
export function sequenceCount(src: usize, end: usize): i32 {
  if (src >= end) return -TRUNCATED;
  const first = <i32>load<u8>(src);
  if (first < 128) return (first << 2) | 1;
  if (end - src < (first < 255 ? 2 : 3)) return -TRUNCATED;
  if (first < 255) return (((first - 128) << 8) + <i32>load<u8>(src, 1)) << 2 | 2;
  return (<i32>load<u16>(src, 1) + 0x7f00) << 2 | 3;
}

/**
 * Runs `count` sequences whose tables' modes are at `src`, then copies the literals that no sequence takes.
 * Writes from `dst` on, always before `dstEnd`; matches reach back to `windowStart`. Returns bytes written,
 * or -code.
 */
export function runSequences(
  count: i32, src: usize, end: usize, dst: usize, dstEnd: usize, windowStart: usize,
): i32 {
  if (src >= end) return -TRUNCATED;
  const modes = <u32>load<u8>(src);
  if (modes & 3) return -BAD_TABLE;
  src++;
  let read = readLiteralLengths(modes >>> 6, src, end);
  if (read < 0) return read;
  src += read;
  read = readOffsets((modes >>> 4) & 3, src, end);
  if (read < 0) return read;
  src += read;
  read = readMatchLengths((modes >>> 2) & 3, src, end);
  if (read < 0) return read;
  src += read;
  return decodeAndRun(count, src, end, dst, dstEnd, windowStart);
}

/** Decodes and runs the sequences whose bits lie between `src` and `end`. */
function decodeAndRun(count: i32, src: usize, end: usize, dst: usize, dstEnd: usize, windowStart: usize): i32 {
  const begun = beginSequences(src, end);
  if (begun < 0) return begun;
  let at = dst;
  while (count > 0) {
    const wanted = min(count, BATCH);
    const decoded = decodeBatch(wanted, wanted == count);
    // An error in a decoded sequence is reported before a stream that ends early.
    const run = runBatch(decoded, at, dstEnd, windowStart);
    if (run < 0) return run;
    if (decoded < wanted) return -TRUNCATED;
    at += run;
    count -= wanted;
  }
  if (!endsExactly()) return -TRUNCATED;
  const rest = load<usize>(LITERAL_COUNT);
  if (rest > dstEnd - at) return -OUTPUT_OVERRUN;
  memory.copy(at, load<usize>(LITERALS), rest);
  return <i32>(at + rest - dst);
}

