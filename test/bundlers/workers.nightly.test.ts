/**
 * Workers in Chromium: from a page without a bundler, and bundled by Vite and esbuild; with cross-origin
 * isolation and without.
 */
import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { build as esbuild } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readOracles } from "../setup/oracles.js";
import { type Installed, installPackage } from "./install.js";
import { serve, startBrowser } from "./serve.js";

const run = promisify(execFile);
const { chromium } = readOracles();

const ISOLATED = {
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-embedder-policy": "require-corp",
};

describe.skipIf(chromium === null)("workers in Chromium", () => {
  const folder = mkdtempSync(join(tmpdir(), "wazarr-workers-"));
  const app = join(folder, "app");
  let installed: Installed;
  let browser: Awaited<ReturnType<typeof startBrowser>>;

  beforeAll(async () => {
    installed = installPackage(folder);
    cpSync("test/bundlers/apps/workers", app, { recursive: true });
    browser = await startBrowser(chromium?.executable ?? "");
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true });
  });

  async function resultOf(root: string, page: string, headers?: Readonly<Record<string, string>>) {
    const site = await serve({ dist: join(installed.package, "dist"), "": root }, headers);
    try {
      return JSON.parse(await browser.titleOf(`${site.url}/${page}`));
    } finally {
      site.close();
    }
  }

  const done = { chunks: 16, read: true, running: 2, warned: 0 };
  const alone = { ...done, running: 0, warned: 1, isolated: false, shared: "UnsupportedError" };
  async function expectWorkers(root: string, page: string): Promise<void> {
    expect(await resultOf(root, page)).toEqual({ ...done, isolated: false, shared: "UnsupportedError" });
    expect(await resultOf(root, page, ISOLATED)).toEqual({ ...done, isolated: true, shared: true });
  }

  test("a plain page, served as it is", () => expectWorkers(app, "plain.html"));

  test("a page that may not compile WebAssembly has workers that do without", async () => {
    const policy = { "content-security-policy": "default-src 'self'; script-src 'self' 'unsafe-inline'" };
    expect(await resultOf(app, "plain.html", { ...policy, ...ISOLATED })).toEqual({
      ...done,
      isolated: true,
      shared: true,
    });
  });

  test("a page that may not start workers does the work itself", async () => {
    const policy = { "content-security-policy": "worker-src 'none'" };
    expect(await resultOf(app, "plain.html", policy)).toEqual(alone);
  });

  test("bundled by Vite", async () => {
    const outDir = join(folder, "vite");
    const options = ["--outDir", outDir, "--emptyOutDir", "--logLevel", "warn"];
    await run("node_modules/.bin/vite", ["build", app, ...options]);
    await expectWorkers(outDir, "index.html");
    // One copy of the worker.
    const names = readdirSync(join(outDir, "assets")).filter((name) => name.startsWith("worker-"));
    expect(names).toHaveLength(1);
  });

  const worker = { worker: "wazarr/workers/worker" };
  test.each([
    ["the worker as an entry of its own", worker, true],
    ["without the worker, of which the console tells once", {}, false],
  ])("bundled by esbuild, %s", async (_, entry, works) => {
    const outdir = join(folder, `esbuild-${works}`);
    await esbuild({
      entryPoints: { page: join(app, "page.js"), ...entry },
      absWorkingDir: folder,
      outdir,
      bundle: true,
      minify: true,
      format: "esm",
      splitting: true,
      external: ["node:*"],
    });
    cpSync(join(app, "index.html"), join(outdir, "index.html"));
    if (works) await expectWorkers(outdir, "index.html");
    // The failure of the second worker may be heard later.
    else expect(await resultOf(outdir, "index.html")).toEqual({ ...alone, running: expect.any(Number) });
  });
});
