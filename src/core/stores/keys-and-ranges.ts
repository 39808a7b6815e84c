/**
 * Checks and conversions of keys, prefixes and byte ranges, for all stores that map keys to paths or URLs.
 */
import { describe, InvalidArgumentError, StoreError } from "../../base/errors.js";
import type { AbsolutePath, RangeQuery } from "./store.js";

// Matches an empty, "." or ".." segment, or a NUL: file systems and URL parsers normalise these to another
// value, or to one outside the store. Also matches half a surrogate pair: UTF-8 encodes all of them as
// U+FFFD, so keys would collide.
const STRAY = /(?:^|\/)\.{0,2}(?:\/|$)|[\0\ud800-\udfff]/u;

/**
 * Returns the key without its leading "/".
 * @throws StoreError when a segment is empty, "." or "..", or the key holds a NUL or half a surrogate pair,
 * or does not begin with "/"
 */
export function relativeKey(key: string): string {
  if (typeof key !== "string" || key.charCodeAt(0) !== 0x2f || STRAY.test(key.slice(1))) {
    throw new StoreError(
      'expected a key of well-formed Unicode, "/name/name", without empty, "." or ".." segments',
      { key },
    );
  }
  return key.slice(1);
}

/**
 * Returns the prefix without its leading and trailing "/"; "" for "/", which is the whole store.
 * @throws StoreError as `relativeKey`, and when the prefix does not end in "/"
 */
export function relativePrefix(prefix: string): string {
  if (prefix === "/") return "";
  if (typeof prefix !== "string" || !prefix.endsWith("/"))
    throw new StoreError('expected a prefix that ends in "/"', { key: prefix });
  return relativeKey(prefix.slice(0, -1));
}

export function isAbsolutePath(key: string): key is AbsolutePath {
  return key.charCodeAt(0) === 0x2f;
}

/**
 * Advice for an error that finds no node among these values, or "". The first key tells how all were made.
 */
export function adviceForKeys(values: ReadonlyMap<unknown, unknown>): string {
  const [key] = values.keys();
  if (typeof key !== "string" || isAbsolutePath(key)) return "";
  return `the keys of a Map begin with "/": ${JSON.stringify(`/${key}`)}, not ${JSON.stringify(key)}`;
}

/**
 * Returns the start (inclusive) and end (exclusive) of `range` in a value of `byteLength` bytes. Both are
 * clipped to the value, so `end - start` may be less than the requested length, down to 0.
 * @throws InvalidArgumentError when an offset or length is no whole number in 0 .. 2^53-1
 */
export function resolveRange(range: RangeQuery, byteLength: number): { start: number; end: number } {
  checkRange(range);
  if ("suffixLength" in range)
    return { start: Math.max(0, byteLength - range.suffixLength), end: byteLength };
  const start = Math.min(range.offset, byteLength);
  return { start, end: Math.min(start + range.length, byteLength) };
}

/** @throws InvalidArgumentError when an offset or length is no whole number in 0 .. 2^53-1 */
export function checkRange(range: RangeQuery): void {
  if (typeof range === "object" && range !== null) {
    const numbers = "suffixLength" in range ? [range.suffixLength] : [range.offset, range.length];
    if (numbers.every((number) => Number.isSafeInteger(number) && number >= 0)) return;
  }
  throw new InvalidArgumentError(`expected a byte range of whole numbers >= 0, got ${describe(range)}`);
}

/** Returns the bytes of `range` in `value`: a view, not a copy. */
export function sliceRange(value: Uint8Array, range: RangeQuery): Uint8Array {
  const { start, end } = resolveRange(range, value.byteLength);
  return value.subarray(start, end);
}

/** A byte range at a known place of a value. */
export interface Extent {
  readonly offset: number;
  readonly length: number;
}

/**
 * Places of stores whose last range took the whole value: the server ignored `Range`, or the entry of the
 * archive is deflated.
 */
export const ignoredRanges = new WeakSet<object>();
