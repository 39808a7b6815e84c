/**
 * The aliases of docs/from-zarrita-installing.md, as they stand there: code that imports zarrita and
 * @zarrita/storage, where only wazarr is installed, bundled by Vite, webpack and esbuild, and its types.
 */
import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { build as esbuild, transform } from "esbuild";
import { build as vite } from "vite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readOracles } from "../setup/oracles.js";
import { installPackage } from "./install.js";

const folder = mkdtempSync(join(tmpdir(), "wazarr-aliases-"));
const guide = readFileSync("docs/from-zarrita-installing.md", "utf8");
const [, configurations = ""] = /```js\n(\/\/ vite\.config\.js[^`]*)```/.exec(guide) ?? [];
const [, paths = ""] = /```json\n([^`]*"paths"[^`]*)```/.exec(guide) ?? [];

const PROGRAM = `import * as zarr from "zarrita";
import ReferenceStore from "@zarrita/storage/ref";
import { FetchStore } from "@zarrita/storage";

const isOne: boolean = FetchStore === zarr.FetchStore;
const store = ReferenceStore.fromSpec({ version: 1, refs: {} });
const array = await zarr.create(new Map<string, Uint8Array>(), { shape: [2], dtype: "int8", fillValue: 7 });
const { data } = await zarr.get(array);
const numbers: Int8Array = data;
console.log(JSON.stringify([[...numbers], isOne, typeof store.get]));
`;

beforeAll(async () => {
  installPackage(folder);
  for (const name of ["fflate", "@noble/hashes"])
    cpSync(join("node_modules", name), join(folder, "node_modules", name), { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }');
  writeFileSync(join(folder, "main.ts"), PROGRAM);
  const { code } = await transform(PROGRAM, { loader: "ts", format: "esm", target: "es2022" });
  writeFileSync(join(folder, "main.js"), code);
});
afterAll(() => rmSync(folder, { recursive: true }));

async function expectProgram(path: string): Promise<void> {
  const { stdout } = await promisify(execFile)(process.execPath, [path], { cwd: folder });
  expect(JSON.parse(stdout)).toEqual([[7, 7], true, "function"]);
}

/** The part of the block that begins with a comment. */
function partOf(name: string): string {
  const [, part = ""] = configurations.split(`// ${name}\n`);
  return part.split("\n// ")[0] ?? "";
}

async function configurationOf(name: string): Promise<object> {
  writeFileSync(join(folder, name), partOf(name));
  const { default: configuration }: { default: object } = await import(join(folder, name));
  return configuration;
}

test("Vite", async () => {
  const configuration = await configurationOf("vite.config.js");
  const build = { ssr: "main.js", outDir: "vite", target: "es2022" };
  const ssr = { noExternal: true } as const;
  await vite({ ...configuration, root: folder, configFile: false, logLevel: "silent", build, ssr });
  await expectProgram("vite/main.js");
});

test("esbuild", async () => {
  const [, alias = ""] = /alias: (\{.*?\})/.exec(partOf("esbuild")) ?? [];
  const names: Record<string, string> = JSON.parse(alias.replaceAll(/(\w+):/g, '"$1":'));
  const options = {
    bundle: true,
    splitting: true,
    platform: "node",
    format: "esm",
    target: "es2022",
  } as const;
  await esbuild({
    ...options,
    absWorkingDir: folder,
    entryPoints: ["main.ts"],
    outdir: "esbuild",
    alias: names,
  });
  await expectProgram("esbuild/main.js");
});

test.skipIf(!readOracles().bundlers)("webpack", async () => {
  const configuration = await configurationOf("webpack.config.js");
  const home = createRequire(resolve(".oracles/bundlers/package.json"));
  const webpack: (all: object, done: (error: Error | null, stats: { hasErrors(): boolean }) => void) => void =
    home("webpack");
  const output = { path: join(folder, "webpack"), module: true, chunkFormat: "module" };
  const rest = { mode: "development", devtool: false, target: "node20", context: folder, entry: "./main.js" };
  const experiments = { outputModule: true };
  const hasErrors = await new Promise((done, fail) =>
    webpack(
      { ...rest, ...configuration, output: { ...output, filename: "main.mjs" }, experiments },
      (error, stats) => (error === null ? done(stats.hasErrors()) : fail(error)),
    ),
  );
  expect(hasErrors).toBe(false);
  await expectProgram("webpack/main.mjs");
});

test("TypeScript's paths", async () => {
  const { compilerOptions } = JSON.parse(paths);
  const options = {
    strict: true,
    noEmit: true,
    module: "esnext",
    moduleResolution: "bundler",
    target: "es2022",
  };
  const lib = ["es2022", "dom"];
  const tsconfig = {
    compilerOptions: { ...options, lib, types: [], ...compilerOptions },
    files: ["main.ts"],
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(tsconfig));
  await promisify(execFile)(process.execPath, [resolve("node_modules/typescript/bin/tsc"), "-p", "."], {
    cwd: folder,
  });
});
