/**
 * Packs a store into a zip archive. Entries are stored, not deflated, because chunks are already compressed.
 */

import {
  type AbsolutePath,
  checkBytes,
  checkStore,
  crc32,
  isDocument,
  listPrefix,
  loadChecksums,
  loadKernels,
  Member,
  parseJson,
  relativeKey,
  type Store,
  StoreError,
  type StoreOptions,
} from "../../core/for-stores.js";

/** The fields of an entry in the central directory. */
interface PackedEntry {
  readonly name: Uint8Array;
  readonly byteLength: number;
  readonly crc32: number;
  /** Byte offset of the local header in the archive. */
  readonly offset: number;
}

const MOST_32 = 0xffffffff;
/** General purpose bit 11: names are UTF-8. */
const FLAGS = 0x0800;
/** MS-DOS date 1980-01-01 for every entry, so that equal stores make equal archives. */
const DATE = 0x0021;

/**
 * Yields the bytes of a zip archive with all values of `store`, in consecutive pieces. Keys are in the order
 * of their code units, metadata documents last, so that readers get them with the directory that follows.
 * Zip64 from 65,535 entries or lengths and offsets of 4 GiB - 1 on.
 * @throws UnsupportedError when the store cannot be listed; StoreError for an invalid key, or a value that
 * vanishes during the packing
 */
export async function* packZip(store: Store, options?: StoreOptions): AsyncGenerator<Uint8Array, void> {
  checkStore(store);
  const keys = (await listPrefix(store, "/", options)).sort();
  const ordered = [...keys.filter((key) => !isDocument(key)), ...keys.filter(isDocument)];
  yield* packKeys(store, ordered, undefined, options);
}

/**
 * Yields the bytes of a single-file OME-Zarr (`.ozx`): the archive of `packZip`, but with its documents
 * first, those of the root before those below, always as zip64, and with a comment that says so.
 * @throws InvalidMetadataError for a root that is no OME-Zarr in Zarr v3, and what `packZip` throws
 */
export async function* packOzx(store: Store, options?: StoreOptions): AsyncGenerator<Uint8Array, void> {
  checkStore(store);
  const root = await store.get("/zarr.json", options);
  const document = new Member(root === undefined ? null : parseJson(root, { path: "/" }), { path: "/" });
  const version = document.get("attributes").get("ome").get("version").string();
  const comment = { ome: { version, zipFile: { centralDirectory: { jsonFirst: true } } } };
  const keys = (await listPrefix(store, "/", options)).sort();
  const depth = (key: string) => key.split("/").length;
  const documents = keys.filter(isDocument).sort((a, b) => depth(a) - depth(b));
  const ordered = [...documents, ...keys.filter((key) => !isDocument(key))];
  yield* packKeys(store, ordered, JSON.stringify(comment), options);
}

/** @param comment of the archive, which then is zip64 */
async function* packKeys(
  store: Store,
  keys: readonly AbsolutePath[],
  comment: string | undefined,
  options: StoreOptions | undefined,
): AsyncGenerator<Uint8Array, void> {
  const kernels = await loadKernels();
  await loadChecksums(kernels);
  const entries: PackedEntry[] = [];
  let offset = 0;
  for (const key of keys) {
    const name = new TextEncoder().encode(relativeKey(key));
    if (name.byteLength > 0xffff)
      throw new StoreError("expected a key of at most 65535 bytes of UTF-8", { key });
    const value = checkBytes(await store.get(key, options), key);
    if (value === undefined)
      throw new StoreError("the value disappeared while the store was packed", { key });
    const checksum = kernels.within(Math.min(value.byteLength, 64 << 20), () => crc32(kernels, value));
    const entry = { name, byteLength: value.byteLength, crc32: checksum, offset };
    const header = localHeader(entry);
    entries.push(entry);
    offset += header.byteLength + value.byteLength;
    yield header;
    yield value;
  }
  const start = offset;
  for (const entry of entries) {
    const record = directoryRecord(entry);
    offset += record.byteLength;
    yield record;
  }
  yield endRecords(start, offset - start, entries.length, comment);
}

/** Builds a record of little-endian numbers. */
class Bytes {
  readonly #bytes: number[] = [];

  /** Appends numbers of `width` bytes each. */
  put(width: 2 | 4 | 8, ...values: number[]): this {
    for (const value of values) {
      for (let byte = 0, rest = value; byte < width; byte++, rest = Math.floor(rest / 256))
        this.#bytes.push(rest % 256);
    }
    return this;
  }

  end(...tails: Uint8Array[]): Uint8Array {
    const bytes = new Uint8Array(this.#bytes.length + tails.reduce((sum, tail) => sum + tail.byteLength, 0));
    bytes.set(this.#bytes);
    let offset = this.#bytes.length;
    for (const tail of tails) {
      bytes.set(tail, offset);
      offset += tail.byteLength;
    }
    return bytes;
  }
}

/** The zip64 extra field with the numbers that need 64 bits; empty when there are none. */
function zip64Field(...values: number[]): Uint8Array {
  const long = values.filter((value) => value >= MOST_32);
  if (long.length === 0) return new Uint8Array(0);
  return new Bytes()
    .put(2, 1, 8 * long.length)
    .put(8, ...long)
    .end();
}

const short = (value: number): number => Math.min(value, MOST_32);
const versionFor = (field: Uint8Array): number => (field.byteLength === 0 ? 20 : 45);

function localHeader({ name, byteLength, crc32 }: PackedEntry): Uint8Array {
  const field = zip64Field(byteLength, byteLength);
  return new Bytes()
    .put(4, 0x04034b50)
    .put(2, versionFor(field), FLAGS, 0, 0, DATE)
    .put(4, crc32, short(byteLength), short(byteLength))
    .put(2, name.byteLength, field.byteLength)
    .end(name, field);
}

/** Makes an entry's record in the central directory. */
export function directoryRecord({ name, byteLength, crc32, offset }: PackedEntry): Uint8Array {
  const field = zip64Field(byteLength, byteLength, offset);
  return new Bytes()
    .put(4, 0x02014b50)
    .put(2, versionFor(field), versionFor(field), FLAGS, 0, 0, DATE)
    .put(4, crc32, short(byteLength), short(byteLength))
    .put(2, name.byteLength, field.byteLength, 0, 0, 0)
    .put(4, 0, short(offset))
    .end(name, field);
}

/**
 * Makes the end records of an archive whose central directory begins at byte `start` and has `byteLength`
 * bytes.
 */
export function endRecords(
  start: number,
  byteLength: number,
  entryCount: number,
  comment?: string,
): Uint8Array {
  const zip64 = new Bytes();
  const tail = new TextEncoder().encode(comment);
  if (comment !== undefined || entryCount >= 0xffff || start >= MOST_32 || byteLength >= MOST_32) {
    zip64
      .put(4, 0x06064b50)
      .put(8, 44)
      .put(2, 45, 45)
      .put(4, 0, 0)
      .put(8, entryCount, entryCount, byteLength, start)
      .put(4, 0x07064b50, 0)
      .put(8, start + byteLength)
      .put(4, 1);
  }
  const count = Math.min(entryCount, 0xffff);
  return zip64
    .put(4, 0x06054b50)
    .put(2, 0, 0, count, count)
    .put(4, short(byteLength), short(start))
    .put(2, tail.byteLength)
    .end(tail);
}
