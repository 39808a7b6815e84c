/**
 * The server of `wazarr serve`. Below /data/ are the values of one store: read-only, for pages of any origin, with ranges, versions as
 * ETags, and listings. All other paths are files of the viewer.
 */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type Server,
} from "node:http";
import { extname } from "node:path";
import { canList, listDir } from "../stores/capabilities.js";
import { isAbsolutePath, relativeKey, relativePrefix, resolveRange } from "../stores/keys-and-ranges.js";
import type { AbsolutePath, RangeQuery, Store, ValueState } from "../stores/store.js";
import { askParts } from "../stores/values.js";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
};

export interface ServeOptions {
  readonly port: number;
  /** Address to listen at. Default 127.0.0.1, which other machines cannot reach. */
  readonly host?: string | undefined;
  /** Directory of the built viewer, a subdirectory of the package's modules. */
  readonly viewer: URL;
}

/**
 * Starts the server and waits until it listens.
 * @throws errors of `listen`: EADDRINUSE for a port in use
 */
export async function startServer(
  store: Store,
  { port, host = "127.0.0.1", viewer }: ServeOptions,
): Promise<Server> {
  const server = createServer((request, response) => {
    // Refuse other host names, against DNS rebinding: a foreign page whose DNS name points here could read the data otherwise.
    if (!isOwnHost(request.headers.host, host)) {
      response
        .writeHead(403, { "content-type": "text/plain" })
        .end("this server answers to its own address alone\n");
      return;
    }
    const [path = "/"] = (request.url ?? "/").split("?");
    const controller = new AbortController();
    response.once("close", () => controller.abort());
    const answer = path.startsWith("/data/")
      ? answerValue(store, path.slice("/data/".length), request, controller.signal)
      : answerFile(viewer, path);
    answer
      .then(({ status, headers, body }) =>
        response.writeHead(status, headers).end(request.method === "HEAD" ? undefined : body),
      )
      .catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  return server;
}

/** Whether a Host header names the address that the server listens at. */
export function isOwnHost(header: string | undefined, host: string): boolean {
  const name = header?.replace(/:\d*$/, "").toLowerCase();
  const isLocal = ["127.0.0.1", "localhost", "[::1]"].includes(name ?? "");
  // A server that listens at all addresses accepts every name.
  return (
    isLocal ||
    name === host.toLowerCase() ||
    name === `[${host.toLowerCase()}]` ||
    ["0.0.0.0", "::"].includes(host)
  );
}

/** Paths that are served: the viewer's page with its assets, and below lib/ the package's modules that the page imports. */
const PAGE = /^(?:assets\/)?[\w-]+(?:\.[\w-]+)*\.(?:html|js|css|svg)$/;
const MODULE = /^lib\/((?:(?:chunks|stores|workers)\/)?[\w-]+\.js)$/;

interface Answer {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body?: string | Uint8Array;
}

async function answerFile(viewer: URL, path: string): Promise<Answer> {
  const name = path === "/" ? "index.html" : path.slice(1);
  const file = PAGE.test(name)
    ? new URL(name, viewer)
    : new URL(MODULE.exec(name)?.[1] ?? "none", new URL("..", viewer));
  try {
    const body = await readFile(file);
    // Files with a hash in their names never change, so they can be cached forever.
    const cache = /^(?:assets|lib\/chunks)\//.test(name) ? "max-age=31536000, immutable" : "no-cache";
    const type = TYPES[extname(name)] ?? "text/plain";
    return { status: 200, headers: { "content-type": type, "cache-control": cache }, body };
  } catch {
    return { status: 404, headers: { "content-type": "text/plain" }, body: "not found\n" };
  }
}

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

/** An error response with text for people. */
function refusal(status: number, text: string, headers: OutgoingHttpHeaders = {}): Answer {
  const type = { "content-type": "text/plain; charset=utf-8" };
  return { status, headers: { ...CORS, ...type, ...headers }, body: `${text}\n` };
}

/**
 * Answers a request for a value.
 * @param name the key's part of the URL, percent-encoded, without its leading "/"
 */
async function answerValue(
  store: Store,
  name: string,
  { method, headers }: IncomingMessage,
  signal: AbortSignal,
): Promise<Answer> {
  if (method === "OPTIONS") return { status: 204, headers: PREFLIGHT };
  if (method !== "GET" && method !== "HEAD")
    return refusal(405, "this server only reads", { allow: "GET, HEAD, OPTIONS" });
  const key = keyOf(name);
  if (key === undefined) return refusal(400, "the path is no key of a store");
  try {
    return await (key.endsWith("/") ? list(store, key, signal) : send(store, key, headers, signal));
  } catch (error) {
    if (signal.aborted) throw error;
    return refusal(500, error instanceof Error ? error.message : String(error));
  }
}

async function list(store: Store, prefix: AbsolutePath, signal: AbortSignal): Promise<Answer> {
  if (!canList(store)) return refusal(404, "the store cannot be listed");
  const headers = { ...CORS, "content-type": "application/json", "cache-control": "no-cache" };
  return { status: 200, headers, body: JSON.stringify(await listDir(store, prefix, { signal })) };
}

/** The key or prefix of a percent-encoded name; undefined for invalid escapes and invalid keys, such as those with "..". */
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

/** The bytes of a value to send. */
interface Part {
  readonly bytes: Uint8Array;
  /** Byte offset of the part in the value; undefined for the whole value. */
  readonly start?: number;
  readonly total: number;
  readonly etag: string | undefined;
}

async function send(
  store: Store,
  key: AbsolutePath,
  { range, "if-range": condition, "if-none-match": known }: IncomingHttpHeaders,
  signal: AbortSignal,
): Promise<Answer> {
  let part = await readPart(store, key, rangeOf(range), signal);
  if (part && condition !== undefined && condition !== part.etag)
    part = await readPart(store, key, undefined, signal);
  if (part === undefined) return refusal(404, "there is no such key");
  const { bytes, start, total, etag } = part;
  const isDocument = /(?:\.json|\/\.z[a-z]+)$/.test(key);
  const headers = {
    ...CORS,
    "accept-ranges": "bytes",
    // Browsers must revalidate each time, because data may change while somebody views them. With an ETag the answer is a short 304.
    "cache-control": "no-cache",
    "content-type": isDocument ? "application/json" : "application/octet-stream",
    ...(etag && { etag }),
  };
  if (etag !== undefined && known === etag) return { status: 304, headers };
  const length = bytes.byteLength;
  const whole = { ...headers, "content-length": length };
  if (start === undefined) return { status: 200, headers: whole, body: bytes };
  if (length === 0)
    return refusal(416, "the range is beyond the value", { "content-range": `bytes */${total}` });
  const position = { "content-range": `bytes ${start}-${start + length - 1}/${total}` };
  return { status: 206, headers: { ...whole, ...position }, body: bytes };
}

async function readPart(
  store: Store,
  key: AbsolutePath,
  range: RangeQuery | undefined,
  signal: AbortSignal,
): Promise<Part | undefined> {
  const found = await askParts(store, key, range && [range], { signal });
  const [bytes] = found?.parts ?? [];
  if (!found || !bytes) return undefined;
  const { byteLength: total } = found;
  const etag = tagOf(found);
  if (range === undefined) return { bytes, total: bytes.byteLength, etag };
  if (total !== undefined) return { bytes, start: resolveRange(range, total).start, total, etag };
  // The store does not tell the length of the value, which the answer to a range must have.
  const whole = await store.get(key, { signal });
  if (!whole) return undefined;
  const { start, end } = resolveRange(range, whole.byteLength);
  return { bytes: whole.subarray(start, end), start, total: whole.byteLength, etag };
}

/** Parses a Range header with one byte range; undefined without one, and for headers that may be ignored (RFC 9110, 14.2). */
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

/** The ETag of a version: a hash, because versions may contain characters that headers may not. */
function tagOf({ version, byteLength }: ValueState): string | undefined {
  if (version === undefined) return undefined;
  return `"${createHash("sha256").update(`${version} ${byteLength}`).digest("base64url").slice(0, 22)}"`;
}
