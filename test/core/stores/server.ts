/**
 * A small HTTP server for tests: serves a directory or a map of values, counts what it is asked for, and
 * misbehaves on command. Listens on a free local port and allows every origin.
 */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

/**
 * As a browser gives the answers of another origin: with `type` "cors", which says that headers may be
 * hidden.
 */
export async function asAnotherOrigin(request: Request): Promise<Response> {
  return Object.defineProperty(await fetch(request), "type", { value: "cors" });
}

export type Misbehaviour =
  /** Answers with this status, these headers and a short text. */
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  /** Answers 200 with an HTML page to everything. */
  | "html"
  /** Announces the right length and closes the connection after half of the body. */
  | "half"
  /** Announces the right length, sends half of the body, keeps the connection open. */
  | "stall"
  /** Never answers. */
  | "silent"
  /** Answers, after a tenth of a second. */
  | "late"
  /** Sends the body in four pieces, a twentieth of a second apart. */
  | "trickle"
  /** Closes the connection instead of answering. */
  | "hang-up"
  /** Resets the connection instead of answering. */
  | "reset"
  /** Announces the right length and resets the connection after half of the body. */
  | "reset-half"
  /** Sends whole values with status 200 whatever range was asked for. */
  | "ignore-range"
  /** Answers 405 to HEAD. */
  | "refuse-head"
  /** Answers HEAD without a Content-Length. */
  | "hide-length"
  /** Answers 400 to suffix ranges. */
  | "refuse-suffix"
  /** Sends whole values with status 200 when their last bytes are asked for. */
  | "ignore-suffix"
  /** Takes `bytes=-N` for `bytes=0-N`. */
  | "suffix-as-prefix"
  /** Sends the bytes asked for with a Content-Range that is one off. */
  | "wrong-content-range"
  /** Sends the bytes one after those asked for, with the Content-Range that says so. */
  | "wrong-range"
  /** Leaves Content-Range out of 206 answers, as CORS does for a browser. */
  | "hide-content-range"
  /** Answers 403 to the OPTIONS request that a browser sends ahead of a suffix range to another origin. */
  | "refuse-preflight"
  /** Allows no other origin. */
  | "refuse-origin"
  /** Compresses whole values with gzip; HEAD announces the compressed length. */
  | "gzip"
  /** Compresses parts with gzip. */
  | "gzip-part";

export interface TestRequest {
  readonly method: string;
  /** The path, decoded, which is the key. */
  readonly key: string;
  readonly search: string;
  readonly range: string | undefined;
  readonly headers: IncomingMessage["headers"];
}

export interface TestServer {
  readonly url: string;
  /** Every request since the start or the last `reset`. */
  readonly requests: TestRequest[];
  /** Body bytes sent since the start or the last `reset`. */
  bytesSent: number;
  /** TCP connections since the start or the last `reset`. */
  connections: number;
  /** How to misbehave, for keys that match; undefined behaves. */
  misbehaviour: Misbehaviour | undefined;
  misbehavingKeys: RegExp;
  /** How many more requests to misbehave at. */
  misbehavingRequests: number;
  /** What tells the version of a value: a header of that name, which changes when the value does. */
  versionHeader: "etag" | "last-modified" | undefined;
  /** Called with every request before it is looked at, and waited for: what comes between two requests. */
  onRequest: ((request: TestRequest) => void | Promise<void>) | undefined;
  /** Behaves again and forgets all counts. */
  reset(): void;
  close(): Promise<void>;
}

