/** The built viewer in Chromium, over stores that a test gives it. */
import type { Server } from "node:http";
import { pathToFileURL } from "node:url";
import { type Browser, chromium, type Page } from "playwright";
import { startServer } from "../../src/cli/serve/server.js";
import type { Store } from "../../src/index.js";
import { chromiumLaunchOptions } from "../setup/chromium.js";

export const options = chromiumLaunchOptions();

export interface ViewerPage {
  readonly page: Page;
  /** Where the store is, without a "/" at the end. */
  readonly url: string;
  /**
   * Shows what a hash names, and waits until it is there: a picture, chart or table, or words in its place.
   */
  show(hash: string): Promise<void>;
  close(): Promise<void>;
}

export async function openViewer(store: Store, size = { width: 1000, height: 700 }): Promise<ViewerPage> {
  const viewer = pathToFileURL("dist/viewer/");
  const server: Server = await startServer(store, { port: 0, viewer });
  const address = server.address();
  const url = `http://localhost:${typeof address === "object" ? address?.port : ""}`;
  // WebGL without graphics hardware.
  const args = (options?.args ?? []).filter((flag) => flag !== "--disable-gpu");
  const browser: Browser = await chromium.launch({
    ...options,
    args: [...args, "--enable-unsafe-swiftshader", "--use-angle=swiftshader"],
  });
  const page = await browser.newPage({ viewport: size });
  // Without graphics hardware, on a busy machine, a picture takes its time.
  page.setDefaultTimeout(120_000);
  return {
    page,
    url,
    async show(hash) {
      await page.goto("about:blank");
      await page.goto(`${url}/${hash}`);
      await page.waitForFunction(
        () =>
          document.getElementById("canvas")?.dataset.loading === "0" ||
          Boolean(document.getElementById("words")?.textContent),
      );
      // What has arrived is drawn in the next frame.
      await page.evaluate(
        () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
      );
    },
    async close() {
      await browser.close();
      server.closeAllConnections();
      server.close();
    },
  };
}

/** What is drawn on a canvas, without the panels over it: a number for all its pixels. To be run in the page. */
export function digest(canvas: Element): number {
  if (!(canvas instanceof HTMLCanvasElement)) throw new Error("no canvas");
  let sum = 7;
  for (const letter of canvas.toDataURL()) sum = (Math.imul(sum, 31) + letter.charCodeAt(0)) | 0;
  return sum;
}
