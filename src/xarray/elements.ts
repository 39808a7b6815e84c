/** What elements are when they are read: typed arrays of numbers, times, booleans, or a list. */
import { BoolArray } from "../data-types/bool.js";
import { DateTimeArray, TimeDeltaArray } from "../data-types/extra/datetime.js";
import { float16 } from "../data-types/small-float.js";
import { bytesOfView, type IntegerArray } from "../data-types/typed-array.js";
import { describe, UnsupportedError } from "../errors.js";
import { CalendarTimes } from "./calendar.js";

/** Float16Array is missing: not every runtime has it. */
export const NUMBER_CLASSES = {
  int8: Int8Array,
  int16: Int16Array,
  int32: Int32Array,
  int64: BigInt64Array,
  uint8: Uint8Array,
  uint16: Uint16Array,
  uint32: Uint32Array,
  uint64: BigUint64Array,
  float32: Float32Array,
  float64: Float64Array,
} as const;
export type NumberType = keyof typeof NUMBER_CLASSES;
/** Numbers of any of these types. */
export type Numbers = IntegerArray | Float32Array | Float64Array;

export function isNumberType(name: string): name is NumberType {
  return Object.hasOwn(NUMBER_CLASSES, name);
}
export function isNumbers(data: unknown): data is Numbers {
  return Object.values(NUMBER_CLASSES).some((Class) => data instanceof Class);
}
export function numberTypeOf(data: Numbers): NumberType {
  for (const name of Object.keys(NUMBER_CLASSES))
    if (isNumberType(name) && data instanceof NUMBER_CLASSES[name]) return name;
  return "float64";
}
/** A Float16Array where the runtime has it, and what stands for it elsewhere. */
export function isFloat16(data: unknown): data is Iterable<number> {
  return float16.bytesOf(data) !== undefined;
}
export function isIterable(data: unknown): data is Iterable<unknown> {
  return typeof data === "object" && data !== null && Symbol.iterator in data;
}

/** The data type that data have, where the elements themselves decided. */
export function dtypeOf(data: unknown, otherwise: string): string {
  if (data instanceof DateTimeArray) return `datetime64[${data.unit}]`;
  if (data instanceof TimeDeltaArray) return `timedelta64[${data.unit}]`;
  if (data instanceof CalendarTimes) return `cftime[${data.calendar}]`;
  return otherwise;
}

/** Some elements of data in one dimension. @throws UnsupportedError for data that is no list */
export function takeElements(data: unknown, indices: readonly number[]): unknown {
  if (data instanceof CalendarTimes) return new CalendarTimes(data.calendar, takeTicks(data.ticks, indices));
  if (data instanceof DateTimeArray)
    return new DateTimeArray(bytesOfView(takeTicks(data.ticks, indices)), data);
  if (data instanceof TimeDeltaArray)
    return new TimeDeltaArray(bytesOfView(takeTicks(data.ticks, indices)), data);
  if (data instanceof BoolArray) return BoolArray.from(indices.map((index) => data.get(index)));
  if (isNumbers(data)) return takeNumbers(data, indices);
  if (isIterable(data)) {
    const all = Array.from(data);
    return indices.map((index) => all[index]);
  }
  throw new UnsupportedError(`expected a list of elements, got ${describe(data)}`);
}

function takeTicks(ticks: BigInt64Array, indices: readonly number[]): BigInt64Array {
  return BigInt64Array.from(indices, (index) => ticks[index] ?? 0n);
}

/** An index may occur more than once: the result may be longer than the data. */
function takeNumbers(data: Numbers, indices: readonly number[]): Numbers {
  if (data instanceof BigInt64Array) return takeTicks(data, indices);
  if (data instanceof BigUint64Array) return BigUint64Array.from(indices, (index) => data[index] ?? 0n);
  const taken: typeof data = Reflect.construct(data.constructor, [indices.length]);
  for (const [i, index] of indices.entries()) taken[i] = data[index] ?? 0;
  return taken;
}
