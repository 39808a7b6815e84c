/** References in kerchunk's layout of Parquet files, as a store. */
import {
  type AbsolutePath,
  type AsyncStore,
  BoundedCache,
  checkBytes,
  type DirectoryListing,
  type Listable,
  NetworkStore,
  type RangeQuery,
  type Readable,
  type ReadBytes,
  SortedKeys,
  StoreError,
  type StoreOptions,
  untilAborted,
} from "../../../core/for-stores.js";
import { resolveUri } from "../../file-ranges/address-urls.js";
import {
  AddressedFiles,
  type AddressedValue,
  type FileOptions,
  inContext,
} from "../../file-ranges/addressed-files.js";
import { type ChunkedArray, chunkAt, chunkKeys, DOCUMENT, type Layout, parseLayout } from "./layout.js";
import { loadReader, type Rows } from "./rows.js";

/** Largest files in bytes: ".zmetadata", and one of references. */
const LONGEST_DOCUMENT = 256 << 20;
const LONGEST_FILE = 64 << 20;
/** Bounds on files of references that are kept: their memory, and how many. */
const CACHE_BOUNDS = { bytes: 256 << 20, entries: 1024 };
/** Most chunks of an array that is listed. */
const MOST_LISTED = 10_000_000;

/**
 * @param folder store that has the files at its root
 * @param base base URL for relative addresses
 * @throws StoreError for a folder that has no such files; UnsupportedError without the package `hyparquet`
 */
export async function openParquet(
  folder: Readable,
  options: FileOptions,
  base?: URL,
): Promise<AsyncStore & Listable> {
  const answer = await folder.get(DOCUMENT, { maximumBytes: LONGEST_DOCUMENT });
  const document = checkBytes(answer, DOCUMENT);
  if (document === undefined)
    throw new StoreError("references in Parquet: no .zmetadata in the folder", { key: DOCUMENT });
  return new ParquetReferences(folder, parseLayout(document), await loadReader(), options, base);
}

class ParquetReferences extends NetworkStore implements Listable {
  readonly #folder: Readable;
  readonly #layout: Layout;
  readonly #read: (file: Uint8Array) => Promise<Rows>;
  readonly #files: AddressedFiles;
  /** By key; undefined is a file that is missing: all of its chunks are. */
  readonly #records = new BoundedCache<AbsolutePath, Promise<Rows | undefined>>(CACHE_BOUNDS);

  constructor(
    folder: Readable,
    layout: Layout,
    read: (file: Uint8Array) => Promise<Rows>,
    options: FileOptions,
    base: URL | undefined,
  ) {
    super();
    this.#folder = folder;
    this.#layout = layout;
    this.#read = read;
    const trusted = base === undefined ? [] : [base.origin];
    this.#files = new AddressedFiles(options, trusted, (address) => resolveUri(address, base));
  }

  protected override async readBytes(
    key: AbsolutePath,
    range: RangeQuery | undefined,
    options: StoreOptions | undefined,
  ): Promise<ReadBytes | undefined> {
    const found = await this.#find(key, options);
    return found && this.#files.read(found, range, key, options);
  }

  async has(key: AbsolutePath, options?: StoreOptions): Promise<boolean> {
    return (await this.#find(key, options)) !== undefined;
  }

  list(options?: StoreOptions): AsyncIterable<AbsolutePath> {
    return this.listPrefix("/", options);
  }

  async *listPrefix(prefix: AbsolutePath, options?: StoreOptions): AsyncGenerator<AbsolutePath> {
    for (const key of this.#layout.documents.keys()) if (key.startsWith(prefix)) yield key;
    for (const array of this.#layout.arrays.values()) {
      const folder = `${array.path}/`;
      if (!folder.startsWith(prefix) && !prefix.startsWith(folder)) continue;
      for await (const key of this.#chunks(array, options)) if (key.startsWith(prefix)) yield key;
    }
  }

  async listDir(prefix: AbsolutePath, options?: StoreOptions): Promise<DirectoryListing> {
    const keys: AbsolutePath[] = [...this.#layout.documents.keys()];
    for (const array of this.#layout.arrays.values())
      if (prefix.startsWith(`${array.path}/`))
        for await (const key of this.#chunks(array, options)) keys.push(key);
    return new SortedKeys(keys).directory(prefix);
  }

  /** The keys of an array's chunks that are there. */
  async *#chunks(array: ChunkedArray, options: StoreOptions | undefined): AsyncGenerator<AbsolutePath> {
    if (array.chunkCount > MOST_LISTED)
      throw new StoreError(`expected at most ${MOST_LISTED} chunks to list, got ${array.chunkCount}`, {
        key: array.path,
      });
    const { recordSize } = this.#layout;
    let rows: Rows | undefined;
    let number = 0;
    for (const key of chunkKeys(array)) {
      if (number % recordSize === 0) rows = await this.#record(array, number / recordSize, options);
      if (rows?.at(number % recordSize) !== undefined) yield key;
      number++;
    }
  }

  async #find(key: AbsolutePath, options: StoreOptions | undefined): Promise<AddressedValue | undefined> {
    const document = this.#layout.documents.get(key);
    if (document !== undefined) return document;
    const chunk = chunkAt(this.#layout, key);
    if (chunk === undefined) return undefined;
    const { recordSize } = this.#layout;
    const rows = await this.#record(chunk.array, Math.floor(chunk.number / recordSize), options);
    const found = rows?.at(chunk.number % recordSize);
    // Inlined bytes are views of a whole page.
    if (found === undefined || found instanceof Uint8Array) return found?.slice();
    return { address: found.url, extent: found.extent };
  }

  /** The references of a file, which all who want them at the same time share. */
  #record(array: ChunkedArray, index: number, options: StoreOptions | undefined): Promise<Rows | undefined> {
    const key: AbsolutePath = `${array.path}/refs.${index}.parq`;
    return untilAborted(options?.signal, () => {
      const known = this.#records.get(key);
      if (known !== undefined) return known;
      const rows = this.#readRecord(key, array, index, options);
      this.#records.set(key, rows);
      rows.then(
        (read) => {
          if (this.#records.peek(key) === rows) this.#records.set(key, rows, read?.byteLength);
        },
        () => {
          if (this.#records.peek(key) === rows) this.#records.delete(key);
        },
      );
      return rows;
    });
  }

  async #readRecord(
    key: AbsolutePath,
    { chunkCount }: ChunkedArray,
    index: number,
    options: StoreOptions | undefined,
  ): Promise<Rows | undefined> {
    const { recordSize } = this.#layout;
    const requestOptions = { priority: options?.priority, maximumBytes: LONGEST_FILE };
    const file = checkBytes(await this.#folder.get(key, requestOptions), key);
    if (file === undefined) return undefined;
    let rows: Rows;
    try {
      rows = await this.#read(file);
    } catch (cause) {
      throw inContext(cause, "a damaged file of references in Parquet", key);
    }
    const least = Math.min(recordSize, chunkCount - index * recordSize);
    if (rows.count >= least && rows.count <= recordSize) return rows;
    throw new StoreError(
      `expected ${least} to ${recordSize} rows, as record_size and the array's chunks say, got ${rows.count}`,
      { key },
    );
  }
}
