/** Which keys and prefixes name something inside a store. One rule for every store that maps keys to paths or URLs. */
import { StoreError } from "../errors.js";
import type { AbsolutePath } from "./store.js";

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
      {
        key,
      },
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
