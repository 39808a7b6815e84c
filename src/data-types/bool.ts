/** `bool` / `|b1`: one byte for each element, 0 or 1; on reading any byte other than 0 means true. */
import { at } from "../base/at.js";
import { describe, InvalidArgumentError, InvalidMetadataError } from "../base/errors.js";
import { ArrayView, isMemory } from "./array-view.js";
import type { DataType } from "./data-type.js";
import { bytesOfView } from "./typed-array.js";

/** Booleans over a buffer of bytes. */
export class BoolArray extends ArrayView<boolean> {
  /**
   * @param source a length, memory or a Uint8Array to view without a copy, or values to copy, as for a typed
   * array
   */
  constructor(source: number | Uint8Array | Iterable<boolean>);
  constructor(memory: ArrayBufferLike, byteOffset?: number, length?: number);
  constructor(
    source: number | Uint8Array | Iterable<boolean> | ArrayBufferLike,
    byteOffset?: number,
    length?: number,
  ) {
    super(bytesOfSource(source, byteOffset, length), 1);
  }
  /** A new array of these values. */
  static from(values: Iterable<boolean>): BoolArray {
    return new BoolArray(values);
  }

  get(index: number): boolean {
    return this.bytes[this.checked(index)] !== 0;
  }
  /** @throws InvalidArgumentError for values other than true, false, 1 and 0 */
  set(index: number, value: boolean): void {
    this.bytes[this.checked(index)] = castToBoolean(value) ? 1 : 0;
  }
  subarray(begin?: number, end?: number): BoolArray {
    return new BoolArray(this.range(begin, end));
  }
}

function bytesOfSource(
  source: number | Uint8Array | Iterable<boolean> | ArrayBufferLike,
  byteOffset: number | undefined,
  length: number | undefined,
): Uint8Array {
  if (source instanceof Uint8Array) return source;
  if (typeof source === "number") return new Uint8Array(source);
  return isMemory(source)
    ? new Uint8Array(source, byteOffset, length)
    : Uint8Array.from(source, (value) => Number(castToBoolean(value)));
}

/** Also accepts 1 and 0: v2 writers use 0 as the default fill value of every data type. */
function booleanOf(value: unknown): boolean | undefined {
  if (value === true || value === 1) return true;
  return value === false || value === 0 ? false : undefined;
}

function castToBoolean(value: unknown): boolean {
  const scalar = booleanOf(value);
  if (scalar !== undefined) return scalar;
  throw new InvalidArgumentError(`expected true or false as a bool, got ${describe(value)}`);
}

export const bool: DataType<boolean, BoolArray> = {
  name: "bool",
  itemSize: 1,
  swapUnit: 1,
  needsEndian: false,
  toV3: () => "bool",
  toV2: () => "|b1",
  defaultScalar: false,
  scalarFromJson(json, zarrFormat) {
    // Core v3: "The value must be a JSON boolean".
    const scalar = zarrFormat === 2 || typeof json === "boolean" ? booleanOf(json) : undefined;
    if (scalar !== undefined) return scalar;
    throw new InvalidMetadataError(`expected true or false as a bool, got ${describe(json)}`);
  },
  scalarToJson: (scalar) => scalar,
  cast: castToBoolean,
  writeScalar(scalar, target) {
    target[0] = scalar ? 1 : 0;
  },
  readScalar: (source) => at(source, 0) !== 0,
  view: (bytes) => new BoolArray(bytes),
  bytesOf: (data) => (data instanceof BoolArray ? bytesOfView(data) : undefined),
};
