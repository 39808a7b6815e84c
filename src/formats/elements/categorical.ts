/** Elements of few values, each stored once: categoricals of pandas, dictionaries of Arrow. */
import { describe, InvalidArgumentError } from "../../core/for-formats.js";

/** Numbers of the values: -1 for a missing element. */
export type Codes = Int8Array | Int16Array | Int32Array;

/** Elements by their numbers in a list of values. */
export class CategoricalArray<Value = unknown> implements Iterable<Value | null> {
  /** For each element the place of its value in `categories`, or -1 for a missing one. */
  readonly codes: Codes;
  /** The values; shared by all parts of a column. */
  readonly categories: readonly Value[];
  /** Whether the order of the categories means something: low, middle, high. */
  readonly isOrdered: boolean;
  /** Number of elements. */
  readonly length: number;

  /** @throws InvalidArgumentError for a code without a value */
  constructor(codes: Codes, categories: readonly Value[], isOrdered = false) {
    for (const [i, code] of codes.entries())
      if (code < -1 || code >= categories.length)
        throw new InvalidArgumentError(
          `codes: expected integers from -1 to ${categories.length - 1}, got ${code} at ${i}`,
        );
    this.codes = codes;
    this.categories = categories;
    this.isOrdered = isOrdered;
    this.length = codes.length;
  }

  /** @returns null for a missing element @throws InvalidArgumentError for an index outside */
  get(index: number): Value | null {
    const code = this.codes[index];
    if (code === undefined)
      throw new InvalidArgumentError(
        `expected an index from 0 to ${this.length - 1}, got ${describe(index)}`,
      );
    // The code -1 is that of no value.
    return this.categories[code] ?? null;
  }

  /** All elements, each as its category. */
  toArray(): (Value | null)[] {
    return Array.from(this);
  }

  *[Symbol.iterator](): Iterator<Value | null> {
    for (const code of this.codes) yield this.categories[code] ?? null;
  }
}
