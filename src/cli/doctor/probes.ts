/** Requests to a server as a page would make them. Nothing here is printed. */

import { isIP } from "node:net";
import { connect } from "node:tls";
import { HttpStore } from "../../core/stores/http/http.js";
import type { AbsolutePath } from "../../index.js";
import type { Seen } from "./answers.js";
import type { Meter } from "./meter.js";

/** Longest wait for an answer, in milliseconds. */
const PATIENCE = 30_000;

/** A store behind a URL that counts its requests and tells where its values are. */
export class ProbedStore extends HttpStore {
  constructor(url: URL, { fetch }: Meter) {
    // What 403 means is a finding of its own: it must not end the examination.
    super(url, { fetch, missingStatuses: [403] });
  }

  addressOf(key: AbsolutePath): URL {
    return this.urlOf(key);
  }
}

/** @throws TypeError without an answer */
export async function ask(url: URL, origin: string, range?: string): Promise<Seen> {
  const headers = { origin, ...(range === undefined ? {} : { range }) };
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(PATIENCE) });
  // No more of a body than the caller of a range asked for: the server may send it all.
  await response.body?.cancel();
  return { status: response.status, headers: response.headers };
}

/** Most bytes of a server's explanation that are shown. */
const MOST_WORDS = 300;

/** The same, of a document that is read to its end. @throws TypeError without an answer */
export async function askDocument(url: URL, origin: string): Promise<Seen> {
  const response = await fetch(url, { headers: { origin }, signal: AbortSignal.timeout(PATIENCE) });
  const decoder = new TextDecoder();
  let [bytes, text] = [0, ""];
  if (response.body !== null)
    for await (const part of response.body) {
      if (bytes < MOST_WORDS) text += decoder.decode(part.subarray(0, MOST_WORDS - bytes), { stream: true });
      bytes += part.length;
    }
  const isLine = bytes <= MOST_WORDS && /^[^<{\n]+\n?$/.test(text);
  return {
    status: response.status,
    headers: response.headers,
    bytes,
    ...(response.ok || !isLine ? {} : { words: text.trim() }),
  };
}

/** The preflight of a request with a range. @throws TypeError without an answer */
export async function askPreflight(url: URL, origin: string): Promise<Seen> {
  const response = await fetch(url, {
    method: "OPTIONS",
    headers: {
      origin,
      "access-control-request-method": "GET",
      "access-control-request-headers": "range",
    },
    redirect: "manual",
    signal: AbortSignal.timeout(PATIENCE),
  });
  await response.body?.cancel();
  return { status: response.status, headers: response.headers };
}

/** The protocol that a server of https chooses of HTTP/2 and 1.1; undefined if it cannot be known. */
export function protocolOf({ protocol, hostname, port }: URL): Promise<string | undefined> {
  if (protocol !== "https:") return Promise.resolve(undefined);
  const host = hostname.replace(/^\[|\]$/g, "");
  return new Promise((resolve) => {
    const socket = connect({
      host,
      port: port === "" ? 443 : Number(port),
      ...(isIP(host) === 0 ? { servername: host } : {}),
      ALPNProtocols: ["h2", "http/1.1"],
      timeout: PATIENCE,
    });
    const end = (found: string | undefined): void => {
      socket.destroy();
      resolve(found);
    };
    socket.once("secureConnect", () => end(socket.alpnProtocol || "http/1.1"));
    socket.once("error", () => end(undefined));
    socket.once("timeout", () => end(undefined));
  });
}
