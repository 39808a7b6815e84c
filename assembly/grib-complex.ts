// Complex packing (data representation templates 5.2 and 5.3): groups, each with a reference, a width and a
// length; with spatial differencing, values are differences of first or second order.
import { fieldAt, PEEKED, peek } from "./grib-bits";
import { BAD_LENGTH, failure, TRUNCATED } from "./result";

/** The parameters, doubles one after the other: decode.ts of src/codecs/archives/grib writes them. */
@inline
function parameter(table: usize, index: u32): f64 {
  return load<f64>(table + 8 * index);
}

@inline
function complex<T>(dst: usize, src: usize, length: usize, n: u32, table: usize, missing: T): i32 {
  const r = parameter(table, 0), s = parameter(table, 1), d = parameter(table, 2);
  const groups = <u32>parameter(table, 3);
  const referenceBits = <u32>parameter(table, 4);
  const leastWidth = <u32>parameter(table, 5), widthBits = <u32>parameter(table, 6);
  const leastLength = <u64>parameter(table, 7), lengthBits = <u32>parameter(table, 8);
  const increment = <u64>parameter(table, 9), lastLength = <u64>parameter(table, 10);
  /** How many of the greatest values of a group mean that there is no value. */
  const sentinels = <u32>parameter(table, 11);
  const order = <u32>parameter(table, 12);
  const first = parameter(table, 13), second = parameter(table, 14), bias = parameter(table, 15);
  const limit = (<u64>length) << 3;
  let referenceAt: u64 = 0;
  const widths = (<u64>groups * referenceBits + 7) & ~7;
  let widthAt = widths;
  let lengthAt = (widthAt + <u64>groups * widthBits + 7) & ~7;
  let at = (lengthAt + <u64>groups * lengthBits + 7) & ~7;
  const greatestReference: u32 = <u32>(((<u64>1) << referenceBits) - 1);
  let last: f64 = 0, penultimate: f64 = 0;
  let seen: u32 = 0, done: u32 = 0;
  for (let group: u32 = 0; group < groups; group++) {
    const reference = fieldAt(src, referenceAt, referenceBits);
    const width: u64 = <u64>leastWidth + fieldAt(src, widthAt, widthBits);
    const count = group == groups - 1 ? lastLength : leastLength + increment * fieldAt(src, lengthAt, lengthBits);
    if (width > 32) return failure(BAD_LENGTH, <usize>(widthAt >> 3));
    if (count > n - done) return failure(BAD_LENGTH, <usize>(lengthAt >> 3));
    if (at + count * width > limit) return failure(TRUNCATED, <usize>(at >> 3));
    referenceAt += referenceBits;
    widthAt += widthBits;
    lengthAt += lengthBits;
    const greatest: u32 = width == 0 ? greatestReference : <u32>(((<u64>1) << width) - 1);
    const least: u32 = sentinels == 2 ? greatest - 1 : greatest;
    const end = done + <u32>count;
    let word: u64 = 0;
    let left: u32 = 0;
    for (; done < end; done++) {
      if (left < <u32>width) {
        word = peek(src, at);
        left = PEEKED;
      }
      const difference: u32 = width == 0 ? 0 : <u32>(word >> (64 - width));
      word <<= width;
      left -= <u32>width;
      at += width;
      const to = dst + (<usize>done) * sizeof<T>();
      const key = width == 0 ? reference : difference;
      if (sentinels != 0 && (key == greatest || key == least)) {
        store<T>(to, missing);
        continue;
      }
      let value = <f64>reference + <f64>difference;
      if (order != 0) {
        if (seen == 0) value = first;
        else if (order == 1) value = value + bias + last;
        else if (seen == 1) value = second;
        else value = value + bias + (last + last - penultimate);
        if (seen < 2) seen++;
        penultimate = last;
        last = value;
      }
      store<T>(to, <T>((value * s + r) * d));
    }
  }
  return done == n ? 0 : failure(BAD_LENGTH, <usize>(lengthAt >> 3));
}

export function complexF32(dst: usize, src: usize, length: usize, n: u32, table: usize, missing: f32): i32 { return complex<f32>(dst, src, length, n, table, missing); }
export function complexF64(dst: usize, src: usize, length: usize, n: u32, table: usize, missing: f64): i32 { return complex<f64>(dst, src, length, n, table, missing); }
