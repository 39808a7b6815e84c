/**
 * Inflate (RFC 1951) in TypeScript: twin of assembly/inflate.ts, accepting and refusing the same streams. Strict as zlib is: over-
 * subscribed and incomplete codes are refused (but for a lone code of one bit), so are symbols and distances that do not exist.
 */
export const INFLATE_TRUNCATED = -1;
export const INFLATE_OUTPUT_FULL = -2;
export const INFLATE_BAD_BLOCK = -3;
export const INFLATE_BAD_CODE_LENGTHS = -4;
export const INFLATE_BAD_SYMBOL = -5;
export const INFLATE_BAD_DISTANCE = -6;

/** What came of a stream: bytes written, or a negative code; and bytes of the source up to the stream's last. */
export interface InflateResult {
  readonly written: number;
  readonly read: number;
}

const LENGTH_BASE = Uint16Array.of(
  3,
  4,
  5,
  6,
  7,
  8,
  9,
  10,
  11,
  13,
  15,
  17,
  19,
  23,
  27,
  31,
  35,
  43,
  51,
  59,
  67,
  83,
  99,
  115,
  131,
  163,
  195,
  227,
  258,
);
const LENGTH_EXTRA = Uint8Array.of(
  0,
  0,
  0,
  0,
  0,
  0,
  0,
  0,
  1,
  1,
  1,
  1,
  2,
  2,
  2,
  2,
  3,
  3,
  3,
  3,
  4,
  4,
  4,
  4,
  5,
  5,
  5,
  5,
  0,
);
const DISTANCE_BASE = Uint16Array.of(
  1,
  2,
  3,
  4,
  5,
  7,
  9,
  13,
  17,
  25,
  33,
  49,
  65,
  97,
  129,
  193,
  257,
  385,
  513,
  769,
  1025,
  1537,
  2049,
  3073,
  4097,
  6145,
  8193,
  12289,
  16385,
  24577,
);
const LENGTH_ORDER = Uint8Array.of(16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15);
const END_OF_BLOCK = 256;

/** A code as one table over `bits` bits: (symbol << 4) | length, 0 where no symbol has this code. */
interface Code {
  readonly bits: number;
  readonly table: Uint16Array;
}

/** The code of these lengths; undefined when they do not make one (RFC 1951 3.2.2). */
function makeCode(lengths: Uint8Array, incompleteAllowed: boolean): Code | undefined {
  const counts = new Uint16Array(16);
  for (const length of lengths) counts[length] = (counts[length] ?? 0) + 1;
  let bits = 15;
  while (bits > 1 && counts[bits] === 0) bits--;
  const next = new Uint16Array(17);
  let left = 1;
  for (let length = 1; length <= 15; length++) {
    left = (left << 1) - (counts[length] ?? 0);
    if (left < 0) return undefined;
    next[length + 1] = ((next[length] ?? 0) + (counts[length] ?? 0)) << 1;
  }
  if (left > 0 && !(incompleteAllowed && bits === 1)) return undefined;
  const table = new Uint16Array(1 << bits);
  for (let symbol = 0; symbol < lengths.length; symbol++) {
    const length = lengths[symbol] ?? 0;
    if (length === 0) continue;
    const code = next[length] ?? 0;
    next[length] = code + 1;
    const entry = (symbol << 4) | length;
    // Codes are packed from their most significant bit on, everything else from the least: the index is reversed.
    for (let index = reversed(code, length); index < table.length; index += 1 << length) table[index] = entry;
  }
  return { bits, table };
}

function reversed(value: number, bits: number): number {
  let result = 0;
  for (let bit = 0; bit < bits; bit++) result |= ((value >>> bit) & 1) << (bits - 1 - bit);
  return result;
}

let fixedCodes: { readonly literals: Code; readonly distances: Code } | undefined;

function makeFixedCodes(): { readonly literals: Code; readonly distances: Code } | undefined {
  const lengths = new Uint8Array(288).fill(8).fill(9, 144, 256).fill(7, 256, 280);
  const literals = makeCode(lengths, false);
  const distances = makeCode(new Uint8Array(32).fill(5), false);
  return literals === undefined || distances === undefined ? undefined : { literals, distances };
}

/** Thrown inside this file only: a negative code in flight. */
class Refusal {
  readonly code: number;
  constructor(code: number) {
    this.code = code;
  }
}

class Inflater {
  readonly #source: Uint8Array;
  readonly #output: Uint8Array;
  readonly #outputStart: number;
  /** Next byte to take into the bit buffer; runs past the end, where zeros are read, until `#checkInput` looks. */
  #position: number;
  #bits = 0;
  #bitCount = 0;
  written: number;

  constructor(source: Uint8Array, start: number, output: Uint8Array, outputStart: number) {
    this.#source = source;
    this.#position = start;
    this.#output = output;
    this.#outputStart = outputStart;
    this.written = outputStart;
  }

  /** Bytes used, a partly used one included. @throws Refusal when more than there are */
  read(): number {
    const used = this.#position - (this.#bitCount >>> 3);
    if (used > this.#source.length) throw new Refusal(INFLATE_TRUNCATED);
    return used;
  }

  run(): void {
    let last = false;
    while (!last) {
      last = this.#take(1) === 1;
      const type = this.#take(2);
      this.read();
      if (type === 0) this.#stored();
      else if (type === 1) {
        const codes = (fixedCodes ??= makeFixedCodes());
        if (codes !== undefined) this.#compressed(codes.literals, codes.distances);
      } else if (type === 2) this.#dynamic();
      else throw new Refusal(INFLATE_BAD_BLOCK);
    }
    this.read();
  }

  /** At least 15 bits more than the buffer's 16. */
  #fill(): void {
    while (this.#bitCount <= 16) {
      this.#bits |= (this.#source[this.#position++] ?? 0) << this.#bitCount;
      this.#bitCount += 8;
    }
  }

