/** A zip archive as a store, read only, and the packing of one: `import { ZipStore } from "wazarr/stores/zip"`. */
import { StoreError } from "../errors.js";
import { directoryOf, keysBelow, readRange } from "./capabilities.js";
import { HttpStore, type HttpStoreOptions } from "./http.js";
import { resolveRange, sliceRange } from "./keys-and-ranges.js";
import type {
  AbsolutePath,
  DirectoryListing,
  Listable,
  RangeQuery,
  Readable,
  StoreOptions,
} from "./store.js";
import { checkEntry, decodeEntry, STORED } from "./zip/decode.js";
import {
  directoryInTail,
  LOCAL_HEADER_LENGTH,
  LONGEST_END,
  readDataOffset,
  readDirectory,
  readEnd,
  readZip64End,
  ZIP64_END_LENGTH,
  type ZipEntry,
  zipError,
} from "./zip/records.js";

/** An entry, how far its bytes may reach, and, once its local header was seen, where they begin. */
interface Value extends ZipEntry {
  readonly limit: number;
  dataOffset: number | undefined;
}

export { packZip } from "./zip/pack.js";

/** One value, whatever its key: its URL is requested as it was given, since decoding it ("%2F") would lead elsewhere. */
class HttpValue extends HttpStore {
  protected override urlOf(): URL {
    return this.url;
  }
}

/** Local headers hold a copy of the name and fields of a few bytes; those that are longer cost a second request. */
const SHORT_FIELDS = 64;

/**
 * Reads entries of a zip archive that is itself a value of another store, so it may be a file, behind a URL, or in
 * memory. The central directory is read at the first use, in one request where it fits into the last 64 KiB; a value
 * is one more. Stored and deflated entries, zip64; values are checked against their CRC-32, ranges cannot be.
 *
 * The archive must not change while it is in use.
 *
 * @throws StoreError for archives and entries that are damaged or contradict themselves; UnsupportedError for encrypted
 * entries and other compression methods; NotFoundError never: a missing archive is a StoreError
 */
export class ZipStore implements Readable, Listable {
  readonly #source: Readable;
  readonly #archive: AbsolutePath;
  #values: Promise<ReadonlyMap<AbsolutePath, Value>> | undefined;

  /** @param source store that has the archive @param archive the archive's key in it */
  constructor(source: Readable, archive: AbsolutePath) {
    this.#source = source;
    this.#archive = archive;
  }

  static fromBlob(blob: Blob): ZipStore {
    const read = async (start: number, end: number) =>
      new Uint8Array(await blob.slice(start, end).arrayBuffer());
    const source: Readable = {
      get: () => read(0, blob.size),
      getRange(_key, range) {
        const { start, end } = resolveRange(range, blob.size);
        return read(start, end);
      },
    };
    return new ZipStore(source, "/blob");
  }

  static fromUrl(url: string | URL, options?: HttpStoreOptions): ZipStore {
    const store = new HttpValue(url, options);
    return new ZipStore(store, `/${store.url.pathname.replace(/^.*\//, "")}`);
  }

  async get(key: AbsolutePath, options?: StoreOptions): Promise<Uint8Array | undefined> {
    const value = await this.#find(key, options);
    return value && this.#read(value, key, options);
  }

