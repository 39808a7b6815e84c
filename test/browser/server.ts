/**
 * An HTTP server on localhost for one page, its scripts, and a store with ranges, as a static host would give
 * them.
 */
import { createServer, type ServerResponse } from "node:http";

export interface Site {
  /** Bundled scripts by path: "/main.js". */
  readonly scripts: ReadonlyMap<string, Uint8Array>;
  /** Values by key; served below "/store". */
  readonly store: ReadonlyMap<string, Uint8Array>;
  /** The page; one with "/main.js" unless given. */
  readonly page?: string;
  /** Sent with the page, when given. */
  readonly contentSecurityPolicy?: string | undefined;
  /** Whether the page has SharedArrayBuffer. */
  readonly isCrossOriginIsolated?: boolean;
  /** Called with what the page posts. */
  readonly onPost?: (body: string) => void;
}

export interface RunningServer {
  readonly url: string;
  close(): Promise<void>;
}

const PAGE =
  '<!doctype html><meta charset="utf-8"><title>wazarr</title><script type="module" src="/main.js"></script>';

const ISOLATED = {
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-embedder-policy": "require-corp",
};

export async function serve(site: Site): Promise<RunningServer> {
  const { scripts, store, page = PAGE, contentSecurityPolicy, isCrossOriginIsolated = false, onPost } = site;
  const policy =
    contentSecurityPolicy === undefined ? {} : { "content-security-policy": contentSecurityPolicy };
  const server = createServer((request, response) => {
    for (const [name, value] of Object.entries(isCrossOriginIsolated ? ISOLATED : {}))
      response.setHeader(name, value);
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    const script = scripts.get(pathname);
    if (request.method === "POST") {
      request
        .setEncoding("utf8")
        .toArray()
        .then((parts) => {
          response.end();
          onPost?.(parts.join(""));
        });
    } else if (pathname === "/")
      response.writeHead(200, { "content-type": "text/html", ...policy }).end(page);
    else if (script !== undefined) response.writeHead(200, { "content-type": "text/javascript" }).end(script);
    else sendValue(response, store.get(pathname.replace(/^\/store/, "")), request.headers.range);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return {
    url: `http://127.0.0.1:${address.port}/`,
    close: () =>
      new Promise((resolve, reject) => {
        server.closeAllConnections();
        server.close((error) => (error === undefined ? resolve() : reject(error)));
      }),
  };
}

function sendValue(response: ServerResponse, value: Uint8Array | undefined, range: string | undefined): void {
  if (value === undefined) {
    response.writeHead(404).end();
    return;
  }
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(range ?? "") ?? [];
  if (first === undefined || last === undefined) {
    response.writeHead(200, { "content-type": "application/octet-stream" }).end(value);
    return;
  }
  const start = first === "" ? Math.max(0, value.length - Number(last)) : Number(first);
  const end = first === "" || last === "" ? value.length : Math.min(Number(last) + 1, value.length);
  response
    .writeHead(206, { "content-range": `bytes ${start}-${end - 1}/${value.length}` })
    .end(value.subarray(start, end));
}
