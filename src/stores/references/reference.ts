/**
 * Reads arrays inside other files (NetCDF, HDF5, TIFF, GRIB) by a reference document of kerchunk or
 * VirtualiZarr.
 *
 * ```ts
 * import { get, open, root } from "wazarr";
 * import { ReferenceStore } from "wazarr/stores/reference";
 *
 * const store = await ReferenceStore.fromUrl("https://example.com/reanalysis.json");
 * const array = await open(root(store).resolve("t2m"), { kind: "array" });
 * console.log(await get(array, [0, 0, 0]));
 * ```
 * @module
 */
import {
  type AbsolutePath,
  type AsyncStore,
  checkNames,
  checkStore,
  type DirectoryListing,
  describeStore,
  keysBelow,
  type Listable,
  type NamesOf,
  NetworkStore,
  type RangeQuery,
  type Readable,
  type ReadBytes,
  SortedKeys,
  StoreError,
  type StoreOptions,
  shown,
} from "../../core/for-stores.js";
import { HttpStore } from "../../core/stores/http/http.js";
import { pageUrl, resolveUri, urlOf } from "../file-ranges/address-urls.js";
import {
  AddressedFiles,
  type AddressedValue,
  FILE_OPTIONS,
  type FileOptions,
  HttpFile,
  httpOptions,
} from "../file-ranges/addressed-files.js";
import { readDocument } from "../file-ranges/read-document.js";
import { type FilePart, parseReferences, type References } from "./document.js";

export type { OpenedFile } from "../file-ranges/addressed-files.js";
export type { FilePart } from "./document.js";

/** Options of `ReferenceStore`. */
export interface ReferenceStoreOptions extends FileOptions {
  /** Address of the file that references with a null URL refer to. */
  readonly target?: string | URL | undefined;
}

const OPTIONS: NamesOf<ReferenceStoreOptions> = { ...FILE_OPTIONS, target: true };

/**
 * Reads the values of a reference document (kerchunk, version 0 or 1): strings in the document itself, and
 * byte ranges of other files. Concurrent reads of ranges that are near each other in one file are merged into
 * one request. `s3:` and `gs:` addresses are read from the public endpoints of their buckets.
 *
 * The options `headers` and `authorize`, and `headers` and `credentials` of `overrides`, apply only to the
 * origins of the document (`fromUrl`) and of `target`, because the application did not choose the other
 * origins that the document names. For those use `open` or `fetch`.
 *
 * @throws StoreError for documents of more than 512 MiB, invalid documents and references, and files that end
 * too early
 */
export class ReferenceStore extends NetworkStore implements Listable {
  readonly #references: References;
  readonly #target: string | undefined;
  /** Made by the first `listDir`. */
  #sorted: SortedKeys | undefined;
  readonly #files: AddressedFiles;

  /**
   * @param document parsed JSON
   * @param base base URL for relative addresses
   * @throws StoreError for an invalid document
   */
  constructor(document: unknown, options: ReferenceStoreOptions = {}, base?: URL) {
    super();
    checkNames(options, "ReferenceStore", OPTIONS);
    this.#references = parseReferences(document);
    this.#target = options.target?.toString();
    const targetUrl = this.#target === undefined ? undefined : urlOf(this.#target, base);
    const trusted = [targetUrl, base].flatMap((url) => (url ? [url.origin] : []));
    this.#files = new AddressedFiles(options, trusted, (address) => resolveUri(address, base));
  }

  /**
   * Makes a store from a parsed document, or from a promise of one.
   * @throws StoreError for an invalid document
   */
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

  /**
   * Fetches a document; its URL is the base of relative addresses in it.
   * @throws StoreError when it is missing or not JSON
   */
  static async fromUrl(url: string | URL, options: ReferenceStoreOptions = {}): Promise<ReferenceStore> {
    checkNames(options, "ReferenceStore", OPTIONS);
    const file = new HttpFile(resolveUri(String(url), pageUrl()), options);
    const document = await readDocument(file, "/", shown(file.url));
    return new ReferenceStore(document, options, file.url);
  }

  /**
   * Makes a store from a document that is a value of a store, such as a folder or a bucket. Relative
   * addresses in it need `open`.
   * @throws StoreError when it is missing or not JSON
   */
  static async fromStore(
    store: Readable,
    key: AbsolutePath,
    options?: ReferenceStoreOptions,
  ): Promise<ReferenceStore> {
    checkStore(store);
    return new ReferenceStore(
      await readDocument(store, key, `${JSON.stringify(key)} in ${describeStore(store)}`),
      options,
    );
  }

  /**
   * Opens references that kerchunk wrote as Parquet: a folder with `.zmetadata` and `NAME/refs.0.parq`. Files
   * of references are read when a chunk of theirs is, and kept up to 256 MiB. Addresses in them are held to
   * the same rules as those of documents. Needs the package `hyparquet`.
   * @param folder URL of the folder, which is the base of relative addresses, or a store with the folder's
   * files at its root
   * @throws StoreError for a folder without such files, or with damaged ones; UnsupportedError without
   * `hyparquet`
   */
  static async fromParquet(
    folder: string | URL | Readable,
    options: Omit<ReferenceStoreOptions, "target"> = {},
  ): Promise<AsyncStore & Listable> {
    checkNames(options, "ReferenceStore.fromParquet", FILE_OPTIONS);
    const { openParquet } = await import("./parquet/store.js");
    if (typeof folder !== "string" && !(folder instanceof URL)) return openParquet(folder, options);
    const { href } = resolveUri(String(folder), pageUrl());
    const base = new URL(href.replace(/\/*(?=[?#]|$)/, "/"));
    return openParquet(new HttpStore(base, httpOptions(options)), options, base);
  }

  /**
   * @returns the http(s) URL from which an `s3:`, `gs:`, `gcs:` or http(s) address is read
   * @throws StoreError for other addresses
   */
  static resolveUri(address: string): string {
    return resolveUri(address).href;
  }

  protected override async readBytes(
    key: AbsolutePath,
    range: RangeQuery | undefined,
    options: StoreOptions | undefined,
  ): Promise<ReadBytes | undefined> {
    const found = this.#find(key);
    return found && this.#files.read(found, range, key, options);
  }

  /**
   * What the document says of a key. Nothing is requested.
   * @returns the bytes, if the document has them; otherwise the file, and which bytes of it; undefined for a
   * key that is missing
   * @throws StoreError for an invalid reference
   */
  referenceTo(key: AbsolutePath): Uint8Array | FilePart | undefined {
    const found = this.#references.find(key);
    if (found === undefined || found instanceof Uint8Array) return found;
    return { ...found, url: found.url ?? this.#target };
  }

  /** Whether a key exists, without a request. */
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
    this.#sorted ??= new SortedKeys(this.#references.keys());
    return this.#sorted.directory(prefix);
  }

  #find(key: AbsolutePath): AddressedValue | undefined {
    const found = this.referenceTo(key);
    if (found === undefined || found instanceof Uint8Array) return found;
    const { url: address, extent } = found;
    if (address === undefined)
      throw new StoreError("reference without a file; pass the option `target`", { key });
    return { address, extent };
  }
}
