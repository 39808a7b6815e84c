/**
 * The viewer in Firefox and WebKit, which nobody drives: a page around it looks at what it shows, and tells.
 */
import { createServer, type IncomingMessage, request, type Server } from "node:http";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startServer } from "../../src/cli/serve/server.js";
import { FileSystemStore } from "../../src/core/stores/files/file-system.js";
import { get, open } from "../../src/index.js";
import { installedBrowsers } from "../setup/browser-processes.js";

const DATA = "examples/data/jacksboro.zarr";
const [WIDTH, HEIGHT] = [1000, 700];
const [X, Y] = [200, 170];

/** A busy machine needs half a minute until a browser draws without graphics hardware. */
const LIMIT = 150_000;

/**
 * Moves a pointer to the middle of the picture when it is complete, until the value there is on the page. It tells
 * the test how far it is, and what the viewer throws: a browser that nobody drives has no console.
 */
const PAGE = `<!doctype html><iframe src="/#url=/data/&path=/elevation&view=${X + 0.5},${Y + 0.5},4&range=200,1000" width="${WIDTH}" height="${HEIGHT}"></iframe><script>
const frame = document.querySelector("iframe");
const errors = [];
let heard;
const timer = setInterval(() => {
  if (heard !== frame.contentWindow && frame.contentWindow.location.pathname === "/") {
    heard = frame.contentWindow;
    heard.addEventListener("error", ({ message }) => errors.push(message));
  }
  const page = frame.contentDocument;
  const canvas = page?.getElementById("canvas");
  const problems = [...errors, page?.getElementById("problems")?.textContent].filter(Boolean).join("; ");
  const readout = page?.getElementById("readout")?.textContent ?? "";
  const isLoaded = canvas?.dataset.loading === "0";
  if (isLoaded && !readout) {
    const { left, top, width, height } = canvas.getBoundingClientRect();
    const place = { clientX: left + width / 2, clientY: top + height / 2, bubbles: true, pointerType: "mouse", pointerId: 1 };
    canvas.dispatchEvent(new frame.contentWindow.PointerEvent("pointermove", place));
  }
  const isDone = isLoaded && /: /.test(readout);
  if (isDone || problems) clearInterval(timer);
  fetch("/told", { method: "POST", body: JSON.stringify({ isLoaded, readout, problems }) });
}, 250);
</script>`;

let viewer: Server;
let around: Server;
/** What the page told last. */
let told: unknown;
const portOf = (server: Server): number => {
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
};

async function textOf(asked: IncomingMessage): Promise<string> {
  let text = "";
  for await (const piece of asked.setEncoding("utf8")) text += piece;
  return text;
}

beforeAll(async () => {
  viewer = await startServer(new FileSystemStore(DATA), { port: 0, viewer: pathToFileURL("dist/viewer/") });
  // The page has to be of the viewer's origin: everything else is the viewer's server's.
  around = createServer((asked, answer) => {
    if (asked.url === "/around.html") answer.writeHead(200, { "content-type": "text/html" }).end(PAGE);
    else if (asked.url === "/told")
      void textOf(asked).then((text) => {
        answer.end();
        told = JSON.parse(text);
      });
    else {
      const { url: path, method, headers } = asked;
      const passed = request({ port: portOf(viewer), host: "127.0.0.1", path, method, headers }, (own) => {
        answer.writeHead(own.statusCode ?? 500, own.headers);
        own.pipe(answer);
      });
      asked.pipe(passed);
    }
  });
  await new Promise<void>((listening) => around.listen(0, "127.0.0.1", listening));
});
afterAll(() => {
  for (const server of [viewer, around]) {
    server?.closeAllConnections();
    server?.close();
  }
});

const installed = installedBrowsers();

test.for(["firefox", "webkit"] as const)(
  "%s shows an array, and tells the value under the pointer",
  { timeout: LIMIT + 30_000 },
  async (name, { skip }) => {
    const browser = installed.find((each) => each.name === name);
    if (browser === undefined) return skip();
    told = undefined;
    const running = await browser.open(`http://localhost:${portOf(around)}/around.html`, true);
    try {
      const array = await open.v3(new FileSystemStore(`${DATA}/elevation`), { kind: "array" });
      const value = await get(array, [Y, X]);
      const readout = new RegExp(`latitude .*\\[${Y}\\], longitude .*\\[${X}\\]: ${String(value)} m$`);
      await expect
        .poll(() => told, { timeout: LIMIT })
        .toEqual({ isLoaded: true, readout: expect.stringMatching(readout), problems: "" });
    } finally {
      await running.close();
    }
  },
);
