/**
 * Every error wazarr throws on purpose. One tagged class a kind of failure, with fields that say where it happened;
 * `isZarrError(error, "CodecError")` narrows. Tags rather than `instanceof`, so that two copies of the library
 * in one page understand each other's errors.
 */

const MARK = Symbol.for("wazarr.error");

/** Where in a store something went wrong. Every member is optional: an error carries what was known. */
export interface ErrorContext {
  /** Store key, with its leading "/". */
  readonly key?: string | undefined;
  /** Node path, with its leading "/". */
  readonly path?: string | undefined;
  /** Name of the codec. */
  readonly codec?: string | undefined;
  /** Chunk coordinates in the chunk grid. */
  readonly chunk?: readonly number[] | undefined;
  /** Byte offset in the value, or element index, whichever the message says. */
  readonly offset?: number | undefined;
  /** The metadata member, as a path: `chunk_grid.configuration.chunk_shape[1]`. */
  readonly member?: string | undefined;
  /** The node that was found in place of the one asked for. */
  readonly found?: "array" | "group" | undefined;
  readonly cause?: unknown;
}

/** Base of all wazarr errors. `tag` is the class name and survives minification. */
export abstract class ZarrError extends Error {
  abstract readonly tag: ZarrErrorTag;
  readonly [MARK] = true;
  /** The message without the location. */
  readonly reason: string;
  declare readonly key?: ErrorContext["key"];
  declare readonly path?: ErrorContext["path"];
  declare readonly codec?: ErrorContext["codec"];
  declare readonly chunk?: ErrorContext["chunk"];
  declare readonly offset?: ErrorContext["offset"];
  declare readonly member?: ErrorContext["member"];
  declare readonly found?: ErrorContext["found"];

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
  const where: string[] = [];
  if (context.key !== undefined) where.push(`key ${JSON.stringify(context.key)}`);
  else if (context.path !== undefined) where.push(`node ${JSON.stringify(context.path)}`);
  if (context.member !== undefined) where.push(`member ${context.member}`);
  if (context.codec !== undefined) where.push(`codec ${context.codec}`);
  if (context.chunk !== undefined) where.push(`chunk [${context.chunk.join(", ")}]`);
  return where.length === 0 ? message : `${message} (${where.join(", ")})`;
}

/** No such node, array, group or value. */
export class NotFoundError extends ZarrError {
  readonly tag = "NotFoundError";
}
/** A metadata document is not JSON, not complete, contradicts itself, or asks for what must be understood and is not. */
export class InvalidMetadataError extends ZarrError {
  readonly tag = "InvalidMetadataError";
}
/** No registered data type accepts this, or more than one does. */
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
/** A value or argument from the caller does not fit: wrong shape, out of the data type's range, bad option. */
export class InvalidArgumentError extends ZarrError {
  readonly tag = "InvalidArgumentError";
}
/** The store failed: I/O error, HTTP status, half a body, a key outside the store. A missing value is not an error. */
export class StoreError extends ZarrError {
  readonly tag = "StoreError";
  /** HTTP status, where the store speaks HTTP. */
  readonly status: number | undefined;
  /** When the server wants to be asked again, as it says it: seconds or a date (`Retry-After`). */
  readonly retryAfter: string | undefined;
  /** Whether the same may succeed a moment later: no answer, a connection that broke off, status 408, 429 or 5xx. */
  readonly isTransient: boolean;
  constructor(
    message: string,
    context: ErrorContext & Partial<Pick<StoreError, "status" | "retryAfter" | "isTransient">> = {},
  ) {
    super(message, context);
    this.status = context.status;
    this.retryAfter = context.retryAfter;
    this.isTransient = context.isTransient ?? false;
  }
}
/** Valid, but wazarr, this store or this platform cannot do it. */
export class UnsupportedError extends ZarrError {
  readonly tag = "UnsupportedError";
}
/** A node exists where a new one was to be created. */
export class AlreadyExistsError extends ZarrError {
  readonly tag = "AlreadyExistsError";
}
/** `verify` found a difference between two nodes. */
export class DifferenceError extends ZarrError {
  readonly tag = "DifferenceError";
  /** Index of the first element that differs, in C order; undefined where the difference is in metadata. */
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
  UnsupportedError: UnsupportedError;
  AlreadyExistsError: AlreadyExistsError;
  DifferenceError: DifferenceError;
}
export type ZarrErrorTag = keyof ErrorByTag;

/** True for an error of wazarr, of one of the given kinds when any are given. */
export function isZarrError<T extends ZarrErrorTag = ZarrErrorTag>(
  error: unknown,
  ...tags: T[]
): error is ErrorByTag[T] {
  if (typeof error !== "object" || error === null || !(MARK in error) || !("tag" in error)) return false;
  return tags.length === 0 || tags.some((tag) => tag === error.tag);
}

const ABOUT_CODECS = { InvalidMetadataError, UnknownCodecError, CodecError, UnsupportedError } as const;

/** What codecs, which know of no node, found wrong with what its document says of them; anything else as it is. */
export function atNode(error: unknown, path: string): unknown {
  if (!isZarrError(error, "InvalidMetadataError", "UnknownCodecError", "CodecError", "UnsupportedError"))
    return error;
  const { reason, key, codec, chunk, offset, member, cause } = error;
  if (key !== undefined || error.path !== undefined) return error;
  return new ABOUT_CODECS[error.tag](reason, { path, codec, chunk, offset, member, cause });
}

/** A caller's value or a piece of JSON, short enough for an error message. Never throws. */
export function describe(value: unknown): string {
  const text = render(value);
  return text.length > 120 ? `${text.slice(0, 117)}...` : text;
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

/** The names of wazarr are shorter; a document may hold any. */
const LONGEST_NAME = 64;

/** A suggestion for a misspelt name, `: did you mean "float32"?`, with all of `names` that are equally near; "" where none is near. */
export function didYouMean(given: unknown, names: Iterable<string>): string {
  if (typeof given !== "string" || given.length > LONGEST_NAME) return "";
  const edits = Array.from(new Set(names), (name) => ({ name, count: editsBetween(given, name) }));
  const least = Math.min(...edits.map(({ count }) => count));
  // With more than a third of its letters wrong it is another name.
  if (least > given.length / 3) return "";
  const nearest = edits.filter(({ count }) => count === least).map(({ name }) => JSON.stringify(name));
  return `: did you mean ${nearest.join(" or ")}?`;
}

/** The number of letters to insert, remove, replace, or swap with the next one; case is ignored. */
function editsBetween(given: string, name: string): number {
  const from = given.toLowerCase();
  const to = name.toLowerCase();
  // Edits from the first i letters to the first j, for this i and the two before it.
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, j) => j);
  for (let i = 1; i <= from.length; i++) {
    const row = [i];
    for (let j = 1; j <= to.length; j++) {
      const isSame = from[i - 1] === to[j - 1];
      const isSwapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      const ways = [(last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (isSame ? 0 : 1)];
      if (isSwapped) ways.push((beforeLast[j - 2] ?? 0) + 1);
      row.push(Math.min(...ways));
    }
    [beforeLast, last] = [last, row];
  }
  return last[to.length] ?? from.length;
}
