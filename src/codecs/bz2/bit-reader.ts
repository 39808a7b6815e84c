/** Bits of a byte sequence, and the error that says where in it something is wrong. */
import { CodecError } from "../../errors.js";

export const BZ2 = "bz2";

/** The bits, most significant first. Past its end come zeros, and `isExhausted` says so. */
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

  /** The next `count` (0 to 24) bits, without taking them. */
  peek(count: number): number {
    while (this.#count < count) {
      this.#buffer = (this.#buffer << 8) | (this.#bytes[this.#position++] ?? 0);
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
  /** Drops the rest of the current byte; the position of the next. */
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
  return new CodecError(`expected a bzip2 stream, got one that ${reason} at byte ${offset}`, {
    codec: BZ2,
    offset,
  });
}
