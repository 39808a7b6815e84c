/** Reads fields of bits, from the lowest bit of a byte on, as pcodec writes them. */
import { at, CodecError } from "../../../core/for-codecs.js";

/** @param offset in the encoded chunk */
export function damaged(message: string, offset: number): CodecError {
  return new CodecError(`${message}, at byte ${offset} of the pcodec data`, { offset });
}

export class BitReader {
  readonly bytes: Uint8Array;
  #bit = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  /** The byte that has the next bit. */
  get offset(): number {
    return Math.floor(this.#bit / 8);
  }

  /** @param offset of the byte whose lowest bit is next */
  seek(offset: number): void {
    this.#bit = 8 * offset;
  }

  /** @throws CodecError unless `bits` bits are left */
  need(bits: number, what: string): void {
    const left = 8 * this.bytes.length - this.#bit;
    if (bits <= left) return;
    throw damaged(`expected ${bits} bits of ${what}, got ${left} before the end`, this.offset);
  }

  /** The next field, 0 to 32 bits. @throws CodecError if it is not there */
  read(width: number, what: string): number {
    this.need(width, what);
    return width > 16 ? this.#next(16) + this.#next(width - 16) * 65536 : this.#next(width);
  }

  /** Reads 64 bits or less to two words, the lower one first. @throws CodecError if they are not there */
  readWords(words: Uint32Array, place: number, width: number, what: string): void {
    words[place] = this.read(Math.min(width, 32), what);
    words[place + 1] = width > 32 ? this.read(width - 32, what) : 0;
  }

  #next(width: number): number {
    const { offset } = this;
    const first = this.#bit % 8;
    let word = 0;
    // The bytes that have bits of the field: `need` has checked that they are there.
    for (let i = 0; 8 * i < first + width; i++) word |= at(this.bytes, offset + i) << (8 * i);
    const field = (word >>> first) & ((1 << width) - 1);
    this.#bit += width;
    return field;
  }

  /** Goes on with the next whole byte. @throws CodecError if there is more than zeros before it */
  align(what: string): void {
    const { offset } = this;
    if (this.#next((8 - (this.#bit % 8)) % 8) === 0) return;
    throw damaged(`expected zeros after ${what}, got other bits`, offset);
  }
}
