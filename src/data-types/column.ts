/**
 * Columns: elements of variable length in the layout of Arrow. Element i is the bytes of `data` from offset i
 * to offset i + 1, and is decoded when a caller reads it.
 */
import { InvalidArgumentError } from "../base/errors.js";
import { boundsOf } from "./array-view.js";

/** Byte offsets, one more than elements, never decreasing. The first need not be 0. */
export type Offsets = Int32Array | Uint32Array | BigInt64Array;

/** The members of a column. `set` accepts any object with these two. */
export interface ColumnData {
  /** Where each element begins in `data`, in bytes, and where the last one ends. */
  readonly offsets: Offsets;
  /** The bytes of all elements, one after the other. */
  readonly data: Uint8Array;
}

/** A column with 32-bit offsets. In columns that codecs decode and encode they begin at 0. */
export interface PlainColumn extends ColumnData {
  readonly offsets: Int32Array;
}

export function isColumnData(value: unknown): value is ColumnData {
  if (typeof value !== "object" || value === null || !("offsets" in value) || !("data" in value))
    return false;
  const { offsets, data } = value;
  return (
    data instanceof Uint8Array &&
    (offsets instanceof Int32Array || offsets instanceof Uint32Array || offsets instanceof BigInt64Array)
  );
}

/** Decodes the elements of a column. */
export interface ColumnElements<Scalar> {
  readonly kind: "text" | "bytes";
  /** @param bytes a view of the column's data @param index of the element, for errors */
  one(bytes: Uint8Array, index: number): Scalar;
  all(column: ColumnData): Scalar[];
}

/**
 * Elements of variable length as one column of offsets and data, as in Arrow. `get` gives it with `as:
 * "column"`.
 * @typeParam Scalar string, or Uint8Array: a view of the column's data
 */
export class Column<Scalar = unknown> implements ColumnData, Iterable<Scalar> {
  /** Where each element begins in `data`, in bytes, and where the last one ends. */
  readonly offsets: Offsets;
  /** The bytes of all elements, one after the other. */
  readonly data: Uint8Array;
  /** Number of elements. */
  readonly length: number;
  /** Whether elements are UTF-8 strings or any bytes. */
  readonly kind: "text" | "bytes";
  readonly #elements: ColumnElements<Scalar>;

  constructor({ offsets, data }: ColumnData, elements: ColumnElements<Scalar>) {
    this.offsets = offsets;
    this.data = data;
    this.length = offsets.length - 1;
    this.kind = elements.kind;
    this.#elements = elements;
  }

  /**
   * @throws InvalidArgumentError for an index outside the column, CodecError for a string that is not UTF-8
   */
  get(index: number): Scalar {
    const begin = this.#offset(index);
    return this.#elements.one(this.data.subarray(begin, this.#offset(index + 1)), index);
  }

  /** Bytes of the element at `index`. @throws InvalidArgumentError outside the column */
  byteLengthOf(index: number): number {
    const begin = this.#offset(index);
    return this.#offset(index + 1) - begin;
  }

  /**
   * Elements `begin` to `end` of the same memory; negative indices count from the end, as in a typed array.
   */
  subarray(begin = 0, end: number = this.length): Column<Scalar> {
    const [first, last] = boundsOf(begin, end, this.length);
    const offsets = this.offsets.subarray(first, last + 1);
    return new Column({ offsets, data: this.data }, this.#elements);
  }

  /**
   * All elements as a list; for strings much faster than `get` for each.
   * @throws CodecError for a string that is not UTF-8
   */
  toArray(): Scalar[] {
    return this.#elements.all(this);
  }

  *[Symbol.iterator](): Iterator<Scalar> {
    for (let index = 0; index < this.length; index++) yield this.get(index);
  }

  /** Entry `index` of the offsets, where element `index - 1` ends. */
  #offset(index: number): number {
    const offset = this.offsets[index];
    if (offset !== undefined && Number.isInteger(index)) return Number(offset);
    throw new InvalidArgumentError(
      `expected an index from 0 to ${this.length - 1} of a column of ${this.length} elements, got ${index}`,
    );
  }
}
