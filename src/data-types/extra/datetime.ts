/**
 * `numpy.datetime64` and `numpy.timedelta64` / `<M8[ns]`, `<m8[10us]`: 64-bit ticks; the smallest integer
 * means "not a time" (NaT).
 * https://github.com/zarr-developers/zarr-extensions/tree/main/data-types/numpy.datetime64
 */
import { describe, InvalidArgumentError, InvalidMetadataError, UnsupportedError } from "../../base/errors.js";
import type { Json } from "../../metadata/json.js";
import { ArrayView } from "../array-view.js";
import type { DataType } from "../data-type.js";
import { checkMembers, type DataTypeFamily, namedConfiguration } from "../family.js";
import { int64 } from "../integer.js";
import {
  isTimeUnit,
  NAT,
  TIME_UNITS,
  type TimeUnit,
  ticksFrom,
  ticksToDate,
  ticksToISOString,
  ticksToMilliseconds,
} from "../time-units.js";
import { bytesOfView, orderCharacter } from "../typed-array.js";

/** Ticks over a buffer. */
abstract class TicksArray extends ArrayView<bigint> implements TimeUnit {
  readonly unit: TimeUnit["unit"];
  readonly scaleFactor: number;
  /** The ticks themselves, over the same memory. */
  readonly ticks: BigInt64Array;

  constructor(bytes: Uint8Array, timeUnit: TimeUnit) {
    super(bytes, 8);
    this.unit = timeUnit.unit;
    this.scaleFactor = timeUnit.scaleFactor;
    this.ticks = new BigInt64Array(bytes.buffer, bytes.byteOffset, this.length);
  }
  get(index: number): bigint {
    return this.ticks[this.checked(index)] ?? NAT;
  }
  isNaT(index: number): boolean {
    return this.get(index) === NAT;
  }
}

/** How many elements `console.log` shows. */
const SHOWN = 20;
/** What Node, Bun and Deno call to print a value. */
const INSPECT = Symbol.for("nodejs.util.inspect.custom");

/** Moments in time. `get` gives ticks since 1970-01-01T00:00Z. */
export class DateTimeArray extends TicksArray {
  /**
   * @param value ticks, a Date, or an ISO 8601 string
   * @throws InvalidArgumentError if it is invalid or lies between two ticks
   */
  set(index: number, value: bigint | Date | string): void {
    this.ticks[this.checked(index)] = castTicks(value, this, "numpy.datetime64");
  }
  subarray(begin?: number, end?: number): DateTimeArray {
    return new DateTimeArray(this.range(begin, end), this);
  }
  /** ISO 8601 of all moments, also for JSON.stringify. */
  toJSON(): string[] {
    return Array.from(this.ticks, (tick) => ticksToISOString(tick, this));
  }
  /** Prints dates, in place of ticks and bytes. */
  [INSPECT](): string {
    const rest = this.length - SHOWN;
    const shown = this.subarray(0, Math.min(SHOWN, this.length)).toJSON();
    return `DateTimeArray(${this.length}) [ ${shown.join(", ")}${rest > 0 ? `, ... ${rest} more` : ""} ]`;
  }
  /** The moment rounded down to milliseconds; an invalid Date for NaT. */
  toDate(index: number): Date {
    return ticksToDate(this.get(index), this);
  }
  /** ISO 8601 with the precision of the unit: "2020-02-29", "2020-02-29T12:00:00.000000001"; or "NaT". */
  toISOString(index: number): string {
    return ticksToISOString(this.get(index), this);
  }
}

/** Lengths of time. `get` gives ticks. */
export class TimeDeltaArray extends TicksArray {
  set(index: number, value: bigint): void {
    this.ticks[this.checked(index)] = castTicks(value, this, "numpy.timedelta64");
  }
  subarray(begin?: number, end?: number): TimeDeltaArray {
    return new TimeDeltaArray(this.range(begin, end), this);
  }
  /**
   * The length in milliseconds, rounded to a double; NaN for NaT, and for years and months, whose length
   * varies.
   */
  toMilliseconds(index: number): number {
    return ticksToMilliseconds(this.get(index), this);
  }
}

type TimeName = "numpy.datetime64" | "numpy.timedelta64";

function castTicks(value: unknown, timeUnit: TimeUnit, name: TimeName): bigint {
  if (typeof value === "bigint" || typeof value === "number") return int64.cast(value);
  if (value === "NaT") return NAT;
  if (name === "numpy.datetime64" && (value instanceof Date || typeof value === "string")) {
    const ticks = ticksFrom(value, timeUnit);
    if (ticks !== undefined) return ticks;
  }
  const dates = name === "numpy.datetime64" ? ", a Date, an ISO 8601 string" : "";
  throw new InvalidArgumentError(
    `expected a whole number of ${timeUnit.scaleFactor} ${timeUnit.unit} as ${name} (a bigint, an integer${dates} or "NaT"), got ${describe(value)}`,
  );
}