export async function serve(source: string | ReadonlyMap<string, Uint8Array>): Promise<TestServer> {
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(new Error(String(error))));
  });
  server.on("connection", () => {
    testServer.connections++;
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("expected a TCP address");

  const testServer: TestServer = {
    url: `http://127.0.0.1:${address.port}`,
    requests: [],
    bytesSent: 0,
    connections: 0,
    misbehaviour: undefined,
    misbehavingKeys: /^/,
    misbehavingRequests: Number.POSITIVE_INFINITY,
    versionHeader: undefined,
    onRequest: undefined,
    reset() {
      testServer.requests.length = 0;
      testServer.bytesSent = 0;
      testServer.connections = 0;
      testServer.misbehaviour = undefined;
      testServer.misbehavingKeys = /^/;
      testServer.misbehavingRequests = Number.POSITIVE_INFINITY;
      testServer.versionHeader = undefined;
      testServer.onRequest = undefined;
    },
    close() {
      server.closeAllConnections();
      return new Promise((closed) => server.close(() => closed()));
    },
  };

  async function readValue(key: string): Promise<Uint8Array | undefined> {
    if (typeof source !== "string") return source.get(key);
    return readFile(join(source, key)).catch(() => undefined);
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, search } = new URL(request.url ?? "/", testServer.url);
    const method = request.method ?? "GET";
    const key = decodeURIComponent(pathname);
    const asked = { method, key, search, range: request.headers.range, headers: request.headers };
    testServer.requests.push(asked);
    await testServer.onRequest?.(asked);
    const isBad = testServer.misbehavingKeys.test(key) && testServer.misbehavingRequests-- > 0;
    const how = isBad ? testServer.misbehaviour : undefined;
    if (how !== "refuse-origin") response.setHeader("access-control-allow-origin", "*");
    response.setHeader("access-control-allow-headers", "range, authorization");
    if (how !== "hide-content-range")
      response.setHeader("access-control-expose-headers", "content-range, etag, retry-after");

    const send = (status: number, type: string, body: Uint8Array) => {
      testServer.bytesSent += method === "HEAD" ? 0 : body.byteLength;
      if (!(how === "hide-length" && method === "HEAD"))
        response.setHeader("content-length", body.byteLength);
      response.writeHead(status, { "content-type": type });
      if (method !== "HEAD" && how === "trickle") {
        void trickle(response, body);
      } else if (method !== "HEAD" && (how === "half" || how === "reset-half" || how === "stall")) {
        response.write(body.subarray(0, body.byteLength >> 1), () => {
          if (how === "half") response.destroy();
          if (how === "reset-half") request.socket.resetAndDestroy();
        });
      } else {
        response.end(method === "HEAD" ? undefined : body);
      }
    };
    const sendText = (status: number, text: string, type = "text/plain") =>
      send(status, type, new TextEncoder().encode(text));

    if (method === "OPTIONS") return sendText(how === "refuse-preflight" ? 403 : 204, "");
    if (how === "silent") return;
    if (how === "reset") {
      request.socket.resetAndDestroy();
      return;
    }
    if (how === "late") await new Promise((resolve) => setTimeout(resolve, 100));
    if (how === "hang-up") {
      request.socket.destroy();
      return;
    }
    if (typeof how === "object") {
      for (const [name, value] of Object.entries(how.headers ?? {})) response.setHeader(name, value);
      return sendText(how.status, `status ${how.status}`);
    }
    if (how === "html")
      return sendText(200, "<!DOCTYPE html><title>A page</title>", "text/html; charset=utf-8");
    if (method === "HEAD" && how === "refuse-head") return sendText(405, "");
    const value = await readValue(key);
    if (value === undefined) return sendText(404, "not found");
    if (testServer.versionHeader !== undefined) {
      const hash = createHash("md5").update(value).digest();
      const isTag = testServer.versionHeader === "etag";
      response.setHeader(
        testServer.versionHeader,
        isTag ? `"${hash.toString("hex")}"` : new Date(hash.readUInt32LE() * 1000).toUTCString(),
      );
    }
    const type = key.endsWith("json") ? "application/json" : "application/octet-stream";
    if (request.headers.range === undefined || how === "ignore-range") {
      if (how !== "gzip") return send(200, type, value);
      response.setHeader("content-encoding", "gzip");
      return send(200, type, gzipSync(value));
    }

    const isSuffix = request.headers.range.startsWith("bytes=-");
    if (isSuffix && how === "ignore-suffix") return send(200, type, value);
    if (isSuffix && how === "refuse-suffix") return sendText(400, "no suffix ranges");
    let [start, end] = parseRange(request.headers.range, value.byteLength);
    if (isSuffix && how === "suffix-as-prefix")
      [start, end] = [0, Math.min(value.byteLength, end - start + 1)];
    if (start >= end) return sendText(416, "range not satisfiable");
    if (how === "wrong-range") [start, end] = [start + 1, Math.min(end + 1, value.byteLength)];
    const told = how === "wrong-content-range" ? start + 1 : start;
    if (how !== "hide-content-range") {
      response.setHeader("content-range", `bytes ${told}-${told + end - start - 1}/${value.byteLength}`);
    }
    if (how !== "gzip-part") return send(206, type, value.subarray(start, end));
    response.setHeader("content-encoding", "gzip");
    send(206, type, gzipSync(value.subarray(start, end)));
  }

  return testServer;
}

async function trickle(response: ServerResponse, body: Uint8Array): Promise<void> {
  const length = Math.ceil(body.byteLength / 4);
  for (let start = 0; start < body.byteLength; start += length) {
    response.write(body.subarray(start, start + length));
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  response.end();
}

/** First byte and the byte after the last one. */
function parseRange(header: string, byteLength: number): [number, number] {
  const [, first = "", last = ""] = /^bytes=(\d*)-(\d*)$/.exec(header) ?? [];
  if (first === "") return [Math.max(0, byteLength - Number(last)), byteLength];
  return [Number(first), last === "" ? byteLength : Math.min(byteLength, Number(last) + 1)];
}
