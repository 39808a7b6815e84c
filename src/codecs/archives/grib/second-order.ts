/**
 * Second-order packing: groups of values, each with a value of first order (its reference), a width and a
 * length. Edition 1 has it in four forms (WMO's Manual on Codes, FM 92-IX Ext. GRIB, section 4, and the
 * extension of ECMWF); edition 2 has ECMWF's as the local data representation templates 5.50001 and 5.50002.
 * It is rare, so there is no kernel.
 */
import { byteAt, fieldAt, numberAt, uint32At, wholeBytes } from "../../../core/for-codecs.js";
import type { Floats } from "./javascript/unpack.js";
import type { Scaling } from "./scaling.js";
import { damaged, type Section } from "./sections.js";

/** Groups of values, whose fields follow each other from `start` on. */
export interface SecondOrderPacking extends Scaling {
  readonly kind: "second order";
  readonly widths: Uint8Array;
  readonly lengths: Uint32Array;
  readonly references: Uint32Array;
  /** The values before the groups, as many as the order of spatial differencing; and what each sum lacks. */
  readonly first: readonly number[];
  readonly bias: number;
  /** Bits before the first field of the data. */
  readonly start: number;
}

/** The lists of an extended message, each in whole bytes: widths, lengths and references of groups. */
export interface ExtendedGroups {
  readonly groups: number;
  readonly widthOfWidths: number;
  readonly widthOfLengths: number;
  readonly widthOfReferences: number;
}

const WIDEST = 32;

/** @throws CodecError for more than 32 bits, or for more groups than values */
function checkGroups(groups: number, values: number, widths: readonly number[], offset: number): void {
  if (groups > values)
    throw damaged(`expected at most ${values} groups, one for each value, got ${groups}`, offset);
  for (const width of widths)
    if (width > WIDEST) throw damaged(`expected at most ${WIDEST} bits, got ${width}`, offset);
}

/** Reads `count` fields. @throws CodecError if the data end before */
function fieldsOf<List extends Uint8Array | Uint32Array>(
  list: List,
  data: Uint8Array,
  start: number,
  width: number,
  offset: number,
): List {
  const end = start + list.length * width;
  if (end > 8 * data.length)
    throw damaged(`expected ${Math.ceil(end / 8)} bytes of groups, got ${data.length}`, offset);
  for (let i = 0; i < list.length; i++) list[i] = fieldAt(data, start + i * width, width);
  return list;
}

/** @param data where the lists begin, at `offset` of the message. @param values that are expected */
export function readExtended(
  data: Uint8Array,
  { groups, widthOfWidths, widthOfLengths, widthOfReferences }: ExtendedGroups,
  values: number,
  offset: number,
): Pick<SecondOrderPacking, "widths" | "lengths" | "references" | "start"> {
  checkGroups(groups, values, [widthOfWidths, widthOfLengths, widthOfReferences], offset);
  if (widthOfWidths > 8) throw damaged(`expected widths of at most 8 bits, got ${widthOfWidths}`, offset);
  const lengthsAt = wholeBytes(groups * widthOfWidths);
  const referencesAt = lengthsAt + wholeBytes(groups * widthOfLengths);
  const widths = fieldsOf(new Uint8Array(groups), data, 0, widthOfWidths, offset);
  const lengths = fieldsOf(new Uint32Array(groups), data, lengthsAt, widthOfLengths, offset);
  const references = fieldsOf(new Uint32Array(groups), data, referencesAt, widthOfReferences, offset);
  const start = referencesAt + wholeBytes(groups * widthOfReferences);
  return { widths, lengths, references, start };
}

/**
 * The first values and the bias, of `width` bits each: the bias has its sign before it.
 * @returns them, and their bytes
 */
export function readDifferences(
  section: Section,
  at: number,
  order: number,
): Pick<SecondOrderPacking, "first" | "bias"> & { readonly end: number } {
  if (order === 0) return { first: [], bias: 0, end: at };
  if (order > 3) throw damaged(`expected differences of order 0 to 3, got ${order}`, section.offset + at);
  const width = section.uint8(at);
  if (width === 0 || width > WIDEST)
    throw damaged(`expected 1 to ${WIDEST} bits of first values, got ${width}`, section.offset + at);
  const bytes = section.bytes.subarray(at + 1);
  const end = at + 1 + Math.ceil(((order + 1) * width) / 8);
  if (end > section.bytes.length)
    throw damaged(`expected ${end} bytes, got ${section.bytes.length}`, section.offset);
  const first = Array.from({ length: order }, (_, i) => fieldAt(bytes, i * width, width));
  const isNegative = fieldAt(bytes, order * width, 1) === 1;
  const magnitude = fieldAt(bytes, order * width + 1, width - 1);
  return { first, bias: isNegative ? -magnitude : magnitude, end };
}

