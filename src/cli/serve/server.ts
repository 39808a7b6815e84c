/**
 * The server of `wazarr serve`. Below /data/ are the arrays and groups of one store: read-only, for pages of
 * its own origin and of those that the user named, with ranges, versions as ETags, and listings. All other
 * paths are files of the viewer.
 */

import { createServer, type OutgoingHttpHeaders, type Server } from "node:http";
import { pipeline } from "node:stream/promises";
import type { Store } from "../../index.js";
import { refusal } from "./answers.js";
import { answerData, type Served } from "./served-data.js";
import { ServedKeys } from "./served-keys.js";
import { answerFile } from "./viewer-files.js";

export interface ServeOptions {
  readonly port: number;
  /** Address to listen at. Default 127.0.0.1, which other machines cannot reach. */
  readonly host?: string | undefined;
  /** Directory of the built viewer, a subdirectory of the package's modules. */
  readonly viewer: URL;
  /** What the viewer shows if its address does not say it: "url=/data/&path=/t2m". */
  readonly shown?: string | undefined;
  /** Default none. */
  readonly cors?: Served["cors"] | undefined;
  readonly onProblem?: Served["onProblem"];
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
  { port, host = "127.0.0.1", viewer, shown, cors = [], onProblem }: ServeOptions,
): Promise<Server> {
  const served: Served = { store, keys: new ServedKeys(store), cors, onProblem };
  const server = createServer((request, response) => {
    // Refuse other host names, against DNS rebinding: a foreign page whose DNS name points here could read
    // the data otherwise.
    if (!isOwnHost(request.headers.host, host)) {
      const { status, headers, body } = refusal(403, "this server answers only at its own address");
      response.writeHead(status, headers).end(body);
      return;
    }
    const [path = "/"] = (request.url ?? "/").split("?");
    const controller = new AbortController();
    response.once("close", () => controller.abort());
    const answer = path.startsWith("/data/")
      ? answerData(served, path.slice("/data/".length), request, controller.signal)
      : answerFile(viewer, path, shown);
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
