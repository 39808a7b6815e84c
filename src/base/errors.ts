/**
 * The errors that wazarr throws: one tagged class per kind of failure, with fields for the location.
 * `isZarrError(error, "CodecError")` narrows. It uses tags instead of `instanceof`, so that two copies of the
 * library on one page recognise each other's errors.
 */
import { at } from "./at.js";

const MARK = Symbol.for("wazarr.error");

/** The location of an error. All members are optional: an error has those that are known. */
export interface ErrorContext {
  /** Store key, with its leading "/". */
  readonly key?: string | undefined;
  /** Node path, with its leading "/". */
  readonly path?: string | undefined;
  /** Name of the codec. */
  readonly codec?: string | undefined;
  /** Chunk coordinates in the chunk grid. */
  readonly chunk?: readonly number[] | undefined;
  /** Byte offset in the value, or element index; the message says which. */
  readonly offset?: number | undefined;
  /** The metadata member, as a path: `chunk_grid.configuration.chunk_shape[1]`. */
  readonly member?: string | undefined;
  /** The kind of the node that was found instead of the requested kind. */
  readonly found?: "array" | "group" | undefined;
  /** The error that led to this one. */
  readonly cause?: unknown;
}

/** Takes from an object the two members that errors have of a chunk. */
export function placeOf({
  key,
  chunk,
}: Required<Pick<ErrorContext, "key" | "chunk">>): Pick<ErrorContext, "key" | "chunk"> {
  return { key, chunk };
}

/** Base of all wazarr errors. `tag` is the class name and survives minification. */
export abstract class ZarrError extends Error {
  /** Name of the class, also in minified code. `isZarrError` compares it. */
  abstract readonly tag: ZarrErrorTag;
  readonly [MARK] = true;
  /** The message without the location. */
  readonly reason: string;
  /** Store key, with its leading "/". */
  declare readonly key?: ErrorContext["key"];
  /** Node path, with its leading "/". */
  declare readonly path?: ErrorContext["path"];
  /** Name of the codec. */
  declare readonly codec?: ErrorContext["codec"];
  /** Chunk coordinates in the chunk grid. */
  declare readonly chunk?: ErrorContext["chunk"];
  /** Byte offset in the value, or element index; the message says which. */
  declare readonly offset?: ErrorContext["offset"];
  /** The metadata member, as a path: `chunk_grid.configuration.chunk_shape[1]`. */
  declare readonly member?: ErrorContext["member"];
  /** The kind of the node that was found instead of the requested kind. */
  declare readonly found?: ErrorContext["found"];

  /** Name of the class. */
  override get name(): string {
    return this.tag;
  }

  constructor(message: string, { cause, ...where }: ErrorContext = {}) {
    super(withLocation(message, where), cause === undefined ? undefined : { cause });
    this.reason = message;
    Object.assign(this, where);
  }
}

function withLocation(message: string, context: ErrorContext): string {
  let where: string[] = [];
  if (context.key !== undefined) where.push(`key ${JSON.stringify(context.key)}`);
  else if (context.path !== undefined) where.push(`node ${JSON.stringify(context.path)}`);
  if (context.member !== undefined) where.push(`member ${context.member}`);
  if (context.codec !== undefined) where.push(`codec ${context.codec}`);
  if (context.chunk !== undefined) where.push(`chunk [${context.chunk.join(", ")}]`);
  // A message that quotes its cause may have the location already.
  where = where.filter((part) => !message.includes(part));
  return where.length === 0 ? message : `${message} (${where.join(", ")})`;
}

/** The node, array, group or value does not exist. */
export class NotFoundError extends ZarrError {
  readonly tag = "NotFoundError";
}

/**
 * A metadata document is not JSON, is incomplete, contradicts itself, or has an unknown extension that must
 * be understood.
 */
export class InvalidMetadataError extends ZarrError {
  readonly tag = "InvalidMetadataError";
}

/** No registered data type accepts the given one, or more than one does. */
export class UnknownDataTypeError extends ZarrError {
  readonly tag = "UnknownDataTypeError";
}

