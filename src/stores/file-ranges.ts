/**
 * Files of which parts are values: archives, and files that a document names by their addresses. Ranges of one file that are wanted at the
 * same time, and stand near each other, are one request.
 */
import { onAbort, untilAborted } from "../abort.js";
import { isZarrError, StoreError } from "../errors.js";
import { readRange } from "./capabilities.js";
import { HttpStore, type HttpStoreOptions } from "./http.js";
import { type Extent, mergeExtents, resolveRange } from "./keys-and-ranges.js";
import { Waiters } from "./request-queue.js";
import type { AbsolutePath, RangeQuery, Readable, StoreOptions } from "./store.js";

/** 64 KiB: less than a round trip costs on most networks. */
export const MAXIMUM_GAP = 64 << 10;
/** Longer ranges gain nothing, and are better read side by side. */
const MERGING = { maximumGap: MAXIMUM_GAP, maximumSize: 1 << 20 };

/**
 * What may come in place of a part, from a server that ignores `Range` and sends all of the file: nobody knows how long a file is, nor that
 * it ends.
 */
const MOST_IN_PLACE = 256 << 20;

/** Of a read of so many bytes, for `maximumBytes`. */
export const boundOfPart = (byteLength: number): number => Math.max(MOST_IN_PLACE, byteLength);

type ReadOptions = Pick<StoreOptions, "signal" | "priority">;

interface Wanted extends Extent, ReadOptions {
  readonly resolve: (bytes: Uint8Array | Promise<Uint8Array>) => void;
}

export class MergedReads {
  readonly #source: Readable;
  readonly #key: AbsolutePath;
  #wanted: Wanted[] = [];

  constructor(source: Readable, key: AbsolutePath) {
    this.#source = source;
    this.#key = key;
  }

  /** Exactly these bytes, in a request of their own. @throws StoreError when the value is shorter */
  async readAlone({ offset, length }: Extent, { signal, priority }: ReadOptions = {}): Promise<Uint8Array> {
    const options = { signal, priority, maximumBytes: boundOfPart(length) };
    const bytes = await readRange(this.#source, this.#key, { offset, length }, options);
    if (bytes?.byteLength === length) return bytes;
    throw new StoreError(
      `expected ${length} bytes at byte ${offset}, got ${bytes?.byteLength ?? "none"}: the file is truncated, or another`,
    );
  }

  /** Exactly these bytes, together with what else is asked for in this turn of the event loop. @throws as `readAlone` */
  read({ offset, length }: Extent, { signal, priority }: ReadOptions): Promise<Uint8Array> {
    return new Promise((resolve) => {
      if (this.#wanted.length === 0) queueMicrotask(() => this.#flush());
      this.#wanted.push({ offset, length, signal, priority, resolve });
    });
  }

  #flush(): void {
    const wanted = this.#wanted;
    this.#wanted = [];
    const { merged, place } = mergeExtents(wanted, MERGING);
    const answers = merged.map((extent, request) => {
      const all = wanted.filter((_, i) => place[i]?.request === request);
      return untilNobodyWaits(all, (options) => this.readAlone(extent, options));
    });
    for (const [i, { length, resolve }] of wanted.entries()) {
      const { request, start } = place[i] ?? { request: 0, start: 0 };
      const answer = answers[request];
      // Memory of its own, unless it is all: whoever keeps a value should not keep its neighbours.
      const isAll = merged[request]?.length === length;
      if (answer) resolve(isAll ? answer : answer.then((bytes) => bytes.slice(start, start + length)));
    }
  }
}

/**
 * Reads with a signal that aborts when all the others have: who leaves alone leaves the others what they wait for; and as urgently as the most
 * urgent of them.
 */
async function untilNobodyWaits<Result>(
  wanted: readonly Wanted[],
  read: (options: StoreOptions) => Promise<Result>,
): Promise<Result> {
  const waiters = new Waiters(undefined);
  const forget = wanted.map(({ signal, priority }) => {
    const leave = waiters.join(priority);
    const left = (): void => {
      if (leave()) waiters.abort(signal?.reason);
    };
    if (signal?.aborted) left();
    return signal && onAbort(signal, left);
  });
  return read(waiters).finally(() => {
    for (const each of forget) each?.();
  });
}

// Files that a document names by their addresses: ranges of each, in few requests.

/** Where a file is: its key in a store. */
export interface OpenedFile {
  readonly store: Readable;
  readonly key: AbsolutePath;
}

export interface FileOptions extends HttpStoreOptions {
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

/** `headers` and `authorize` go to the origins that the application chose, not to others that a document names. */
export class AddressedFiles {
  readonly #options: FileOptions;
  readonly #trusted: ReadonlySet<string>;
  readonly #base: URL | undefined;
  readonly #files = new Map<string, File>();

