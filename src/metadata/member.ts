/**
 * A member of a metadata document with its location. Errors of its checks name the key, the member, the
 * expected and the given value.
 */
import {
  describe,
  type ErrorContext,
  InvalidMetadataError,
  isZarrError,
  UnknownDataTypeError,
  UnsupportedError,
} from "../base/errors.js";
import { MAXIMUM_RANK, product } from "../base/shape.js";
import { isJsonArray, isJsonObject, type Json, type JsonObject } from "./json.js";

/**
 * A member of attributes or of a metadata document. Each check throws InvalidMetadataError with the location
 * of the member, what was expected, and what is there.
 *
 *     const axes = new Member(group.metadata.attributes, { path: group.path }).get("axes").list(3);
 */
export class Member {
  /** The value; undefined if the document has no such member. */
  readonly json: Json | undefined;
  readonly #context: ErrorContext;
  readonly #path: string;

  /**
   * @param context the key or the node path of the document, for errors
   * @param path the member within the document; "" for the document itself
   */
  constructor(json: Json | undefined, context: ErrorContext, path = "") {
    this.json = json;
    this.#context = context;
    this.#path = path;
  }

  /**
   * The member of this name. Only own properties count: "toString" is not found unless the document has it.
   */
  get(name: string): Member {
    const object = this.object();
    return this.#below(
      Object.hasOwn(object, name) ? object[name] : undefined,
      this.#path === "" ? name : `.${name}`,
    );
  }

  /** Whether the member is missing or null. */
  get isNull(): boolean {
    return (this.json ?? null) === null;
  }

  /** The same member with another value: a default, or the full form of a short value. */
  as(json: Json): Member {
    return this.#below(json, "");
  }

  /** An object. */
  object(): JsonObject {
    if (isJsonObject(this.json)) return this.json;
    throw this.invalid("an object");
  }

  /** A string. */
  string(): string {
    if (typeof this.json === "string") return this.json;
    throw this.invalid("a string");
  }

  /** A finite number; an integer that was parsed as a bigint is rounded to a double. */
  number(): number {
    const value = typeof this.json === "bigint" ? Number(this.json) : this.json;
    if (typeof value === "number" && Number.isFinite(value)) return value;
    throw this.invalid("a finite number");
  }

  /** An integer from `minimum` to 2^53 - 1. */
  integer(minimum = 0): number {
    const { json } = this;
    if (typeof json === "number" && Number.isSafeInteger(json) && json >= minimum) return json;
    throw this.invalid(`an integer from ${minimum} to 2^53 - 1`);
  }

  /** A list of finite numbers, `length` of them when it is given. */
  numbers(length?: number): number[] {
    const items = this.list();
    if (length !== undefined && items.length !== length)
      throw new InvalidMetadataError(`expected ${length} numbers, got ${items.length}`, this.where());
    return items.map((item) => item.number());
  }

  /**
   * Path of a node below the node that names it. Absolute paths and names of periods only (".."), which could
   * leave the group, are invalid.
   */
  path(): string {
    const path = this.string();
    if (path.split("/").some((name) => /^\.*$/.test(name)))
      throw this.invalid('a path below the group, such as "0" or "a/0"');
    return path;
  }

  /** The value, if it is one of `allowed`. @throws InvalidMetadataError */
  oneOf<const Value extends Json>(...allowed: readonly Value[]): Value {
    const found = allowed.find((value) => value === this.json);
    if (found === undefined) throw this.invalid(allowed.map(describe).join(" or "));
    return found;
  }

  /** The items of a list, which must have `length` items if given. @throws InvalidMetadataError */
  list(length?: number): readonly Member[] {
    if (!isJsonArray(this.json) || this.json.length !== (length ?? this.json.length)) {
      throw this.invalid(length === undefined ? "a list" : `a list of ${length}`);
    }
    return this.json.map((item, i) => this.#below(item, `[${i}]`));
  }

  /**
   * A list of integers from `minimum` to 2^53 - 1 whose product stays below 2^53, so that counts and offsets
   * are exact.
   */
  integers(minimum: number, length?: number): readonly number[] {
    const integers = this.list(length).map((item) => item.integer(minimum));
    if (!Number.isSafeInteger(product(integers))) throw this.invalid("a product below 2^53");
    return integers;
  }

  /** The shape of an array. @throws UnsupportedError for more than 64 dimensions */
  shape(): readonly number[] {
    if (!isJsonArray(this.json) || this.json.length <= MAXIMUM_RANK) return this.integers(0);
    throw new UnsupportedError(`expected at most ${MAXIMUM_RANK} dimensions, got ${this.json.length}`, {
      ...this.#context,
      member: this.#path,
    });
  }

  /** The members that are not among `known`. */
  others(known: readonly string[]): JsonObject {
    return Object.fromEntries(Object.entries(this.object()).filter(([name]) => !known.includes(name)));
  }

  /**
   * The members that are not among `known`.
   * @throws InvalidMetadataError for a v3 extension without `must_understand: false`
   */
  ignorable(known: readonly string[]): JsonObject {
    const others = this.others(known);
    for (const name of Object.keys(others)) {
      const extension = this.get(name);
      if (isJsonObject(extension.json) && extension.get("must_understand").json === false) continue;
      throw extension.invalid(
        `only ${[...known, ""].join(", ")}${known[0] ? "or " : ""}an extension with must_understand: false`,
      );
    }
    return others;
  }

  /** Runs a check that does not know the document, and adds the location of the value to its error. */
  check<Result>(check: (json: Json) => Result): Result {
    if (this.json === undefined) throw this.invalid("a value");
    try {
      return check(this.json);
    } catch (cause) {
      if (!isZarrError(cause, "InvalidMetadataError", "UnknownDataTypeError")) throw cause;
      const Class = cause.tag === "UnknownDataTypeError" ? UnknownDataTypeError : InvalidMetadataError;
      const member = cause.member ?? this.#path;
      const message = cause.message.replace(` (member ${member})`, "");
      throw new Class(message, { ...this.#context, member, cause });
    }
  }

  /** The error for a value that is not `expected`. */
  invalid(expected: string): InvalidMetadataError {
    const got = this.json === undefined ? "nothing" : describe(this.json);
    return new InvalidMetadataError(`expected ${expected}, got ${got}`, this.where());
  }

  /** The location of the member, for the context of an error. */
  where(): ErrorContext {
    return { ...this.#context, member: this.#path || undefined };
  }

  #below(json: Json | undefined, step: string): Member {
    return new Member(json, this.#context, this.#path + step);
  }
}