/** No codec of this name is registered. */
export class UnknownCodecError extends ZarrError {
  readonly tag = "UnknownCodecError";
}

/** A codec refused bytes (truncated, corrupt, wrong checksum, wrong size) or its configuration. */
export class CodecError extends ZarrError {
  readonly tag = "CodecError";
}

/** A selection does not fit the array. */
export class InvalidSelectionError extends ZarrError {
  readonly tag = "InvalidSelectionError";
}

/**
 * A value or argument from the caller does not fit: wrong shape, out of the data type's range, bad option.
 */
export class InvalidArgumentError extends ZarrError {
  readonly tag = "InvalidArgumentError";
}

/**
 * The store failed: I/O error, HTTP status, half a body, a key outside the store. A missing value is not an
 * error.
 */
export class StoreError extends ZarrError {
  readonly tag = "StoreError";
  /** HTTP status, if the store speaks HTTP. */
  readonly status: number | undefined;
  /** The name that the server, browser or system has for the failure, such as "SlowDown", if any. */
  readonly code: string | undefined;
  /** The server's `Retry-After` header: seconds or a date after which to retry. */
  readonly retryAfter: string | undefined;
  /** Whether a retry may succeed: no answer, a broken connection, status 408, 429 or 5xx. */
  readonly isTransient: boolean;
  constructor(
    message: string,
    context: ErrorContext & Partial<Pick<StoreError, "status" | "code" | "retryAfter" | "isTransient">> = {},
  ) {
    super(message, context);
    this.status = context.status;
    this.code = context.code;
    this.retryAfter = context.retryAfter;
    this.isTransient = context.isTransient ?? false;
  }
}

/** A value was changed by somebody else after it was read, so a write that depends on it was refused. */
export class ConflictError extends ZarrError {
  readonly tag = "ConflictError";
}

/** The request is valid, but wazarr, this store or this platform cannot do it. */
export class UnsupportedError extends ZarrError {
  readonly tag = "UnsupportedError";
}

/** A node already exists at the path of a new one. */
export class AlreadyExistsError extends ZarrError {
  readonly tag = "AlreadyExistsError";
}

/** `verify` found a difference between two nodes. */
export class DifferenceError extends ZarrError {
  readonly tag = "DifferenceError";
  /** Index of the first different element, in C order; undefined if the difference is in metadata. */
  readonly index: readonly number[] | undefined;
  constructor(message: string, context: ErrorContext & { readonly index?: readonly number[] } = {}) {
    super(message, context);
    this.index = context.index;
  }
}

interface ErrorByTag {
  NotFoundError: NotFoundError;
  InvalidMetadataError: InvalidMetadataError;
  UnknownDataTypeError: UnknownDataTypeError;
  UnknownCodecError: UnknownCodecError;
  CodecError: CodecError;
  InvalidSelectionError: InvalidSelectionError;
  InvalidArgumentError: InvalidArgumentError;
  StoreError: StoreError;
  ConflictError: ConflictError;
  UnsupportedError: UnsupportedError;
  AlreadyExistsError: AlreadyExistsError;
  DifferenceError: DifferenceError;
}

/** The names of the classes of errors. */
export type ZarrErrorTag = keyof ErrorByTag;

/** Whether `error` is an error of wazarr; with `tags`, of one of these kinds. */
export function isZarrError<T extends ZarrErrorTag = ZarrErrorTag>(
  error: unknown,
  ...tags: T[]
): error is ErrorByTag[T] {
  if (typeof error !== "object" || error === null || !(MARK in error) || !("tag" in error)) return false;
  return tags.length === 0 || tags.some((tag) => tag === error.tag);
}

const ABOUT_CODECS = { InvalidMetadataError, UnknownCodecError, CodecError, UnsupportedError } as const;

/**
 * Adds the node's path to an error of a codec, which does not know the node; other errors stay as they are.
 */
