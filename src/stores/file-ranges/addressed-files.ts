/** Files that a document names by their addresses. */
import {
  type AbsolutePath,
  askParts,
  BoundedCache,
  checkByteLength,
  type Extent,
  HTTP_OPTIONS,
  type HttpStoreOptions,
  isZarrError,
  type NamesOf,
  type RangeQuery,
  type Readable,
  type ReadBytes,
  resolveRange,
  StoreError,
  type StoreOptions,
  sliceRange,
  untilAborted,
  withoutCredentials,
} from "../../core/for-stores.js";
import { HttpStore } from "../../core/stores/http/http.js";
import { shownName } from "./address-urls.js";
import { boundOfPart, MergedReads } from "./file-ranges.js";
import type { FileState } from "./file-state.js";
import { checkNamed } from "./named-addresses.js";

/** A file as a value of a store. */
export interface OpenedFile {
  readonly store: Readable;
  readonly key: AbsolutePath;
}

export interface FileOptions extends HttpStoreOptions {
  /**
   * Opens the file at an address as it is written in the document, for example a local file or a bucket that
   * needs signatures. When it returns undefined, `HttpStore` reads the address.
   */
  readonly open?: ((address: string) => OpenedFile | undefined) | undefined;
  /**
   * Beginnings of URLs of this machine that a document may name, such as "http://localhost:9000/data".
   * Without them, only its own origin (and that of the application's `target`) may be at localhost or another
   * address of this machine or its link, such as 169.254.169.254.
   */
  readonly allow?: readonly string[] | undefined;
}

/** What of the options `HttpStore` takes. */
export function httpOptions({ open, allow, ...options }: FileOptions): HttpStoreOptions {
  return options;
}

export const FILE_OPTIONS: NamesOf<FileOptions> = { ...HTTP_OPTIONS, open: "function", allow: "list" };

/** A value that a document contains, or names by a file: all of it, or a part. */
export type AddressedValue =
  | Uint8Array
  | {
      readonly address: string;
      readonly extent?: Extent | undefined;
      /** How the file of an extent was when the document was written. */
      readonly state?: FileState | undefined;
    };
interface File extends OpenedFile {
  readonly reads: MergedReads;
}

/** How many open files are remembered. A bound, because a document may name a file for every chunk. */
const MOST_FILES = 1024;

/**
 * Reads files by their addresses. Credentials (`headers`, `authorize`, those of `overrides`) go only to
 * origins that the application chose, not to those of a document.
 */
export class AddressedFiles {
  readonly #options: FileOptions;
  readonly #trusted: ReadonlySet<string>;
  readonly #urlOf: (address: string) => URL;
  readonly #files = new BoundedCache<string, File>({ entries: MOST_FILES });

  /**
   * @param trusted origins that the application chose
   * @param urlOf the URL of an address that `open` leaves; throws StoreError for one without an http(s) URL
   */
  constructor(options: FileOptions, trusted: Iterable<string>, urlOf: (address: string) => URL) {
    this.#options = options;
    this.#trusted = new Set(trusted);
    this.#urlOf = urlOf;
  }

