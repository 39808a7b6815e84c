/** What is below /data/: values of a store and listings, and which origins may read them. */

import type { IncomingMessage, OutgoingHttpHeaders } from "node:http";
import { CheckedStore } from "../../extend.js";
import type { AbsolutePath, Store } from "../../index.js";
import { type Answer, refusal } from "./answers.js";
import type { ServedKeys } from "./served-keys.js";
import { answerGet, answerHead } from "./served-values.js";

export interface Served {
  readonly store: Store;
  readonly keys: ServedKeys;
  /** Other origins whose pages may read; "*" for all. */
  readonly cors: readonly string[];
  /**
   * Told of every failure of the store. Clients are told only that there is one: messages contain paths and
   * addresses.
   */
  readonly onProblem?: ((problem: unknown) => void) | undefined;
}

/**
 * Answers a request for a value with the headers of CORS, or refuses a page of an origin that may not read.
 * @param name the key's part of the URL, percent-encoded, without its leading "/"
 */
export async function answerData(
  served: Served,
  name: string,
  request: IncomingMessage,
  signal: AbortSignal,
): Promise<Answer> {
  const { cors } = served;
  const { method, headers } = request;
  const { origin, host } = headers;
  const isOther = origin !== undefined && origin !== `http://${host}`;
  const allowed = cors.includes("*")
    ? "*"
    : origin !== undefined && cors.includes(origin)
      ? origin
      : undefined;
  if (isOther && allowed === undefined)
    return refusal(403, "pages of this origin may not read this; serve with --cors ORIGIN", {
      vary: "origin",
    });
  const sharing = allowed === undefined ? {} : sharingWith(allowed);
  if (method === "OPTIONS") return { status: 204, headers: { ...sharing, ...(allowed && PREFLIGHT) } };
  if (method !== "GET" && method !== "HEAD")
    return refusal(405, "this server only reads", { allow: "GET, HEAD, OPTIONS" });
  const answer = await answerValue(served, name, request, signal);
  return { ...answer, headers: { vary: "origin", ...answer.headers, ...sharing } };
}

const sharingWith = (origin: string): OutgoingHttpHeaders => ({
  "access-control-allow-origin": origin,
  "access-control-expose-headers": "content-length, content-range, etag, accept-ranges",
  vary: "origin",
});

const PREFLIGHT: OutgoingHttpHeaders = {
  "access-control-allow-methods": "GET, HEAD, OPTIONS",
  "access-control-allow-headers": "range, if-none-match, if-range",
  "access-control-allow-private-network": "true",
  "access-control-max-age": "86400",
};

async function answerValue(
  { store, keys, onProblem }: Served,
  name: string,
  { method, headers }: IncomingMessage,
  signal: AbortSignal,
): Promise<Answer> {
  const key = keyOf(name);
  if (key === undefined) return refusal(400, "the path is not a key of a store");
  try {
    if (key.endsWith("/")) return (await list(keys, key, signal)) ?? MISSING;
    if (!(await keys.has(key, { signal }))) return MISSING;
    const request = { store, key, signal };
    return (
      (await (method === "HEAD" ? answerHead(request, headers) : answerGet(request, headers))) ?? MISSING
    );
  } catch (error) {
    if (signal.aborted) throw error;
    onProblem?.(error);
    return refusal(500, "the value cannot be read; the terminal of wazarr serve shows why");
  }
}

const MISSING = refusal(404, "no such array, group or chunk");

async function list(
  keys: ServedKeys,
  prefix: AbsolutePath,
  signal: AbortSignal,
): Promise<Answer | undefined> {
  const listing = await keys.list(prefix, { signal });
  if (listing === undefined) return undefined;
  const headers = { "content-type": "application/json", "cache-control": "no-cache" };
  return { status: 200, headers, body: JSON.stringify(listing) };
}

/**
 * The key or prefix of a percent-encoded name; undefined for invalid escapes and invalid keys, such as those
 * with "..".
 */
function keyOf(name: string): AbsolutePath | undefined {
  try {
    const key = `/${decodeURIComponent(name)}`;
    return CheckedStore.isKey(key) ? key : undefined;
  } catch {
    return undefined;
  }
}
