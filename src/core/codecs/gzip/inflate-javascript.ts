/**
 * Inflate (RFC 1951) in JavaScript: accepts and refuses the same streams as assembly/inflate.ts. It is as
 * strict as zlib: it refuses over-subscribed and incomplete codes (except a single code of one bit), and
 * symbols and distances that do not exist.
 */
import { at, byteAt, uint16At } from "../../../base/at.js";
import { byteOrZero } from "../byte-or-zero.js";
import {
  BAD_DISTANCE,
  BAD_LENGTH,
  BAD_TABLE,
  failure,
  OUTPUT_OVERRUN,
  TRUNCATED,
  UNSUPPORTED,
} from "../decoder-result.js";

/** The result of a stream. */
export interface InflateResult {
  /** Bytes written, or a failure (decoder-result.ts) with the offset of the block. */
  readonly written: number;
  /** Bytes of the source that the stream took. */
  readonly read: number;
}

/** Inflates the stream at the start of `source`; matches reach back to the start of `target`. */
export function inflate(target: Uint8Array, source: Uint8Array): InflateResult {
  const inflater = new Inflater(target, source);
  const written = inflater.run();
  return { written, read: inflater.position() };
}

export const LENGTH_ORDER = Uint8Array.of(16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15);
const STORED = 0;
const FIXED = 1;
const DYNAMIC = 2;

let fixedCodes: BlockCodes | undefined;

class Inflater {
  readonly #target: Uint8Array;
  readonly #source: Uint8Array;
  #written = 0;
  /**
   * Next source byte to load into the bits. Beyond the end zeros are loaded; `#overread` finds out that they
   * were used.
   */
  #from = 0;
  /** Bits loaded but not used, lowest first. */
  #bits = 0;
  #count = 0;

  constructor(target: Uint8Array, source: Uint8Array) {
    this.#target = target;
    this.#source = source;
  }

  run(): number {
    for (let last = false; !last; ) {
      const block = this.position();
      const header = this.#take(3);
      last = (header & 1) === 1;
      let code = TRUNCATED;
      if (!this.#overread()) {
        code = this.#block(header >>> 1);
        // A truncated stream reads as zeros, which decode to anything: TRUNCATED replaces any `code`.
        if (this.#overread()) code = TRUNCATED;
      }
      if (code !== 0) return failure(code, block);
    }
    return this.#written;
  }

  /** Position of the first byte of which no bit is used. */
  position(): number {
    return this.#from - (this.#count >>> 3);
  }

  #overread(): boolean {
    return this.position() > this.#source.length;
  }

