/** The sequences section of a block (RFC 8878 sections 3.1.1.3.2 and 3.1.1.4). Called by zstd-encode.ts. */
import {
  codeCounts, literalLengthEncoder, matchLengthEncoder, offsetEncoder, probabilities, sequenceCodes, sequences,
} from "./zstd-encode-context";
import { bitsOf, buildEncoder, buildSingle, firstState, logOf, nextState, normalise, writeDescription } from "./zstd-encode-fse";
import { LITERAL_LENGTH_DEFAULT, MATCH_LENGTH_DEFAULT, OFFSET_DEFAULT } from "./zstd-defaults";

/** Fewer sequences do not earn a table of their own. */
const MINIMUM_DESCRIBED: u32 = 48;

const PREDEFINED: u32 = 0;
const SINGLE: u32 = 1;
const DESCRIBED: u32 = 2;

/** Codes of literal lengths below 64; above, each power of two has a code. */
const LITERAL_LENGTH_CODES: usize = memory.data<u8>([
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 16, 17, 17, 18, 18, 19, 19, 20, 20, 20, 20, 21, 21, 21, 21,
  22, 22, 22, 22, 22, 22, 22, 22, 23, 23, 23, 23, 23, 23, 23, 23, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24,
]);
/** Codes by match length less 3, for match lengths below 131. */
const MATCH_LENGTH_CODES: usize = memory.data<u8>([
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31,
  32, 32, 33, 33, 34, 34, 35, 35, 36, 36, 36, 36, 37, 37, 37, 37, 38, 38, 38, 38, 38, 38, 38, 38, 39, 39, 39, 39, 39, 39, 39, 39,
  40, 40, 40, 40, 40, 40, 40, 40, 40, 40, 40, 40, 40, 40, 40, 40, 41, 41, 41, 41, 41, 41, 41, 41, 41, 41, 41, 41, 41, 41, 41, 41,
  42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42,
]);
/**
 * Extra bits of the literal length codes 16 to 35 and the match length codes 32 to 52: the lowest bits of the
 * coded value.
 */
const LITERAL_LENGTH_EXTRAS: usize = memory.data<u8>([1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]);
const MATCH_LENGTH_EXTRAS: usize = memory.data<u8>([1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]);

// @ts-ignore: decorator
@inline
function countCode(kind: usize, code: u32): void {
  const place = codeCounts() + (kind << 8) + (<usize>code << 2);
  store<u32>(place, load<u32>(place) + 1);
}

/**
 * Writes the section for `count` sequences. Returns where it ends, or 0 if that is beyond `limit`. May write
 * 512 bytes beyond.
 */
export function writeSequences(dst: usize, limit: usize, count: u32): usize {
  if (count < 128) {
    store<u8>(dst++, count);
  } else if (count < 0x7f00) {
    store<u8>(dst, (count >>> 8) + 128);
    store<u8>(dst, count, 1);
    dst += 2;
  } else {
    store<u8>(dst, 255);
    store<u16>(dst, <u16>(count - 0x7f00), 1);
    dst += 3;
  }
  if (count == 0) return dst;
  makeCodes(count);
  const modes = dst++;
  const last = load<u32>(sequenceCodes() + (<usize>(count - 1) << 2));
  const counts = codeCounts();
  const literalTable = writeTable(dst, literalLengthEncoder(), counts, 36, count, last & 255, LITERAL_LENGTH_DEFAULT, 36, 6, 9);
  dst += <usize>(literalTable >>> 2);
  const offsetTable = writeTable(dst, offsetEncoder(), counts + 256, 32, count, (last >>> 8) & 255, OFFSET_DEFAULT, 29, 5, 8);
  dst += <usize>(offsetTable >>> 2);
  const matchTable = writeTable(dst, matchLengthEncoder(), counts + 512, 53, count, (last >>> 16) & 255, MATCH_LENGTH_DEFAULT, 53, 6, 9);
  dst += <usize>(matchTable >>> 2);
  store<u8>(modes, ((literalTable & 3) << 6) | ((offsetTable & 3) << 4) | ((matchTable & 3) << 2));
  return writeBits(dst, limit, count);
}

/**
 * Stores the codes of each sequence: literal length's in the low byte, then offset's, then match length's,
 * then the number of extra bits. Counts how often each code occurs. Replaces each sequence by its extra bits:
 * literal length's lowest, then match length's, then offset's.
 */
function makeCodes(count: u32): void {
  memory.fill(codeCounts(), 0, 768);
  let code = sequenceCodes();
  const end = sequences() + (<usize>count << 3);
  for (let from = sequences(); from < end; from += 8, code += 4) {
    const sequence = load<u64>(from);
    const literalLength = <u32>sequence & 0x3ffff;
    const matchLength = (<u32>(sequence >>> 18) & 0x3ffff) - 3;
    const literalCode: u32 = literalLength < 64 ? load<u8>(LITERAL_LENGTH_CODES + <usize>literalLength) : 50 - clz(literalLength);
    const matchCode: u32 = matchLength < 128 ? load<u8>(MATCH_LENGTH_CODES + <usize>matchLength) : 67 - clz(matchLength);
    const offsetCode: u32 = 31 - clz(<u32>(sequence >>> 36));
    countCode(0, literalCode);
    countCode(1, offsetCode);
    countCode(2, matchCode);
    let extra: u64 = (sequence >>> 36) ^ ((<u64>1) << offsetCode);
    let width = offsetCode;
    // Longer lengths are rare.
    if (literalLength >= 16 || matchLength >= 32) {
      const literalExtra: u32 = literalCode < 16 ? 0 : load<u8>(LITERAL_LENGTH_EXTRAS + <usize>(literalCode - 16));
      const matchExtra: u32 = matchCode < 32 ? 0 : load<u8>(MATCH_LENGTH_EXTRAS + <usize>(matchCode - 32));
      const lengths = (literalLength & ((1 << literalExtra) - 1)) | ((matchLength & ((1 << matchExtra) - 1)) << literalExtra);
      extra = (extra << (literalExtra + matchExtra)) | lengths;
      width += literalExtra + matchExtra;
    }
    store<u64>(from, extra);
    store<u32>(code, literalCode | (offsetCode << 8) | (matchCode << 16) | (width << 24));
  }
}

