/** Checked access to the members of a metadata document, with errors that say key, member, expected and got. */
import { describe } from "../data-types/describe.js";
import { type ErrorContext, InvalidMetadataError, isZarrError, UnknownDataTypeError } from "../errors.js";
import { isJsonArray, isJsonObject, type Json, type JsonObject } from "./json.js";

/** An error for a member: "expected ..., got ...". `undefined` stands for a member that is missing. */
export function invalidMember(
  expected: string,
  got: Json | undefined,
  member: string | undefined,
  context: ErrorContext,
): InvalidMetadataError {
  return new InvalidMetadataError(
    `expected ${expected}, got ${got === undefined ? "nothing" : describe(got)}`,
    { ...context, member },
  );
}

export function expectObject(
  value: Json | undefined,
  member: string | undefined,
  context: ErrorContext,
): JsonObject {
  if (isJsonObject(value)) return value;
  throw invalidMember("an object", value, member, context);
}

/** An own member: "toString" or "__proto__" are not found where the document does not have them. */
export function memberOf(object: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** A list of integers from `minimum` to 2^53 - 1; `rank` of them when it is given. */
export function expectIntegers(
  value: Json | undefined,
  minimum: number,
  rank: number | undefined,
  member: string,
  context: ErrorContext,
): readonly number[] {
  if (!isJsonArray(value) || (rank !== undefined && value.length !== rank)) {
    throw invalidMember(`a list of ${rank === undefined ? "" : `${rank} `}integers`, value, member, context);
  }
  return value.map((item, i) => {
    if (typeof item === "number" && Number.isSafeInteger(item) && item >= minimum) return item;
    throw invalidMember(`an integer from ${minimum} to 2^53 - 1`, item, `${member}[${i}]`, context);
  });
}

/** Refuses a product of 2^53 or more: element counts and offsets could not be exact. */
export function checkProduct(shape: readonly number[], member: string, context: ErrorContext): void {
  let product = 1;
  for (const length of shape) product *= length;
  if (!Number.isSafeInteger(product)) {
    throw new InvalidMetadataError(`expected fewer than 2^53 elements, got ${describe(shape)}`, {
      ...context,
      member,
    });
  }
}

/** Runs a data type's own check of a member, so that its error says which document and member. */
export function checkMember<Result>(member: string, context: ErrorContext, check: () => Result): Result {
  try {
    return check();
  } catch (cause) {
    if (!isZarrError(cause, "InvalidMetadataError", "UnknownDataTypeError")) throw cause;
    const where = {
      ...context,
      member: cause.member === undefined ? member : `${member}.${cause.member}`,
      cause,
    };
    throw cause.tag === "UnknownDataTypeError"
      ? new UnknownDataTypeError(cause.message, where)
      : new InvalidMetadataError(cause.message, where);
  }
}

/** The members that the format does not define and that may be ignored: objects with `must_understand: false`. */
export function ignorableMembers(
  document: JsonObject,
  known: ReadonlySet<string>,
  context: ErrorContext,
): JsonObject {
  const extra = Object.entries(document).filter(([name]) => !known.has(name));
  for (const [name, value] of extra) {
    if (isJsonObject(value) && memberOf(value, "must_understand") === false) continue;
    throw new InvalidMetadataError(
      "expected only members of the format, or extensions with must_understand: false; this one must be understood and is not",
      { ...context, member: name },
    );
  }
  return Object.fromEntries(extra);
}
