/** The base class of array-likes for data types without a JavaScript typed array. */
import { InvalidArgumentError } from "../base/errors.js";
import type { ArrayLikeView } from "./data-type.js";

/** Whether the argument of a constructor is memory to view, not values to copy. */
export function isMemory(source: unknown): source is ArrayBufferLike {
  const isShared = typeof SharedArrayBuffer === "function" && source instanceof SharedArrayBuffer;
  return isShared || source instanceof ArrayBuffer;
}

/** Clamps the bounds of a `subarray`. Negative indices count from the end, as in a typed array. */
export function boundsOf(begin: number, end: number, length: number): readonly [first: number, last: number] {
  const clamp = (index: number): number => Math.min(Math.max(index < 0 ? index + length : index, 0), length);
  const first = clamp(begin);
  return [first, Math.max(first, clamp(end))];
}

/** An array-like of elements of `itemSize` bytes over a buffer; subclasses read and write one element. */
export abstract class ArrayView<Scalar> implements ArrayLikeView<Scalar> {
  /** The viewed memory, not a copy. */
  protected readonly bytes: Uint8Array;
  /** Bytes of one element. */
  readonly itemSize: number;
  /** Number of elements. */
  readonly length: number;

  constructor(bytes: Uint8Array, itemSize: number) {
    this.bytes = bytes;
    this.itemSize = itemSize;
    this.length = Math.floor(bytes.length / itemSize);
  }

  get BYTES_PER_ELEMENT(): number {
    return this.itemSize;
  }

  /** The element at `index`. */
  abstract get(index: number): Scalar;
  /** Writes the element at `index`. */
  abstract set(index: number, value: Scalar): void;
  /**
   * Elements `begin` to `end` of the same memory; negative indices count from the end, as in a typed array.
   */
  abstract subarray(begin?: number, end?: number): ArrayView<Scalar>;

  /** The memory that is viewed, as in a typed array. */
  get buffer(): ArrayBufferLike {
    return this.bytes.buffer;
  }
  /** Where the view begins in `buffer`, in bytes. */
  get byteOffset(): number {
    return this.bytes.byteOffset;
  }
  /** Length of the view in bytes. */
  get byteLength(): number {
    return this.bytes.byteLength;
  }

  /** Sets all elements to a value. */
  fill(value: Scalar): this {
    for (let index = 0; index < this.length; index++) this.set(index, value);
    return this;
  }
  /** A list of all elements. */
  toArray(): Scalar[] {
    return Array.from(this);
  }
  *[Symbol.iterator](): Iterator<Scalar> {
    for (let index = 0; index < this.length; index++) yield this.get(index);
  }

  /** @throws InvalidArgumentError for an index outside the array */
  protected checked(index: number): number {
    if (!Number.isInteger(index) || index < 0 || index >= this.length) {
      throw new InvalidArgumentError(
        `expected an index from 0 to ${this.length - 1} of ${this.constructor.name}, got ${index}`,
      );
    }
    return index;
  }
  /** The bytes of `subarray`. */
  protected range(begin = 0, end: number = this.length): Uint8Array {
    const [first, last] = boundsOf(begin, end, this.length);
    return this.bytes.subarray(first * this.itemSize, last * this.itemSize);
  }
  /** The bytes of one element. */
  protected element(index: number): Uint8Array {
    const offset = this.checked(index) * this.itemSize;
    return this.bytes.subarray(offset, offset + this.itemSize);
  }
}