  async getRange(
    key: AbsolutePath,
    range: RangeQuery,
    options?: StoreOptions,
  ): Promise<Uint8Array | undefined> {
    const value = await this.#find(key, options);
    if (value === undefined) return undefined;
    if (value.method !== STORED) return sliceRange(await this.#read(value, key, options), range);
    const { start, end } = resolveRange(range, value.byteLength);
    const offset = await this.#dataOffset(value, options);
    return this.#bytes(offset + start, end - start, options);
  }

  async has(key: AbsolutePath, options?: StoreOptions): Promise<boolean> {
    return (await this.#directory(options)).has(key);
  }

  async list(options?: StoreOptions): Promise<AbsolutePath[]> {
    return this.listPrefix("/", options);
  }

  async listPrefix(prefix: AbsolutePath, options?: StoreOptions): Promise<AbsolutePath[]> {
    return keysBelow((await this.#directory(options)).keys(), prefix);
  }

  async listDir(prefix: AbsolutePath, options?: StoreOptions): Promise<DirectoryListing> {
    return directoryOf(await this.listPrefix(prefix, options), prefix);
  }

  async #find(key: AbsolutePath, options: StoreOptions | undefined): Promise<Value | undefined> {
    const value = (await this.#directory(options)).get(key);
    if (value === undefined) return undefined;
    checkEntry(value, key);
    options?.onValue?.({ byteLength: value.byteLength });
    return value;
  }

  async #read(value: Value, key: AbsolutePath, options: StoreOptions | undefined): Promise<Uint8Array> {
    const { offset, compressedLength, limit } = value;
    let start = value.dataOffset;
    let bytes: Uint8Array | undefined;
    if (start === undefined) {
      const headerLength = LOCAL_HEADER_LENGTH + value.nameLength + SHORT_FIELDS;
      const around = await this.#bytes(
        offset,
        Math.min(limit - offset, headerLength + compressedLength),
        options,
      );
      start = value.dataOffset = dataOffsetOf(around, value);
      bytes = around.subarray(start - offset, start - offset + compressedLength);
    }
    if (bytes?.byteLength !== compressedLength) bytes = await this.#bytes(start, compressedLength, options);
    return decodeEntry(value, bytes, key);
  }

  async #dataOffset(value: Value, options: StoreOptions | undefined): Promise<number> {
    value.dataOffset ??= dataOffsetOf(await this.#bytes(value.offset, LOCAL_HEADER_LENGTH, options), value);
    return value.dataOffset;
  }

  /** Bytes of the archive. */
  async #bytes(offset: number, length: number, options?: StoreOptions): Promise<Uint8Array> {
    const bytes = await readRange(this.#source, this.#archive, { offset, length }, options);
    if (bytes?.byteLength === length) return bytes;
    throw zipError(`expected ${length} bytes at byte ${offset}, got ${bytes?.byteLength ?? "none"}`);
  }

  async #directory(options: StoreOptions | undefined): Promise<ReadonlyMap<AbsolutePath, Value>> {
    options?.signal?.throwIfAborted();
    // Without the signal: whoever comes first must not take the directory away from the others by an abort.
    this.#values ??= this.#load().catch((cause: unknown) => {
      this.#values = undefined;
      const problem = cause instanceof Error ? cause.message : String(cause);
      throw new StoreError(`cannot open a zip archive: ${problem}`, { key: this.#archive, cause });
    });
    const values = await this.#values;
    options?.signal?.throwIfAborted();
    return values;
  }

  async #load(): Promise<ReadonlyMap<AbsolutePath, Value>> {
    const tail = await readRange(this.#source, this.#archive, { suffixLength: LONGEST_END });
    if (tail === undefined) throw new StoreError("no such file");
    const end = readEnd(tail);
    const place =
      "zip64Offset" in end ? readZip64End(await this.#bytes(end.zip64Offset, ZIP64_END_LENGTH)) : end;
    const entries = readDirectory(
      directoryInTail(tail, end) ?? (await this.#bytes(place.offset, place.byteLength)),
      place,
    );
    const values = new Map<AbsolutePath, Value>();
    for (const [index, entry] of entries.entries()) {
      const limit = entries[index + 1]?.offset ?? place.offset;
      // Where a name comes twice, the later entry holds: so writers replace values in archives.
      if (!entry.name.endsWith("/")) values.set(`/${entry.name}`, { ...entry, limit, dataOffset: undefined });
    }
    return values;
  }
}

function dataOffsetOf(header: Uint8Array, value: Value): number {
  const offset = readDataOffset(header, value);
  if (offset + value.compressedLength <= value.limit) return offset;
  throw zipError(`entry ${JSON.stringify(value.name)} reaches into what begins at byte ${value.limit}`);
}
