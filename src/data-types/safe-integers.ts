/** 64-bit integers as numbers, for callers that would rather not have bigints. */
import { InvalidArgumentError, UnsupportedError } from "../errors.js";

function unsafe(integer: unknown, offset?: number): UnsupportedError {
  const where = offset === undefined ? "" : ` at index ${offset}`;
  return new UnsupportedError(
    `expected integers of at most 2^53 - 1 to read as numbers, got ${integer}${where}: read them as bigints`,
    { offset },
  );
}

/**
 * 64-bit integers as numbers.
 * @throws UnsupportedError with the index of one beyond 2^53 - 1, which a number cannot hold exactly
 */
export function toSafeIntegers(data: BigInt64Array | BigUint64Array): Float64Array<ArrayBuffer> {
  const numbers = new Float64Array(data.length);
  const halves = new Uint32Array(data.buffer, data.byteOffset, 2 * data.length);
  const isSigned = data instanceof BigInt64Array;
  for (let index = 0; index < numbers.length; index++) {
    const high = halves[2 * index + 1] ?? 0;
    const number = (isSigned ? high | 0 : high) * 2 ** 32 + (halves[2 * index] ?? 0);
    if (!Number.isSafeInteger(number)) {
      throw unsafe(data[index], index);
    }
    numbers[index] = number;
  }
  return numbers;
}

/** @param out what a caller wants the elements in @throws InvalidArgumentError for one, since there is an array of its own */
export function presentSafely(out: unknown): typeof withoutBigints {
  if (out === undefined) return withoutBigints;
  throw new InvalidArgumentError(
    "out: expected none together with safeIntegers, which makes an array of its own",
  );
}

/** A scalar or the data of `get`: bigints as numbers, everything else as it is. @throws UnsupportedError as above */
function withoutBigints(value: unknown): unknown {
  if (value instanceof BigInt64Array || value instanceof BigUint64Array) return toSafeIntegers(value);
  if (typeof value !== "bigint") return value;
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw unsafe(value);
  return number;
}
