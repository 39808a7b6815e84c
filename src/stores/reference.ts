/**
 * Arrays inside other files (NetCDF, HDF5, GRIB, TIFF), by a reference document that says which bytes each chunk is, as kerchunk and
 * VirtualiZarr write them: `import { ReferenceStore } from "wazarr/stores/reference"`.
 */
import { StoreError } from "../errors.js";
import { directoryOf, keysBelow } from "./capabilities.js";
import { checkByteLength } from "./check-store.js";
import {
  AddressedFiles,
  type FileOptions,
  HttpFile,
  pageUrl,
  partOf,
  resolveUri,
  urlOf,
} from "./file-ranges.js";
import { sliceRange } from "./keys-and-ranges.js";
import { type FilePart, parseReferences, type References } from "./reference-document.js";
import type {
  AbsolutePath,
  DirectoryListing,
  Listable,
  RangeQuery,
  Readable,
  StoreOptions,
} from "./store.js";

export type { OpenedFile } from "./file-ranges.js";

export interface ReferenceStoreOptions extends FileOptions {
  /** The file of references whose URL is null. */
  readonly target?: string | URL | undefined;
}

/**
 * Reads the values that a reference document (kerchunk, version 0 or 1) describes: texts in the document itself, and ranges of other files.
 * Ranges of one file that are wanted at the same time, and stand near each other, are one request. `s3:` and `gs:` addresses are read from the
 * public endpoints of their buckets.
 *
 * `headers` and `authorize` are for the origins of the document (`fromUrl`) and of `target` alone: others that the document names
 * are none of the application's choice. `open` and `fetch` decide otherwise.
 *
 * @throws StoreError for documents and references that are none, and files that end too early
 */
export class ReferenceStore implements Readable, Listable {
  readonly #references: References;
  readonly #target: string | undefined;
  readonly #files: AddressedFiles;

  /** @param document parsed JSON @param base the URL from which relative addresses count */
  constructor(document: unknown, options: ReferenceStoreOptions = {}, base?: URL) {
    this.#references = parseReferences(document);
    this.#target = options.target?.toString();
    const own = this.#target === undefined ? undefined : urlOf(this.#target, base);
    const trusted = [own, base].flatMap((url) => (url ? [url.origin] : []));
    this.#files = new AddressedFiles(options, trusted, base);
  }

  /** Of a document that was fetched and parsed already, or is going to be. */
  static fromSpec(document: Promise<unknown>, options?: ReferenceStoreOptions): Promise<ReferenceStore>;
  static fromSpec(document: unknown, options?: ReferenceStoreOptions): ReferenceStore;
  static fromSpec(
    document: unknown,
    options?: ReferenceStoreOptions,
  ): ReferenceStore | Promise<ReferenceStore> {
    return document instanceof Promise
      ? document.then((parsed: unknown) => new ReferenceStore(parsed, options))
      : new ReferenceStore(document, options);
  }

  /** Fetches a document; relative addresses in it count from its URL. @throws StoreError where there is none, or it is no JSON */
  static async fromUrl(url: string | URL, options: ReferenceStoreOptions = {}): Promise<ReferenceStore> {
    const file = new HttpFile(resolveUri(String(url), pageUrl()), options);
    const bytes = await file.get("/");
    if (bytes === undefined) throw new StoreError(`no reference document at ${withoutQuery(file.url)}`);
    let document: unknown;
    try {
      document = JSON.parse(new TextDecoder().decode(bytes));
    } catch (cause) {
      throw new StoreError(`reference document at ${withoutQuery(file.url)}: expected JSON`, { cause });
    }
    return new ReferenceStore(document, options, file.url);
  }

  /** The URL that an `s3:`, `gs:` or `gcs:` address is read from. */
  static resolveUri(address: string): string {
    return resolveUri(address).href;
  }

  async get(key: AbsolutePath, options?: StoreOptions): Promise<Uint8Array | undefined> {
    const found = this.#references.find(key);
    if (found === undefined || found instanceof Uint8Array) return found;
    const { extent } = found;
    if (extent !== undefined) {
      options?.onValue?.({ byteLength: extent.length });
      checkByteLength(extent.length, options?.maximumBytes, key);
    }
    return this.#files.read(this.#addressOf(found, key), extent, key, options);
  }

  async getRange(
    key: AbsolutePath,
    range: RangeQuery,
    options?: StoreOptions,
  ): Promise<Uint8Array | undefined> {
    const found = this.#references.find(key);
    if (found === undefined || found instanceof Uint8Array) return found && sliceRange(found, range);
    const { extent } = found;
    const address = this.#addressOf(found, key);
    if (extent === undefined) return this.#files.readRange(address, range, key, options);
    options?.onValue?.({ byteLength: extent.length });
    return this.#files.read(address, partOf(extent, range), key, options);
  }

  has(key: AbsolutePath): boolean {
    return this.#references.find(key) !== undefined;
  }

  list(): AbsolutePath[] {
    return this.listPrefix("/");
  }

  listPrefix(prefix: AbsolutePath): AbsolutePath[] {
    return keysBelow(this.#references.keys(), prefix);
  }

  listDir(prefix: AbsolutePath): DirectoryListing {
    return directoryOf(this.listPrefix(prefix), prefix);
  }

  #addressOf({ url }: FilePart, key: AbsolutePath): string {
    const address = url ?? this.#target;
    if (address !== undefined) return address;
    throw new StoreError("reference without a file: give the option `target`", { key });
  }
}

/** A query may be a signature. */
const withoutQuery = ({ origin, pathname }: URL): string => `${origin}${pathname}`;
