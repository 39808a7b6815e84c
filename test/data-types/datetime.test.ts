import { beforeAll, describe, expect, it } from "vitest";
import { DateTimeArray, TimeDeltaArray } from "../../src/data-types/extra/datetime.js";
import { loadExtraDataTypes, parseDataType } from "../../src/data-types/registry.js";
import {
  isTimeUnit,
  NAT,
  TIME_UNITS,
  ticksFrom,
  ticksToDate,
  ticksToISOString,
  ticksToMilliseconds,
} from "../../src/data-types/time-units.js";
import { unfit } from "./support.js";

beforeAll(loadExtraDataTypes);

describe("ISO 8601 as numpy writes it", () => {
  it.each([
    ["Y", 1, 0n, "1970"],
    ["Y", 7, -1n, "1963"],
    ["Y", 1, -1970n, "0000"],
    ["Y", 1, -1975n, "-005"],
    ["Y", 1, 12345678n, "12347648"],
    ["M", 1, -1n, "1969-12"],
    ["M", 3, 1n, "1970-04"],
    ["W", 1, -1n, "1969-12-25"],
    ["D", 1, 11016n, "2000-02-29"],
    ["D", 1, -719528n, "0000-01-01"],
    ["D", 1, -1n, "1969-12-31"],
    ["D", 1, 2932897n, "10000-01-01"],
    ["h", 1, -1n, "1969-12-31T23"],
    ["m", 1, 59n, "1970-01-01T00:59"],
    ["s", 10, -1n, "1969-12-31T23:59:50"],
    ["ms", 1, -1n, "1969-12-31T23:59:59.999"],
    ["us", 1, 1n, "1970-01-01T00:00:00.000001"],
    ["μs", 1, 1n, "1970-01-01T00:00:00.000001"],
    ["ns", 1, 2n ** 62n, "2116-02-20T23:53:38.427387904"],
    ["ps", 1, 1n, "1970-01-01T00:00:00.000000000001"],
    ["as", 1, -1n, "1969-12-31T23:59:59.999999999999999999"],
    ["s", 1, NAT, "NaT"],
    ["generic", 1, 5n, "5"],
  ] as const)("%s x %i: %s is %s", (unit, scaleFactor, ticks, text) => {
    expect(ticksToISOString(ticks, { unit, scaleFactor })).toBe(text);
    if (unit !== "generic") expect(ticksFrom(text, { unit, scaleFactor })).toBe(ticks);
  });

  it("agrees with Date on every day of eight centuries, and back", () => {
    const day = { unit: "D", scaleFactor: 1 } as const;
    for (let ticks = -146097n; ticks <= 146097n; ticks += 1n) {
      const date = ticksToDate(ticks, day);
      const text = ticksToISOString(ticks, day);
      if (date.toISOString().slice(0, 10) !== text || ticksFrom(text, day) !== ticks) expect.fail(text);
    }
  });
});

describe("dates", () => {
  it("are cut to milliseconds downwards", () => {
    expect(ticksToDate(-1n, { unit: "ns", scaleFactor: 1 }).getTime()).toBe(-1);
    expect(ticksToDate(1999n, { unit: "us", scaleFactor: 1 }).getTime()).toBe(1);
    expect(ticksToDate(1n, { unit: "M", scaleFactor: 1 }).toISOString()).toBe("1970-02-01T00:00:00.000Z");
  });
  it("are invalid for NaT, generic ticks and beyond what a Date can hold", () => {
    for (const [ticks, unit] of [
      [NAT, "s"],
      [1n, "generic"],
      [10n ** 15n, "s"],
    ] as const) {
      expect(ticksToDate(ticks, { unit, scaleFactor: 1 }).getTime()).toBeNaN();
    }
  });
  it("become ticks only where they fall on one", () => {
    const date = new Date("2020-02-01T00:00:00Z");
    expect(ticksFrom(date, { unit: "M", scaleFactor: 1 })).toBe(601n);
    expect(ticksFrom(date, { unit: "Y", scaleFactor: 1 })).toBeUndefined();
    expect(ticksFrom(date, { unit: "ns", scaleFactor: 1 })).toBe(1580515200000000000n);
    expect(ticksFrom(new Date(1500), { unit: "s", scaleFactor: 1 })).toBeUndefined();
    expect(ticksFrom(new Date(8.64e15), { unit: "ns", scaleFactor: 1 })).toBeUndefined();
    expect(ticksFrom(new Date(Number.NaN), { unit: "s", scaleFactor: 1 })).toBe(NAT);
    expect(ticksFrom("2020-01-01T00:00:00.5Z", { unit: "ms", scaleFactor: 500 })).toBe(3155673601n);
    for (const text of [
      "",
      "2020-13-01",
      "2020-00-01",
      "2020-01-32",
      "2020-01-01T24:00",
      "20",
      "2020-01-01T10:00+01:00",
    ]) {
      expect(ticksFrom(text, { unit: "s", scaleFactor: 1 }), text).toBeUndefined();
    }
  });
});

it("lengths are milliseconds where a unit has a length", () => {
  expect(ticksToMilliseconds(-3n, { unit: "us", scaleFactor: 500 })).toBe(-1.5);
  expect(ticksToMilliseconds(2n, { unit: "W", scaleFactor: 1 })).toBe(1209600000);
  for (const unit of ["Y", "M", "generic"] as const) {
    expect(ticksToMilliseconds(1n, { unit, scaleFactor: 1 })).toBeNaN();
  }
  expect(ticksToMilliseconds(NAT, { unit: "s", scaleFactor: 1 })).toBeNaN();
});

it("units are those of the specification", () => {
  expect(TIME_UNITS.every(isTimeUnit)).toBe(true);
  for (const unit of ["", "x", "S", "toString", undefined, 1]) expect(isTimeUnit(unit)).toBe(false);
});

describe("views", () => {
  it("of moments give ticks, dates and text", () => {
    const view = parseDataType("<M8[s]").view(new Uint8Array(24));
    if (!(view instanceof DateTimeArray)) throw new Error("no DateTimeArray");
    view.set(0, new Date(86400e3));
    view.set(1, "NaT");
    view.set(2, -1n);
    expect(view.toArray()).toEqual([86400n, NAT, -1n]);
    expect([view.isNaT(0), view.isNaT(1)]).toEqual([false, true]);
    expect([0, 1, 2].map((index) => view.toISOString(index))).toEqual([
      "1970-01-02T00:00:00",
      "NaT",
      "1969-12-31T23:59:59",
    ]);
    expect(view.toDate(0).getTime()).toBe(86400e3);
    expect(view.subarray(2).toISOString(0)).toBe("1969-12-31T23:59:59");
    expect(view.ticks).toEqual(BigInt64Array.of(86400n, NAT, -1n));
    expect(() => view.set(0, "1970-01-01T00:00:00.5")).toThrow(unfit("1 s"));
    expect(parseDataType("<M8[s]").bytesOf(view)?.length).toBe(24);
    expect(parseDataType("<M8[ms]").bytesOf(view)).toBeUndefined();
    expect(parseDataType("<m8[s]").bytesOf(view)).toBeUndefined();
  });

  it("of lengths give ticks and milliseconds", () => {
    const view = parseDataType("<m8[10ms]").view(new Uint8Array(16));
    if (!(view instanceof TimeDeltaArray)) throw new Error("no TimeDeltaArray");
    view.set(0, -5n);
    expect([view.toMilliseconds(0), view.unit, view.scaleFactor]).toEqual([-50, "ms", 10]);
  });
});