/** A data type of ticks, with their unit. */
export interface TimeDataType<Data> extends DataType<bigint, Data>, TimeUnit {}

function timeType<Data>(
  name: TimeName,
  code: "M" | "m",
  timeUnit: TimeUnit,
  View: { new (bytes: Uint8Array, timeUnit: TimeUnit): Data & TicksArray },
): TimeDataType<Data> {
  const { unit, scaleFactor } = timeUnit;
  return {
    unit,
    scaleFactor,
    name,
    itemSize: 8,
    swapUnit: 8,
    needsEndian: true,
    toV3: () => ({ name, configuration: { unit, scale_factor: scaleFactor } }),
    toV2(endian) {
      const start = `${orderCharacter[endian]}${code}8`;
      if (unit !== "generic") {
        return `${start}[${scaleFactor === 1 ? "" : scaleFactor}${unit === "μs" ? "us" : unit}]`;
      }
      if (scaleFactor === 1) return start;
      throw new UnsupportedError(`expected scale factor 1 with unit generic in Zarr v2, got ${scaleFactor}`);
    },
    // NaT, as in zarr-python, because zero is a valid moment.
    defaultScalar: NAT,
    nullFill: NAT,
    scalarFromJson(json, zarrFormat) {
      if (json === "NaT") return NAT;
      if (typeof json === "number" || typeof json === "bigint") return int64.scalarFromJson(json, zarrFormat);
      throw new InvalidMetadataError(`expected a 64-bit integer or "NaT" as ${name}, got ${describe(json)}`);
    },
    // v2: the smallest integer, as all writers do. v3: a string, because readers that parse numbers as
    // doubles could change the integer.
    scalarToJson: (scalar, zarrFormat) =>
      scalar === NAT && zarrFormat !== 2 ? "NaT" : int64.scalarToJson(scalar, zarrFormat),
    cast: (value) => castTicks(value, timeUnit, name),
    writeScalar: int64.writeScalar,
    readScalar: int64.readScalar,
    view: (bytes) => new View(bytes, timeUnit),
    bytesOf: (data) =>
      data instanceof View && data.unit === unit && data.scaleFactor === scaleFactor
        ? bytesOfView(data)
        : undefined,
  };
}

/** @throws InvalidMetadataError naming the member of the metadata */
function checkScaleFactor(json: Json | undefined, member: string): number {
  if (typeof json === "number" && Number.isInteger(json) && json >= 1 && json < 2 ** 31) return json;
  throw new InvalidMetadataError(
    `expected an integer from 1 to 2147483647 as scale factor, got ${describe(json)}`,
    {
      member,
    },
  );
}

function checkUnit(json: Json | undefined, member: string): TimeUnit["unit"] {
  if (isTimeUnit(json)) return json;
  throw new InvalidMetadataError(`expected one of ${TIME_UNITS.join(", ")} as unit, got ${describe(json)}`, {
    member,
  });
}

function timeFamily(name: TimeName, code: "M" | "m", of: (timeUnit: TimeUnit) => DataType): DataTypeFamily {
  const v2Form = new RegExp(`^([<>])${code}8(?:\\[(\\d*)([^\\d\\]]*)\\])?$`);
  return {
    name,
    fromV3(json) {
      const named = namedConfiguration(json);
      if (named?.name !== name) return undefined;
      checkMembers(named, ["unit", "scale_factor"]);
      const { unit, scale_factor } = named.configuration;
      return of({
        unit: checkUnit(unit, "data_type.configuration.unit"),
        scaleFactor: checkScaleFactor(scale_factor, "data_type.configuration.scale_factor"),
      });
    },
    fromV2(json) {
      const match = typeof json === "string" ? v2Form.exec(json) : null;
      if (match === null) return undefined;
      const [, order, scale = "", unit = "generic"] = match;
      const dataType = of({
        unit: checkUnit(unit, "dtype"),
        scaleFactor: checkScaleFactor(scale === "" ? 1 : Number(scale), "dtype"),
      });
      return { dataType, endian: order === "<" ? "little" : "big" };
    },
  };
}

export const datetimeFamily = timeFamily("numpy.datetime64", "M", (timeUnit) =>
  timeType("numpy.datetime64", "M", timeUnit, DateTimeArray),
);
export const timedeltaFamily = timeFamily("numpy.timedelta64", "m", (timeUnit) =>
  timeType("numpy.timedelta64", "m", timeUnit, TimeDeltaArray),
);
