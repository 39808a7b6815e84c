/**
 * Reads a hierarchy behind a URL, with `fetch`.
 *
 * ```ts
 * import { get, open, root } from "wazarr";
 * import { HttpStore } from "wazarr/stores/http";
 *
 * const store = new HttpStore("https://example.com/climate.zarr", { headers: { authorization: "Bearer 123" } });
 * const array = await open(root(store).resolve("t2m"), { kind: "array" });
 * console.log(await get(array, [0, 0, 0]));
 * ```
 * @module
 */
import { InvalidArgumentError, isZarrError, StoreError } from "../../../base/errors.js";
import { lazy } from "../../../base/loading.js";
import { checkNames } from "../../../base/option-names.js";
import type { CacheMode } from "../../../base/web-types.js";
import { isAbort } from "../check-store.js";
import { checkRange, relativeKey } from "../keys-and-ranges.js";
import { NetworkStore, type ReadBytes } from "../network-store.js";
import { priorityOf, queueOf, type RequestQueue } from "../requests/request-queue.js";
import { again, checkRetry, isUnanswered, unrepeated } from "../requests/retry.js";
import { shown, shownAddress, withoutSecrets } from "../shown.js";
import type { AbsolutePath, RangeQuery, StoreOptions } from "../store.js";
import { type Answer, askable, isMissing, isPage, rangeHeader, readValue } from "./answer.js";
import { checkTimeout, Silence } from "./body.js";
import { createSender, type Outgoing, type Sender, withoutCredentials } from "./credentials.js";
import { identify } from "./identity.js";
import { HTTP_OPTIONS, type HttpStoreOptions } from "./options.js";

/** Loaded beside the first request for a range: pages whose arrays have no shards request whole values. */
const loadRanges = /* @__PURE__ */ lazy(() => import("./ranges.js"));

/** Loaded outside of pages, by the first request with headers. */
const loadRedirects = /* @__PURE__ */ lazy(() => import("./redirects.js"));

export type { HttpStoreOptions } from "./options.js";

/** Bytes per millisecond of the slowest upload that `timeout` bears. */
const SLOWEST_UPLOAD = 50;

/** The beginning of a URL without its scheme: "example.com/a.zarr". */
const HOST = /^(?:[\w-]+(?:\.[\w-]+)+|localhost)(?::\d+)?(?:\/|$)/;

/**
 * Reads values from URLs below a base URL; the query of the base URL is part of every request. Transient
 * failures are retried (`retry`). `timeout` limits the silence of a server; to limit a whole operation pass a
 * signal: `AbortSignal.timeout(5000)`.
 *
 * Status 404 and 410 mean that a value is missing. So does an HTML page in place of a metadata document,
 * because servers of single-page applications send one for every unknown path. When a server ignores `Range`,
 * the store cuts the range out of the whole value.
 * @throws StoreError, with the HTTP status if any, for other statuses, no answer, HTML for a chunk, a
 * truncated body, a wrong range
 */
export class HttpStore extends NetworkStore {
  /** Where the hierarchy begins. */
  readonly url: URL;
  readonly #options: HttpStoreOptions;
  readonly #suffixes: { use: boolean };
  /** Not `#`: `advice` is also read through a Proxy of the store. */
  private answersPages = false;
  /** Keys with a range request in flight that uses the browser's cache. */
  readonly #ranged = new Set<AbsolutePath>();
  readonly #timeout: number | undefined;
  readonly #send: Sender;
  readonly #queue: Pick<RequestQueue, "run">;
  /**
   * Throws for a redirect that must not be followed. Pages do not see redirects, and a custom `fetch` follows
   * its own.
   */
  protected readonly checkRedirect?: (to: URL) => void;
  /** The header that has the version of a value; "etag" unless given. */
  protected readonly versionHeader?: string;

