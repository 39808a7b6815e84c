/** Unsigned integers of any number of bits, one after the other, the highest bit first. */
import { byteAt } from "../../../core/for-codecs.js";

export class PackedBits {
  readonly #bytes: Uint8Array;
  /** Of the next bit. */
  #bit: number;

  /** @param start in bytes */
  constructor(bytes: Uint8Array, start: number) {
    this.#bytes = bytes;
    this.#bit = 8 * start;
  }

  /** Bits that are left. */
  get left(): number {
    return 8 * this.#bytes.length - this.#bit;
  }

  /** The next integer of at most 32 bits. The caller has looked at `left`. */
  take(width: number): number {
    let value = 0;
    for (let missing = width; missing > 0; ) {
      const index = Math.floor(this.#bit / 8);
      const free = 8 - (this.#bit % 8);
      const count = Math.min(free, missing);
      const byte = byteAt(this.#bytes, index);
      value = value * 2 ** count + ((byte >> (free - count)) & ((1 << count) - 1));
      this.#bit += count;
      missing -= count;
    }
    return value;
  }

  /** The next integer of at most 64 bits, as its high and low 32. */
  takeLong(width: number): readonly [high: number, low: number] {
    const high = width > 32 ? this.take(width - 32) : 0;
    return [high, this.take(Math.min(width, 32))];
  }
}