/**
 * Makes an encoder and writes its description. Returns the table's mode in the low two bits, the bytes
 * written above.
 */
function writeTable(
  dst: usize, encoder: usize, counts: usize, symbols: u32, count: u32, someCode: u32, defaults: usize, defaultCount: u32,
  defaultLog: u32, maximumLog: u32,
): u32 {
  if (load<u32>(counts + (<usize>someCode << 2)) == count) {
    buildSingle(encoder, someCode);
    store<u8>(dst, someCode);
    return SINGLE | (1 << 2);
  }
  let used: u32 = 0;
  let beyond: u32 = 0;
  for (let symbol: u32 = 0; symbol < symbols; symbol++) {
    const occurs = <u32>(load<u32>(counts + (<usize>symbol << 2)) != 0);
    used += occurs;
    if (symbol >= defaultCount) beyond |= occurs;
  }
  if (count < MINIMUM_DESCRIBED && !beyond) {
    memory.copy(probabilities(), defaults, <usize>defaultCount << 1);
    buildEncoder(encoder, defaultCount, defaultLog);
    return PREDEFINED;
  }
  // A finer table than the number of sequences is of no use, and every symbol needs room.
  const log = max(max(min<u32>(maximumLog, 30 - clz(count)), 33 - clz(used)), 5);
  normalise(counts, symbols, count, log);
  buildEncoder(encoder, symbols, log);
  return DESCRIBED | (<u32>(writeDescription(dst, log) - dst) << 2);
}

/** Writes the bits, from the last sequence to the first. Returns where they end, or 0 beyond `limit`. */
function writeBits(dst: usize, limit: usize, count: u32): usize {
  const literalEncoder = literalLengthEncoder();
  const matchEncoder = matchLengthEncoder();
  let sequence = sequences() + (<usize>count << 3);
  let code = sequenceCodes() + (<usize>count << 2);
  let codes = load<u32>(code - 4);
  // The decoder reads backwards and begins with the first sequence, so the last one is written first.
  let literalState = firstState(literalEncoder, codes & 255);
  let offsetState = firstState(offsetEncoder(), (codes >>> 8) & 255);
  let matchState = firstState(matchEncoder, (codes >>> 16) & 255);
  let bits: u64 = 0;
  let filled: u64 = 0;
  for (let left = count; ;) {
    sequence -= 8;
    code -= 4;
    const width = <u64>(codes >>> 24);
    // The states left at most 33 bits. 54 may follow: 31 of two lengths within a block, 23 of an offset
    // within the window.
    if (width > 30) {
      store<u64>(dst, bits);
      dst += <usize>(filled >>> 3);
      bits >>>= filled & ~7;
      filled &= 7;
    }
    bits |= load<u64>(sequence) << filled;
    filled += width;
    store<u64>(dst, bits);
    dst += <usize>(filled >>> 3);
    bits >>>= filled & ~7;
    filled &= 7;
    if (dst > limit) return 0;
    if (--left == 0) break;

    codes = load<u32>(code - 4);
    const offsetCode = (codes >>> 8) & 255;
    const offsetWidth = bitsOf(offsetEncoder(), offsetState, offsetCode);
    const offsetNext = nextState(offsetEncoder(), offsetState, offsetCode, offsetWidth);
    const matchCode = (codes >>> 16) & 255;
    const matchWidth = bitsOf(matchEncoder, matchState, matchCode);
    const matchNext = nextState(matchEncoder, matchState, matchCode, matchWidth);
    const literalCode = codes & 255;
    const literalWidth = bitsOf(literalEncoder, literalState, literalCode);
    const literalNext = nextState(literalEncoder, literalState, literalCode, literalWidth);
    const lengths = lowBits(matchState, matchWidth) | (lowBits(literalState, literalWidth) << matchWidth);
    bits |= <u64>(lowBits(offsetState, offsetWidth) | (lengths << offsetWidth)) << filled;
    filled += offsetWidth + matchWidth + literalWidth;
    offsetState = offsetNext;
    matchState = matchNext;
    literalState = literalNext;
  }
  const matchLog = logOf(matchEncoder);
  const offsetLog = logOf(offsetEncoder());
  const literalLog = logOf(literalEncoder);
  bits |= <u64>(matchState & ((1 << matchLog) - 1)) << filled;
  filled += matchLog;
  bits |= <u64>(offsetState & ((1 << offsetLog) - 1)) << filled;
  filled += offsetLog;
  bits |= <u64>(literalState & ((1 << literalLog) - 1)) << filled;
  filled += literalLog;
  bits |= (<u64>1) << filled;
  store<u64>(dst, bits);
  dst += <usize>(filled >>> 3) + 1;
  return dst > limit ? 0 : dst;
}

/** Cheaper than a mask: `nextState` begins with the same shift. */
// @ts-ignore: decorator
@inline
function lowBits(value: u32, width: u32): u32 {
  return value ^ ((value >>> width) << width);
}
