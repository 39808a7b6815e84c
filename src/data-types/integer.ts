/**
 * int8 to int64 and uint8 to uint64. Scalars of up to 32 bits are numbers, those of 64 bits bigints (numbers
 * with `safeIntegers`).
 */
import { uint32At } from "../base/at.js";
import { describe, InvalidArgumentError, InvalidMetadataError, UnsupportedError } from "../base/errors.js";
import type { DataType } from "./data-type.js";
import {
  bytesOfView,
  elementReader,
  type ScalarRules,
  type TypedArray,
  type TypedArrayConstructor,
  typedArrayType,
} from "./typed-array.js";

/**
 * `value` as a bigint, if it is an integer within the range; undefined for fractions and strings. v3 requires
 * "a JSON number with no fraction or exponent part that is within the representable range" (Fill value list).
 */
function integerWithin(value: unknown, minimum: bigint, maximum: bigint): bigint | undefined {
  if (typeof value === "number" && !Number.isSafeInteger(value)) return undefined;
  if (typeof value !== "number" && typeof value !== "bigint") return undefined;
  const integer = BigInt(value);
  return integer >= minimum && integer <= maximum ? integer : undefined;
}

/**
 * An integer in a string, which n5-zarr and writers based on numpy put into v2 documents: `"fill_value":
 * "0"`.
 */
const DECIMAL = /^\s*[+-]?\d{1,20}\s*$/;

/** The scalar rules for integers of `bits` bits. @param of converts a bigint to a scalar */
export function integerRules<Scalar extends number | bigint>(
  name: string,
  bits: number,
  signed: boolean,
  of: (integer: bigint) => Scalar,
): ScalarRules<Scalar> {
  const minimum = signed ? -(1n << BigInt(bits - 1)) : 0n;
  const maximum = (1n << BigInt(signed ? bits - 1 : bits)) - 1n;
  const expected = `expected an integer from ${minimum} to ${maximum} as ${name}`;
  return {
    defaultScalar: of(0n),
    scalarFromJson(json, zarrFormat) {
      const value =
        zarrFormat === 2 && typeof json === "string" && DECIMAL.test(json) ? BigInt(json.trim()) : json;
      const integer = integerWithin(value, minimum, maximum);
      if (integer === undefined) throw new InvalidMetadataError(`${expected}, got ${describe(json)}`);
      return of(integer);
    },
    scalarToJson: (scalar) => (Number.isSafeInteger(Number(scalar)) ? Number(scalar) : scalar),
    cast(value) {
      const integer = integerWithin(value, minimum, maximum);
      if (integer === undefined) throw new InvalidArgumentError(`${expected}, got ${describe(value)}`);
      return of(integer);
    },
  };
}

function integerType<Scalar extends number | bigint, Data extends TypedArray<Scalar>>(
  Constructor: TypedArrayConstructor<Scalar, Data>,
  signed: boolean,
  of: (integer: bigint) => Scalar,
): DataType<Scalar, Data> {
  const bytes = Constructor.BYTES_PER_ELEMENT;
  const name = `${signed ? "int" : "uint"}${bytes * 8}`;
  const rules = integerRules(name, bytes * 8, signed, of);
  const read = elementReader(Constructor);
  return typedArrayType(name, `${signed ? "i" : "u"}${bytes}`, Constructor, rules, {
    readScalar: (source) => read(source) ?? rules.defaultScalar,
    writeScalar: (scalar, target) => target.set(bytesOfView(Constructor.of(scalar))),
  });
}

const asBigint = (integer: bigint): bigint => integer;

export const int8: DataType<number, Int8Array> = /* @__PURE__ */ integerType<number, Int8Array>(
  Int8Array,
  true,
  Number,
);
export const int16: DataType<number, Int16Array> = /* @__PURE__ */ integerType<number, Int16Array>(
  Int16Array,
  true,
  Number,
);
export const int32: DataType<number, Int32Array> = /* @__PURE__ */ integerType<number, Int32Array>(
  Int32Array,
  true,
  Number,
);
export const int64: DataType<bigint, BigInt64Array> = /* @__PURE__ */ integerType<bigint, BigInt64Array>(
  BigInt64Array,
  true,
  asBigint,
);
export const uint8: DataType<number, Uint8Array> = /* @__PURE__ */ integerType<number, Uint8Array>(
  Uint8Array,
  false,
  Number,
);
export const uint16: DataType<number, Uint16Array> = /* @__PURE__ */ integerType<number, Uint16Array>(
  Uint16Array,
  false,
  Number,
);
export const uint32: DataType<number, Uint32Array> = /* @__PURE__ */ integerType<number, Uint32Array>(
  Uint32Array,
  false,
  Number,
);
export const uint64: DataType<bigint, BigUint64Array> = /* @__PURE__ */ integerType<bigint, BigUint64Array>(
  BigUint64Array,
  false,
  asBigint,
);

function unsafe(integer: unknown, offset?: number): UnsupportedError {
  const where = offset === undefined ? "" : ` at index ${offset}`;
  return new UnsupportedError(
    `expected integers of at most 2^53 - 1, got ${integer}${where}; read without safeIntegers, as bigints`,
    { offset },
  );
}

/**
 * Converts 64-bit integers to numbers, for callers that prefer these to bigints.
 * @throws UnsupportedError with the index of an integer beyond 2^53 - 1, which a number cannot hold exactly
 */
export function toSafeIntegers(
  data: BigInt64Array | BigUint64Array,
): ReturnType<Float64ArrayConstructor["of"]> {
  const numbers = new Float64Array(data.length);
  const halves = new Uint32Array(data.buffer, data.byteOffset, 2 * data.length);
  const isSigned = data instanceof BigInt64Array;
  for (let index = 0; index < numbers.length; index++) {
    const high = uint32At(halves, 2 * index + 1);
    const number = (isSigned ? high | 0 : high) * 2 ** 32 + uint32At(halves, 2 * index);
    if (!Number.isSafeInteger(number)) {
      throw unsafe(data[index], index);
    }
    numbers[index] = number;
  }
  return numbers;
}

/**
 * @param out the caller's `out`
 * @throws InvalidArgumentError unless it is undefined, because the conversion makes a new array
 */
export function presentSafely(out: unknown): typeof withoutBigints {
  if (out === undefined) return withoutBigints;
  throw new InvalidArgumentError("out: cannot be combined with safeIntegers, which allocates its own memory");
}

/**
 * Converts bigints in a scalar or in the data of `get` to numbers; returns other values unchanged.
 * @throws UnsupportedError as above
 */
function withoutBigints(value: unknown): unknown {
  if (value instanceof BigInt64Array || value instanceof BigUint64Array) return toSafeIntegers(value);
  if (typeof value !== "bigint") return value;
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw unsafe(value);
  return number;
}
