/** Some elements of data in one dimension. */
import { BoolArray } from "../data-types/bool.js";
import { DateTimeArray, TimeDeltaArray } from "../data-types/extra/datetime.js";
import { describe, UnsupportedError } from "../errors.js";
import { CalendarTimes } from "./calendar-times.js";
import { isNumbers } from "./decode.js";
import type { Numbers } from "./time.js";

/** @throws UnsupportedError for data that is no list */
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

function isIterable(data: unknown): data is Iterable<unknown> {
  return typeof data === "object" && data !== null && Symbol.iterator in data;
}
const bytesOf = ({ buffer, byteOffset, byteLength }: BigInt64Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

function takeTicks(ticks: BigInt64Array, indices: readonly number[]): BigInt64Array {
  return BigInt64Array.from(indices, (index) => ticks[index] ?? 0n);
}

function takeNumbers(data: Numbers, indices: readonly number[]): Numbers {
  if (data instanceof BigInt64Array) return takeTicks(data, indices);
  if (data instanceof BigUint64Array) return BigUint64Array.from(indices, (index) => data[index] ?? 0n);
  const out = data.slice(0, indices.length);
  const whole = out.length < indices.length ? extended(data, indices.length) : out;
  for (const [i, index] of indices.entries()) whole[i] = data[index] ?? 0;
  return whole;
}

/** Of the same class, longer than the data: an index may occur more than once. */
function extended<T extends Exclude<Numbers, BigInt64Array | BigUint64Array>>(data: T, length: number): T {
  const bytes = new ArrayBuffer(length * data.BYTES_PER_ELEMENT);
  return Reflect.construct(data.constructor, [bytes]);
}
