/** Programs that draw with WebGL, bundled from their sources, in a page of Chromium. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { build } from "esbuild";
import { type Browser, chromium, type Page } from "playwright";
import { type RunningServer, type Site, serve } from "../browser/server.js";
import { chromiumLaunchOptions } from "./chromium.js";

/**
 * Scripts by path: a program as /main.js, and the worker for which MapLibre looks beside itself.
 * @param program its path, or its text
 */
export async function bundled(
  program: string | { readonly contents: string; readonly resolveDir: string },
): Promise<Map<string, Uint8Array>> {
  const { outputFiles } = await build({
    ...(typeof program === "string" ? { entryPoints: { main: program } } : { stdin: program }),
    entryNames: "main",
    bundle: true,
    splitting: true,
    format: "esm",
    target: "es2022",
    outdir: "/",
    write: false,
    external: ["node:*"],
    // As the condition "browser" of package.json says.
    alias: { "wazarr/stores/open-store": resolve("src/stores/addresses/open-store-browser.ts") },
    logLevel: "error",
  });
  const scripts = new Map(outputFiles.map(({ path, contents }) => [path, contents]));
  const worker = "node_modules/maplibre-gl/dist/maplibre-gl-worker.mjs";
  scripts.set("/maplibre-gl-worker.mjs", readFileSync(worker));
  return scripts;
}

/** Milliseconds: WebGL without a graphics card is slow on a machine that has other work. */
const PATIENCE = 120_000;

export interface DrawnPage {
  readonly page: Page;
  readonly browser: Browser;
  readonly server: RunningServer;
  /** What the page wrote as an error or threw, but that a document of a store is missing. */
  readonly errors: string[];
  close(): Promise<void>;
}

/** @param size of the page in pixels */
export async function openDrawnPage(
  site: Site,
  [width, height]: readonly [number, number],
): Promise<DrawnPage> {
  const server = await serve(site);
  const launchOptions = chromiumLaunchOptions();
  const flags = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader"];
  // So that a page can tell what of its memory is reachable.
  flags.push("--js-flags=--expose-gc", "--enable-precise-memory-info");
  const args = (launchOptions?.args ?? []).filter((flag) => flag !== "--disable-gpu");
  const browser = await chromium.launch({ ...launchOptions, args: [...args, ...flags] });
  const page = await browser.newPage({ viewport: { width, height } });
  page.setDefaultTimeout(PATIENCE);
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => {
    // A store is asked for documents that it may not have.
    const isMissing = message.text().includes("404");
    if (message.type() === "error" && !isMissing) errors.push(message.text());
  });
  const close = async (): Promise<void> => {
    await browser.close();
    await server.close();
  };
  return { page, browser, server, errors, close };
}
