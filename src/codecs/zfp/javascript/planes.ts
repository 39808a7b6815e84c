/** Bit planes in JavaScript: assembly/zfp-planes.ts with the same bits. */
import type { Block } from "./transform.js";

export class PlaneReader {
  readonly #bytes: Uint8Array;
  /** The next bit. */
  bit: number;

  constructor(bytes: Uint8Array, bit: number) {
    this.#bytes = bytes;
    this.bit = bit;
  }

  /** The byte after the last one of which a bit was read. */
  get reached(): number {
    return Math.ceil(this.bit / 8);
  }

  #next(): number {
    const byte = this.#bytes[Math.floor(this.bit / 8)] ?? 0;
    return (byte >> (this.bit++ % 8)) & 1;
  }

  readBits(count: number): number {
    let value = 0;
    for (let i = 0; i < count; i++) value |= this.#next() << i;
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
      for (let i = 0; i < known; i++) if (this.#next() > 0) words[i] = (words[i] ?? 0) | one;
      while (n < size && this.bit < end) {
        if (this.#next() === 0) break;
        while (n < size - 1 && this.bit < end && this.#next() === 0) n++;
        words[n] = (words[n] ?? 0) | one;
        n++;
      }
    }
  }
}
