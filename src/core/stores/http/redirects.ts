/** Redirects, outside of pages. A page's `fetch` does not show where a redirect leads. */
import { discard } from "./answer.js";

/** As many as `fetch` follows. */
const MOST_REDIRECTS = 20;
const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];

/**
 * `fetch` that sends the caller's headers to the origin of `to` alone. When a redirect leads to another
 * origin, `fetch` itself drops `Authorization` and cookies, and sends on all others, such as an API key.
 * @param checkRedirect throws when a redirect must not be followed
 */
export async function fetchOf(
  to: URL,
  init: RequestInit & { readonly headers: Headers },
  checkRedirect?: (to: URL) => void,
): Promise<Response> {
  const { headers, redirect = "follow" } = init;
  if (redirect !== "follow") return fetch(to.href, init);
  let url = to;
  let sent = headers;
  for (let count = 0; count <= MOST_REDIRECTS; count++) {
    const response = await fetch(url.href, { ...init, headers: sent, redirect: "manual" });
    // A runtime that hides redirects, as pages do.
    if (response.type === "opaqueredirect") return fetch(url.href, { ...init, headers: sent });
    const location = response.headers.get("location");
    if (location === null || !REDIRECTS.includes(response.status)) return response;
    discard(response);
    const next = new URL(location, url);
    if (next.protocol !== "http:" && next.protocol !== "https:")
      throw new TypeError(`a redirect to a ${next.protocol} address`);
    checkRedirect?.(next);
    if (next.origin !== url.origin) sent = rangeOf(sent);
    url = next;
  }
  throw new TypeError(`more than ${MOST_REDIRECTS} redirects`);
}

function rangeOf(headers: Headers): Headers {
  const range = headers.get("range");
  return new Headers(range === null ? {} : { range });
}
