/**
 * Arrays inside other files (NetCDF, HDF5, GRIB, TIFF), by a reference document that says which bytes each chunk is, as kerchunk and
 * VirtualiZarr write them: `import { ReferenceStore } from "wazarr/stores/reference"`.
 */
import { untilAborted } from "../abort.js";
import { isZarrError, StoreError } from "../errors.js";
import { directoryOf, keysBelow, readRange } from "./capabilities.js";
import { tooLongError } from "./check-store.js";
import type { HttpStoreOptions } from "./http.js";
import { HttpFile } from "./http-file.js";
import { resolveRange, sliceRange } from "./keys-and-ranges.js";
import { MergedReads } from "./merged-reads.js";
import { resolveUri, urlOf } from "./reference/locate.js";
import { type FilePart, parseReferences, type References } from "./reference/references.js";
import type {
  AbsolutePath,
  DirectoryListing,
  Listable,
  RangeQuery,
  Readable,
  StoreOptions,
} from "./store.js";

/** Where a file is: its key in a store. */
export interface OpenedFile {
  readonly store: Readable;
  readonly key: AbsolutePath;
}

export interface ReferenceStoreOptions extends HttpStoreOptions {
  /** The file of references whose URL is null. */
  readonly target?: string | URL | undefined;
  /**
   * Opens the file of an address, as the document has it: files of this machine, buckets that want a signature. Where it answers undefined, the
   * address is read with `HttpStore`.
   */
  readonly open?: ((address: string) => OpenedFile | undefined) | undefined;
}

interface File extends OpenedFile {
  readonly reads: MergedReads;
}

/** Files whose requests are merged; a document may name one for every chunk. */
const MOST_FILES = 1024;

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
  readonly #options: ReferenceStoreOptions;
  readonly #base: URL | undefined;
  readonly #trusted: ReadonlySet<string | undefined>;
  readonly #files = new Map<string, File>();

  /** @param document parsed JSON @param base the URL from which relative addresses count */
  constructor(document: unknown, options: ReferenceStoreOptions = {}, base?: URL) {
    this.#references = parseReferences(document);
    this.#options = options;
    this.#base = base;
    const { target } = options;
    const own = target === undefined ? undefined : urlOf(String(target), base);
    this.#trusted = new Set([own, base].map((url) => url?.origin));
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
    return this.#inFile(found, key, async (file) => {
      const { extent } = found;
      if (extent === undefined) return file.store.get(file.key, options);
      this.#announce(extent.length, key, options);
      return this.#read(file, extent, options);
    });
  }

  async getRange(
    key: AbsolutePath,
    range: RangeQuery,
    options?: StoreOptions,
  ): Promise<Uint8Array | undefined> {
    const found = this.#references.find(key);
    if (found === undefined || found instanceof Uint8Array) return found && sliceRange(found, range);
    return this.#inFile(found, key, async (file) => {
      const { extent } = found;
      if (extent === undefined) return readRange(file.store, file.key, range, options);
      const { start, end } = resolveRange(range, extent.length);
      options?.onValue?.({ byteLength: extent.length });
      return this.#read(file, { offset: extent.offset + start, length: end - start }, options);
    });
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

  #announce(byteLength: number, key: AbsolutePath, options: StoreOptions | undefined): void {
    options?.onValue?.({ byteLength });
    const { maximumBytes = byteLength } = options ?? {};
    if (byteLength > maximumBytes) throw tooLongError(key, maximumBytes, byteLength);
  }

  async #read(
    file: File,
    extent: { readonly offset: number; readonly length: number },
    options: StoreOptions | undefined,
  ): Promise<Uint8Array> {
    if (extent.length === 0) return new Uint8Array(0);
    const { signal, priority } = options ?? {};
    return untilAborted(signal, () => file.reads.read(extent, { signal, priority }));
  }

  /** Failures name the key besides the file's. */
  async #inFile(
    { url }: FilePart,
    key: AbsolutePath,
    read: (file: File) => Promise<Uint8Array | undefined>,
  ): Promise<Uint8Array | undefined> {
    const address = url ?? this.#options.target?.toString();
    if (address === undefined) {
      throw new StoreError("reference without a file: give the option `target`", { key });
    }
    const bytes = await read(this.#file(address)).catch((cause: unknown) => {
      if (!isZarrError(cause, "StoreError")) throw cause;
      const { status, retryAfter, isTransient, message } = cause;
      const context = { key, status, retryAfter, isTransient, cause };
      throw new StoreError(`reference to ${JSON.stringify(address)}: ${message}`, context);
    });
    if (bytes !== undefined) return bytes;
    throw new StoreError(`reference to ${JSON.stringify(address)}: there is no such file`, { key });
  }

  #file(address: string): File {
    const known = this.#files.get(address);
    if (known !== undefined) return known;
    const opened = this.#options.open?.(address) ?? this.#overHttp(address);
    const file = { ...opened, reads: new MergedReads(opened.store, opened.key) };
    this.#files.set(address, file);
    for (const oldest of this.#files.keys()) {
      if (this.#files.size > MOST_FILES) this.#files.delete(oldest);
      else break;
    }
    return file;
  }

  #overHttp(address: string): OpenedFile {
    const url = resolveUri(address, this.#base);
    const { headers, authorize, ...others } = this.#options;
    const options = this.#trusted.has(url.origin) ? this.#options : others;
    return { store: new HttpFile(url, options), key: "/" };
  }
}

/** A page's URL, from which relative ones count. */
function pageUrl(): URL | undefined {
  const href = globalThis.location?.href;
  return href === undefined ? undefined : new URL(href);
}

/** A query may be a signature. */
const withoutQuery = ({ origin, pathname }: URL): string => `${origin}${pathname}`;
