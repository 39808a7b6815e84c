/** The server of `wazarr serve`: the values of one store below /data/, and the viewer for everything else. */
import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { extname } from "node:path";
import type { Store } from "../../stores/store.js";
import { answerValue } from "./values.js";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
};

export interface ServeOptions {
  readonly port: number;
  /** Address to listen at: 127.0.0.1 unless given, where nobody else in the network can reach it. */
  readonly host?: string | undefined;
  /** Directory of the built viewer, in that of the package's modules. */
  readonly viewer: URL;
}

/**
 * Starts to serve.
 * @throws what `listen` fails with: EADDRINUSE for a port that is taken
 */
export async function startServer(
  store: Store,
  { port, host = "127.0.0.1", viewer }: ServeOptions,
): Promise<Server> {
  const server = createServer((request, response) => {
    // A name that somebody else's DNS gave this machine: their page would read what only this machine may (DNS rebinding).
    if (!isOwnHost(request.headers.host, host)) {
      response
        .writeHead(403, { "content-type": "text/plain" })
        .end("this server answers to its own address alone\n");
      return;
    }
    const [path = "/"] = (request.url ?? "/").split("?");
    const answer = path.startsWith("/data/")
      ? answerValue(store, path.slice("/data/".length), request, response)
      : answerFile(viewer, path).then(({ status, headers, body }) =>
          response.writeHead(status, headers).end(body),
        );
    answer.catch(() => response.destroy());
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
  // Who listens at every address is asked by every name.
  return (
    isLocal ||
    name === host.toLowerCase() ||
    name === `[${host.toLowerCase()}]` ||
    ["0.0.0.0", "::"].includes(host)
  );
}

/** The viewer's page with its assets, and below lib/ the package's own modules, which it imports. Nothing else is looked for. */
const PAGE = /^(?:assets\/)?[\w-]+(?:\.[\w-]+)*\.(?:html|js|css|svg)$/;
const MODULE = /^lib\/((?:(?:chunks|stores|workers)\/)?[\w-]+\.js)$/;

async function answerFile(viewer: URL, path: string) {
  const name = path === "/" ? "index.html" : path.slice(1);
  const file = PAGE.test(name)
    ? new URL(name, viewer)
    : new URL(MODULE.exec(name)?.[1] ?? "none", new URL("..", viewer));
  try {
    const body = await readFile(file);
    // Names with a hash in them change with their content.
    const cache = /^(?:assets|lib\/chunks)\//.test(name) ? "max-age=31536000, immutable" : "no-cache";
    const type = TYPES[extname(name)] ?? "text/plain";
    return { status: 200, headers: { "content-type": type, "cache-control": cache }, body };
  } catch {
    return { status: 404, headers: { "content-type": "text/plain" }, body: "not found\n" };
  }
}