export function atNode(error: unknown, path: string): unknown {
  if (!isZarrError(error, "InvalidMetadataError", "UnknownCodecError", "CodecError", "UnsupportedError"))
    return error;
  const { reason, key, codec, chunk, offset, member, cause } = error;
  if (key !== undefined || error.path !== undefined) return error;
  return new ABOUT_CODECS[error.tag](reason, { path, codec, chunk, offset, member, cause });
}

/** The error for an argument, or an option, of a wrong value. */
export function invalid(name: string, expected: string, value: unknown): InvalidArgumentError {
  return new InvalidArgumentError(`${name}: expected ${expected}, got ${describe(value)}`);
}

/** A caller's value or a piece of JSON, short enough for an error message. Never throws. */
export function describe(value: unknown): string {
  const text = render(value);
  return text.length > 120 ? `${text.slice(0, 117)}...` : text;
}

/** Describes a value of the wrong type for error messages; an object by the names of its first 8 members. */
export function describeGiven(value: unknown): string {
  if (typeof value === "function") return "a class or function: did you forget `new`?";
  if (typeof value !== "object" || value === null) return describe(value);
  if ("then" in value) return "a Promise: did you forget `await`?";
  const kind = Object.prototype.toString.call(value).slice(8, -1);
  if (kind !== "Object") return `${/^[AEIO]/.test(kind) ? "an" : "a"} ${kind}`;
  // The class name is useless: minifiers rename classes.
  return `an object with ${Object.keys(value).slice(0, 8).join(", ") || "no members"}`;
}

function render(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.length > 120 ? value.slice(0, 120) : value);
  if (typeof value === "bigint") return `${value}n`;
  if (Object.is(value, -0)) return "-0";
  if (typeof value !== "object" || value === null) return String(value);
  if (ArrayBuffer.isView(value)) return `${value.constructor.name} of ${value.byteLength} bytes`;
  try {
    return JSON.stringify(value, (_name, member: unknown) =>
      typeof member === "bigint" ? `${member}n` : member,
    );
  } catch {
    return Object.prototype.toString.call(value);
  }
}

/** Names of wazarr are shorter. Longer ones, from documents, would cost time and get no suggestion. */
const LONGEST_NAME = 64;

/**
 * A suggestion for a misspelt name, `: did you mean "float32"?`, with all nearest names; "" if none is near.
 * @param prefix of all names, which the suggestion has, too
 */
export function didYouMean(value: unknown, names: Iterable<string>, prefix = ""): string {
  if (typeof value !== "string" || value.length > LONGEST_NAME) return "";
  const edits = Array.from(new Set(names), (name) => ({ name, count: editsBetween(value, name) }));
  const least = Math.min(...edits.map(({ count }) => count));
  // More than a third of the letters wrong: not a misspelling.
  if (least > value.length / 3) return "";
  const nearest = edits
    .filter(({ name, count }) => count === least && (least === 0 || lettersOf(value, name) > 2))
    .map(({ name }) => JSON.stringify(prefix + name));
  if (nearest.length === 0) return "";
  return `: did you mean ${nearest.join(" or ")}?`;
}

/** How many letters of `given` a name has, too: "put" and "out" share two, and are different words. */
function lettersOf(value: string, name: string): number {
  return [...value.toLowerCase()].filter((letter) => name.toLowerCase().includes(letter)).length;
}

/** The number of letters to insert, remove, replace, or swap with the next one; case is ignored. */
function editsBetween(value: string, name: string): number {
  const from = value.toLowerCase();
  const to = name.toLowerCase();
  // Row i has the edits from the first i letters of `from` to the first j of `to`; only three rows are kept.
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, j) => j);
  for (let i = 1; i <= from.length; i++) {
    const row = [i];
    for (let j = 1; j <= to.length; j++) {
      const isSame = from[i - 1] === to[j - 1];
      const isSwapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      const ways = [at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + (isSame ? 0 : 1)];
      if (isSwapped) ways.push(at(beforeLast, j - 2) + 1);
      row.push(Math.min(...ways));
    }
    [beforeLast, last] = [last, row];
  }
  return at(last, to.length);
}
