/**
 * A page in Chromium reads a store over HTTP; where its Content-Security-Policy forbids WebAssembly, with the
 * TypeScript kernels, and with the same result.
 */
import { readFileSync } from "node:fs";
import { build } from "esbuild";
import { type Browser, chromium } from "playwright";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bytesFromBase64 } from "../interop/elements.js";
import { chromiumLaunchOptions } from "../setup/chromium.js";
import type { PageResult } from "./app/main.js";
import { type Site, serve } from "./server.js";

const FIXTURE = new URL("../fixtures/zarr-python.json", import.meta.url);

interface Fixture {
  readonly arrays: readonly {
    readonly path: `/${string}`;
    readonly shape: readonly number[];
    readonly data: string;
  }[];
  readonly store: Readonly<Record<string, string>>;
}

async function bundle(): Promise<Map<string, Uint8Array>> {
  const { outputFiles } = await build({
    entryPoints: { main: "test/browser/app/main.ts" },
    bundle: true,
    splitting: true,
    format: "esm",
    outdir: "/",
    write: false,
    external: ["node:*"],
  });
  return new Map(outputFiles.map(({ path, contents }) => [path, contents]));
}

const launchOptions = chromiumLaunchOptions();

describe.skipIf(launchOptions === undefined)("a page in Chromium", () => {
  const fixture: Fixture = JSON.parse(readFileSync(FIXTURE, "utf8"));
  // A page cannot hand a scalar's bits over; the fixture tests compare those.
  const expected = fixture.arrays.filter(({ shape }) => shape.length > 0);
  let browser: Browser;
  let site: Omit<Site, "contentSecurityPolicy">;

  beforeAll(async () => {
    browser = await chromium.launch(launchOptions);
    const store = new Map(Object.entries(fixture.store).map(([key, value]) => [key, bytesFromBase64(value)]));
    site = { scripts: await bundle(), store };
  });
  afterAll(() => browser?.close());

  it.each([
    ["without a Content-Security-Policy", undefined, "wasm"],
    ["whose policy allows WebAssembly", "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'", "wasm"],
    ["whose policy forbids WebAssembly", "default-src 'self'", "javascript"],
  ])("%s reads every array over HTTP", async (_, contentSecurityPolicy, kernels) => {
    const server = await serve({ ...site, contentSecurityPolicy });
    try {
      const page = await browser.newPage();
      const problems: string[] = [];
      page.on("pageerror", (error) => problems.push(error.message));
      await page.goto(server.url);
      const result: PageResult = await page.evaluate(
        (paths) => window.readAll(paths),
        expected.map(({ path }) => path),
      );
      await page.close();
      expect(problems).toEqual([]);
      expect(result.kernels).toBe(kernels);
      expect(result.arrays).toEqual(expected.map(({ path, shape, data }) => ({ path, shape, data })));
    } finally {
      await server.close();
    }
  });
});