  /** @param trusted origins that the application chose @param base from which relative addresses count */
  constructor(options: FileOptions, trusted: Iterable<string>, base?: URL) {
    this.#options = options;
    this.#trusted = new Set(trusted);
    this.#base = base;
  }

  /** A part of a file, or all of it. @throws StoreError that names key and address, also where there is no such file */
  async read(
    address: string,
    extent: Extent | undefined,
    key: AbsolutePath,
    options: StoreOptions | undefined,
  ): Promise<Uint8Array> {
    const { signal, priority } = options ?? {};
    return this.#named(address, key, async ({ store, key: own, reads }) => {
      if (extent === undefined) return store.get(own, options);
      if (extent.length === 0) return new Uint8Array(0);
      return untilAborted(signal, () => reads.read(extent, { signal, priority }));
    });
  }

  /** A range of all of a file. @throws as `read` */
  async readRange(
    address: string,
    range: RangeQuery,
    key: AbsolutePath,
    options: StoreOptions | undefined,
  ): Promise<Uint8Array> {
    const length = "suffixLength" in range ? range.suffixLength : range.length;
    const { signal, priority, onValue, maximumBytes = boundOfPart(length) } = options ?? {};
    const asked = { signal, priority, onValue, maximumBytes };
    return this.#named(address, key, async ({ store, key: own }) => readRange(store, own, range, asked));
  }

  async #named(
    address: string,
    key: AbsolutePath,
    read: (file: File) => Promise<Uint8Array | undefined>,
  ): Promise<Uint8Array> {
    const bytes = await read(this.#file(address)).catch((cause: unknown) => {
      if (!isZarrError(cause, "StoreError")) throw cause;
      throw inContext(cause, `reference to ${JSON.stringify(address)}`, key);
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

/** The failure of a file as that of what is in it: whether it may pass, and when, stays as it is. */
export function inContext(cause: unknown, context: string, key: AbsolutePath): StoreError {
  const { status, retryAfter, isTransient } = isZarrError(cause, "StoreError") ? cause : new StoreError("");
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new StoreError(`${context}: ${reason}`, { key, status, retryAfter, isTransient, cause });
}

/** A range of a value that is itself a part of a file. */
export function partOf(extent: Extent, range: RangeQuery): Extent {
  const { start, end } = resolveRange(range, extent.length);
  return { offset: extent.offset + start, length: end - start };
}

/** A file behind a URL as a store of one value. Whatever the key, its URL is requested as it was given: decoding it ("%2F") would lead elsewhere. */
export class HttpFile extends HttpStore {
  protected override urlOf(): URL {
    return this.url;
  }
}

// Addresses of files and repositories, as documents and applications have them, as URLs that `fetch` reads.

/** Where buckets of a scheme are read without credentials. */
const BUCKETS: Readonly<Record<string, (bucket: string) => string>> = {
  s3: (bucket) => `https://${bucket}.s3.amazonaws.com`,
  gs: (bucket) => `https://storage.googleapis.com/${bucket}`,
  gcs: (bucket) => `https://storage.googleapis.com/${bucket}`,
};

/** The http(s) URL of an address: itself, or that of an object in a bucket (`s3:`, `gs:`, `gcs:`). Undefined for others. @param base from which relative ones count */
export function urlOf(address: string, base?: URL): URL | undefined {
  const [, scheme = "", bucket = "", path = ""] = /^(s3|gs|gcs):\/\/([^/]+)\/(.*)$/.exec(address) ?? [];
  const bucketUrl = BUCKETS[scheme]?.(bucket);
  // Names of objects are no URLs: "#" and "?" belong to them.
  const href = bucketUrl && `${bucketUrl}/${path.split("/").map(encodeURIComponent).join("/")}`;
  const url = URL.canParse(href ?? address, base) ? new URL(href ?? address, base) : undefined;
  return url?.protocol === "http:" || url?.protocol === "https:" ? url : undefined;
}

/** `urlOf`. @throws StoreError for an address that has none */
export function resolveUri(address: string, base?: URL): URL {
  const url = urlOf(address, base);
  if (url !== undefined) return url;
  throw new StoreError(
    `${JSON.stringify(address)}: expected an http(s), s3 or gs address; the option \`open\` reads others, such as files`,
  );
}

/** The URL of a page, from which relative addresses that its program gives count; undefined elsewhere. */
export function pageUrl(): URL | undefined {
  const href = globalThis.location?.href;
  return href === undefined ? undefined : new URL(href);
}
