/** Helpers for decoded elements: typed arrays of numbers, times, booleans, or lists. */
import { BoolArray } from "../data-types/bool.js";
import { DateTimeArray, TimeDeltaArray } from "../data-types/extra/datetime.js";
import { float16 } from "../data-types/small-float.js";
import { bytesOfView, type IntegerArray } from "../data-types/typed-array.js";
import { describe, UnsupportedError } from "../errors.js";
import { CalendarTimes } from "./calendar.js";

/** Typed arrays by data type, without Float16Array, which not every runtime has. */
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
/** A typed array of any of these types. */
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
/** Whether data is a Float16Array, or its replacement in runtimes without that class. */
export function isFloat16(data: unknown): data is Iterable<number> {
  return float16.bytesOf(data) !== undefined;
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

/** Picks elements of one-dimensional data. @throws UnsupportedError for data that is not iterable */
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

/** Indices may repeat, so the result may be longer than the data. */
function takeNumbers(data: Numbers, indices: readonly number[]): Numbers {
  if (data instanceof BigInt64Array) return takeTicks(data, indices);
  if (data instanceof BigUint64Array) return BigUint64Array.from(indices, (index) => data[index] ?? 0n);
  const taken: typeof data = Reflect.construct(data.constructor, [indices.length]);
  for (const [i, index] of indices.entries()) taken[i] = data[index] ?? 0;
  return taken;
}
