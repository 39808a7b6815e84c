/** Pages built by Vite, and their server: HTTP/2 with compressed code, like a static host. */
import { execFileSync } from "node:child_process";
import { createHash, X509Certificate } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createSecureServer } from "node:http2";
import { extname, join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "vite";
import { installPackage } from "../../test/bundlers/install.js";

/** The files of a page, by path. */
export type Site = ReadonlyMap<string, Uint8Array>;

/** Requests of a page. */
export interface Transfer {
  readonly path: string;
  readonly isCode: boolean;
  /** Bytes as sent. */
  readonly bytes: number;
}

export interface SiteServer {
  readonly url: string;
  /**
   * Flag that makes Chromium trust the certificate. With a flag to ignore its error, Chromium would not cache
   * responses.
   */
  readonly flag: string;
  /** Serves a site from now on. @returns its requests; the object is updated with every request */
  show(site: Site): readonly Transfer[];
  close(): void;
}

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".json": "application/json",
};

/**
 * An old date, like that of most values in buckets: browsers then use their cache for a while without a
 * request.
 */
const LAST_MODIFIED = "Thu, 01 Jan 2026 00:00:00 GMT";

const PAGE = '<!doctype html><html><body><script type="module" src="./main.js"></script></body></html>';

/** Puts the libraries where programs in `folder` can import them. */
export function installLibraries(folder: string): void {
  installPackage(folder);
  for (const name of ["zarrita", "fflate"]) {
    symlinkSync(resolve("node_modules", name), join(folder, "node_modules", name));
  }
}

/** Bundles a program as the page of an application, without configuration. */
export async function bundleSite(folder: string, name: string, program: string): Promise<Site> {
  const root = join(folder, name);
  const outDir = join(folder, `${name}-site`);
  mkdirSync(root);
  writeFileSync(join(root, "package.json"), '{ "type": "module" }');
  writeFileSync(join(root, "main.js"), program);
  writeFileSync(join(root, "index.html"), PAGE);
  await build({
    root,
    configFile: false,
    logLevel: "silent",
    build: { outDir, emptyOutDir: true, target: "es2022" },
  });
  const files = readdirSync(outDir, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
  return new Map(
    files.map((file) => {
      const path = join(file.parentPath, file.name);
      return [path.slice(outDir.length), readFileSync(path)];
    }),
  );
}

/**
 * @param data values below "/data", which are sent without compression, also by ranges
 * @param failure every `failure`-th request for data gets status 503
 */
export async function serveSites(
  folder: string,
  data: ReadonlyMap<string, Uint8Array>,
  failure = Number.POSITIVE_INFINITY,
): Promise<SiteServer> {
  let untilFailure = failure;
  let site: Site = new Map();
  let transfers: Transfer[] = [];
  const certificate = makeCertificate(folder);
  const server = createSecureServer(certificate);
  server.on("request", (request, response) => {
    const { pathname } = new URL(request.url, "https://localhost");
    const path = pathname === "/" ? "/index.html" : pathname;
    const value = data.get(path);
    const code = site.get(path);
    const body = value ?? (code && gzipSync(code));
    if (body === undefined) {
      // Do not count the favicon.
      if (path.startsWith("/data/")) transfers.push({ path, isCode: false, bytes: 0 });
      response.writeHead(404).end();
      return;
    }
    if (value !== undefined && --untilFailure === 0) {
      untilFailure = failure;
      transfers.push({ path, isCode: false, bytes: 0 });
      response.writeHead(503).end();
      return;
    }
    const etag = `"${body.length}"`;
    if (request.headers["if-none-match"] === etag) {
      transfers.push({ path, isCode: code !== undefined, bytes: 0 });
      response.writeHead(304, { etag }).end();
      return;
    }
    const { range = "" } = request.headers;
    const [asked, first = "", last = ""] = (value && /^bytes=(\d*)-(\d*)$/.exec(range)) ?? [];
    const from = asked === undefined ? 0 : first === "" ? Math.max(0, body.length - Number(last)) : +first;
    const to = first === "" || last === "" ? body.length : Math.min(body.length, Number(last) + 1);
    const part = body.subarray(from, to);
    transfers.push({ path, isCode: code !== undefined, bytes: part.length });
    response.writeHead(asked === undefined ? 200 : 206, {
      "content-type": TYPES[extname(path)] ?? "application/octet-stream",
      "content-length": part.length,
      etag,
      "last-modified": LAST_MODIFIED,
      ...(value === undefined ? { "content-encoding": "gzip" } : { "accept-ranges": "bytes" }),
      ...(asked !== undefined && { "content-range": `bytes ${from}-${to - 1}/${body.length}` }),
    });
    response.end(request.method === "HEAD" ? "" : part);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("expected a TCP address");
  return {
    url: `https://127.0.0.1:${address.port}/`,
    flag: `--ignore-certificate-errors-spki-list=${publicKeyHash(certificate.cert)}`,
    show(next) {
      site = next;
      transfers = [];
      untilFailure = failure;
      return transfers;
    },
    close: () => server.close(),
  };
}

/** Makes a certificate: browsers use HTTP/2 only with TLS. */
function makeCertificate(folder: string): { readonly key: Buffer; readonly cert: Buffer } {
  const [key, cert] = [join(folder, "key.pem"), join(folder, "certificate.pem")];
  const request = "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost".split(" ");
  execFileSync("openssl", [...request, "-keyout", key, "-out", cert], { stdio: "ignore" });
  return { key: readFileSync(key), cert: readFileSync(cert) };
}

function publicKeyHash(certificate: Buffer): string {
  const key = new X509Certificate(certificate).publicKey.export({ type: "spki", format: "der" });
  return createHash("sha256").update(key).digest("base64");
}