/** Groups whose lengths a second bitmap has (a bit of 1 begins a group), or that are the rows of a grid. */
export interface FirstEditionGroups {
  /** A width each, or one for all. */
  readonly widths: Uint8Array | number;
  readonly groups: number;
  readonly widthOfReferences: number;
  /** Values of each row; undefined if there is a second bitmap. */
  readonly rows: Uint32Array | undefined;
}

/** @param data after the widths, at `offset` of the message. @param values that are expected */
export function readFirstEditionGroups(
  data: Uint8Array,
  { widths, groups, widthOfReferences, rows }: FirstEditionGroups,
  values: number,
  offset: number,
): Pick<SecondOrderPacking, "widths" | "lengths" | "references" | "start"> {
  checkGroups(groups, rows === undefined ? values : rows.length, [widthOfReferences], offset);
  const referencesAt = rows === undefined ? wholeBytes(values) : 0;
  const lengths = rows?.subarray(0, groups) ?? lengthsOf(data, groups, values, offset);
  const references = fieldsOf(new Uint32Array(groups), data, referencesAt, widthOfReferences, offset);
  const start = referencesAt + wholeBytes(groups * widthOfReferences);
  return {
    widths: typeof widths === "number" ? new Uint8Array(groups).fill(widths) : widths,
    ...{ lengths, references, start },
  };
}

function lengthsOf(data: Uint8Array, groups: number, values: number, offset: number): Uint32Array {
  if (Math.ceil(values / 8) > data.length)
    throw damaged(`expected a second bitmap of ${values} values, got ${data.length} bytes`, offset);
  const lengths = new Uint32Array(groups);
  let group = -1;
  for (let i = 0; i < values; i++) {
    group += fieldAt(data, i, 1);
    if (group < 0 || group >= groups)
      throw damaged(`expected ${groups} groups in the second bitmap, got another number`, offset);
    lengths[group] = uint32At(lengths, group) + 1;
  }
  return lengths;
}

/** @param offset of the data in the message. @throws CodecError unless the groups have all values */
export function unpackSecondOrder(
  target: Floats,
  data: Uint8Array,
  packing: SecondOrderPacking,
  offset: number,
): void {
  const { widths, lengths, references, reference, scale, decimal, first } = packing;
  const order = first.length;
  const values = order + lengths.reduce((sum, length) => sum + length, 0);
  if (values !== target.length)
    throw damaged(`expected groups of ${target.length} values, got ${values}`, offset);
  const sums = new Sums(packing);
  let bit = packing.start;
  let at = 0;
  const store = (difference: number): void => {
    target[at++] = (sums.next(difference) * scale + reference) * decimal;
  };
  for (let i = 0; i < order; i++) store(0);
  for (const [group, length] of lengths.entries()) {
    const width = byteAt(widths, group);
    const least = uint32At(references, group);
    if (width > WIDEST) throw damaged(`expected at most ${WIDEST} bits in a group, got ${width}`, offset);
    if (bit + length * width > 8 * data.length)
      throw damaged(`expected ${length} values in group ${group}, got the end of the data`, offset);
    for (let i = 0; i < length; i++, bit += width) store(least + fieldAt(data, bit, width));
  }
}

/** Undoes spatial differencing: each value is a sum of the difference, the bias and those before. */
class Sums {
  readonly #first: readonly number[];
  readonly #bias: number;
  /** The last value, its difference from the one before, and so on. */
  readonly #last: number[];
  #seen = 0;

  constructor({ first, bias }: Pick<SecondOrderPacking, "first" | "bias">) {
    this.#first = first;
    this.#bias = bias;
    this.#last = first.map(() => 0);
  }

  next(difference: number): number {
    const { length } = this.#first;
    if (length === 0) return difference;
    if (this.#seen < length) return this.#begin(numberAt(this.#first, this.#seen));
    let sum = difference + this.#bias;
    for (let level = length - 1; level >= 0; level--) {
      sum += numberAt(this.#last, level);
      this.#last[level] = sum;
    }
    return sum;
  }

  #begin(value: number): number {
    let change = value;
    for (let level = 0; level <= this.#seen; level++) {
      const before = numberAt(this.#last, level);
      this.#last[level] = change;
      change -= before;
    }
    this.#seen++;
    return value;
  }
}
