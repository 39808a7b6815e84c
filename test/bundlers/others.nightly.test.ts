/**
 * Bundlers that are no devDependencies (scripts/oracles/bundlers.json): no warning, and pages that read, with
 * workers and without.
 */
import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readOracles, warnLoudly } from "../setup/oracles.js";
import { type Installed, installPackage } from "./install.js";
import { serve, startBrowser } from "./serve.js";

const { bundlers, chromium } = readOracles();
if (!bundlers)
  warnLoudly(
    "No webpack, Rspack and Parcel: nothing is bundled by them. scripts/oracles/install.sh installs them with the argument nightly.",
  );

/** The part of webpack's interface that Rspack has, too. */
type Pack = (
  configuration: object,
  done: (
    error: Error | null,
    stats?: { toJson(options: object): Record<"errors" | "warnings", { message: string }[]> },
  ) => void,
) => void;

describe.skipIf(!bundlers)("bundled by", () => {
  const folder = mkdtempSync(join(tmpdir(), "wazarr-others-"));
  const app = join(folder, "app");
  const home = resolve(".oracles/bundlers");
  let installed: Installed;
  let browser: Awaited<ReturnType<typeof startBrowser>> | undefined;

  beforeAll(async () => {
    installed = installPackage(folder);
    cpSync("test/bundlers/apps", app, { recursive: true });
    // Parcel looks at `exports` where it is told to.
    const settings = { private: true, "@parcel/resolver-default": { packageExports: true } };
    writeFileSync(join(app, "package.json"), JSON.stringify(settings));
    if (chromium) browser = await startBrowser(chromium.executable);
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true });
  });

  async function expectPages(out: string, page: string): Promise<void> {
    if (browser === undefined) return;
    const dist = join(installed.package, "dist");
    const site = await serve({ data: "examples/data", dist, "": out });
    try {
      const read = JSON.parse(await browser.titleOf(`${site.url}/index.html`));
      expect(read.region).toHaveLength(20);
      const worked = JSON.parse(await browser.titleOf(`${site.url}/workers/${page}`));
      expect(worked).toMatchObject({ chunks: 16, read: true, running: 2, warned: 0 });
    } finally {
      site.close();
    }
  }

  test.each([
    ["webpack", (): Pack => createRequire(join(home, "package.json"))("webpack")],
    ["rspack", (): Pack => createRequire(join(home, "package.json"))("@rspack/core").rspack],
  ])("%s, without a warning", async (name, load) => {
    const path = join(folder, name);
    const stats = await new Promise<unknown>((resolve, reject) => {
      const configuration = {
        mode: "production",
        context: app,
        entry: { browser: "./browser.js", "workers/page": "./workers/page.js" },
        output: { path, publicPath: "/" },
        // What takes most of the time, and says nothing of the package.
        optimization: { minimize: false },
        performance: false,
      };
      load()(configuration, (error, stats) => {
        if (error !== null) reject(error);
        else resolve(stats?.toJson({ all: false, errors: true, warnings: true }));
      });
    });
    expect(stats).toMatchObject({ errors: [], warnings: [] });
    for (const page of ["index.html", "workers/index.html"]) cpSync(join(app, page), join(path, page));
    await expectPages(path, "index.html");
  });

  // Parcel 2.16 leaves the package's core out of the worker that it makes: the worker is one that the page
  // serves as it is.
  test("parcel, without packages that it would install for the page", async () => {
    const out = join(folder, "parcel");
    mkdirSync(out);
    const pages = ["index.html", "workers/served.html"].map((page) => join(app, page));
    const options = ["--no-autoinstall", "--no-cache", "--no-optimize", "--dist-dir", out];
    const { stderr } = await promisify(execFile)(
      join(home, "node_modules/.bin/parcel"),
      ["build", ...pages, ...options],
      { cwd: app },
    );
    expect(stderr).toBe("");
    expect(existsSync(join(app, "node_modules"))).toBe(false);
    await expectPages(out, "served.html");
  });
});
