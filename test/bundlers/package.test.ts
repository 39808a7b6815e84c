/**
 * The package as applications use it: its promises, Node, bundlers without configuration, and pages without a
 * bundler.
 */
import { execFile, execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { build as esbuild } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { withFolders } from "../../site/live.mjs";
import { installedBrowsers } from "../setup/browser-processes.js";
import { readOracles, warnLoudly } from "../setup/oracles.js";
import { type Installed, installPackage, linkPeers } from "./install.js";
import { type Served, serve, startBrowser, titlesIn } from "./serve.js";
import { typesOf } from "./types.js";

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), "wazarr-package-"));
let installed: Installed;
let data: Served;

beforeAll(async () => {
  installed = installPackage(folder);
  linkPeers(folder);
  cpSync("test/bundlers/apps", join(folder, "app"), { recursive: true });
  data = await serve({ data: "examples/data" });
});
afterAll(() => {
  data?.close();
  rmSync(folder, { recursive: true });
});

const REGION = [
  465, 457, 447, 438, 423, 443, 432, 426, 414, 397, 417, 404, 403, 401, 385, 395, 385, 382, 380, 373,
];
const EXPECTED = {
  region: REGION,
  complex: [
    [0, 0],
    [1, -2],
    [1, -2],
    [0, 0],
  ],
};

interface Manifest {
  readonly exports: Readonly<Record<string, string | { readonly types: string; readonly default: string }>>;
  readonly bin: Readonly<Record<string, string>>;
  readonly sideEffects: readonly string[];
  readonly type: string;
  readonly engines: Readonly<Record<string, string>>;
  readonly license: string;
  readonly version: string;
  readonly files: readonly string[];
}
const readManifest = (): Manifest =>
  JSON.parse(readFileSync(join(installed.package, "package.json"), "utf8"));