  #take(count: number): number {
    this.#fill();
    const value = this.#bits & ((1 << count) - 1);
    this.#bits >>>= count;
    this.#bitCount -= count;
    return value;
  }

  #symbol(code: Code): number {
    this.#fill();
    const entry = code.table[this.#bits & ((1 << code.bits) - 1)] ?? 0;
    if (entry === 0) throw new Refusal(INFLATE_BAD_SYMBOL);
    const length = entry & 15;
    this.#bits >>>= length;
    this.#bitCount -= length;
    return entry >>> 4;
  }

  #stored(): void {
    const start = this.read();
    const source = this.#source;
    if (start + 4 > source.length) throw new Refusal(INFLATE_TRUNCATED);
    const length = (source[start] ?? 0) | ((source[start + 1] ?? 0) << 8);
    const complement = (source[start + 2] ?? 0) | ((source[start + 3] ?? 0) << 8);
    if (length !== (complement ^ 0xffff)) throw new Refusal(INFLATE_BAD_BLOCK);
    const end = start + 4 + length;
    if (end > source.length) throw new Refusal(INFLATE_TRUNCATED);
    if (length > this.#output.length - this.written) throw new Refusal(INFLATE_OUTPUT_FULL);
    this.#output.set(source.subarray(start + 4, end), this.written);
    this.written += length;
    this.#position = end;
    this.#bits = 0;
    this.#bitCount = 0;
  }

  #dynamic(): void {
    const literalCount = this.#take(5) + 257;
    const distanceCount = this.#take(5) + 1;
    const lengthCount = this.#take(4) + 4;
    if (literalCount > 286 || distanceCount > 30) throw new Refusal(INFLATE_BAD_CODE_LENGTHS);
    const lengthLengths = new Uint8Array(19);
    for (let i = 0; i < lengthCount; i++) lengthLengths[LENGTH_ORDER[i] ?? 0] = this.#take(3);
    const lengthCode = makeCode(lengthLengths, false);
    if (lengthCode === undefined) throw new Refusal(INFLATE_BAD_CODE_LENGTHS);
    const lengths = new Uint8Array(literalCount + distanceCount);
    for (let i = 0; i < lengths.length; ) {
      const symbol = this.#symbol(lengthCode);
      if (symbol < 16) {
        lengths[i++] = symbol;
        continue;
      }
      if (symbol === 16 && i === 0) throw new Refusal(INFLATE_BAD_CODE_LENGTHS);
      const value = symbol === 16 ? (lengths[i - 1] ?? 0) : 0;
      const count =
        symbol === 16 ? 3 + this.#take(2) : symbol === 17 ? 3 + this.#take(3) : 11 + this.#take(7);
      if (count > lengths.length - i) throw new Refusal(INFLATE_BAD_CODE_LENGTHS);
      lengths.fill(value, i, i + count);
      i += count;
    }
    this.read();
    const literals = makeCode(lengths.subarray(0, literalCount), true);
    const distances = makeCode(lengths.subarray(literalCount), true);
    if (literals === undefined || distances === undefined || lengths[END_OF_BLOCK] === 0) {
      throw new Refusal(INFLATE_BAD_CODE_LENGTHS);
    }
    this.#compressed(literals, distances);
  }

  #compressed(literals: Code, distances: Code): void {
    const output = this.#output;
    let written = this.written;
    for (;;) {
      const symbol = this.#symbol(literals);
      if (symbol < END_OF_BLOCK) {
        if (written >= output.length) throw new Refusal(this.#why(INFLATE_OUTPUT_FULL));
        output[written++] = symbol;
        continue;
      }
      if (symbol === END_OF_BLOCK) break;
      const base = LENGTH_BASE[symbol - 257];
      if (base === undefined) throw new Refusal(INFLATE_BAD_SYMBOL);
      const length = base + this.#take(LENGTH_EXTRA[symbol - 257] ?? 0);
      const distanceSymbol = this.#symbol(distances);
      const distanceBase = DISTANCE_BASE[distanceSymbol];
      if (distanceBase === undefined) throw new Refusal(INFLATE_BAD_SYMBOL);
      const distance = distanceBase + this.#take(distanceSymbol < 4 ? 0 : (distanceSymbol >>> 1) - 1);
      if (distance > written - this.#outputStart) throw new Refusal(this.#why(INFLATE_BAD_DISTANCE));
      if (length > output.length - written) throw new Refusal(this.#why(INFLATE_OUTPUT_FULL));
      if (distance >= length) output.copyWithin(written, written - distance, written - distance + length);
      else for (let i = written; i < written + length; i++) output[i] = output[i - distance] ?? 0;
      written += length;
    }
    this.written = written;
    this.read();
  }

  /** The zeros behind a truncated stream decode to anything: what went wrong first is that it ended. */
  #why(code: number): number {
    this.read();
    return code;
  }
}

/**
 * Inflates one stream that begins at `source[start]` into `output` from `outputStart` on, which is also where its window begins.
 * Never writes past `output`, never reads past `source`.
 */
export function inflate(
  source: Uint8Array,
  start: number,
  output: Uint8Array,
  outputStart: number,
): InflateResult {
  const inflater = new Inflater(source, start, output, outputStart);
  try {
    inflater.run();
    return { written: inflater.written - outputStart, read: inflater.read() - start };
  } catch (refusal) {
    if (refusal instanceof Refusal) return { written: refusal.code, read: 0 };
    throw refusal;
  }
}
