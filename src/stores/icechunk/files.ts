/**
 * Reads files of an Icechunk repository: a header followed by a flatbuffer, which may be compressed with
 * zstd. https://icechunk.io/en/stable/reference/spec/
 */

import {
  type AbsolutePath,
  checkBytes,
  DECODE_WORKSPACE,
  decode,
  isZarrError,
  loadKernels,
  loadZstdKernels,
  type Readable,
  retryWithMissing,
  StoreError,
  type StoreOptions,
  UnsupportedError,
} from "../../core/for-stores.js";
import { Table } from "./flatbuffer.js";

/** The first bytes of a file: "ICE", the ice cube emoji, "CHUNK", in UTF-8. */
const MAGIC = Uint8Array.of(73, 67, 69, 240, 159, 167, 138, 67, 72, 85, 78, 75);
const HEADER_LENGTH = 39;
const VERSION_AT = 36;
const TYPE_AT = 37;
const COMPRESSION_AT = 38;

const FILE_TYPES = { snapshot: 1, manifest: 2, repository: 6 } as const;
type FileType = keyof typeof FILE_TYPES;

/** Bytes of the ids of snapshots, manifests and chunks. */
export const ID_LENGTH = 12;

/**
 * Largest length of a file in bytes, compressed and decompressed: enough for a manifest of some ten million
 * chunks.
 */
const MOST_BYTES = 1 << 30;
/**
 * A file may decompress to this many bytes, or to EXPANSION times its length. Malicious zstd data expands
 * 32,768 times.
 */
const SURELY_FINE = 256 << 20;
const EXPANSION = 32;

/**
 * Reads and parses a file; undefined when it is missing.
 * @throws StoreError for a damaged or other file; UnsupportedError for a later version
 */
export async function readTable<Result>(
  store: Readable,
  key: AbsolutePath,
  type: FileType,
  options: StoreOptions | undefined,
  parse: (table: Table) => Result,
): Promise<Result | undefined> {
  const bytes = checkBytes(await store.get(key, { ...options, maximumBytes: MOST_BYTES }), key);
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
      { key },
    );
  const payload = bytes.subarray(HEADER_LENGTH);
  const most = Math.min(MOST_BYTES, Math.max(SURELY_FINE, EXPANSION * payload.length));
  const decoded =
    compression === 0
      ? payload
      : await decompressZstd(payload, most).catch((cause: unknown) => {
          throw damaged(key, type, cause);
        });
  return checked(key, type, () => parse(Table.root(decoded)));
}

/**
 * Runs `look`, which reads from a table. Positions outside of the file make DataView throw.
 * @throws StoreError for those
 */
export function checked<Result>(key: AbsolutePath, type: FileType, look: () => Result): Result {
  try {
    return look();
  } catch (cause) {
    throw isZarrError(cause) ? cause : damaged(key, type, cause);
  }
}

function damaged(key: AbsolutePath, type: FileType, cause: unknown): StoreError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new StoreError(`a damaged ${type} file of Icechunk: ${reason}`, { key, cause });
}

const DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** The file name of an id: Crockford's base 32, with zero bits as padding after the last byte. */
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

/** Bytes. Larger outputs are assembled outside of kernel memory, which never shrinks. */
const MOST_KERNEL_MEMORY = 64 << 20;

/**
 * Decompresses into a new buffer.
 * @throws CodecError for invalid zstd data, or more than `maximumByteLength` bytes of output
 */
export async function decompressZstd(bytes: Uint8Array, maximumByteLength: number): Promise<Uint8Array> {
  const kernels = await loadKernels();
  await loadZstdKernels(kernels);
  const room = Math.min(8 * bytes.byteLength + DECODE_WORKSPACE, MOST_KERNEL_MEMORY);
  return retryWithMissing(kernels, () =>
    kernels.within(room, () => decode(bytes, { kernels, byteLength: undefined, maximumByteLength }).slice()),
  );
}
