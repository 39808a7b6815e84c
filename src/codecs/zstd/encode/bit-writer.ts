/** Bits from the lowest of each byte on, closed by a mark: the streams that decoders read from the end backwards. */
export class BitWriter {
  readonly #target: Uint8Array;
  #to: number;
  #bits = 0;
  #count = 0;

  /** Beyond the end of `target` nothing is written; `position` says how far it would have come. */
  constructor(target: Uint8Array, start: number) {
    this.#target = target;
    this.#to = start;
  }

  /** The low `count` (at most 24) bits of `value`, whose others are ignored. */
  add(value: number, count: number): void {
    this.#bits |= (value & ((1 << count) - 1)) << this.#count;
    this.#count += count;
    while (this.#count >= 8) {
      this.#target[this.#to++] = this.#bits;
      this.#bits >>>= 8;
      this.#count -= 8;
    }
  }

  /** Writes what is left of a byte as it is; where the next byte goes. */
  finish(): number {
    if (this.#count > 0) this.#target[this.#to++] = this.#bits;
    return this.#to;
  }

  /** Marks the end with a 1. */
  close(): number {
    this.add(1, 1);
    return this.finish();
  }
}
