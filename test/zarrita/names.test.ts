import { expect, expectTypeOf, test } from "vitest";
import {
  CodecError,
  CodecPipelineError,
  InvalidArgumentError,
  isZarritaError,
  NotFoundError,
  StoreError,
  UnknownDataTypeError,
} from "../../src/index.js";

test("isZarritaError tells errors apart by zarrita's kinds", () => {
  const failure: unknown = new CodecError("broken", { codec: "gzip", key: "/c/0" });
  if (!isZarritaError(failure, "CodecPipelineError")) throw failure;
  expectTypeOf(failure).toEqualTypeOf<CodecError>();
  expect(failure).toBeInstanceOf(CodecPipelineError);
  expect([failure.codec, failure.key, failure.name]).toEqual(["gzip", "/c/0", "CodecError"]);
  expect(isZarritaError(failure, "NotFoundError", "UnsupportedError")).toBe(false);
  expect(isZarritaError(failure, "NotFoundError", "CodecPipelineError")).toBe(true);
});

test("a data type that is unknown is metadata that cannot be read", () => {
  const error = new UnknownDataTypeError("what is this");
  expect(isZarritaError(error, "InvalidMetadataError")).toBe(true);
  expect(isZarritaError(error, "UnknownCodecError")).toBe(false);
});

test("without kinds every error of wazarr, and nothing else", () => {
  for (const error of [new StoreError("s"), new InvalidArgumentError("a"), new NotFoundError("n")]) {
    expect(isZarritaError(error)).toBe(true);
  }
  for (const other of [new Error("e"), null, undefined, "text", { tag: "NotFoundError" }]) {
    expect(isZarritaError(other)).toBe(false);
  }
});

test("kinds that zarrita does not have are none", () => {
  const kinds = ["StoreError", "toString", "CodecError"];
  for (const kind of kinds) {
    expect(Reflect.apply(isZarritaError, undefined, [new StoreError("s"), kind])).toBe(kind === "StoreError");
  }
});
