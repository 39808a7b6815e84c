/** Reads bits of bzip2 streams, most significant first, and canonical Huffman codes of up to 20 bits. */
import {
  byteAt,
  type CodecError,
  damagedData,
  int32At,
  uint16At,
  uint32At,
} from "../../../core/for-codecs.js";

const MAXIMUM_LENGTH = 20;
const DIRECT_BITS = 9;

export interface HuffmanTable {
  /** By the next 9 bits: symbol x 32 + length; 0 for longer codes. */
  readonly direct: Uint16Array;
  /** By length: the first value beyond the codes of this length, in 20 bits. */
  readonly limits: Uint32Array;
  /** By length: what added to a code gives the place of its symbol in `symbols`. */
  readonly offsets: Int32Array;
  readonly symbols: Uint16Array;
}

/** @throws CodecError for more codes than the lengths allow */
export function huffmanTable(lengths: Uint8Array, reader: BitReader): HuffmanTable {
  const counts = new Uint16Array(MAXIMUM_LENGTH + 2);
  for (const length of lengths) counts[length] = uint16At(counts, length) + 1;
  const limits = new Uint32Array(MAXIMUM_LENGTH + 1);
  const offsets = new Int32Array(MAXIMUM_LENGTH + 1);
  const next = new Uint16Array(MAXIMUM_LENGTH + 1);
  let code = 0;
  let position = 0;
  for (let length = 1; length <= MAXIMUM_LENGTH; length++) {
    const count = uint16At(counts, length);
    next[length] = position;
    offsets[length] = position - code;
    code += count;
    position += count;
    if (code > 2 ** length) throw damaged(reader, "a table has more codes than their lengths allow");
    limits[length] = code * 2 ** (MAXIMUM_LENGTH - length);
    code *= 2;
  }
  const symbols = new Uint16Array(lengths.length);
  const direct = new Uint16Array(2 ** DIRECT_BITS);
  lengths.forEach((length, symbol) => {
    const at = uint16At(next, length);
    next[length] = at + 1;
    symbols[at] = symbol;
    if (length > DIRECT_BITS) return;
    const first = (at - int32At(offsets, length)) << (DIRECT_BITS - length);
    direct.fill(symbol * 32 + length, first, first + 2 ** (DIRECT_BITS - length));
  });
  return { direct, limits, offsets, symbols };
}

/** @throws CodecError for a code without a symbol */
export function readSymbol(reader: BitReader, { direct, limits, offsets, symbols }: HuffmanTable): number {
  const bits = reader.peek(MAXIMUM_LENGTH);
  const entry = uint16At(direct, bits >> (MAXIMUM_LENGTH - DIRECT_BITS));
  if (entry !== 0) {
    reader.skip(entry & 31);
    return entry >> 5;
  }
  for (let length = DIRECT_BITS + 1; length <= MAXIMUM_LENGTH; length++) {
    if (bits >= uint32At(limits, length)) continue;
    reader.skip(length);
    const at = (bits >> (MAXIMUM_LENGTH - length)) + int32At(offsets, length);
    return uint16At(symbols, at);
  }
  throw damaged(reader, "a code has no symbol");
}

export const BZ2 = "bz2";

/** Reads bits, most significant first. Beyond the end it reads zeros, and `isExhausted` is true. */
export class BitReader {
  readonly #bytes: Uint8Array;
  #position: number;
  /** The bits not yet taken, in the low `#count` bits. */
  #buffer = 0;
  #count = 0;

  constructor(bytes: Uint8Array, position = 0) {
    this.#bytes = bytes;
    this.#position = position;
  }

  /** The next `count` (0 to 24) bits, zeros beyond the end, without taking them. */
  peek(count: number): number {
    while (this.#count < count) {
      const at = this.#position++;
      const byte = at < this.#bytes.length ? byteAt(this.#bytes, at) : 0;
      this.#buffer = (this.#buffer << 8) | byte;
      this.#count += 8;
    }
    return (this.#buffer >>> (this.#count - count)) & ((1 << count) - 1);
  }
  skip(count: number): void {
    this.#count -= count;
    this.#buffer &= (1 << this.#count) - 1;
  }
  read(count: number): number {
    const bits = this.peek(count);
    this.skip(count);
    return bits;
  }
  read32(): number {
    const high = this.read(16);
    return ((high << 16) | this.read(16)) >>> 0;
  }

  /** Whether more bits were taken than there are. */
  get isExhausted(): boolean {
    return this.#position - (this.#count >> 3) > this.#bytes.length;
  }
  /** Drops the rest of the current byte. Returns the position of the next byte. */
  toByte(): number {
    this.#position -= this.#count >> 3;
    this.#count = 0;
    this.#buffer = 0;
    return this.#position;
  }
  /** Byte position of the next bit, for errors. */
  get position(): number {
    return this.#position - Math.ceil(this.#count / 8);
  }
}

export function damaged(reader: BitReader, reason: string): CodecError {
  const offset = reader.position;
  return damagedData(BZ2, "bzip2 stream", offset, reason);
}
