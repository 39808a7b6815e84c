/** A hierarchy behind a URL, read with `fetch`. */
import { InvalidArgumentError, StoreError } from "../errors.js";
import { isAbort } from "./check-store.js";
import {
  type Answer,
  askable,
  isMissing,
  isPage,
  rangeHeader,
  readRange,
  readValue,
  shown,
} from "./http-answer.js";
import { checkTimeout, Silence } from "./http-body.js";
import { type CredentialOptions, createSender, type Sender } from "./http-credentials.js";
import { checkRange, relativeKey } from "./keys-and-ranges.js";
import { priorityOf, queueOf, type RequestQueue } from "./request-queue.js";
import { again, type RetryOptions } from "./retry.js";
import type { AbsolutePath, RangeQuery, Readable, StoreOptions } from "./store.js";

export interface HttpStoreOptions extends CredentialOptions {
  /** Called instead of the global `fetch`, for caches, or to turn one status into another. */
  readonly fetch?: (request: Request) => Promise<Response>;
  /** Further members of every request: `credentials`, `cache`, `mode` and so on. */
  readonly overrides?: RequestInit;
  /**
   * False: ask for the length of a value (HEAD) instead of for its last bytes (`Range: bytes=-N`), which spares a
   * browser the CORS preflight that suffix ranges need. When the server refuses suffix ranges this happens by itself.
   */
  readonly useSuffixRequest?: boolean;
  /**
   * Milliseconds until the server has to answer, and between two pieces of a body: StoreError after that. A minute unless given; 0 for no
   * limit.
   */
  readonly timeout?: number | undefined;
  /** How requests are repeated after failures that may pass: three attempts with short waits unless given. False: not at all. */
  readonly retry?: RetryOptions | false | undefined;
  /** Statuses besides 404 and 410 that mean that a value is missing: `[403]` for S3 where the keys of a bucket must not be listed. */
  readonly missingStatuses?: readonly number[] | undefined;
  /** Where requests wait for their turn: one for all stores of an origin unless given. */
  readonly queue?: Pick<RequestQueue, "run"> | undefined;
}

/**
 * Reads values from URLs below a base URL, whose query goes with every request. What fails and may succeed a
 * moment later is asked again (`retry`). A server may be silent for a minute (`timeout`); a limit for all of an operation is a signal: `AbortSignal.timeout(5000)`.
 *
 * Status 404 and 410 mean that a value is missing, and so does an HTML page where a metadata document should be: servers
 * of single-page applications answer so for every path. Everything else that is not the value is a StoreError, with
 * the HTTP status where there is one: other statuses, no answer, HTML for a chunk, half a body, the wrong range. A
 * server that ignores `Range` and sends whole values is put up with: the range is cut out of them here.
 */
export class HttpStore implements Readable {
  readonly url: URL;
  readonly fresh: Readable["fresh"];
  readonly #options: HttpStoreOptions;
  readonly #suffixes: { use: boolean };
  /** Values of which a range is under way by the browser's cache. */
  readonly #ranged = new Set<AbsolutePath>();
  readonly #timeout: number | undefined;
  readonly #send: Sender;
  readonly #queue: Pick<RequestQueue, "run">;

  /** @throws InvalidArgumentError when `url` is none; a relative one is one in a browser only */
  constructor(url: string | URL, options: HttpStoreOptions = {}) {
    try {
      this.url = new URL(url, globalThis.location?.href);
    } catch {
      // Without the query and the cause, which has it too: it may be a signature.
      throw new InvalidArgumentError(
        `expected an absolute http(s) URL, got ${JSON.stringify(String(url).replace(/\?.*/, ""))}`,
      );
    }
    if (/^(s3|gs):/.test(this.url.protocol) && !options.fetch) {
      throw new InvalidArgumentError(
        `expected an http(s) URL, got ${shown(this.url)}: give the bucket's, https://BUCKET.s3.REGION.amazonaws.com/... or https://storage.googleapis.com/BUCKET/..., and \`authorize\` to sign requests`,
      );
    }
    // In Node: browsers have their own ways. Nobody knows who else has what another `fetch` answers.
    if (typeof globalThis.Buffer === "function" && !options.fetch) this.fresh = HttpStore.prototype;
    this.#options = options;
    this.#send = createSender(options, options.overrides?.headers);
    this.#queue = options.queue ?? queueOf(this.url);
    this.#timeout = checkTimeout(options.timeout);
    this.#suffixes = { use: options.useSuffixRequest ?? true };
  }

