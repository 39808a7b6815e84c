/**
 * Files that contain values as byte ranges: archives, and files that a document names by their addresses.
 * Concurrent reads of ranges that are near each other in one file are merged into one request.
 */

import { untilAborted } from "../abort.js";
import { at } from "../at.js";
import { BoundedCache } from "../bounded-cache.js";
import { isZarrError, StoreError } from "../errors.js";
import { readRange } from "./capabilities.js";
import { checkByteLength } from "./check-store.js";
import { checkUnchanged, type FileState } from "./file-state.js";
import { HttpStore, type HttpStoreOptions } from "./http.js";
import { withoutCredentials } from "./http-credentials.js";
import { type Extent, resolveRange, sliceRange } from "./keys-and-ranges.js";
import { Gathering, mergeExtents } from "./merged-requests.js";
import { checkNamed } from "./named-addresses.js";
import type { ReadBytes } from "./network-store.js";
import { untilNobodyWaits } from "./shared-requests.js";
import { shownAddress } from "./shown.js";
import type { AbsolutePath, RangeQuery, Readable, StoreOptions } from "./store.js";
import { askParts } from "./values.js";

/**
 * Bytes between two ranges that are merged. Reading 64 KiB takes less time than a round trip on most
 * networks.
 */
export const MAXIMUM_GAP = 64 << 10;
/** Merging requests of more than 1 MiB saves no time: concurrent requests are faster. */
const MERGING = { maximumGap: MAXIMUM_GAP, maximumSize: 1 << 20 };

/**
 * Most bytes to accept from a server that ignores `Range` and sends the whole file in place of a range. The
 * length of the file is unknown, and the response may be endless.
 */
const MOST_IN_PLACE = 256 << 20;

/** The option `maximumBytes` for a range of `byteLength` bytes. */
export const boundOfPart = (byteLength: number): number => Math.max(MOST_IN_PLACE, byteLength);

type ReadOptions = Pick<StoreOptions, "signal" | "priority" | "current">;

interface Wanted extends Extent, ReadOptions {
  readonly resolve: (bytes: Uint8Array | Promise<Uint8Array>) => void;
}

export class MergedReads {
  readonly #source: Readable;
  readonly #key: AbsolutePath;
  readonly #state: FileState | undefined;
  readonly #wanted = new Gathering<Wanted>((wanted) => this.#request(wanted));

  /** @param state that the file has to have when it is read */
  constructor(source: Readable, key: AbsolutePath, state?: FileState) {
    this.#source = source;
    this.#key = key;
    this.#state = state;
  }

  /** Reads exactly these bytes in a request of their own. @throws StoreError when the value is shorter */
  async readAlone(extent: Extent, options: ReadOptions = {}): Promise<Uint8Array> {
    return partOf(await this.#one(extent, options), extent, extent);
  }

  async #one(
    { offset, length }: Extent,
    { signal, priority, current }: ReadOptions,
  ): Promise<Uint8Array | undefined> {
    const options = { signal, priority, current, maximumBytes: boundOfPart(length) };
    const range = { offset, length };
    if (this.#state === undefined) return readRange(this.#source, this.#key, range, options);
    const found = await askParts(this.#source, this.#key, [range], options);
    if (found !== undefined) checkUnchanged(this.#state, found);
    return found?.parts[0];
  }

  /**
   * Reads exactly these bytes, merged with other reads of the same microtask turn unless `current` is set.
   * @throws as `readAlone`
   */
  read({ offset, length }: Extent, { signal, priority, current }: ReadOptions): Promise<Uint8Array> {
    if (current === true) return this.readAlone({ offset, length }, { signal, priority, current });
    return new Promise((resolve) => {
      this.#wanted.add({ offset, length, signal, priority, resolve });
    });
  }

  #request(wanted: readonly Wanted[]): void {
    const { merged, place } = mergeExtents(wanted, MERGING);
    const answers = merged.map((extent, request) => {
      const all = wanted.filter((_, i) => at(place, i).request === request);
      return untilNobodyWaits(all, (options) => this.#one(extent, options));
    });
    for (const [i, each] of wanted.entries()) {
      const { request } = at(place, i);
      const [answer, extent] = [answers[request], merged[request]];
      if (answer && extent) each.resolve(answer.then((bytes) => partOf(bytes, extent, each)));
    }
  }
}

/**
 * The bytes of a range in the answer to a request: a copy, unless the range is the whole request, since a
 * view would keep its neighbours in memory. Where the file ends early, only the ranges behind its end fail.
 * @throws StoreError
 */
function partOf(bytes: Uint8Array | undefined, request: Extent, { offset, length }: Extent): Uint8Array {
  const got = bytes?.byteLength ?? 0;
  const start = offset - request.offset;
  if (bytes && got <= request.length && start + length <= got)
    return got === length ? bytes : bytes.slice(start, start + length);
  const found = bytes && (got > request.length ? got : Math.max(0, got - start));
  throw new StoreError(
    `expected ${length} bytes at byte ${offset}, got ${found ?? "none"}: the file is truncated, or another`,
  );
}

// Files that a document names by their addresses.

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
    return this.#named(address, key, async ({ store, key: own }) => {
      const found = await askParts(store, own, range && [range], {
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
    throw new StoreError(`reference to ${shownName(address)}: there is no such file`, { key });
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

const shownName = (address: string): string => JSON.stringify(shownAddress(address));

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
class ForeignFile extends HttpFile {
  protected override readonly checkRedirect: (to: URL) => void;

  constructor(url: URL, options: HttpStoreOptions, allow: readonly string[] = []) {
    checkNamed(url, allow);
    super(url, options);
    this.checkRedirect = (to) => checkNamed(to, allow);
  }
}

// Converts addresses of files and repositories to URLs for `fetch`.

/** Public endpoints of buckets, by URL scheme. */
const BUCKETS: Readonly<Record<string, (bucket: string) => string>> = {
  s3: (bucket) => `https://${bucket}.s3.amazonaws.com`,
  gs: (bucket) => `https://storage.googleapis.com/${bucket}`,
  gcs: (bucket) => `https://storage.googleapis.com/${bucket}`,
};

/**
 * The http(s) URL of an http(s), `s3:`, `gs:` or `gcs:` address; undefined for others.
 * @param base base URL for relative addresses
 */
export function urlOf(address: string, base?: URL): URL | undefined {
  const [, scheme = "", bucket = "", path = ""] = /^(s3|gs|gcs):\/\/([^/]+)\/(.*)$/.exec(address) ?? [];
  const bucketUrl = BUCKETS[scheme]?.(bucket);
  // Object names are not URL-encoded: "#" and "?" are part of the name.
  const href = bucketUrl && `${bucketUrl}/${path.split("/").map(encodeURIComponent).join("/")}`;
  const url = URL.canParse(href ?? address, base) ? new URL(href ?? address, base) : undefined;
  return url?.protocol === "http:" || url?.protocol === "https:" ? url : undefined;
}

/** As `urlOf`. @throws StoreError for an address without an http(s) URL */
export function resolveUri(address: string, base?: URL): URL {
  const url = urlOf(address, base);
  if (url !== undefined) return url;
  throw new StoreError(
    `${shownName(address)}: expected an http(s), s3 or gs address; the option \`open\` reads others, such as files, and --allow those of buckets`,
  );
}

/** The URL of the browser's page, the base of relative addresses; undefined outside of browsers. */
export function pageUrl(): URL | undefined {
  const href = globalThis.location?.href;
  return href === undefined ? undefined : new URL(href);
}
