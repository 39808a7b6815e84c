/**
 * Whose values an HttpStore reads. A server may answer each user with other values, so a cache that outlives
 * a page must not mix them up.
 */
import type { HttpStoreOptions } from "./options.js";

type Identity = Pick<HttpStoreOptions, "headers" | "authorize" | "overrides">;

/** By the `url` of stores, which wrappers hand on. */
const known = new WeakMap<URL, Identity>();

/** Called for each HttpStore. */
export function identify(url: URL, options: Identity): void {
  known.set(url, options);
}

/**
 * What the requests of the store with this URL say of their user: "" for nothing; undefined if that is only
 * known when they are sent, because a function gives it, or the browser with its cookies.
 */
export function identityOf(url: URL): string | undefined {
  const { headers, authorize, overrides } = known.get(url) ?? {};
  if (typeof headers === "function" || authorize !== undefined || overrides?.credentials === "include")
    return undefined;
  const all = [...new Headers(overrides?.headers), ...new Headers(headers)];
  return all.length === 0 ? "" : JSON.stringify(all);
}
