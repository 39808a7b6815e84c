/**
 * Reads a zip archive, and makes one with `packZip`.
 *
 * ```ts
 * import { get, open, root } from "wazarr";
 * import { ZipStore } from "wazarr/stores/zip";
 *
 * const store = ZipStore.fromUrl("https://example.com/climate.zip");
 * const array = await open(root(store).resolve("t2m"), { kind: "array" });
 * console.log(await get(array, [0, 0, 0]));
 * ```
 * @module
 */

import {
  type AbsolutePath,
  checkByteLength,
  checkNames,
  type DirectoryListing,
  describe,
  describeGiven,
  describeStore,
  type Extent,
  HTTP_OPTIONS,
  type HttpStoreOptions,
  InvalidArgumentError,
  ignoredRanges,
  isDocument,
  isReadable,
  keysBelow,
  type Listable,
  NetworkStore,
  type RangeQuery,
  type Readable,
  type ReadBytes,
  readRange,
  resolveRange,
  SortedKeys,
  StoreError,
  type StoreOptions,
  sliceRange,
} from "../../core/for-stores.js";
import { HttpFile, inContext } from "../file-ranges/addressed-files.js";
import { boundOfPart } from "../file-ranges/file-ranges.js";
import { ArchiveBytes } from "./archive-bytes.js";
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
} from "./entries.js";
import { checkEntry, decodeEntry, STORED } from "./entry-data.js";

/**
 * An entry with the byte offset that its data must not exceed, and the offset of its data once the local
 * header is read.
 */
interface Value extends ZipEntry {
  readonly limit: number;
  dataOffset: number | undefined;
}

export { packOzx, packZip } from "./pack.js";

/**
 * Bytes that a first read allows for the extra fields of a local header. Longer fields cost a second request.
 */
const SHORT_FIELDS = 64;

/**
 * Bytes to read in front of a central directory that needs a request of its own: `packZip` puts the documents
 * there.
 */
const IN_FRONT = 64 << 10;

/**
 * Reads entries of a zip archive that is a value of another store: a file, a URL or memory. The first use
 * reads the central directory, in one request if it fits into the last 64 KiB, and keeps the other bytes of
 * that request. A metadata document is read together with documents near it. Concurrent reads of small values
 * near each other are merged into one request. Supports stored and deflated entries and zip64. Whole values
 * are checked against their CRC-32; ranges of stored entries are not.
 *
 * The archive must not change while it is in use.
 *
 * @throws StoreError for a missing archive (never NotFoundError), and for damaged or inconsistent archives
 * and entries; UnsupportedError for encrypted entries and other compression methods
 */
export class ZipStore extends NetworkStore implements Listable {
  readonly #source: Readable;
  readonly #archive: AbsolutePath;
  readonly #bytes: ArchiveBytes;
  #values: Promise<ReadonlyMap<AbsolutePath, Value>> | undefined;
  /** Made by the first `listDir`. */
  #sorted: SortedKeys | undefined;

  /**
   * @param source store that has the archive as a value
   * @param archive the archive's key in that store: "/data.zip"
   * @throws InvalidArgumentError for something that is not a store, and for a key without "/"
   */
  constructor(source: Readable, archive: AbsolutePath) {
    super();
    checkSource(source, archive);
    this.#source = source;
    this.#archive = archive;
    this.#bytes = new ArchiveBytes(source, archive);
  }

