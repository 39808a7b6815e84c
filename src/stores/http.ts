/** A hierarchy behind a URL, read with `fetch`. */
import { InvalidArgumentError, isZarrError, StoreError } from "../errors.js";
import {
  type Answer,
  failures,
  isMissing,
  isPage,
  isRightPart,
  partState,
  rangeHeader,
  readBody,
  readWhole,
} from "./http-answer.js";
import { relativeKey } from "./keys.js";
import { checkRange, sliceRange } from "./ranges.js";
import type { AbsolutePath, RangeQuery, Readable, StoreOptions } from "./store.js";

export interface HttpStoreOptions {
  /** Called instead of the global `fetch`, for credentials, retries, caches, or to turn one status into another. */
  readonly fetch?: (request: Request) => Promise<Response>;
  /** Sent with every request. */
  readonly headers?: HeadersInit;
  /** Further members of every request: `credentials`, `cache`, `mode` and so on. */
  readonly overrides?: RequestInit;
  /**
   * False: ask for the length of a value (HEAD) instead of for its last bytes (`Range: bytes=-N`), which spares a
   * browser the CORS preflight that suffix ranges need. When the server refuses suffix ranges this happens by itself.
   */
  readonly useSuffixRequest?: boolean;
}

/**
 * Reads values from URLs below a base URL, whose query goes with every request. Nothing is retried, and there is no
 * time limit but that of the signal: `AbortSignal.timeout(5000)`.
 *
 * Status 404 and 410 mean that a value is missing, and so does an HTML page where a metadata document should be: servers
 * of single-page applications answer so for every path. Everything else that is not the value is a StoreError, with
 * the HTTP status where there is one: other statuses, no answer, HTML for a chunk, half a body, the wrong range. A
 * server that ignores `Range` and sends whole values is put up with: the range is cut out of them here.
 */
export class HttpStore implements Readable {
  readonly url: URL;
  readonly #options: HttpStoreOptions;
  #useSuffixRequest: boolean;

  /** @throws InvalidArgumentError when `url` is none; a relative one is one in a browser only */
  constructor(url: string | URL, options: HttpStoreOptions = {}) {
    try {
      this.url = new URL(url, globalThis.location?.href);
    } catch (cause) {
      throw new InvalidArgumentError(`expected an absolute http(s) URL, got ${JSON.stringify(url)}`, {
        cause,
      });
    }
    this.#options = options;
    this.#useSuffixRequest = options.useSuffixRequest ?? true;
  }

  async get(key: AbsolutePath, options?: StoreOptions): Promise<Uint8Array | undefined> {
    const answer = await this.#fetch(key, "GET", undefined, options);
    if (isMissing(answer)) return undefined;
    if (answer.response.status !== 200) throw (await failures()).statusError(answer);
    return isPage(answer) ? (await failures()).readPage(answer) : readWhole(answer, options);
  }

  async getRange(
    key: AbsolutePath,
    range: RangeQuery,
    options?: StoreOptions,
  ): Promise<Uint8Array | undefined> {
    checkRange(range);
    if ("offset" in range) return this.#getPart(key, range, options);
    if (this.#useSuffixRequest) {
      try {
        return await this.#getPart(key, range, options);
      } catch (error) {
        if (!isZarrError(error, "StoreError") || !SUFFIX_REFUSED.includes(error.status)) throw error;
      }
    }
    // Before what is to be loaded, so that a network that is down is told as such.
    const head = await this.#fetch(key, "HEAD", undefined, options);
    if (isMissing(head)) return undefined;
    const { suffixByLength } = await import("./http-suffix.js");
    const bytes = await suffixByLength(
      head,
      range,
      (part) => this.#getPart(key, part, options),
      () => this.get(key, options),
    );
    this.#useSuffixRequest = false;
    return bytes;
  }

  async has(key: AbsolutePath, options?: StoreOptions): Promise<boolean> {
    const answer = await this.#fetch(key, "HEAD", undefined, options);
    if (isMissing(answer)) return false;
    if (answer.response.status === 200 && !isPage(answer)) return true;
    // Signed URLs and some servers refuse HEAD; and only its body tells a page from a value.
    return (await this.get(key, options)) !== undefined;
  }

  async #getPart(
    key: AbsolutePath,
    range: RangeQuery,
    options: StoreOptions | undefined,
  ): Promise<Uint8Array | undefined> {
    // HTTP has no empty ranges; one byte tells as well whether the value is there.
    const asked =
      "suffixLength" in range
        ? { suffixLength: Math.max(1, range.suffixLength) }
        : { offset: range.offset, length: Math.max(1, range.length) };
    const answer = await this.#fetch(key, "GET", rangeHeader(asked), options);
    if (isMissing(answer)) return undefined;
    if (isPage(answer)) throw (await failures()).pageError(answer);
    const { status } = answer.response;
    if (status === 200) {
      if ("suffixLength" in range) this.#useSuffixRequest = false;
      // A copy, for a view would keep the whole body in memory.
      return sliceRange(await readWhole(answer, options), range).slice();
    }
    // The value ends before the range begins.
    if (status === 416 && "offset" in range) {
      options?.onValue?.(partState(answer));
      return new Uint8Array(0);
    }
    if (status !== 206) throw (await failures()).statusError(answer);
    const bytes = await readBody(answer);
    if (!isRightPart(answer, asked, bytes.byteLength)) {
      throw (await failures()).partError(answer, asked, bytes.byteLength);
    }
    options?.onValue?.(partState(answer));
    return sliceRange(bytes, "suffixLength" in range ? range : { offset: 0, length: range.length });
  }

  async #fetch(
    key: AbsolutePath,
    method: "GET" | "HEAD",
    range: string | undefined,
    options: StoreOptions | undefined,
  ): Promise<Answer> {
    const { fetch: ownFetch, headers, overrides } = this.#options;
    const all = new Headers(overrides?.headers);
    for (const [name, value] of new Headers(headers)) all.set(name, value);
    if (range !== undefined) all.set("range", range);
    const signal = options?.signal ?? overrides?.signal ?? undefined;
    const init: RequestInit = { ...overrides, method, headers: all, signal: signal ?? null };
    const url = this.#urlOf(key);
    try {
      const response = await (ownFetch === undefined ? fetch(url, init) : ownFetch(new Request(url, init)));
      return { response, key, url, signal };
    } catch (cause) {
      if (signal?.aborted) throw cause;
      const reason = cause instanceof Error ? cause.message : String(cause);
      const advice = "in a browser, that the server allows this origin (CORS), also for the Range header";
      throw new StoreError(
        `no answer from ${url.origin}${url.pathname}: ${reason}; check the address, the network and, ${advice}`,
        { key, cause },
      );
    }
  }

  #urlOf(key: AbsolutePath): URL {
    const relative = relativeKey(key);
    const url = new URL(this.url);
    try {
      url.pathname = `${url.pathname.replace(/\/$/, "")}/${encodeURIComponent(relative).replaceAll("%2F", "/")}`;
    } catch (cause) {
      throw new StoreError("expected a key of well-formed Unicode", { key, cause });
    }
    return url;
  }
}

export { HttpStore as FetchStore };

/** Answers to a suffix range that leave hope for another way: none (a failed preflight), a wrong part, a refusal. */
const SUFFIX_REFUSED: readonly (number | undefined)[] = [undefined, 206, 400, 405, 416, 501];
