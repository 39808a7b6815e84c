/** `bool` / `|b1`: one byte an element, 0 or 1; any other byte read counts as true. */
import { InvalidArgumentError, InvalidMetadataError } from "../errors.js";
import { ArrayView } from "./array-view.js";
import type { DataType } from "./data-type.js";
import { describe } from "./describe.js";
import { bytesOfView } from "./typed-array.js";

/** Booleans over a buffer of bytes. */
export class BoolArray extends ArrayView<boolean> {
  /** @param source a length, or the bytes to look at, without copying */
  constructor(source: number | Uint8Array) {
    super(typeof source === "number" ? new Uint8Array(source) : source, 1);
  }
  static from(values: Iterable<boolean>): BoolArray {
    return new BoolArray(Uint8Array.from(values, (value) => Number(castToBoolean(value))));
  }

  get(index: number): boolean {
    return this.bytes[this.checked(index)] !== 0;
  }
  /** @throws InvalidArgumentError for anything but true, false, 1 and 0 */
  set(index: number, value: boolean): void {
    this.bytes[this.checked(index)] = castToBoolean(value) ? 1 : 0;
  }
  subarray(begin?: number, end?: number): BoolArray {
    return new BoolArray(this.range(begin, end));
  }
}

/** 0 and 1 stand in v2 documents of writers that fill every type with 0. */
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
  readScalar: (source) => (source[0] ?? 0) !== 0,
  view: (bytes) => new BoolArray(bytes),
  bytesOf: (data) => (data instanceof BoolArray ? bytesOfView(data) : undefined),
};
