/** The result of reading a variable: decoded elements, and accessors that narrow their type. */
import { DateTimeArray, describe, isNumbers, type Numbers } from "../../extend.js";
import { InvalidArgumentError, type JsonObject } from "../../index.js";
import type { Statistics } from "../../main/reading.js";
import { CalendarTimes } from "./calendar.js";
import { isFloat16, isIterable } from "./elements.js";

interface Parts {
  readonly name: string;
  readonly data: unknown;
  readonly dims: readonly string[];
  readonly shape: readonly number[];
  readonly dtype: string;
  readonly attrs: JsonObject;
  readonly statistics?: Statistics | undefined;
}

/** Decoded elements with their dimensions and attributes. */
export class DecodedArray implements Parts {
  /** Name of the variable. */
  readonly name: string;
  /**
   * Elements in C order. Times are a DateTimeArray, or CalendarTimes for other calendars and for times that
   * 64-bit ticks cannot hold. `numbers`, `dates` and `strings` narrow them.
   */
  readonly data: unknown;
  /** Names of the dimensions. */
  readonly dims: readonly string[];
  /** Lengths of the dimensions. */
  readonly shape: readonly number[];
  /** Type of the elements, as `Variable` has it. */
  readonly dtype: string;
  /** Attributes without those that decoding used. */
  readonly attrs: JsonObject;
  /** Of the elements that are not missing, if the read asked for them. */
  readonly statistics: Statistics | undefined;

  constructor({ name, data, dims, shape, dtype, attrs, statistics }: Parts) {
    this.name = name;
    this.data = data;
    this.dims = dims;
    this.shape = shape;
    this.dtype = dtype;
    this.attrs = attrs;
    this.statistics = statistics;
  }

  /**
   * `data` as a typed array of numbers, not copied; float16 as float32.
   * @throws InvalidArgumentError for other elements
   */
  numbers(): Numbers {
    if (isNumbers(this.data)) return this.data;
    if (isFloat16(this.data)) return Float32Array.from(this.data);
    throw this.#not("numbers");
  }

  /**
   * Times as Dates, rounded down to milliseconds; an invalid Date for NaT.
   * @throws InvalidArgumentError for other elements, and for times of other calendars, which Date does not
   * have
   */
  dates(): Date[] {
    const { data } = this;
    if (data instanceof DateTimeArray) return Array.from(data.ticks, (_, i) => data.toDate(i));
    throw this.#not(
      data instanceof CalendarTimes
        ? `dates of the Gregorian calendar, which ${data.calendar} is not`
        : "times",
    );
  }

  /**
   * Strings, and times as ISO 8601 strings; "NaT" for NaT.
   * @throws InvalidArgumentError for other elements
   */
  strings(): string[] {
    const { data } = this;
    if (data instanceof DateTimeArray || data instanceof CalendarTimes) return data.toJSON();
    const texts = isIterable(data) ? Array.from(data) : [];
    if (isIterable(data) && texts.every((text) => typeof text === "string")) return texts;
    throw this.#not("strings");
  }

  #not(what: string): InvalidArgumentError {
    return new InvalidArgumentError(`expected ${what} in ${describe(this.name)}, got ${this.dtype}`);
  }
}

/** Decoded elements with their dimensions, attributes and coordinates. */
export class DataArray extends DecodedArray {
  /** Coordinates of the selection: those whose dimensions the variable has, and scalars. */
  readonly coords: Readonly<Record<string, DecodedArray>>;

  constructor(parts: Parts, coords: Readonly<Record<string, DecodedArray>>) {
    super(parts);
    this.coords = coords;
  }
}
