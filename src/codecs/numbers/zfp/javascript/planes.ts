/** Bit planes in JavaScript: assembly/zfp-planes.ts with the same bits. */
import { byteOrZero, int32At } from "../../../../core/for-codecs.js";
import type { Block } from "./transform.js";

export class PlaneReader {
  readonly #bytes: Uint8Array;
  /** The next byte, and the bits left of the one before it, lowest first. */
  #next = 0;
  #rest = 0;
  #count = 0;

  constructor(bytes: Uint8Array, bit: number) {
    this.#bytes = bytes;
    this.skipTo(bit);
  }

  /** The next bit. */
  get bit(): number {
    return 8 * this.#next - this.#count;
  }

  /** Goes on at a later bit. */
  skipTo(bit: number): void {
    this.#next = Math.floor(bit / 8);
    this.#count = 0;
    this.readBits(bit % 8);
  }

  /** The byte after the last one of which a bit was read. */
  get reached(): number {
    return Math.ceil(this.bit / 8);
  }

  /** One bit; 0 beyond the end. */
  #read(): number {
    if (this.#count === 0) {
      this.#rest = byteOrZero(this.#bytes, this.#next++);
      this.#count = 8;
    }
    const bit = this.#rest & 1;
    this.#rest >>= 1;
    this.#count--;
    return bit;
  }

  readBits(count: number): number {
    let value = 0;
    for (let i = 0; i < count; i++) value |= this.#read() << i;
    return value;
  }

  /** @param budget how many bits there are at most */
  readPlanes({ low, high }: Block, precision: number, budget: number): void {
    low.fill(0);
    high?.fill(0);
    const size = low.length;
    const width = high === undefined ? 32 : 64;
    const end = this.bit + budget;
    const lowest = Math.max(0, width - precision);
    for (let plane = width - 1, n = 0; plane >= lowest && this.bit < end; plane--) {
      const words = high !== undefined && plane >= 32 ? high : low;
      const one = 1 << (plane % 32);
      const known = Math.min(n, end - this.bit);
      for (let i = 0; i < known; i++) if (this.#read() > 0) words[i] = int32At(words, i) | one;
      while (n < size && this.bit < end) {
        if (this.#read() === 0) break;
        while (n < size - 1 && this.bit < end && this.#read() === 0) n++;
        words[n] = int32At(words, n) | one;
        n++;
      }
    }
  }
}
