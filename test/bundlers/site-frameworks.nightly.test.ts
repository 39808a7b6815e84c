/**
 * Next.js, SvelteKit and Astro (scripts/oracles/frameworks.json) each build an application that reads on the
 * server and in the page, there with a worker, too; and it runs.
 */
import { execFile, spawn } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readOracles, warnLoudly } from "../setup/oracles.js";
import { installPackage } from "./install.js";
import { freePort, serve, startBrowser } from "./serve.js";

const home = resolve(".oracles/frameworks");
const { chromium, runtimes } = readOracles();
/** The newest: some of them refuse Node 20. */
const node = runtimes?.["node-24"]?.executable ?? process.execPath;
const isThere = existsSync(join(home, "node_modules"));
if (!isThere)
  warnLoudly(
    "No Next.js, SvelteKit and Astro: scripts/oracles/install.sh installs them with the argument nightly.",
  );

interface Framework {
  readonly name: string;
  /** Paths of programs below node_modules or the application, and their arguments. */
  readonly build: readonly string[];
  readonly start: (port: string) => readonly string[];
  /** Where files are that it serves as they are. */
  readonly served: string;
}

const FRAMEWORKS: readonly Framework[] = [
  {
    name: "next",
    build: [join(home, "node_modules/next/dist/bin/next"), "build"],
    start: (port) => [join(home, "node_modules/next/dist/bin/next"), "start", "-H", "127.0.0.1", "-p", port],
    served: "public",
  },
  {
    name: "sveltekit",
    build: [join(home, "node_modules/vite/bin/vite.js"), "build"],
    start: () => ["build/index.js"],
    served: "static",
  },
  {
    name: "astro",
    build: [join(home, "node_modules/astro/bin/astro.mjs"), "build"],
    start: () => ["dist/server/entry.mjs"],
    served: "public",
  },
];

describe.skipIf(!isThere || !chromium)("an application built by", () => {
  let folder: string;
  let browser: Awaited<ReturnType<typeof startBrowser>>;
  let data: Awaited<ReturnType<typeof serve>>;
  beforeAll(async () => {
    // Below the frameworks, which they look for upwards.
    folder = mkdtempSync(join(home, "apps-"));
    installPackage(folder);
    for (const name of ["fflate", "@noble/hashes"])
      cpSync(join("node_modules", name), join(folder, "node_modules", name), { recursive: true });
    data = await serve({ data: "examples/data" });
    browser = await startBrowser(chromium?.executable ?? "");
  });
  afterAll(async () => {
    await browser?.close();
    data?.close();
    if (folder) rmSync(folder, { recursive: true });
  });

  test.each(FRAMEWORKS)("$name", { timeout: 300_000, retry: 0 }, async ({ name, build, start, served }) => {
    const app = join(folder, name);
    cpSync(join("test/bundlers/apps/frameworks", name), app, { recursive: true });
    for (const file of ["frameworks/read.js", "workers/run.js"])
      cpSync(join("test/bundlers/apps", file), join(app, basename(file)));
    cpSync("examples/data", join(app, served, "data"), { recursive: true });
    writeFileSync(join(app, "package.json"), JSON.stringify({ name, private: true, type: "module" }));
    const port = String(await freePort());
    const server = {
      HOST: "127.0.0.1",
      PORT: port,
      ORIGIN: `http://127.0.0.1:${port}`,
      DATA: `${data.url}/data`,
    };
    const quiet = { NEXT_TELEMETRY_DISABLED: "1", ASTRO_TELEMETRY_DISABLED: "1" };
    // Not as in a test, which some of them notice.
    const env = {
      PATH: process.env.PATH ?? "",
      HOME: folder,
      FRAMEWORKS: home,
      NODE_ENV: "production",
      ...quiet,
      ...server,
    };
    const settings = { cwd: app, env, timeout: 250_000 };
    const built = await promisify(execFile)(node, [...build], settings).catch((error: unknown) => {
      const { stdout, stderr } = Object(error);
      throw new Error(`${stdout}\n${stderr}`, { cause: error });
    });
    expect((built.stdout + built.stderr).split("\n").filter((line) => /\bwarn/i.test(line))).toEqual([]);
    const running = spawn(node, [...start(port)], { cwd: app, env, stdio: "ignore" });
    try {
      const url = `http://127.0.0.1:${port}/`;
      let answer: Response | undefined;
      for (let attempt = 0; attempt < 300 && answer === undefined; attempt++) {
        answer = await fetch(url).catch(() => undefined);
        if (answer === undefined) await wait(100);
      }
      const text = (await answer?.text())?.replaceAll(/<!--.*?-->/g, "");
      expect(text).toContain("On the server: 483 487 491");
      const title: unknown = JSON.parse(await browser.titleOf(url));
      expect(title).toMatchObject({ row: "483 487 491", chunks: 16, read: true, running: 2, warned: 0 });
    } finally {
      running.kill();
    }
  });
});
