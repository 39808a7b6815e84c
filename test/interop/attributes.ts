/**
 * The attributes that scripts/oracles/cases.py gives to nodes, as they have to arrive: every digit, every
 * special number.
 */
import { expect } from "vitest";

export const RICH = {
  title: "höhe ⛰ 🌍",
  nan: Number.NaN,
  infinity: Number.POSITIVE_INFINITY,
  minus: [Number.NEGATIVE_INFINITY, -0, 1e300],
  big: [9007199254740993n, 18446744073709551615n, -9223372036854775807n],
  nested: { a: [null, true, { "": "" }] },
};

/** The same as Python's json module writes it: it tells 1 from 1.0, and a lost digit shows. */
export const RICH_AS_PYTHON_WRITES_IT =
  '{"title": "h\\u00f6he \\u26f0 \\ud83c\\udf0d", "nan": NaN, "infinity": Infinity, "minus": [-Infinity, -0.0, 1e+300], ' +
  '"big": [9007199254740993, 18446744073709551615, -9223372036854775807], "nested": {"a": [null, true, {"": ""}]}}';

/** @param text the JSON text that the writer was given: one of two */
export function expectAttributes(attributes: unknown, text: string): void {
  expect(attributes).toEqual(text === "{}" ? {} : RICH);
}
