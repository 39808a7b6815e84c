/** Floats of at most 16 bits over a buffer: float16 where the platform has no Float16Array, bfloat16, float8 and smaller. */
import { describe, InvalidArgumentError } from "../errors.js";
import { ArrayView } from "./array-view.js";
import { decodeFloat, encodeFloat, type FloatFormat } from "./float-format.js";

export class SmallFloatArray extends ArrayView<number> {
  readonly format: FloatFormat;

  /** @param source a length, or the bytes to look at without copying: one or two an element, least significant first */
  constructor(format: FloatFormat, source: number | Uint8Array) {
    const itemSize = format.bits > 8 ? 2 : 1;
    super(typeof source === "number" ? new Uint8Array(source * itemSize) : source, itemSize);
    this.format = format;
  }
  static from(format: FloatFormat, values: Iterable<number>): SmallFloatArray {
    const list = Array.isArray(values) ? values : Array.from(values);
    const array = new SmallFloatArray(format, list.length);
    list.forEach((value, index) => {
      array.set(index, value);
    });
    return array;
  }

  get(index: number): number {
    return decodeFloat(this.format, this.pattern(index));
  }
  /**
   * Rounds to the nearest value, ties to even; what is too large becomes Infinity, as in a Float16Array.
   * @throws InvalidArgumentError for what is no number, and a NaN, Infinity, sign or size that the format cannot hold
   */
  set(index: number, value: number): void {
    const { infinity, bits } = this.format;
    const isNumber = typeof value === "number";
    let pattern = isNumber ? encodeFloat(this.format, value) : undefined;
    if (isNumber && pattern === undefined && infinity !== undefined)
      pattern = value < 0 ? infinity + 2 ** (bits - 1) : infinity;
    if (pattern === undefined) {
      throw new InvalidArgumentError(
        `expected a number that a ${this.format.name} can hold, got ${describe(value)}`,
      );
    }
    this.setPattern(index, pattern);
  }
  subarray(begin?: number, end?: number): SmallFloatArray {
    return new SmallFloatArray(this.format, this.range(begin, end));
  }

  /** The bits of an element. */
  pattern(index: number): number {
    const offset = this.checked(index) * this.itemSize;
    const low = this.bytes[offset] ?? 0;
    return this.itemSize === 1 ? low : low | ((this.bytes[offset + 1] ?? 0) << 8);
  }
  setPattern(index: number, pattern: number): void {
    const offset = this.checked(index) * this.itemSize;
    this.bytes[offset] = pattern;
    if (this.itemSize === 2) this.bytes[offset + 1] = pattern >> 8;
  }
}