  /** A zip that is in memory, or a File that a user picked. Entries are read when they are needed. */
  static fromBlob(blob: Blob): ZipStore {
    if (typeof blob?.slice !== "function" || typeof blob.size !== "number")
      throw new InvalidArgumentError(
        `ZipStore.fromBlob: expected a Blob or File, got ${describeGiven(blob)}; new Blob([bytes]) makes one of bytes`,
      );
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

  /** A zip on a server that answers ranges of bytes. Nothing is requested before the first read. */
  static fromUrl(url: string | URL, options: HttpStoreOptions = {}): ZipStore {
    checkNames(options, "ZipStore.fromUrl", HTTP_OPTIONS);
    const store = new HttpFile(url, options);
    return new ZipStore(store, `/${store.url.pathname.replace(/^.*\//, "")}`);
  }

  protected override async readBytes(
    key: AbsolutePath,
    range: RangeQuery | undefined,
    options: StoreOptions | undefined,
  ): Promise<ReadBytes | undefined> {
    const value = await this.#find(key, options);
    if (value === undefined) return undefined;
    const { byteLength } = value;
    if (range === undefined) {
      checkByteLength(byteLength, options?.maximumBytes, key);
      return { bytes: await this.#read(value, key, options), byteLength };
    }
    const { start, end } = resolveRange(range, byteLength);
    if (start === end) return { bytes: new Uint8Array(0), byteLength };
    if (value.method !== STORED) {
      ignoredRanges.add(this);
      checkByteLength(byteLength, options?.maximumBytes, key);
      return { bytes: sliceRange(await this.#read(value, key, options), range), byteLength };
    }
    ignoredRanges.delete(this);
    const offset = await this.#dataOffset(value, options);
    const extent = { offset: offset + start, length: end - start };
    return { bytes: await this.#bytes.read(extent, options), byteLength };
  }

  /** Whether the archive has an entry of this name. */
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
    const values = await this.#directory(options);
    this.#sorted ??= new SortedKeys(values.keys());
    return this.#sorted.directory(prefix);
  }

  async #find(key: AbsolutePath, options: StoreOptions | undefined): Promise<Value | undefined> {
    const value = (await this.#directory(options)).get(key);
    if (value === undefined) return undefined;
    checkEntry(value, key);
    return value;
  }

  async #read(value: Value, key: AbsolutePath, options: StoreOptions | undefined): Promise<Uint8Array> {
    const { offset, compressedLength } = value;
    let start = value.dataOffset;
    let bytes: Uint8Array | undefined;
    if (start === undefined) {
      const around = await this.#bytes.read(extentOf(value), options);
      start = value.dataOffset = dataOffsetOf(around, value);
      bytes = around.subarray(start - offset, start - offset + compressedLength);
    }
    if (bytes?.byteLength !== compressedLength)
      bytes = await this.#bytes.read({ offset: start, length: compressedLength }, options);
    return decodeEntry(value, bytes, key);
  }

  async #dataOffset(value: Value, options: StoreOptions | undefined): Promise<number> {
    const { offset, nameLength, compressedLength, limit } = value;
    const earliest = offset + LOCAL_HEADER_LENGTH + nameLength;
    // If header, name and data fill the space up to the next entry exactly, the data offset is known without
    // reading the header.
    if (earliest + compressedLength === limit) return earliest;
    const header = { offset, length: LOCAL_HEADER_LENGTH };
    value.dataOffset ??= dataOffsetOf(await this.#bytes.read(header, options), value);
    return value.dataOffset;
  }

  async #directory(options: StoreOptions | undefined): Promise<ReadonlyMap<AbsolutePath, Value>> {
    options?.signal?.throwIfAborted();
    // No signal: all callers share this read, so the first caller's abort must not fail the others.
    this.#values ??= this.#load().catch((cause: unknown) => {
      this.#values = undefined;
      throw inContext(cause, "cannot open the archive", this.#archive);
    });
    const values = await this.#values;
    options?.signal?.throwIfAborted();
    return values;
  }

  async #load(): Promise<ReadonlyMap<AbsolutePath, Value>> {
    const bound = { maximumBytes: boundOfPart(LONGEST_END) };
    const tail = await readRange(this.#source, this.#archive, { suffixLength: LONGEST_END }, bound);
    if (tail === undefined) throw new StoreError(`no such file in ${describeStore(this.#source)}`);
    const end = readEnd(tail);
    const place =
      "zip64Offset" in end
        ? readZip64End(await this.#bytes.readAlone({ offset: end.zip64Offset, length: ZIP64_END_LENGTH }))
        : end;
    let directory = directoryInTail(tail, end);
    let front = tail.subarray(0, directory && directory.byteOffset - tail.byteOffset);
    if (directory === undefined) {
      const length = Math.min(place.offset, IN_FRONT);
      const extent = { offset: place.offset - length, length: length + place.byteLength };
      const both = await this.#bytes.readAlone(extent);
      [front, directory] = [both.subarray(0, length), both.subarray(length)];
    }
    const entries = readDirectory(directory, place);
    this.#bytes.keep(place.offset - front.byteLength, front.slice());
    const values = new Map<AbsolutePath, Value>();
    for (const [index, entry] of entries.entries()) {
      const limit = entries[index + 1]?.offset ?? place.offset;
      // Writers replace a value by appending an entry with the same name: the later one is valid.
      if (!entry.name.endsWith("/")) values.set(`/${entry.name}`, { ...entry, limit, dataOffset: undefined });
    }
    const documents = [...values].filter(([key]) => isDocument(key));
    this.#bytes.setDocuments(documents.map(([, value]) => extentOf(value)));
    return values;
  }
}

function checkSource(source: unknown, archive: unknown): void {
  const isKey = typeof archive === "string" && archive.startsWith("/");
  if (isReadable(source) && isKey) return;
  const got = isReadable(source) ? `the key ${describe(archive)}` : describeGiven(source);
  throw new InvalidArgumentError(
    `ZipStore: expected a store and the archive's key in it, new ZipStore(new FileSystemStore("folder"), "/data.zip"), got ${got}; ZipStore.fromUrl takes a URL, ZipStore.fromBlob a File or Blob`,
  );
}

/**
 * The byte range to read for an entry: header, name and data. Too short when the extra fields exceed
 * SHORT_FIELDS.
 */
function extentOf({ offset, nameLength, compressedLength, limit }: Value): Extent {
  const headerLength = LOCAL_HEADER_LENGTH + nameLength + SHORT_FIELDS;
  return { offset, length: Math.min(limit - offset, headerLength + compressedLength) };
}

function dataOffsetOf(header: Uint8Array, value: Value): number {
  const offset = readDataOffset(header, value);
  if (offset + value.compressedLength <= value.limit) return offset;
  throw zipError(`entry ${JSON.stringify(value.name)} overlaps what begins at byte ${value.limit}`);
}
