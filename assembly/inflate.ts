/**
 * Inflate (RFC 1951) of one stream. Called by src/codecs/deflate/inflate.ts; the containers are in gzip.ts and zlib.ts. Strict as
 * zlib is. Measured (Node 20, Zen 4, 2 to 4 MiB, level 6): 0.37 GB/s on noisy float32 and uint16, 1.5 on text; fflate 0.13 and 0.37, node:zlib 0.36
 * and 0.97 in the same run. On noise a symbol waits for the one before it: table load and shift, about 9 cycles.
 */
import { runSymbols } from "./inflate-symbols";
import {
  CODE_LENGTHS, DISTANCES, DISTANCE_BITS, LENGTH_BITS, LITERALS, LITERAL_BITS, buildTable, codeLengths, distanceTable, literalTable, saveState,
  stateBits, stateCount, stateSource, stateTarget,
} from "./inflate-table";
import { BAD_LENGTH, BAD_TABLE, OUTPUT_OVERRUN, TRUNCATED, UNSUPPORTED, failure } from "./result";

/** The order in which the lengths of the code of code lengths are written. */
const LENGTH_ORDER: usize = memory.data<u8>([16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]);

const STORED: u32 = 0;
const FIXED: u32 = 1;
const DYNAMIC: u32 = 2;

/** Bytes of its source that the last stream took. */
export function consumed(): usize {
  return load<usize>(stateSource());
}

/** Bytes written, or a failure of result.ts with the offset of the block. Reads and writes nothing outside but its own region. */
export function decode(dst: usize, capacity: usize, src: usize, n: usize): i32 {
  const end = src + n;
  saveState(src, dst, 0, 0);
  let last: u32 = 0;
  while (!last) {
    const block = position() - src;
    const header = take(3, end);
    last = header & 1;
    let code = overread(end) ? TRUNCATED : 0;
    if (!code) {
      const type = header >>> 1;
      if (type == STORED) {
        code = copyStored(end, dst + capacity);
      } else if (type == FIXED || type == DYNAMIC) {
        code = type == FIXED ? makeFixedTables() : readTables(end);
        if (!code) code = runSymbols(end, dst, dst + capacity);
      } else {
        code = UNSUPPORTED;
      }
      // The zeros behind a truncated stream decode to anything: what went wrong first is that it ended.
      if (overread(end)) code = TRUNCATED;
    }
    if (code) return failure(code, block);
  }
  const to = load<usize>(stateTarget());
  store<usize>(stateSource(), position() - src);
  return <i32>(to - dst);
}

/** Where the first byte is of which no bit was used. */
function position(): usize {
  return load<usize>(stateSource()) - <usize>(load<u64>(stateCount()) >>> 3);
}

/** Whether bits beyond the end were used. */
function overread(end: usize): bool {
  return position() > end;
}

/** The next `wanted` (at most 16) bits. */
function take(wanted: u64, end: usize): u32 {
  let from = load<usize>(stateSource());
  let bits = load<u64>(stateBits());
  let count = load<u64>(stateCount());
  while (count < 56) {
    if (from < end) bits |= <u64>load<u8>(from) << count;
    from++;
    count += 8;
  }
  const value = <u32>bits & ((<u32>1 << <u32>wanted) - 1);
  saveState(from, load<usize>(stateTarget()), bits >>> wanted, count - wanted);
  return value;
}

function copyStored(end: usize, dstEnd: usize): i32 {
  const from = position();
  const to = load<usize>(stateTarget());
  if (end - from < 4) return TRUNCATED;
  const length = <usize>load<u16>(from);
  if (length != (<usize>load<u16>(from, 2) ^ 0xffff)) return BAD_LENGTH;
  if (length > end - from - 4) return TRUNCATED;
  if (length > dstEnd - to) return OUTPUT_OVERRUN;
  memory.copy(to, from + 4, length);
  saveState(from + 4 + length, to + length, 0, 0);
  return 0;
}

/** RFC 1951 section 3.2.6. */
function makeFixedTables(): i32 {
  const lengths = codeLengths();
  memory.fill(lengths, 8, 144);
  memory.fill(lengths + 144, 9, 112);
  memory.fill(lengths + 256, 7, 24);
  memory.fill(lengths + 280, 8, 8);
  memory.fill(lengths + 288, 5, 32);
  buildTable(literalTable(), LITERAL_BITS, lengths, 288, LITERALS, false);
  buildTable(distanceTable(), DISTANCE_BITS, lengths + 288, 32, DISTANCES, false);
  return 0;
}

/** RFC 1951 section 3.2.7. */
function readTables(end: usize): i32 {
  const literals = take(5, end) + 257;
  const distances = take(5, end) + 1;
  const lengthCount = take(4, end) + 4;
  if (literals > 286 || distances > 30) return BAD_TABLE;
  const lengths = codeLengths();
  memory.fill(lengths, 0, 19);
  for (let i: u32 = 0; i < lengthCount; i++) {
    store<u8>(lengths + <usize>load<u8>(LENGTH_ORDER + <usize>i), <u8>take(3, end));
  }
  // The table of code lengths is done with before that of literals is made in its place.
  if (!buildTable(literalTable(), LENGTH_BITS, lengths, 19, CODE_LENGTHS, false)) return BAD_TABLE;
  const total = literals + distances;
  for (let i: u32 = 0; i < total;) {
    take(0, end);
    const entry = load<u32>(literalTable() + (<usize>(load<u8>(stateBits()) & ((1 << LENGTH_BITS) - 1)) << 2));
    take(<u64>(entry & 15), end);
    const symbol = entry >>> 16;
    if (symbol < 16) {
      store<u8>(lengths + <usize>i, <u8>symbol);
      i++;
      continue;
    }
    if (symbol == 16 && i == 0) return BAD_TABLE;
    const value: u8 = symbol == 16 ? load<u8>(lengths + <usize>(i - 1)) : 0;
    const repeat: u32 = (symbol == 18 ? 11 : 3) + take(symbol == 16 ? 2 : symbol == 17 ? 3 : 7, end);
    if (repeat > total - i) return BAD_TABLE;
    memory.fill(lengths + <usize>i, value, repeat);
    i += repeat;
  }
  if (
    load<u8>(lengths, 256) == 0
    || !buildTable(distanceTable(), DISTANCE_BITS, lengths + <usize>literals, distances, DISTANCES, true)
    || !buildTable(literalTable(), LITERAL_BITS, lengths, literals, LITERALS, true)
  ) return BAD_TABLE;
  return 0;
}