  async get(key: AbsolutePath, options?: StoreOptions): Promise<Uint8Array | undefined> {
    return this.#retried(key, options, () => this.#get(key, options));
  }

  async #get(key: AbsolutePath, options: StoreOptions | undefined): Promise<Uint8Array | undefined> {
    return readValue(await this.#fetch(key, "GET", undefined, options), options);
  }

  async getRange(
    key: AbsolutePath,
    range: RangeQuery,
    options?: StoreOptions,
  ): Promise<Uint8Array | undefined> {
    checkRange(range);
    const requests = {
      store: this,
      suffixes: this.#suffixes,
      request: (part?: RangeQuery) =>
        part ? this.#fetchRange(key, part, options) : this.#fetch(key, "HEAD", undefined, options),
      whole: () => this.#get(key, options),
      silentStatus: (globalThis.location?.origin ?? this.url.origin) === this.url.origin ? undefined : 405,
    };
    return this.#retried(key, options, () => readRange(range, requests, options));
  }

  async has(key: AbsolutePath, options?: StoreOptions): Promise<boolean> {
    return this.#retried(key, options, async () => {
      const head = await this.#fetch(key, "HEAD", undefined, options);
      if (isMissing(head)) return false;
      if (head.response.status === 200 && !isPage(head)) return true;
      // Signed URLs and some servers refuse HEAD; and only its body tells a page from a value.
      return (await this.#get(key, options)) !== undefined;
    });
  }

  async #retried<Result>(
    key: AbsolutePath,
    options: StoreOptions | undefined,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const { retry, overrides } = this.#options;
    const signal = options?.signal ?? overrides?.signal ?? undefined;
    // The wait between two attempts is nobody's turn.
    const attempt = () => this.#queue.run(work, { priority: options?.priority, signal });
    try {
      return await attempt();
    } catch (error) {
      if (retry === false) throw error;
      return again(error, attempt, retry ?? {}, key, signal);
    }
  }

  /**
   * In a page, a range past the browser's cache while another of the same value is under way: the cache of Chromium lets one request for
   * a URL wait until another's answer is there, so that eight ranges took eight round trips.
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
    cache?: RequestCache,
  ): Promise<Answer> {
    const { fetch: ownFetch, overrides, missingStatuses = [] } = this.#options;
    const signal = options?.signal ?? overrides?.signal ?? null;
    const silence = new Silence(this.#timeout, signal);
    const urgency = priorityOf(options?.priority);
    const url = this.urlOf(key);
    const send = async (to: URL, headers: Headers): Promise<Response> => {
      const init: RequestInit = { ...overrides, method, headers, signal: silence.signal };
      if (cache) init.cache ??= cache;
      if (urgency) init.priority = urgency > 0 ? "high" : "low";
      try {
        return await silence.during(async () =>
          ownFetch ? ownFetch(new Request(to, init)) : fetch(to.href, init),
        );
      } catch (cause) {
        if (signal?.aborted) throw cause;
        // "fetch failed", says Node; what failed is the cause of that.
        const told = [cause, cause instanceof Error && cause.cause].filter(Boolean).join(": ");
        // Deno's errors have the URL in them, with its signature; so have all of a URL with a password.
        const reason = silence.isOver ? silence.problem : told.replaceAll(to.href, shown(to));
        const isTransient = silence.isOver || !isAbort(cause);
        throw new StoreError(
          `no answer from ${shown(url)}: ${reason}; check the address, the network and, in a browser, CORS`,
          { key, isTransient, cause: told.includes(to.href) ? undefined : cause },
        );
      }
    };
    const response = await this.#send({ url, method, range }, signal, send);
    return { response, key, url, signal, silence, missingStatuses };
  }

  /** Where the value of a key is. */
  protected urlOf(key: AbsolutePath): URL {
    const relative = encodeURIComponent(relativeKey(key)).replaceAll("%2F", "/");
    const url = new URL(this.url);
    url.pathname = `${url.pathname.replace(/\/$/, "")}/${relative}`;
    return url;
  }
}

export { HttpStore as FetchStore };
