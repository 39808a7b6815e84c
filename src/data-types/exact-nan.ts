/**
 * A NaN with a payload other than the one "NaN" stands for. JavaScript may change the bits of a NaN whenever a number
 * moves, so a fill value such as "0x7fc00001" is carried as its bits. Arithmetic sees NaN.
 */
export class ExactNaN {
  constructor(
    /** The bit pattern, most significant bit first: 0x7fc00001n. */
    readonly bits: bigint,
    /** Width of the float in bytes. */
    readonly byteLength: number,
  ) {}

  valueOf(): number {
    return Number.NaN;
  }
  /** As v3 writes it: "0x7fc00001". */
  toString(): string {
    return `0x${this.bits.toString(16).padStart(2 * this.byteLength, "0")}`;
  }
}
