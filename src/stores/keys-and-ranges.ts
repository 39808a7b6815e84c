/** Keys, prefixes and byte ranges as stores get them: one rule for every store that maps keys to paths or URLs. */
import { InvalidArgumentError, StoreError } from "../errors.js";
import type { AbsolutePath, RangeQuery } from "./store.js";

// An empty, "." or ".." segment, or a NUL: each would name another value, or one outside the store, once a file
// system or a URL parser has normalised it. So would half a surrogate pair, which UTF-8 has not: all of them are U+FFFD.
const STRAY = /(?:^|\/)\.{0,2}(?:\/|$)|[\0\ud800-\udfff]/u;

/**
 * The key without its leading "/".
 * @throws StoreError when a segment is empty, "." or "..", or the key holds a NUL or half a surrogate pair, or does not begin with "/"
 */
export function relativeKey(key: string): string {
  const relative = key.slice(1);
  if (key.charCodeAt(0) !== 0x2f || STRAY.test(relative)) {
    throw new StoreError(
      'expected a key of well-formed text, "/name/name", without empty, "." or ".." segments',
      { key },
    );
  }
  return relative;
}

/**
 * The prefix without its leading and trailing "/"; "" for "/", which is the whole store.
 * @throws StoreError as `relativeKey`, and when the prefix does not end in "/"
 */
export function relativePrefix(prefix: string): string {
  if (prefix === "/") return "";
  if (!prefix.endsWith("/")) throw new StoreError('expected a prefix that ends in "/"', { key: prefix });
  return relativeKey(prefix.slice(0, -1));
}

export function isAbsolutePath(key: string): key is AbsolutePath {
  return key.charCodeAt(0) === 0x2f;
}

/**
 * First byte and the byte after the last of `range` in a value of `byteLength` bytes. What lies beyond the value's
 * end is cut off, so `end - start` may be less than was asked for, down to 0.
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
  const numbers = "suffixLength" in range ? [range.suffixLength] : [range.offset, range.length];
  if (!numbers.every((number) => Number.isSafeInteger(number) && number >= 0)) {
    throw new InvalidArgumentError(
      `expected a byte range of whole numbers >= 0, got ${JSON.stringify(range)}`,
    );
  }
}

/** The part of `value` that `range` names: a view, no copy. */
export function sliceRange(value: Uint8Array, range: RangeQuery): Uint8Array {
  const { start, end } = resolveRange(range, value.byteLength);
  return value.subarray(start, end);
}

// Merging byte ranges of one value into fewer requests.
export interface Extent {
  readonly offset: number;
  readonly length: number;
}

export interface CoalesceOptions {
  /** Ranges at most this many bytes apart become one request; the bytes between are read for nothing. */
  readonly maximumGap: number;
  /** A request grows to at most this many bytes; a single range may be longer. */
  readonly maximumSize: number;
}

/**
 * 32 KiB: less than a round trip costs on any network, and small against inner chunks, so that little is read for nothing.
 * 5 MiB: long enough that its own latency is hidden, short enough that a few are under way at once and take little memory; and a band of
 * 4 MiB fits, even if encoding made it longer.
 */
export const DEFAULT_COALESCING: CoalesceOptions = { maximumGap: 32 << 10, maximumSize: 5 << 20 };

/** With defaults for what is not given. @throws InvalidArgumentError for what is no size */
export function coalescing(given: Partial<CoalesceOptions> | undefined): CoalesceOptions {
  const { maximumGap, maximumSize } = { ...DEFAULT_COALESCING, ...given };
  if (maximumGap >= 0 && maximumSize >= 0) return { maximumGap, maximumSize };
  throw new InvalidArgumentError(
    `coalesce: expected sizes of 0 or more, got ${maximumGap} and ${maximumSize}`,
  );
}

interface MergedExtents {
  /** Requests in ascending order. */
  readonly merged: readonly Extent[];
  /** For each extent given: which request it is in, and where it starts there. */
  readonly place: readonly { readonly request: number; readonly start: number }[];
}

export function mergeExtents(
  extents: readonly Extent[],
  { maximumGap, maximumSize }: CoalesceOptions,
): MergedExtents {
  const order = extents
    .map((_, i) => i)
    .sort((a, b) => (extents[a]?.offset ?? 0) - (extents[b]?.offset ?? 0));
  const merged: { offset: number; length: number }[] = [];
  const place = new Array<{ request: number; start: number }>(extents.length);
  for (const i of order) {
    const { offset, length } = extents[i] ?? { offset: 0, length: 0 };
    let last = merged.at(-1);
    const end = offset + length;
    const fits =
      last !== undefined &&
      offset - (last.offset + last.length) <= maximumGap &&
      Math.max(end, last.offset + last.length) - last.offset <= Math.max(maximumSize, last.length);
    if (last === undefined || !fits) {
      last = { offset, length };
      merged.push(last);
    } else {
      last.length = Math.max(last.length, end - last.offset);
    }
    place[i] = { request: merged.length - 1, start: offset - last.offset };
  }
  return { merged, place };
}

/** Places of stores that answered the last request for a range with the whole value, as servers do that ignore `Range`. */
export const ignoredRanges = new WeakSet<object>();
