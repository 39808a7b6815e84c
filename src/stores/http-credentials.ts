/** What goes with each request of an HttpStore so that the server answers it: headers, a signature, another URL. */
import { untilAborted } from "../abort.js";
import { discard } from "./http-answer.js";
import type { Awaitable } from "./store.js";

/** A request that is about to be sent. */
export interface HttpRequest {
  readonly url: URL;
  readonly method: "GET" | "HEAD";
  /** The bytes that are asked for, as the header Range has them; undefined for whole values. */
  readonly range: string | undefined;
  /** All that are sent, Range among them. */
  readonly headers: Headers;
  /** Whether the server answered 401 or 403 to what was authorised before: credentials that were remembered are to be got anew. */
  readonly expired: boolean;
}

/** What is changed of a request. A `Request` is one: its URL and its headers count, and nothing else of it. */
export interface AuthorizedRequest {
  readonly url?: string | URL | undefined;
  /** They take the place of those of the same name. */
  readonly headers?: HeadersInit | undefined;
}

export type Authorize = (request: HttpRequest) => Awaitable<AuthorizedRequest | undefined>;

export interface CredentialOptions {
  /** Sent with every request, to the origin of the store's URL alone. A function is called for each. */
  readonly headers?: HeadersInit | (() => Awaitable<HeadersInit>) | undefined;
  /**
   * Called for every request, for a signature or another URL: a presigned URL holds for one method. Called once more, with `expired`, when the
   * server answers 401 or 403. Of requests that are refused at the same time one calls it so; the others wait for that, and call it without.
   * Not to read from a store of the same queue: the request has its place there already.
   */
  readonly authorize?: Authorize | undefined;
}

/**
 * Sends requests with their credentials.
 * @returns the answer of `send`, after a second attempt where the first was refused
 */
export type Sender = (
  request: Pick<HttpRequest, "url" | "method" | "range">,
  signal: AbortSignal | null,
  send: (url: URL, headers: Headers) => Promise<Response>,
) => Promise<Response>;

/** @param more headers that come before those of the options */
export function createSender(
  { headers, authorize }: CredentialOptions,
  more: HeadersInit | undefined,
): Sender {
  /** Resolves when the last call with `expired` has ended. */
  let renewal: Promise<unknown> | undefined;

  return async ({ url, method, range }, signal, send) => {
    const prepare = async (expired: boolean): Promise<readonly [URL, Headers]> => {
      const part: HeadersInit = range ? { range } : {};
      const all = merged([more, typeof headers === "function" ? await headers() : headers, part]);
      const own = await authorize?.({ url: new URL(url), method, range, headers: all, expired });
      const to = new URL(own?.url ?? url, url);
      // What is meant for the store's origin is no other's business.
      return [to, merged([to.origin === url.origin ? all : part, own?.headers])];
    };
    const attempt = async (expired: boolean): Promise<Response> => {
      const prepared = await untilAborted(signal ?? undefined, async () => {
        if (!expired) await renewal;
        const made = prepare(expired);
        if (expired) renewal = made.catch(() => {});
        return made;
      });
      return send(...prepared);
    };
    const before = renewal;
    const response = await attempt(false);
    if (!authorize || ![401, 403].includes(response.status)) return response;
    discard(response);
    // Somebody else's is under way, or has been since.
    return attempt(renewal === before);
  };
}

function merged(lists: readonly (HeadersInit | undefined)[]): Headers {
  const all = new Headers();
  for (const list of lists) for (const [name, value] of new Headers(list)) all.set(name, value);
  return all;
}
