/**
 * Files of an Icechunk repository: a header, and a flatbuffer behind it, compressed.
 * https://icechunk.io/en/stable/reference/spec/
 */

import { isZarrError, StoreError, UnsupportedError } from "../../errors.js";
import type { AbsolutePath, Readable, StoreOptions } from "../store.js";
import { decompressZstd } from "./decompress.js";
import { Table } from "./flatbuffers.js";

/** "ICE", an ice cube, "CHUNK". */
const MAGIC = Uint8Array.of(73, 67, 69, 240, 159, 167, 138, 67, 72, 85, 78, 75);
const HEADER_LENGTH = 39;
const VERSION_AT = 36;
const TYPE_AT = 37;
const COMPRESSION_AT = 38;

export const FILE_TYPES = { snapshot: 1, manifest: 2, repository: 6 } as const;

/** What is read of a file at most, and what it may become: a manifest of some ten million chunks. */
const MOST_BYTES = 1 << 30;
/** The same, of small ones: zstd makes 32,768 times as much of what somebody wrote to fill a memory. */
const SURELY_FINE = 256 << 20;
const EXPANSION = 32;

/** Undefined where there is no such file. @throws StoreError for one that is none, or damaged; UnsupportedError for a later version */
export async function readTable<Result>(
  store: Readable,
  key: AbsolutePath,
  type: keyof typeof FILE_TYPES,
  options: StoreOptions | undefined,
  parse: (table: Table) => Result,
): Promise<Result | undefined> {
  const bytes = await store.get(key, { ...options, maximumBytes: MOST_BYTES });
  if (bytes === undefined) return undefined;
  const isRight = MAGIC.every((byte, i) => bytes[i] === byte) && bytes.length > HEADER_LENGTH;
  if (!isRight || bytes[TYPE_AT] !== FILE_TYPES[type])
    throw new StoreError(`expected a ${type} file of Icechunk, got something else`, { key });
  const version = bytes[VERSION_AT];
  const compression = bytes[COMPRESSION_AT];
  if (version !== 1 && version !== 2)
    throw new UnsupportedError(`expected version 1 or 2 of Icechunk's format, got ${version}`, { key });
  if (compression !== 0 && compression !== 1)
    throw new UnsupportedError(
      `expected no compression or zstd in a ${type} file of Icechunk, got ${compression}`,
      {
        key,
      },
    );
  const payload = bytes.subarray(HEADER_LENGTH);
  const most = Math.min(MOST_BYTES, Math.max(SURELY_FINE, EXPANSION * payload.length));
  const decoded = compression === 0 ? payload : await decompressZstd(payload, most).catch(refuse);
  return checked(key, type, () => parse(Table.root(decoded)));

  function refuse(cause: unknown): never {
    throw damaged(key, type, cause);
  }
}

/** Runs what looks into a table. Where a position leads out of it, DataView throws. @throws StoreError */
export function checked<Result>(
  key: AbsolutePath,
  type: keyof typeof FILE_TYPES,
  look: () => Result,
): Result {
  try {
    return look();
  } catch (cause) {
    throw isZarrError(cause) ? cause : damaged(key, type, cause);
  }
}

function damaged(key: AbsolutePath, type: keyof typeof FILE_TYPES, cause: unknown): StoreError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new StoreError(`a damaged ${type} file of Icechunk: ${reason}`, { key, cause });
}

const DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** Ids in names: Crockford's base 32, zero bits behind the last byte. */
export function nameOfId(id: Uint8Array): string {
  let name = "";
  let bits = 0;
  let value = 0;
  for (const byte of id) {
    value = (value << 8) | byte;
    for (bits += 8; bits >= 5; bits -= 5) name += DIGITS[(value >>> (bits - 5)) & 31];
    value &= 255;
  }
  return bits > 0 ? name + DIGITS[(value << (5 - bits)) & 31] : name;
}
