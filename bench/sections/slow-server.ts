/**
 * An HTTP server behind a simulated slow link: every response has a latency, and all responses share the
 * bandwidth.
 */
import { createServer } from "node:http";
import { extname } from "node:path";

/** Of pages; values have none. */
const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".mjs": "text/javascript",
};

export interface SlowServer {
  readonly url: string;
  readonly requests: () => number;
  close(): void;
}

/** @param bandwidth bytes per second */
export async function serveSlowly(
  values: ReadonlyMap<string, Uint8Array>,
  latencyMilliseconds: number,
  bandwidth: number,
): Promise<SlowServer> {
  let requests = 0;
  /** Time at which the link has sent all queued bytes. */
  let free = 0;
  const server = createServer(({ url: asked = "", headers }, response) => {
    const [url = ""] = asked.split("?");
    requests++;
    const value = values.get(url);
    const [, first = "", last = ""] = /^bytes=(\d*)-(\d*)$/.exec(headers.range ?? "") ?? [];
    if (value === undefined) {
      response.writeHead(404).end();
      return;
    }
    const from = first === "" ? (last === "" ? 0 : value.length - Number(last)) : Number(first);
    const to = first === "" || last === "" ? value.length : Math.min(value.length, Number(last) + 1);
    const range = `bytes ${from}-${to - 1}/${value.length}`;
    free = Math.max(free, performance.now() + latencyMilliseconds) + (1000 * (to - from)) / bandwidth;
    const answer = (): void => {
      const status = headers.range === undefined ? 200 : 206;
      const type = TYPES[extname(url)] ?? "application/octet-stream";
      const length = { "content-type": type, "content-length": to - from };
      response.writeHead(status, { "content-range": range, ...length, etag: '"1"' });
      response.end(value.subarray(from, to));
    };
    const wait = free - performance.now();
    if (wait < 1) answer();
    else setTimeout(answer, wait);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("expected a TCP address");
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests: () => requests,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
