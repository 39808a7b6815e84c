/** Keys as the database has them: UTF-8, without their leading "/". */
import { type AbsolutePath, relativeKey, StoreError } from "../../core/for-stores.js";

const SLASH = 0x2f;
/** Longest key in bytes for pages of 4096 bytes, the page size of the package. */
const LONGEST_KEY = 1978;

export function keyBytes(key: AbsolutePath): Buffer {
  const bytes = Buffer.from(relativeKey(key));
  // LMDB refuses long keys too, but only in the middle of a transaction.
  if (bytes.byteLength > LONGEST_KEY) {
    throw new StoreError(`expected a key of at most ${LONGEST_KEY} bytes of UTF-8, got ${bytes.byteLength}`, {
      key,
    });
  }
  return bytes;
}

export function absolute(key: Buffer): AbsolutePath {
  return `/${key.toString()}`;
}

/**
 * The key range below a prefix: from "prefix/" to "prefix0" (exclusive), because "0" follows "/". The empty
 * prefix is all keys.
 */
export function prefixRange(prefix: string): { start: Buffer; end: Buffer } {
  if (prefix === "") return { start: Buffer.of(0), end: Buffer.of(0xff) };
  const bytes = Buffer.from(prefix);
  return {
    start: Buffer.concat([bytes, Buffer.of(SLASH)]),
    end: Buffer.concat([bytes, Buffer.of(SLASH + 1)]),
  };
}
