/** The values of a store over HTTP: ranges, versions as ETags, listings. For browsers of any origin; read only. */
import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { canList, listDir, readRange } from "../../stores/capabilities.js";
import { isAbsolutePath, relativeKey, relativePrefix, resolveRange } from "../../stores/keys-and-ranges.js";
import type { AbsolutePath, RangeQuery, Store, ValueState } from "../../stores/store.js";

const CORS = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "content-length, content-range, etag, accept-ranges",
};
const PREFLIGHT = {
  ...CORS,
  "access-control-allow-methods": "GET, HEAD, OPTIONS",
  "access-control-allow-headers": "range, if-none-match, if-range",
  "access-control-allow-private-network": "true",
  "access-control-max-age": "86400",
};

/**
 * Answers a request for a value.
 * @param name the key's part of the URL, percent-encoded, without its leading "/"
 */
export async function answerValue(
  store: Store,
  name: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const fail = (status: number, text: string, headers = {}): void => {
    response.writeHead(status, { ...CORS, "content-type": "text/plain; charset=utf-8", ...headers });
    response.end(request.method === "HEAD" ? undefined : `${text}\n`);
  };
  if (request.method === "OPTIONS") {
    response.writeHead(204, PREFLIGHT).end();
    return;
  }
  if (request.method !== "GET" && request.method !== "HEAD") {
    fail(405, "this server only reads", { allow: "GET, HEAD, OPTIONS" });
    return;
  }
  const controller = new AbortController();
  response.once("close", () => controller.abort());
  const { signal } = controller;
  try {
    const key = keyOf(name);
    if (key === undefined) {
      fail(400, "the path is no key of a store");
      return;
    }
    if (key.endsWith("/")) {
      if (!canList(store)) {
        fail(404, "the store cannot be listed");
        return;
      }
      const listing = JSON.stringify(await listDir(store, key, { signal }));
      response.writeHead(200, { ...CORS, "content-type": "application/json", "cache-control": "no-cache" });
      response.end(request.method === "HEAD" ? undefined : listing);
      return;
    }
    await send(store, key, request, response, signal, fail);
  } catch (error) {
    if (signal.aborted || response.headersSent) response.destroy();
    else fail(500, error instanceof Error ? error.message : String(error));
  }
}

/** Undefined for escapes that make no text, and for keys that no store has: with "..", for example. */
function keyOf(name: string): AbsolutePath | undefined {
  try {
    const key = `/${decodeURIComponent(name)}`;
    if (!isAbsolutePath(key)) return undefined;
    if (key.endsWith("/")) relativePrefix(key);
    else relativeKey(key);
    return key;
  } catch {
    return undefined;
  }
}

/** What is sent of a value. */
interface Part {
  readonly bytes: Uint8Array;
  /** Where the part begins; undefined for the whole value. */
  readonly start?: number;
  readonly total: number;
  readonly etag: string | undefined;
}

async function send(
  store: Store,
  key: AbsolutePath,
  request: IncomingMessage,
  response: ServerResponse,
  signal: AbortSignal,
  fail: (status: number, text: string, headers?: Record<string, string>) => void,
): Promise<void> {
  const { range, "if-range": condition, "if-none-match": known } = request.headers;
  const asked = rangeOf(range);
  let part = await readPart(store, key, asked, signal);
  if (part && condition !== undefined && condition !== part.etag)
    part = await readPart(store, key, undefined, signal);
  if (part === undefined) {
    fail(404, "there is no such key");
    return;
  }
  const { bytes, start, total, etag } = part;
  const isDocument = /(?:\.json|\/\.z[a-z]+)$/.test(key);
  const headers = {
    ...CORS,
    "accept-ranges": "bytes",
    // Asked for again each time, for data may be written while somebody looks at them; with an ETag that is a 304.
    "cache-control": "no-cache",
    "content-type": isDocument ? "application/json" : "application/octet-stream",
    ...(etag && { etag }),
  };
  if (etag !== undefined && known === etag) {
    response.writeHead(304, headers).end();
    return;
  }
  if (start !== undefined && bytes.byteLength === 0) {
    fail(416, "the range is beyond the value", { "content-range": `bytes */${total}` });
    return;
  }
  const position = start !== undefined && {
    "content-range": `bytes ${start}-${start + bytes.byteLength - 1}/${total}`,
  };
  const status = position ? 206 : 200;
  response.writeHead(status, { ...headers, ...position, "content-length": bytes.byteLength });
  response.end(request.method === "HEAD" ? undefined : bytes);
}

async function readPart(
  store: Store,
  key: AbsolutePath,
  range: RangeQuery | undefined,
  signal: AbortSignal,
): Promise<Part | undefined> {
  let state: ValueState = {};
  const options = {
    signal,
    onValue: (told: ValueState) => {
      state = told;
    },
  };
  if (range) {
    const bytes = await readRange(store, key, range, options);
    const { byteLength } = state;
    if (bytes && byteLength !== undefined)
      return { bytes, start: resolveRange(range, byteLength).start, total: byteLength, etag: tagOf(state) };
  }
  // Also where the store does not tell how long the value is of which it gave a part.
  const whole = await store.get(key, options);
  if (!whole) return undefined;
  const total = whole.byteLength;
  const etag = tagOf(state);
  if (range === undefined) return { bytes: whole, total, etag };
  const { start, end } = resolveRange(range, total);
  return { bytes: whole.subarray(start, end), start, total, etag };
}

/** One range of bytes; undefined for none, and for what may be ignored (RFC 9110, 14.2). */
function rangeOf(header: string | undefined): RangeQuery | undefined {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? "");
  if (!match) return undefined;
  const [, first = "", last = ""] = match;
  if (first === "")
    return last === "" ? undefined : { suffixLength: Math.min(Number(last), Number.MAX_SAFE_INTEGER) };
  const offset = Number(first);
  const end = last === "" ? Number.MAX_SAFE_INTEGER : Number(last) + 1;
  return Number.isSafeInteger(offset) && end > offset ? { offset, length: end - offset } : undefined;
}

/** Versions may hold what headers may not. */
function tagOf({ version, byteLength }: ValueState): string | undefined {
  if (version === undefined) return undefined;
  return `"${createHash("sha256").update(`${version} ${byteLength}`).digest("base64url").slice(0, 22)}"`;
}
