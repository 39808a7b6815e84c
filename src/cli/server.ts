/**
 * The server of `wazarr serve`. Below /data/ are the arrays and groups of one store: read-only, for pages of
 * its own origin and of those that the user named, with ranges, versions as ETags, and listings. All other
 * paths are files of the viewer.
 */
import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type OutgoingHttpHeaders, type Server } from "node:http";
import { extname } from "node:path";
import { pipeline } from "node:stream/promises";
import type { AbsolutePath, Store } from "../index.js";
import { isAbsolutePath, relativeKey, relativePrefix } from "../stores/keys-and-ranges.js";
import { ServedKeys } from "./served-keys.js";
import { type Answer, answerGet, answerHead } from "./served-values.js";

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
  /** Other origins whose pages may read; "*" for all. Default none. */
  readonly cors?: readonly string[] | undefined;
  /**
   * Told of every failure of the store. Clients are told only that there is one: messages contain paths and
   * addresses.
   */
  readonly onProblem?: ((problem: unknown) => void) | undefined;
}

/** Clients at the same time. Each that does not read holds a piece of a value, and what the sockets hold. */
const MOST_CONNECTIONS = 256;
/** Milliseconds after which a client that takes nothing is disconnected. */
const LONGEST_IDLE = 300_000;
/** Milliseconds for which a connection waits for the next request. */
const LONGEST_KEPT = 60_000;

/**
 * Starts the server and waits until it listens.
 * @throws errors of `listen`: EADDRINUSE for a port in use
 */
export async function startServer(
  store: Store,
  { port, host = "127.0.0.1", viewer, cors = [], onProblem }: ServeOptions,
): Promise<Server> {
  const served = { store, keys: new ServedKeys(store), onProblem };
  const server = createServer((request, response) => {
    // Refuse other host names, against DNS rebinding: a foreign page whose DNS name points here could read
    // the data otherwise.
    if (!isOwnHost(request.headers.host, host)) {
      response.writeHead(403, TEXT).end("this server answers to its own address alone\n");
      return;
    }
    const [path = "/"] = (request.url ?? "/").split("?");
    const controller = new AbortController();
    response.once("close", () => controller.abort());
    const answer = path.startsWith("/data/")
      ? answerPage(served, path.slice("/data/".length), request, cors, controller.signal)
      : answerFile(viewer, path);
    answer
      .then(({ status, headers, body }) => {
        response.writeHead(status, { ...EVERYWHERE, ...headers });
        if (request.method === "HEAD" || body === undefined) return void response.end();
        if (typeof body === "string" || body instanceof Uint8Array) return void response.end(body);
        return pipeline(body, response);
      })
      .catch(() => response.destroy());
  });
  server.maxConnections = MOST_CONNECTIONS;
  server.setTimeout(LONGEST_IDLE);
  // After the default of 5 s, a client that was busy meanwhile sends into a connection that is just being
  // closed.
  server.keepAliveTimeout = LONGEST_KEPT;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  return server;
}

/** For people. */
const TEXT: OutgoingHttpHeaders = { "content-type": "text/plain; charset=utf-8" };
/**
 * Bytes are what their type says, and no page of another origin shows them as a picture or runs them as a
 * script.
 */
const EVERYWHERE: OutgoingHttpHeaders = {
  "x-content-type-options": "nosniff",
  "cross-origin-resource-policy": "same-origin",
};

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

/**
 * Paths that are served: the viewer's page with its assets, and below lib/ the package's modules that the
 * page imports.
 */
const PAGE = /^(?:assets\/)?[\w-]+(?:\.[\w-]+)*\.(?:html|js|css|svg)$/;
const MODULE = /^lib\/((?:(?:chunks|stores|workers)\/)?[\w-]+\.js)$/;

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
    return { status: 404, headers: TEXT, body: "not found\n" };
  }
}

// Values below /data/, and which origins may read them.

interface Served {
  readonly store: Store;
  readonly keys: ServedKeys;
  readonly onProblem: ServeOptions["onProblem"];
}

function refusal(status: number, text: string, headers: OutgoingHttpHeaders = {}): Answer {
  return { status, headers: { ...TEXT, ...headers }, body: `${text}\n` };
}

/**
 * Answers a request for a value with the headers of CORS, or refuses a page of an origin that may not read.
 */
async function answerPage(
  served: Served,
  name: string,
  request: IncomingMessage,
  cors: readonly string[],
  signal: AbortSignal,
): Promise<Answer> {
  const { method, headers } = request;
  const { origin, host } = headers;
  const isOther = origin !== undefined && origin !== `http://${host}`;
  const allowed = cors.includes("*")
    ? "*"
    : origin !== undefined && cors.includes(origin)
      ? origin
      : undefined;
  if (isOther && allowed === undefined)
    return refusal(403, "pages of this origin may not read here: serve with --cors ORIGIN", {
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

/** @param name the key's part of the URL, percent-encoded, without its leading "/" */
async function answerValue(
  { store, keys, onProblem }: Served,
  name: string,
  { method, headers }: IncomingMessage,
  signal: AbortSignal,
): Promise<Answer> {
  const key = keyOf(name);
  if (key === undefined) return refusal(400, "the path is no key of a store");
  try {
    if (key.endsWith("/")) return (await list(keys, key, signal)) ?? MISSING;
    if (!(await keys.has(key, { signal }))) return MISSING;
    const asked = { store, key, signal };
    return (await (method === "HEAD" ? answerHead(asked, headers) : answerGet(asked, headers))) ?? MISSING;
  } catch (error) {
    if (signal.aborted) throw error;
    onProblem?.(error);
    return refusal(500, "the value cannot be read: the terminal of wazarr serve says why");
  }
}

const MISSING = refusal(404, "there is no such array, group or chunk");

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
    if (!isAbsolutePath(key)) return undefined;
    if (key.endsWith("/")) relativePrefix(key);
    else relativeKey(key);
    return key;
  } catch {
    return undefined;
  }
}
