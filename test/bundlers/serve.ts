/** A web server for tests, and pages in a browser that look at it. */
import { createReadStream, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { chromium } from "playwright";
import type { InstalledBrowser } from "../setup/browser-processes.js";

const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".wasm": "application/wasm",
};

export interface Served {
  readonly url: string;
  close(): void;
}

/**
 * @param roots directories by the first name of a path; "" for the rest
 * @param headers sent with every answer
 * @param pageAt text of a page that is no file
 */
export async function serve(
  roots: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
  pageAt: (url: URL) => string | undefined = () => undefined,
): Promise<Served> {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://localhost");
    const page = pageAt(url);
    if (page !== undefined) {
      response.writeHead(200, { "content-type": TYPES[".html"] }).end(page);
      return;
    }
    const { pathname } = url;
    const [, first = "", ...rest] = decodeURIComponent(pathname).split("/");
    const root = roots[first];
    const file = root === undefined ? join(roots[""] ?? "", first, ...rest) : join(root, ...rest);
    const stat = statSync(file, { throwIfNoEntry: false });
    if (!stat?.isFile()) {
      response.writeHead(404).end();
      return;
    }
    const type = TYPES[extname(file)] ?? "application/octet-stream";
    const range = rangeOf(request.headers.range, stat.size);
    if (range === undefined) response.writeHead(200, { ...headers, "content-type": type });
    else {
      const length = `bytes ${range.start}-${range.end}/${stat.size}`;
      response.writeHead(206, { ...headers, "content-type": type, "content-range": length });
    }
    createReadStream(file, range).pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("expected an address");
  return { url: `http://127.0.0.1:${address.port}`, close: () => server.close() };
}

/** The first and the last byte; undefined for a whole file. */
function rangeOf(header: string | undefined, size: number): { start: number; end: number } | undefined {
  const [found, first = "", last = ""] = /^bytes=(\d*)-(\d*)$/.exec(header ?? "") ?? [];
  if (found === undefined || size === 0) return undefined;
  if (first === "") return { start: Math.max(0, size - Number(last)), end: size - 1 };
  return { start: Number(first), end: last === "" ? size - 1 : Math.min(Number(last), size - 1) };
}

/** A port that nobody listens at, a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((listening) => server.once("listening", listening));
  const address = server.address();
  await new Promise((closed) => server.close(closed));
  return typeof address === "object" && address !== null ? address.port : 0;
}

/** The titles that pages give themselves in a browser that nobody drives: a page around them tells. */
export async function titlesIn(
  browser: InstalledBrowser,
  roots: Readonly<Record<string, string>>,
  pages: readonly string[],
): Promise<string[]> {
  const frames = pages.map((page) => `<iframe src="/${page}"></iframe>`).join("");
  const around = `<!doctype html>${frames}<script>
const began = Date.now();
const timer = setInterval(() => {
  const titles = Array.from(document.querySelectorAll("iframe"), (frame) => frame.contentDocument?.title ?? "");
  if (titles.includes("") && Date.now() - began < 40000) return;
  clearInterval(timer);
  void fetch("/told?" + titles.map((title) => "title=" + encodeURIComponent(title)).join("&"));
}, 100);
</script>`;
  let tell: (titles: string[]) => void = () => {};
  const told = new Promise<string[]>((resolve) => {
    tell = resolve;
  });
  const site = await serve(roots, {}, (url) => {
    if (url.pathname === "/told") tell(url.searchParams.getAll("title"));
    return url.pathname === "/around.html" ? around : url.pathname === "/told" ? "" : undefined;
  });
  const running = await browser.open(`${site.url}/around.html`);
  try {
    return await told;
  } finally {
    await running.close();
    site.close();
  }
}

/** Opens pages in one browser; each resolves to the title that the page gave itself. */
export async function startBrowser(executablePath: string) {
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
  return {
    async titleOf(url: string, seconds = 15): Promise<string> {
      const page = await browser.newPage();
      try {
        await page.goto(url);
        // Asked again and again: a function to wait for would be code from a string, which the page may
        // forbid.
        for (let attempt = 0; attempt < 20 * seconds; attempt++) {
          const title = await page.title();
          if (title !== "") return title;
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
        throw new Error(`${url} gave itself no title`);
      } finally {
        await page.close();
      }
    },
    close: () => browser.close(),
  };
}