describe("promises of package.json", () => {
  test("everything that it names is there", () => {
    const { exports, bin, type, engines, license } = readManifest();
    expect({ type, engines, license }).toEqual({
      type: "module",
      engines: { node: ">=20.3" },
      license: "MIT",
    });
    const targets = Object.values(exports).flatMap((target) =>
      typeof target === "string" ? [target] : [target.types, target.default],
    );
    for (const target of [...targets, ...Object.values(bin)]) {
      expect(existsSync(join(installed.package, target)), target).toBe(true);
    }
    expect(readFileSync(join(installed.package, bin.wazarr ?? ""), "utf8")).toMatch(
      /^#!\/usr\/bin\/env node\n/,
    );
  });

  test("npm has nothing to correct", () => {
    const copy = join(folder, "manifest");
    mkdirSync(copy);
    cpSync(join(installed.package, "package.json"), join(copy, "package.json"));
    execFileSync("npm", ["pkg", "fix"], { cwd: copy, stdio: "ignore" });
    expect(JSON.parse(readFileSync(join(copy, "package.json"), "utf8"))).toEqual(readManifest());
  });

  test("the tarball holds what is of use, each source once", () => {
    for (const file of ["dist/index.js", "dist/types/index.d.ts", "README.md", "LICENSE"]) {
      expect(installed.files).toContain(file);
    }
    const expected = /^(dist\/|docs\/[\w-]+\.md$|[A-Z]+(\.md)?$|package\.json$)/;
    expect(installed.files.filter((file) => !expected.test(file))).toEqual([]);
    // The code can be read as it is. Maps would lead to sources that are not there, or hold a copy of all of
    // them.
    expect(installed.files.filter((file) => file.endsWith(".map"))).toEqual([]);
    const core = installed.files.find((file) => /chunks\/core-.*\.js$/.test(file)) ?? "";
    const code = readFileSync(join(installed.package, core), "utf8");
    expect(code).toContain("\nclass HttpStore extends NetworkStore {\n");
    expect(code).not.toContain("sourceMappingURL");
  });

  test("the tarball is small", () => {
    expect(installed.byteLength).toBeLessThanOrEqual(1360 << 10);
    // Not empty by mistake.
    expect(installed.byteLength).toBeGreaterThan(300 << 10);
  });

  test("pages of the package lead to what is there", () => {
    const pages = installed.files.filter((file) => file.endsWith(".md"));
    expect(pages.length).toBeGreaterThan(10);
    for (const page of pages) {
      const text = readFileSync(join(installed.package, page), "utf8");
      const links = Array.from(text.matchAll(/\]\(([^)\s]+)\)/g), ([, link = ""]) => link.replace(/#.*/, ""));
      const relative = links.filter((link) => link !== "" && !link.startsWith("https://"));
      for (const link of relative) {
        const file = join(dirname(page), link);
        // Pictures and further pages are in the repository, from where the registry takes those that
        // README.md names.
        expect(installed.files.includes(file) || existsSync(file), `${page}: ${link}`).toBe(true);
      }
    }
  });

  test("every entry can be imported", async () => {
    const names = Object.keys(readManifest().exports).filter((name) => name !== "./package.json");
    const code = names.map((name) => `await import("wazarr${name.slice(1)}");\nconsole.log("${name}");`);
    writeFileSync(join(folder, "import.mjs"), code.join("\n"));
    const { stdout } = await run(process.execPath, [join(folder, "import.mjs")]);
    expect(stdout.trimEnd().split("\n")).toEqual(names);
  });

  test("consoles show the names of classes, minified ones too", async () => {
    const code = `import * as data from "wazarr/extend";
import * as sets from "wazarr/xarray";
const named = Object.entries({ ...data, ...sets }).filter(([, value]) => String(value).startsWith("class"));
console.log(JSON.stringify(named.map(([name, value]) => [name, value.name])));`;
    writeFileSync(join(folder, "names.mjs"), code);
    const { stdout } = await run(process.execPath, [join(folder, "names.mjs")]);
    const names: readonly [string, string][] = JSON.parse(stdout);
    expect(names.length).toBeGreaterThan(10);
    expect(names.filter(([exported, own]) => exported !== own)).toEqual([]);
  });

  test("Node prints little code before the message of an error that nobody catches", async () => {
    const code = `import { create } from "wazarr";
const store = new Map();
await create(store, { shape: [1], dtype: "int8" });
await create(store, { shape: [1], dtype: "int8" });`;
    writeFileSync(join(folder, "uncaught.mjs"), code);
    const output = await run(process.execPath, [join(folder, "uncaught.mjs")]).catch(String);
    expect(output).toContain("AlreadyExistsError: an array already exists; overwrite: true replaces it");
    expect(String(output).length).toBeLessThan(6000);
  });

  test("an import that is not used leaves nothing behind", async () => {
    const { outputFiles } = await esbuild({
      stdin: {
        contents: 'import "wazarr"; import { open } from "wazarr"; import "wazarr/stores/http";',
        resolveDir: folder,
      },
      bundle: true,
      format: "esm",
      write: false,
      logLevel: "silent",
    });
    expect(outputFiles[0]?.text).toBe("");
  });

  test("a worker's file may import wazarr/workers/worker and nothing else: it has a side effect", async () => {
    expect(readManifest().sideEffects).toEqual(["./dist/workers/worker.js"]);
    const { outputFiles } = await esbuild({
      stdin: { contents: 'import "wazarr/workers/worker";', resolveDir: folder },
      bundle: true,
      format: "esm",
      write: false,
      logLevel: "silent",
      external: ["node:*"],
    });
    expect(outputFiles[0]?.text).toContain("self.postMessage");
  });

  test("nothing needs code from strings", () => {
    const chunks = readdirSync(join(installed.package, "dist"), { recursive: true, encoding: "utf8" });
    for (const file of chunks.filter((name) => name.endsWith(".js"))) {
      const text = readFileSync(join(installed.package, "dist", file), "utf8");
      expect(/\beval\(|new Function\(/.test(text), file).toBe(false);
    }
  });

  test("types resolve", { timeout: 600_000 }, async () => {
    expect(await typesOf(folder, "NodeNext")).toBe("");
  });
});

/** Runs a bundle in Node; code from strings is forbidden. */
async function runInNode(file: string): Promise<unknown> {
  const { stdout } = await run(process.execPath, [
    "--disallow-code-generation-from-strings",
    file,
    `${data.url}/data`,
  ]);
  return JSON.parse(stdout);
}

async function bundleByEsbuild(
  entry: string,
  platform: "node" | "browser",
  splitting: boolean,
): Promise<string> {
  const outdir = join(folder, `esbuild-${platform}-${splitting}`);
  const { warnings } = await esbuild({
    entryPoints: [join(folder, "app", entry)],
    outdir,
    outExtension: platform === "node" ? { ".js": ".mjs" } : {},
    bundle: true,
    minify: true,
    format: "esm",
    platform,
    splitting,
  });
  expect(warnings).toEqual([]);
  return outdir;
}

async function bundleByVite(): Promise<string> {
  const outDir = join(folder, "vite");
  // In a process of its own: vite inside vitest would find the settings of the tests.
  const options = ["--outDir", outDir, "--emptyOutDir", "--logLevel", "warn"];
  const { stdout, stderr } = await run("node_modules/.bin/vite", ["build", join(folder, "app"), ...options]);
  expect(stdout + stderr).toBe("");
  return outDir;
}

describe("Node", () => {
  test("without a bundler", async () => {
    expect(await runInNode(join(folder, "app/node.js"))).toEqual(EXPECTED);
  });
  test.each([true, false])("bundled by esbuild, with splitting %s", async (splitting) => {
    const outdir = await bundleByEsbuild("node.js", "node", splitting);
    expect(await runInNode(join(outdir, "node.mjs"))).toEqual(EXPECTED);
  });
  test("the quickstart", async () => {
    cpSync("examples", join(folder, "examples"), { recursive: true });
    const { stdout } = await run(process.execPath, [join(folder, "examples/quickstart.mjs")]);
    expect(stdout.match(/✓/g)).toHaveLength(5);
    expect(stdout).toContain("elevation [344, 403] int16");
    const picture = readFileSync(join(folder, "out/relief.png"));
    expect(picture.subarray(0, 8)).toEqual(Buffer.from("89504e470d0a1a0a", "hex"));
    expect([picture.readUInt32BE(16), picture.readUInt32BE(20)]).toEqual([971, 1032]);
    // A picture of nothing would be much smaller.
    expect(picture.length).toBeGreaterThan(500_000);
  });
  test("the example of a series that grows", async () => {
    cpSync("examples", join(folder, "examples"), { recursive: true });
    const { stdout } = await run(process.execPath, [join(folder, "examples/time-series.mjs")]);
    expect(stdout).toContain("48 x 60 x 90 float32");
    expect(stdout.match(/h .*degree_Celsius/g)).toHaveLength(8);
    // 15 + 5 sin(60 degrees), less a sixth for each row.
    expect(stdout).toContain("  12 h   18.5  14.3  10.2 degree_Celsius");
  });
  test("the program", async () => {
    const program = join(installed.package, "dist/cli.js");
    const text = execFileSync(process.execPath, [program, "tree", "examples/data/jacksboro.zarr"], {
      encoding: "utf8",
    });
    expect(text).toContain("elevation [344, 403] int16");
    expect(execFileSync(process.execPath, [program, "--version"], { encoding: "utf8" })).toBe(
      `${readManifest().version}\n`,
    );
  });
});

const { chromium } = readOracles();
if (chromium === null)
  warnLoudly("No Chromium: bundles are not run in a browser. scripts/oracles/install.sh installs one.");

describe.skipIf(chromium === null)("Chromium", () => {
  let browser: Awaited<ReturnType<typeof startBrowser>>;
  beforeAll(async () => {
    browser = await startBrowser(chromium?.executable ?? "");
  });
  afterAll(() => browser?.close());

  async function titleOf(
    root: string,
    page: string,
    headers?: Readonly<Record<string, string>>,
  ): Promise<unknown> {
    const site = await serve(
      { data: "examples/data", dist: join(installed.package, "dist"), "": root },
      headers,
    );
    try {
      return JSON.parse(await browser.titleOf(`${site.url}/${page}`));
    } finally {
      site.close();
    }
  }

  test("a plain page, served as it is", async () => {
    expect(await titleOf(join(folder, "app"), "plain.html")).toEqual({ region: REGION, written: 2.5 });
  });

  test("bundled by Vite, with and without leave to compile WebAssembly", async () => {
    const outDir = await bundleByVite();
    expect(await titleOf(outDir, "index.html")).toEqual(EXPECTED);
    const strict = { "content-security-policy": "default-src 'self'" };
    expect(await titleOf(outDir, "index.html", strict)).toEqual(EXPECTED);
    const lenient = { "content-security-policy": "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'" };
    expect(await titleOf(outDir, "index.html", lenient)).toEqual(EXPECTED);
  });

  test.each([true, false])("bundled by esbuild, with splitting %s", async (splitting) => {
    const outdir = await bundleByEsbuild("browser.js", "browser", splitting);
    cpSync(join(folder, "app/index.html"), join(outdir, "index.html"));
    expect(await titleOf(outdir, "index.html")).toEqual(EXPECTED);
  });
});

describe.each(installedBrowsers())("$name", (browser) => {
  test("the live examples of the site and the page of docs/getting-started.md, pasted as they are", async () => {
    const live = join(folder, `live-${browser.name}`);
    mkdirSync(live);
    const gettingStarted = readFileSync("docs/getting-started.md", "utf8");
    const [, write = ""] = /^```js\n(.*?)^```$/ms.exec(gettingStarted) ?? [];
    await run(process.execPath, ["--input-type=module", "-e", write], { cwd: live });
    const [, first = ""] = /^```html\n(.*?)^```$/ms.exec(gettingStarted) ?? [];
    writeFileSync(join(live, "getting-started.html"), first);
    const pages = ["region.html", "series.html", "open.html"];
    for (const page of pages) {
      const text = withFolders(readFileSync(join("examples/live", page), "utf8"), {
        wazarr: "/dist/",
        examples: "/examples/",
      });
      expect(text).not.toContain("https://");
      writeFileSync(join(live, page), text);
    }
    const code = { dist: join(installed.package, "dist"), node_modules: join(folder, "node_modules") };
    const roots = { ...code, examples: "examples", "": live };
    expect(await titlesIn(browser, roots, ["getting-started.html", ...pages])).toEqual([
      "20.5",
      "elevation[120:220, 180:330] of 344 x 403 int16: 296 to 992 m",
      "24 steps, 6.25 h to 17.75 h",
      expect.stringContaining("── light [24, 172, 201] uint8"),
    ]);
  });
});