  /**
   * Reads a range of a value, or all of it without one.
   * @throws StoreError with key and address, also for a missing file
   */
  async read(
    value: AddressedValue,
    range: RangeQuery | undefined,
    key: AbsolutePath,
    options: StoreOptions | undefined,
  ): Promise<ReadBytes> {
    if (value instanceof Uint8Array)
      return { bytes: range ? sliceRange(value, range) : value, byteLength: value.length };
    const { address, extent, state } = value;
    if (extent !== undefined) {
      if (range === undefined) checkByteLength(extent.length, options?.maximumBytes, key);
      const { start, end } = range ? resolveRange(range, extent.length) : { start: 0, end: extent.length };
      const part = { offset: extent.offset + start, length: end - start };
      return { bytes: await this.#readPart(address, part, key, options, state), byteLength: extent.length };
    }
    const bound = range && boundOfPart("suffixLength" in range ? range.suffixLength : range.length);
    const { signal, priority, current, maximumBytes = bound } = options ?? {};
    return this.#named(address, key, async ({ store, key: fileKey }) => {
      const found = await askParts(store, fileKey, range && [range], {
        signal,
        priority,
        current,
        maximumBytes,
      });
      const [bytes] = found?.parts ?? [];
      return bytes && { bytes, byteLength: found?.byteLength, version: found?.version };
    });
  }

  async #readPart(
    address: string,
    extent: Extent,
    key: AbsolutePath,
    { signal, priority, current }: StoreOptions = {},
    state: FileState | undefined,
  ): Promise<Uint8Array> {
    if (extent.length === 0) return new Uint8Array(0);
    const read = ({ reads }: File) =>
      untilAborted(signal, () => reads.read(extent, { signal, priority, current }));
    return this.#named(address, key, read, state);
  }

  async #named<Found>(
    address: string,
    key: AbsolutePath,
    read: (file: File) => Promise<Found | undefined>,
    state?: FileState,
  ): Promise<Found> {
    let found: Found | undefined;
    try {
      found = await read(this.#file(address, state));
    } catch (cause) {
      if (!isZarrError(cause, "StoreError")) throw cause;
      throw inContext(cause, `reference to ${shownName(address)}`, key);
    }
    if (found !== undefined) return found;
    throw new StoreError(`reference to ${shownName(address)}: no such file`, { key });
  }

  #file(address: string, state: FileState | undefined): File {
    // Two states of one file are two files: one of them fails.
    const name = state ? JSON.stringify([address, state]) : address;
    const known = this.#files.get(name);
    if (known !== undefined) return known;
    const opened = this.#options.open?.(address) ?? this.#overHttp(address);
    const file = { ...opened, reads: new MergedReads(opened.store, opened.key, state) };
    this.#files.set(name, file);
    return file;
  }

  #overHttp(address: string): OpenedFile {
    const url = this.#urlOf(address);
    const { headers, authorize, overrides, ...others } = this.#options;
    if (this.#trusted.has(url.origin)) return { store: new HttpFile(url, this.#options), key: "/" };
    const foreign = { ...others, overrides: withoutCredentials(overrides) };
    return { store: new ForeignFile(url, foreign, this.#options.allow), key: "/" };
  }
}

/**
 * Wraps the failure of a file in a StoreError for a key of the store; status, `Retry-After` and `isTransient`
 * are kept.
 */
export function inContext(cause: unknown, context: string, key: AbsolutePath): StoreError {
  const { status, retryAfter, isTransient } = isZarrError(cause, "StoreError") ? cause : new StoreError("");
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new StoreError(`${context}: ${reason}`, { key, status, retryAfter, isTransient, cause });
}

/**
 * A store with one value, the file at a URL. It requests the URL unchanged for every key: decoding and
 * re-encoding "%2F" would change it.
 */
export class HttpFile extends HttpStore {
  protected override urlOf(): URL {
    return this.url;
  }
}

/**
 * A file at an origin that the application did not choose.
 * @throws StoreError for addresses of this machine, also behind redirects
 */
export class ForeignFile extends HttpFile {
  protected override readonly checkRedirect: (to: URL) => void;

  constructor(url: URL, options: HttpStoreOptions, allow: readonly string[] = []) {
    checkNamed(url, allow);
    super(url, options);
    this.checkRedirect = (to) => checkNamed(to, allow);
  }
}

/** A hierarchy at such an origin. @throws as `ForeignFile` */
export class ForeignStore extends HttpStore {
  protected override readonly checkRedirect: (to: URL) => void;

  constructor(url: URL, options: HttpStoreOptions, allow: readonly string[] = []) {
    checkNamed(url, allow);
    super(url, options);
    this.checkRedirect = (to) => checkNamed(to, allow);
  }
}