  /**
   * @param url absolute http(s) URL; in a browser also a relative one
   * @throws InvalidArgumentError for an invalid URL
   */
  constructor(url: string | URL, options: HttpStoreOptions = {}) {
    super();
    // Other stores check their own options, which are more, and pass them on.
    if (new.target === HttpStore) checkNames(options, "HttpStore", HTTP_OPTIONS);
    const page = globalThis.location?.href;
    const parsed = URL.canParse(url, page) ? new URL(url, page) : undefined;
    // The query may be a signature: the error omits it.
    const address = String(url);
    const isBucket = !options.fetch && /^(s3|gc?s|az|abfss?):/.test(address);
    // The scheme of "example.com:8080/a.zarr" is "example.com:", to the letter.
    if (parsed === undefined || isBucket || /\.|^localhost:/.test(parsed.protocol)) {
      const https = HOST.test(address) ? "; begin it with https://" : "";
      const advice = isBucket ? "; openStore opens buckets" : https;
      throw new InvalidArgumentError(
        `expected an absolute http(s) URL, got ${JSON.stringify(shownAddress(address))}${advice}`,
      );
    }
    this.url = parsed;
    identify(parsed, options);
    this.#options = options;
    this.#queue = options.queue ?? queueOf(this.url);
    this.#timeout = checkTimeout(options.timeout);
    if (options.retry !== false) checkRetry(options.retry, "retry");
    const { headers, authorize, overrides } = options;
    this.#send =
      headers || authorize || overrides?.headers
        ? createSender(options, overrides?.headers, this.#timeout, (...refused) => this.isRefused(...refused))
        : sendPlainly;
    this.#suffixes = { use: options.useSuffixRequest ?? true };
  }

  async #get(key: AbsolutePath, options: StoreOptions | undefined): Promise<ReadBytes | undefined> {
    const answer = await this.#fetch(key, "GET", undefined, options);
    const value = await readValue(answer, options);
    if (value === undefined && answer.response.status === 200) this.answersPages = true;
    return value;
  }

  /** Advice for an error that finds no node here, or "". */
  get advice(): string {
    return this.answersPages
      ? "the server answered with an HTML page: check the URL, and whether it needs credentials"
      : "";
  }

  protected override async readBytes(
    key: AbsolutePath,
    range: RangeQuery | undefined,
    options: StoreOptions | undefined,
  ): Promise<ReadBytes | undefined> {
    if (range === undefined) return this.retried(key, options, () => this.#get(key, options));
    checkRange(range);
    const requests = {
      store: this,
      suffixes: this.#suffixes,
      request: (part?: RangeQuery) =>
        part ? this.#fetchRange(key, part, options) : this.#fetch(key, "HEAD", undefined, options),
      whole: () => this.#get(key, options),
      silentStatus: this.#isOfAnotherOrigin ? 405 : undefined,
    };
    return this.retried(key, options, async () => {
      const isHead = "suffixLength" in range && !this.#suffixes.use;
      const answer = requests.request(isHead ? undefined : range);
      // `readRange` reports the error of a request that fails while the code for its answer is loading.
      answer.catch(() => {});
      const { readRange } = await loadRanges();
      return readRange(range, { answer, isHead }, requests, options);
    });
  }

  /** Whether the page that reads has another origin than the values; false outside pages. */
  get #isOfAnotherOrigin(): boolean {
    return (globalThis.location?.origin ?? this.url.origin) !== this.url.origin;
  }

  /** Whether a key exists, by a HEAD request. */
  async has(key: AbsolutePath, options?: StoreOptions): Promise<boolean> {
    return this.retried(key, options, async () => {
      const head = await this.#fetch(key, "HEAD", undefined, options);
      if (isMissing(head)) return false;
      if (head.response.status === 200 && !isPage(head)) return true;
      // Signed URLs and some servers refuse HEAD, and only the body distinguishes an HTML page from a value.
      return (await this.#get(key, options)) !== undefined;
    });
  }

  /** Runs `work` when its turn comes, and again after transient failures. */
  protected async retried<Result>(
    key: string,
    options: StoreOptions | undefined,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const { retry, overrides } = this.#options;
    const signal = options?.signal ?? overrides?.signal ?? undefined;
    // Each attempt queues again: the store holds no place in the queue while it waits between attempts.
    const attempt = () => this.#queue.run(work, { priority: options?.priority, signal });
    try {
      return await attempt();
    } catch (error) {
      if (retry === false) throw error;
      if (options?.isProbe && this.#isOfAnotherOrigin && isUnanswered(error)) {
        unrepeated.add(error);
        throw error;
      }
      return again(error, attempt, retry ?? {}, key, signal);
    }
  }

  /**
   * Requests a range of a value. In a page, a second concurrent range of the same value bypasses the
   * browser's cache: Chromium's cache serialises requests for one URL, so that eight ranges took eight round
   * trips.
   */
  async #fetchRange(key: AbsolutePath, part: RangeQuery, options: StoreOptions | undefined): Promise<Answer> {
    const range = rangeHeader(askable(part));
    if (!globalThis.location) return this.#fetch(key, "GET", range, options);
    if (this.#ranged.has(key)) return this.#fetch(key, "GET", range, options, "no-store");
    this.#ranged.add(key);
    try {
      return await this.#fetch(key, "GET", range, options);
    } finally {
      this.#ranged.delete(key);
    }
  }

  async #fetch(
    key: AbsolutePath,
    method: "GET" | "HEAD",
    range: string | undefined,
    options: StoreOptions | undefined,
    cache?: CacheMode,
  ): Promise<Answer> {
    return this.ask({ key, url: this.urlOf(key), method, range }, options, cache);
  }

