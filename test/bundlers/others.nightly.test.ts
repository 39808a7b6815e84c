/**
 * Bundlers that are no devDependencies (scripts/oracles/bundlers.json): no warning, and pages that read, with
 * workers and without; and workerd, which runs workers of Cloudflare.
 */
import { execFile, spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { build as esbuild } from "esbuild";
import { type Plugin, rollup } from "rollup";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readOracles, warnLoudly } from "../setup/oracles.js";
import { type Installed, installPackage } from "./install.js";
import { freePort, serve, startBrowser } from "./serve.js";

const { bundlers, chromium, runtimes } = readOracles();
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

  /** @param page of workers; without it the bundle has none */
  async function expectPages(out: string, page?: string): Promise<void> {
    if (browser === undefined) return;
    const dist = join(installed.package, "dist");
    const site = await serve({ data: "examples/data", dist, "": out });
    try {
      const read = JSON.parse(await browser.titleOf(`${site.url}/index.html`));
      expect(read.region).toHaveLength(20);
      if (page === undefined) return;
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

  const nodeResolvePlugin = "@rollup/plugin-node-resolve";
  test.skipIf(!bundlers?.[nodeResolvePlugin])(
    "rollup with its plugin for packages, without a warning",
    async () => {
      const plugin = join(home, "node_modules", nodeResolvePlugin, "dist/es/index.js");
      const { nodeResolve }: { nodeResolve(): Plugin } = await import(pathToFileURL(plugin).href);
      const warnings: string[] = [];
      const bundle = await rollup({
        input: join(app, "browser.js"),
        plugins: [nodeResolve()],
        onwarn: ({ message }) => warnings.push(message),
      });
      const dir = join(folder, "rollup");
      await bundle.write({ dir, format: "es" });
      expect(warnings).toEqual([]);
      cpSync(join(app, "index.html"), join(dir, "index.html"));
      await expectPages(dir);
    },
  );

  test.skipIf(runtimes?.bun === undefined)("bun build", async () => {
    const dir = join(folder, "bun");
    const options = ["--target", "browser", "--splitting", "--outdir", dir];
    await promisify(execFile)(runtimes?.bun?.executable ?? "", [
      "build",
      join(app, "browser.js"),
      ...options,
    ]);
    cpSync(join(app, "index.html"), join(dir, "index.html"));
    await expectPages(dir);
  });

  // It forbids WebAssembly that is not a module of the deployment: the kernels in JavaScript do the work.
  test.skipIf(!bundlers?.workerd)("workerd, bundled by esbuild", async () => {
    const out = join(folder, "workerd");
    const { warnings } = await esbuild({
      entryPoints: [join(app, "edge.js")],
      outdir: out,
      bundle: true,
      format: "esm",
    });
    expect(warnings).toEqual([]);
    writeFileSync(
      join(out, "config.capnp"),
      `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [ (name = "main", worker = .main), (name = "internet", network = (allow = ["public", "private", "local"])) ],
  sockets = [ (name = "http", http = (), service = "main") ]
);
const main :Workerd.Worker = (modules = [ (name = "worker", esModule = embed "edge.js") ], compatibilityDate = "2026-10-01");`,
    );
    const data = await serve({ data: "examples/data" });
    const address = `127.0.0.1:${await freePort()}`;
    const program = join(home, "node_modules/workerd/bin/workerd");
    const running = spawn(program, ["serve", join(out, "config.capnp"), "--socket-addr", `http=${address}`], {
      stdio: "ignore",
    });
    try {
      const url = `http://${address}/?data=${data.url}/data`;
      let answer: Response | undefined;
      for (let attempt = 0; attempt < 200 && answer === undefined; attempt++) {
        answer = await fetch(url).catch(() => undefined);
        if (answer === undefined) await wait(100);
      }
      expect(await answer?.json()).toMatchObject({ region: { length: 20 }, complex: { 1: [1, -2] } });
    } finally {
      running.kill();
      data.close();
    }
  });
});
