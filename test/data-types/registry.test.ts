import { expect, it } from "vitest";
import { UnknownDataTypeError } from "../../src/base/errors.js";
import type { DataTypeFamily } from "../../src/data-types/family.js";
import { float32 } from "../../src/data-types/float.js";
import { int8 } from "../../src/data-types/integer.js";
import {
  dataTypeFromV3,
  loadExtraDataTypes,
  parseDataType,
  registerDataType,
  resolveDataType,
  withAllDataTypes,
} from "../../src/data-types/registry.js";

const family = (name: string, accepts: string, dataType = int8): DataTypeFamily => ({
  name,
  fromV3: (json) => (json === accepts ? dataType : undefined),
  fromV2: () => undefined,
});

it("a registered family is offered every name", () => {
  registerDataType(family("test.one", "test-name"));
  expect(dataTypeFromV3("test-name")).toBe(int8);
});

it("two families that accept the same name are ambiguous, and replacing one resolves it", () => {
  registerDataType(family("test.two", "test-name"));
  expect(() => dataTypeFromV3("test-name")).toThrow(
    expect.objectContaining({
      tag: "UnknownDataTypeError",
      message: expect.stringContaining("test.one, test.two"),
    }),
  );
  registerDataType(family("test.two", "another-name"));
  expect(parseDataType("test-name")).toBe(int8);
});

it("resolution keeps the byte order that a v2 form states", () => {
  expect(resolveDataType(">f4")).toEqual({ dataType: float32, endian: "big" });
  expect(resolveDataType("float32").endian).toBeUndefined();
});

it("withAllDataTypes reads again only after an unknown data type", async () => {
  let calls = 0;
  await expect(
    withAllDataTypes(() => {
      calls++;
      throw new UnknownDataTypeError("unknown");
    }),
  ).rejects.toThrow("unknown");
  expect(calls).toBe(2);
  await expect(
    withAllDataTypes(() => {
      calls++;
      throw new Error("other");
    }),
  ).rejects.toThrow("other");
  expect(calls).toBe(3);
});

it("undefined is no data type, where a type has no byte order either", async () => {
  await loadExtraDataTypes();
  expect(() => Reflect.apply(parseDataType, undefined, [undefined])).toThrow("Registered: int8, ");
});

it.each([
  ["float23", ': did you mean "float32"?'],
  ["Float46", ': did you mean "float64" or "float16"?'],
  [{ name: "numpy.datetim64", configuration: { unit: "s" } }, ': did you mean "numpy.datetime64"?'],
  ["unit8", ': did you mean "uint8"?'],
  ["strnig", ': did you mean "string"?'],
  ["flaot16", ': did you mean "float16"?'],
  ["a picture", "; registerDataType adds others"],
  ["float32".repeat(10), "; registerDataType adds others"],
  [32, "; registerDataType adds others"],
])("a name that is near %s is told", async (name, advice) => {
  const resolving = withAllDataTypes(() => parseDataType(name));
  await expect(resolving).rejects.toMatchObject({
    tag: "UnknownDataTypeError",
    message: expect.stringMatching(/Registered: int8, /),
  });
  await expect(resolving).rejects.toMatchObject({ message: expect.stringContaining(advice) });
});
