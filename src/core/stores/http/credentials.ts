/** Credentials of an HttpStore's requests: headers, signatures, presigned URLs. */

import { untilAborted } from "../../../base/abort.js";
import { InvalidArgumentError, StoreError } from "../../../base/errors.js";
import type { HeadersGiven } from "../../../base/web-types.js";
import { isPending } from "../check-store.js";
import { shown, shownAddress } from "../shown.js";
import type { Awaitable } from "../store.js";
import { discard } from "./answer.js";
import { Silence } from "./body.js";

/** A request that the store is about to send. */
export interface HttpRequest {
  /** The address of the key or listing. */
  readonly url: URL;
  /** Only stores of buckets send others than GET and HEAD. */
  readonly method: "GET" | "HEAD" | "PUT" | "POST" | "DELETE";
  /** The value of the `Range` header, such as "bytes=0-99"; undefined for whole values. */
  readonly range: string | undefined;
  /** All headers of the request, `Range` included. */
  readonly headers: Headers;
  /**
   * True when the server answered 401 or 403 to the previous attempt: `authorize` must renew cached
   * credentials.
   */
  readonly expired: boolean;
}

/**
 * Bytes that `fetch` sends: in no shared memory. TypeScript before 5.7 cannot write
 * `Uint8Array<ArrayBuffer>`.
 */
export type SentBytes = ReturnType<Uint8Array["slice"]>;

/** A request for the value of a key; for buckets also other requests. */
export interface Outgoing extends Pick<HttpRequest, "url" | "method"> {
  readonly key: string;
  readonly range?: string | undefined;
  /** Further headers, signed with the others. */
  readonly headers?: HeadersGiven | undefined;
  readonly body?: SentBytes | undefined;
}

/** The changes to a request. It may be a `Request`, of which only the URL and the headers are used. */
export interface AuthorizedRequest {
  /** The address to ask instead, for example a signed one. */
  readonly url?: string | URL | undefined;
  /** Headers to add. They replace headers of the same name. */
  readonly headers?: HeadersGiven | undefined;
}

/** Signs a request, or changes its URL. Undefined sends the request as it is. */
export type Authorize = (request: HttpRequest) => Awaitable<AuthorizedRequest | undefined>;

export interface CredentialOptions {
  /**
   * Headers for every request to the origin of the store's URL, but not for other origins. A function is
   * called for each request.
   */
  readonly headers?: HeadersGiven | (() => Awaitable<HeadersGiven>) | undefined;
  /**
   * Called for every request, to sign it or to change its URL; a presigned URL is valid for one method only.
   * After a 401 or 403 it is called once more with `expired`. Of concurrent refused requests only one calls
   * it with `expired`; the others wait and call it without. It must not read from a store with the same
   * request queue: that could deadlock, because the request already occupies a place there.
   */
  readonly authorize?: Authorize | undefined;
}

/**
 * Sends a request with its credentials.
 * @returns the response of `send`; if that refuses the credentials, the response to a second attempt
 */
export type Sender = (
  request: Omit<Outgoing, "body">,
  signal: AbortSignal | null,
  send: (url: URL, headers: Headers) => Promise<Response>,
) => Promise<Response>;

/**
 * @param more headers of lower precedence than those of the options
 * @param timeout longest wait in milliseconds for `headers` and for `authorize`, each time they are called
 * @param isRefused whether a response refuses credentials that `authorize` may renew; it gets the signal of
 * the request
 */
export function createSender(
  { headers, authorize }: CredentialOptions,
  more: HeadersGiven | undefined,
  timeout: number | undefined,
  isRefused: (response: Response, signal: AbortSignal | null) => Awaitable<boolean>,
): Sender {
  /** Resolves when the latest call of `authorize` with `expired` has ended. */
  let renewal: Promise<unknown> | undefined;

  return async ({ url, method, range, key, headers: requestHeaders }, signal, send) => {
    // Without the caller's signal: others may wait for this renewal, too.
    const within = async <Answer>(name: string, request: Awaitable<Answer>): Promise<Answer> => {
      if (!isPending(request)) return request;
      // `during` may wait for a turn of the event loop first: a failure meanwhile must not count as
      // unhandled.
      request.then(undefined, () => {});
      const silence = new Silence(timeout, null);
      try {
        return await silence.during(() => request);
      } catch (cause) {
        if (!silence.isOver) throw cause;
        throw new StoreError(
          `no request to ${shown(url)}: \`${name}\` did not answer within ${timeout} ms; pass a longer \`timeout\` if it needs more time`,
          { key, isTransient: true },
        );
      }
    };
    const prepare = async (expired: boolean): Promise<readonly [URL, Headers]> => {
      const part: HeadersGiven = range ? { range } : {};
      const all = merged([
        more,
        typeof headers === "function" ? await within("headers", headers()) : headers,
        requestHeaders,
        part,
      ]);
      const changes =
        authorize &&
        (await within("authorize", authorize({ url: new URL(url), method, range, headers: all, expired })));
      const to = addressOf(changes?.url ?? url, url);
      // The headers of the options are for the store's origin only.
      return [to, merged([to.origin === url.origin ? all : part, changes?.headers])];
    };
    const attempt = async (expired: boolean): Promise<Response> => {
      signal?.throwIfAborted();
      // Begun at once: `untilAborted` may wait for a turn, in which other refused requests would renew, too.
      const renewed = expired ? prepare(true) : undefined;
      if (renewed) renewal = renewed.catch(() => {});
      const prepared = await untilAborted(signal ?? undefined, async () => {
        if (renewed) return renewed;
        await renewal;
        return prepare(false);
      });
      return send(...prepared);
    };
    const before = renewal;
    const response = await attempt(false);
    if (!authorize || !(await isRefused(response, signal))) return response;
    discard(response);
    // If another request has begun a renewal in the meantime, this one only waits for it.
    return attempt(renewal === before);
  };
}

/** The part of a store's `overrides` that may go to an origin that the application did not choose. */
export function withoutCredentials({ headers, credentials, ...others }: RequestInit = {}): RequestInit {
  return credentials === "omit" ? { ...others, credentials } : others;
}

/** @throws InvalidArgumentError. Its cause is left out: it contains the URL with its signature */
function addressOf(address: string | URL, base: URL): URL {
  try {
    return new URL(address, base);
  } catch {
    throw new InvalidArgumentError(
      `authorize: expected a URL, got ${JSON.stringify(shownAddress(String(address)))}`,
    );
  }
}

/** @throws InvalidArgumentError. Its cause is left out: it contains the value, which may be a credential */
function merged(lists: readonly (HeadersGiven | undefined)[]): Headers {
  const all = new Headers();
  try {
    for (const list of lists) for (const [name, value] of new Headers(list)) all.set(name, value);
  } catch {
    throw new InvalidArgumentError(
      "expected headers that HTTP can send: names of letters, values of Latin-1 without line breaks",
    );
  }
  return all;
}
