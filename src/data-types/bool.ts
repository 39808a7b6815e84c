/** `bool` / `|b1`: one byte an element, 0 or 1; any other byte read counts as true. */
import { InvalidArgumentError, InvalidMetadataError } from "../errors.js";
import type { ArrayLikeView, DataType } from "./data-type.js";
import { describe } from "./describe.js";

/** Booleans over a buffer of bytes. */
export class BoolArray implements ArrayLikeView<boolean> {
  readonly #bytes: Uint8Array;

  /** @param source a length, or the bytes to look at, without copying */
  constructor(source: number | Uint8Array) {
    this.#bytes = typeof source === "number" ? new Uint8Array(source) : source;
  }
  static from(values: Iterable<boolean>): BoolArray {
    return new BoolArray(Uint8Array.from(values, Number));
  }

  get length(): number {
    return this.#bytes.length;
  }
  get buffer(): ArrayBufferLike {
    return this.#bytes.buffer;
  }
  get byteOffset(): number {
    return this.#bytes.byteOffset;
  }
  get byteLength(): number {
    return this.#bytes.length;
  }
  /** Undefined indices read as false, as reading past the end of a typed array gives no element. */
  get(index: number): boolean {
    return (this.#bytes[index] ?? 0) !== 0;
  }
  set(index: number, value: boolean): void {
    this.#bytes[index] = value ? 1 : 0;
  }
  subarray(begin?: number, end?: number): BoolArray {
    return new BoolArray(this.#bytes.subarray(begin, end));
  }
  toArray(): boolean[] {
    return Array.from(this);
  }
  *[Symbol.iterator](): Iterator<boolean> {
    for (const byte of this.#bytes) yield byte !== 0;
  }
}

export const bool: DataType<boolean, BoolArray> = {
  name: "bool",
  itemSize: 1,
  swapUnit: 1,
  needsEndian: false,
  toV3: () => "bool",
  toV2: () => "|b1",
  defaultScalar: false,
  scalarFromJson(json) {
    // 0 and 1 stand in v2 documents of writers that fill every type with 0.
    if (json === true || json === 1) return true;
    if (json === false || json === 0) return false;
    throw new InvalidMetadataError(`expected true or false as a bool, got ${describe(json)}`);
  },
  scalarToJson: (scalar) => scalar,
  cast(value) {
    if (value === true || value === 1) return true;
    if (value === false || value === 0) return false;
    throw new InvalidArgumentError(`expected true or false as a bool, got ${describe(value)}`);
  },
  writeScalar(scalar, target) {
    target[0] = scalar ? 1 : 0;
  },
  readScalar: (source) => (source[0] ?? 0) !== 0,
  view: (bytes) => new BoolArray(bytes),
  bytesOf: (data) =>
    data instanceof BoolArray ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength) : undefined,
};