  /** Whether `authorize` may renew what this response refuses. */
  protected isRefused({ status }: Response, _signal: AbortSignal | null): boolean | Promise<boolean> {
    return status === 401 || status === 403;
  }

  /** Sends a request once. @throws StoreError when there is no response */
  protected async ask(
    { body, ...request }: Outgoing,
    options: StoreOptions | undefined,
    cache?: CacheMode,
  ): Promise<Answer> {
    const { key, url, method } = request;
    const { fetch: ownFetch, overrides, missingStatuses = [] } = this.#options;
    const signal = options?.signal ?? overrides?.signal ?? null;
    const patience = this.#timeout && this.#timeout + (body?.length ?? 0) / SLOWEST_UPLOAD;
    const silence = new Silence(patience, signal);
    const urgency = priorityOf(options?.priority);
    let sent: Answer["sent"];
    const send = async (to: URL, headers: Headers): Promise<Response> => {
      sent = { url: to, headers };
      const sameOriginOverrides = to.origin === url.origin ? overrides : withoutCredentials(overrides);
      const init: RequestInit & { headers: Headers } = {
        ...sameOriginOverrides,
        method,
        headers,
        signal: silence.signal,
      };
      // Only pages have a cache, and some other runtimes refuse the member. A server confirms with 304 what
      // is cached still.
      const mode = cache ?? (options?.current && globalThis.location ? "no-cache" : undefined);
      if (mode) init.cache ??= mode;
      if (urgency) init.priority = urgency > 0 ? "high" : "low";
      if (body) init.body = body;
      // A value goes to the store's origin alone. A page cannot see where a redirect leads, or that 308 is
      // none.
      if (!globalThis.location && method !== "GET" && method !== "HEAD") init.redirect = "manual";
      try {
        return await silence.during(async () =>
          ownFetch ? ownFetch(new Request(to, init)) : this.#follow(to, init),
        );
      } catch (cause) {
        if (signal?.aborted) throw cause;
        // Node's error says only "fetch failed"; its `cause` has the reason.
        const message = [cause, cause instanceof Error && cause.cause].filter(Boolean).join(": ");
        // Deno's errors contain the URL with its signature, and every engine's error for a URL with a
        // password contains that URL.
        const safe = withoutSecrets(message);
        const reason = silence.isOver ? silence.problem : safe;
        const isLost = isZarrError(cause, "StoreError") ? cause.isTransient : !isAbort(cause);
        const isTransient = silence.isOver || isLost;
        throw new StoreError(
          `no answer from ${shown(url)}: ${reason}; check the address, the network and, in a browser, CORS`,
          { key, isTransient, cause: safe === message ? cause : undefined },
        );
      }
    };
    const response = await this.#send(request, signal, send);
    return { response, key, url, sent, signal, silence, missingStatuses, versionHeader: this.versionHeader };
  }

  /** A page does not see where redirects lead; elsewhere headers go no further than the origin of `to`. */
  async #follow(to: URL, init: RequestInit & { readonly headers: Headers }): Promise<Response> {
    const isPlain = this.checkRedirect === undefined && [...init.headers].every(([name]) => name === "range");
    if (isPlain || globalThis.location) return fetch(to.href, init);
    const { fetchOf } = await loadRedirects();
    return fetchOf(to, init, this.checkRedirect);
  }

  /** The URL of a key's value. */
  protected urlOf(key: AbsolutePath): URL {
    const relative = encodeURIComponent(relativeKey(key)).replaceAll("%2F", "/");
    const url = new URL(this.url);
    url.pathname = `${url.pathname.replace(/\/$/, "")}/${relative}`;
    return url;
  }
}

/** Without credentials of the store. */
const sendPlainly: Sender = ({ url, range, headers }, signal, send) => {
  signal?.throwIfAborted();
  const all = new Headers(headers);
  if (range !== undefined) all.set("range", range);
  return send(url, all);
};

export { HttpStore as FetchStore };