  /** Returns 0 or the code of a failure. */
  #block(type: number): number {
    if (type === STORED) return this.#stored();
    if (type !== FIXED && type !== DYNAMIC) return UNSUPPORTED;
    const codes = type === FIXED ? (fixedCodes ??= makeFixedCodes()) : this.#readCodes();
    return codes === undefined ? BAD_TABLE : this.#symbols(codes);
  }

  /** Takes the next `wanted` (at most 16) bits. */
  #take(count: number): number {
    if (this.#count < 16) {
      this.#bits |= pairAt(this.#source, this.#from) << this.#count;
      this.#from += 2;
      this.#count += 16;
    }
    const value = this.#bits & ((1 << count) - 1);
    this.#bits >>>= count;
    this.#count -= count;
    return value;
  }

  #stored(): number {
    const source = this.#source;
    const start = this.position();
    if (source.length - start < 4) return TRUNCATED;
    const length = at(source, start) | (at(source, start + 1) << 8);
    const complement = at(source, start + 2) | (at(source, start + 3) << 8);
    if (length !== (complement ^ 0xffff)) return BAD_LENGTH;
    const end = start + 4 + length;
    if (end > source.length) return TRUNCATED;
    if (length > this.#target.length - this.#written) return OUTPUT_OVERRUN;
    this.#target.set(source.subarray(start + 4, end), this.#written);
    this.#written += length;
    this.#from = end;
    this.#bits = 0;
    this.#count = 0;
    return 0;
  }

  #readCodes(): BlockCodes | undefined {
    const literalCount = this.#take(5) + 257;
    const distanceCount = this.#take(5) + 1;
    const lengthCount = this.#take(4) + 4;
    if (literalCount > 286 || distanceCount > 30) return undefined;
    const lengthLengths = new Uint8Array(19);
    for (const symbol of LENGTH_ORDER.subarray(0, lengthCount)) lengthLengths[symbol] = this.#take(3);
    const lengthCode = makeCode(lengthLengths, false);
    if (lengthCode === undefined) return undefined;
    const lengths = new Uint8Array(literalCount + distanceCount);
    for (let i = 0; i < lengths.length; ) {
      this.#take(0);
      const entry = at(lengthCode.table, this.#bits & ((1 << lengthCode.bits) - 1));
      this.#take(entry & 15);
      const symbol = entry >>> 4;
      if (symbol < 16) {
        lengths[i++] = symbol;
        continue;
      }
      if (symbol === 16 && i === 0) return undefined;
      const value = symbol === 16 ? at(lengths, i - 1) : 0;
      const repeat = (symbol === 18 ? 11 : 3) + this.#take(symbol === 16 ? 2 : symbol === 17 ? 3 : 7);
      if (repeat > lengths.length - i) return undefined;
      lengths.fill(value, i, i + repeat);
      i += repeat;
    }
    const literals = makeCode(lengths.subarray(0, literalCount), true);
    const distances = makeCode(lengths.subarray(literalCount), true);
    if (literals === undefined || distances === undefined || lengths[END_OF_BLOCK] === 0) return undefined;
    return { literals, distances };
  }

  /** The state is in local variables here: half again as fast. */
  #symbols({ literals, distances }: BlockCodes): number {
    const source = this.#source;
    const target = this.#target;
    const literalTable = literals.table;
    const literalMask = literalTable.length - 1;
    const distanceTable = distances.table;
    const distanceMask = distanceTable.length - 1;
    let from = this.#from;
    let bits = this.#bits;
    let count = this.#count;
    let written = this.#written;
    let code = 0;
    for (;;) {
      if (count < 16) {
        bits |= pairAt(source, from) << count;
        from += 2;
        count += 16;
      }
      let entry = uint16At(literalTable, bits & literalMask);
      bits >>>= entry & 15;
      count -= entry & 15;
      const symbol = entry >>> 4;
      if (entry === 0) {
        code = UNSUPPORTED;
        break;
      }
      if (symbol < END_OF_BLOCK) {
        if (written >= target.length) {
          code = OUTPUT_OVERRUN;
          break;
        }
        target[written++] = symbol;
        continue;
      }
      if (symbol === END_OF_BLOCK) break;
      const lengthBase = LENGTH_BASE[symbol - 257];
      if (lengthBase === undefined) {
        code = UNSUPPORTED;
        break;
      }
      if (count < 16) {
        bits |= pairAt(source, from) << count;
        from += 2;
        count += 16;
      }
      const lengthExtra = byteAt(LENGTH_EXTRA, symbol - 257);
      const length = lengthBase + (bits & ((1 << lengthExtra) - 1));
      bits >>>= lengthExtra;
      count -= lengthExtra;
      if (count < 16) {
        bits |= pairAt(source, from) << count;
        from += 2;
        count += 16;
      }
      entry = uint16At(distanceTable, bits & distanceMask);
      bits >>>= entry & 15;
      count -= entry & 15;
      const distanceBase = DISTANCE_BASE[entry >>> 4];
      if (entry === 0 || distanceBase === undefined) {
        code = UNSUPPORTED;
        break;
      }
      if (count < 16) {
        bits |= pairAt(source, from) << count;
        from += 2;
        count += 16;
      }
      const distanceExtra = byteAt(DISTANCE_EXTRA, entry >>> 4);
      const distance = distanceBase + (bits & ((1 << distanceExtra) - 1));
      bits >>>= distanceExtra;
      count -= distanceExtra;
      if (distance > written) {
        code = BAD_DISTANCE;
        break;
      }
      if (length > target.length - written) {
        code = OUTPUT_OVERRUN;
        break;
      }
      for (const end = written + length; written < end; written++)
        target[written] = byteAt(target, written - distance);
    }
    this.#from = from;
    this.#bits = bits;
    this.#count = count;
    this.#written = written;
    return code;
  }
}

