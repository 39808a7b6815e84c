/**
 * Helpers for decoded elements (typed arrays of numbers, times, booleans, or lists), and the errors of
 * variables.
 */
import {
  DateTimeArray,
  describe,
  FLOAT16,
  isNumbers,
  type Numbers,
  noItem,
  SmallFloatArray,
  TimeDeltaArray,
} from "../../extend.js";
import { BoolArray, InvalidArgumentError, InvalidMetadataError, UnsupportedError } from "../../index.js";
import { CalendarTimes } from "./calendar.js";

/** Whether data is a Float16Array, or its replacement in runtimes without that class. */
export function isFloat16(data: unknown): data is Iterable<number> {
  if (data instanceof SmallFloatArray) return data.format === FLOAT16;
  return Object.prototype.toString.call(data) === "[object Float16Array]";
}

/** The bytes of ticks, over the same memory. */
export function bytesOf({ buffer, byteOffset, byteLength }: BigInt64Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

export function isIterable(data: unknown): data is Iterable<unknown> {
  return typeof data === "object" && data !== null && Symbol.iterator in data;
}

/** The data type of decoded times, whose unit may depend on the elements; `otherwise` for other data. */
export function dtypeOf(data: unknown, otherwise: string): string {
  if (data instanceof DateTimeArray) return `datetime64[${data.unit}]`;
  if (data instanceof TimeDeltaArray) return `timedelta64[${data.unit}]`;
  if (data instanceof CalendarTimes) return `cftime[${data.calendar}]`;
  return otherwise;
}

/** The error for an attribute, or for elements, that cannot be decoded. @param offset index of the element */
export function undecodable(
  path: string,
  attribute: string,
  message: string,
  offset?: number,
): InvalidMetadataError {
  const where = { path, member: `attributes.${attribute}`, offset };
  return new InvalidMetadataError(`${message}; open with decode: false to read what is stored`, where);
}

/**
 * The error for a member of `encoding`, or for elements that cannot be encoded with it.
 * @param offset index of the element
 */
export function unencodable(
  path: string,
  name: string,
  message: string,
  offset?: number,
): InvalidArgumentError {
  return new InvalidArgumentError(message, { path, member: `encoding.${name}`, offset });
}

/** Picks elements of one-dimensional data. @throws UnsupportedError for data that is not iterable */
export function takeElements(data: unknown, indices: readonly number[]): unknown {
  if (data instanceof CalendarTimes) return new CalendarTimes(data.calendar, takeTicks(data.ticks, indices));
  if (data instanceof DateTimeArray) return new DateTimeArray(bytesOf(takeTicks(data.ticks, indices)), data);
  if (data instanceof TimeDeltaArray)
    return new TimeDeltaArray(bytesOf(takeTicks(data.ticks, indices)), data);
  if (data instanceof BoolArray) return BoolArray.from(indices.map((index) => data.get(index)));
  if (isNumbers(data)) return takeNumbers(data, indices);
  if (isIterable(data)) {
    const all = Array.from(data);
    return indices.map((index) => all[index]);
  }
  throw new UnsupportedError(`expected a list of elements, got ${describe(data)}`);
}

function takeTicks(ticks: BigInt64Array, indices: readonly number[]): BigInt64Array {
  return BigInt64Array.from(indices, (index) => ticks[index] ?? noItem(ticks, index));
}

/** Indices may repeat, so the result may be longer than the data. */
function takeNumbers(data: Numbers, indices: readonly number[]): Numbers {
  if (data instanceof BigInt64Array) return takeTicks(data, indices);
  if (data instanceof BigUint64Array)
    return BigUint64Array.from(indices, (index) => data[index] ?? noItem(data, index));
  const selected: typeof data = Reflect.construct(data.constructor, [indices.length]);
  for (const [i, index] of indices.entries()) selected[i] = data[index] ?? noItem(data, index);
  return selected;
}
