/** The attributes that scripts/oracles/cases.py gives to nodes, as they have to arrive: every digit, every special number. */
import { expect } from "vitest";

const RICH = {
  title: "höhe ⛰ 🌍",
  nan: Number.NaN,
  infinity: Number.POSITIVE_INFINITY,
  minus: [Number.NEGATIVE_INFINITY, -0, 1e300],
  big: [9007199254740993n, 18446744073709551615n, -9223372036854775807n],
  nested: { a: [null, true, { "": "" }] },
};

/** @param text the JSON text that the writer was given: one of two */
export function expectAttributes(attributes: unknown, text: string): void {
  expect(attributes).toEqual(text === "{}" ? {} : RICH);
}
