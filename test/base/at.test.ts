import { expect, test } from "vitest";
import { at, noItem } from "../../src/base/at.js";

test.each([[[5, 0]], [Int32Array.of(5, 0)], [["a", ""]], [[null, false]]])(
  "%o: the item, falsy ones too",
  (list) => {
    expect(at<number | string | boolean | null>(list, 0)).toBe(list[0]);
    expect(at<number | string | boolean | null>(list, 1)).toBe(list[1]);
  },
);

test.each([-1, 2, 0.5, Number.NaN])("there is no item %s of two", (index) => {
  expect(() => at([1, 2], index)).toThrow(RangeError);
  expect(() => at(Float64Array.of(1, 2), index)).toThrow(`no item ${index} of 2`);
  expect(() => noItem([1, 2], index)).toThrow(`no item ${index} of 2`);
});