/** Two bytes; zeros beyond the end. */
function pairAt(source: Uint8Array, i: number): number {
  return i + 1 < source.length ? byteAt(source, i) | (byteAt(source, i + 1) << 8) : byteOrZero(source, i);
}

/**
 * A Huffman code of deflate (RFC 1951 section 3.2). `table`, by the next `bits` bits: (symbol << 4) | length,
 * 0 for no symbol.
 */
export interface HuffmanCode {
  readonly bits: number;
  readonly table: Uint16Array;
}

/**
 * Makes the code of these lengths. Undefined for over-subscribed and incomplete codes; `incompleteAllowed`
 * permits a single code of one bit, or none at all.
 */
export function makeCode(lengths: Uint8Array, incompleteAllowed: boolean): HuffmanCode | undefined {
  const counts = new Uint16Array(16);
  for (const length of lengths) counts[length] = uint16At(counts, length) + 1;
  let bits = 15;
  while (bits > 1 && counts[bits] === 0) bits--;
  const next = new Uint16Array(17);
  let left = 1;
  for (let length = 1; length <= 15; length++) {
    left = (left << 1) - at(counts, length);
    if (left < 0) return undefined;
    next[length + 1] = (at(next, length) + at(counts, length)) << 1;
  }
  if (left > 0 && !(incompleteAllowed && bits === 1)) return undefined;
  const table = new Uint16Array(1 << bits);
  for (let symbol = 0; symbol < lengths.length; symbol++) {
    const length = byteAt(lengths, symbol);
    if (length === 0) continue;
    const code = uint16At(next, length);
    next[length] = code + 1;
    const entry = (symbol << 4) | length;
    // Codes are packed from their most significant bit on, all else from the least significant one: the index
    // is reversed.
    for (let index = reversed(code, length); index < table.length; index += 1 << length) table[index] = entry;
  }
  return { bits, table };
}

function reversed(value: number, bits: number): number {
  let result = 0;
  for (let bit = 0; bit < bits; bit++) result |= ((value >>> bit) & 1) << (bits - 1 - bit);
  return result;
}

export interface BlockCodes {
  readonly literals: HuffmanCode;
  readonly distances: HuffmanCode;
}

/** The codes of fixed blocks, RFC 1951 section 3.2.6. */
export function makeFixedCodes(): BlockCodes | undefined {
  const literals = makeCode(new Uint8Array(288).fill(8).fill(9, 144, 256).fill(7, 256, 280), false);
  const distances = makeCode(new Uint8Array(32).fill(5), false);
  return literals === undefined || distances === undefined ? undefined : { literals, distances };
}

export const END_OF_BLOCK = 256;

/**
 * By length symbol - 257, and by distance symbol: the number of extra bits, and the value to which they are
 * added.
 */
export const LENGTH_EXTRA = Uint8Array.from({ length: 29 }, (_, i) =>
  i < 8 || i === 28 ? 0 : (i >>> 2) - 1,
);
export const LENGTH_BASE = Uint16Array.from({ length: 29 }, (_, i) =>
  i === 28 ? 258 : i < 8 ? i + 3 : ((4 + (i & 3)) << ((i >>> 2) - 1)) + 3,
);
export const DISTANCE_EXTRA = Uint8Array.from({ length: 30 }, (_, i) => (i < 4 ? 0 : (i >>> 1) - 1));
export const DISTANCE_BASE = Uint16Array.from({ length: 30 }, (_, i) =>
  i < 4 ? i + 1 : ((2 + (i & 1)) << ((i >>> 1) - 1)) + 1,
);
