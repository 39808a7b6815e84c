/**
 * wazarr in zarrita's place as docs/from-zarrita-installing.md says, by each package manager, with the
 * versions of the guide: from a registry of this machine, whose zarrita knows nothing.
 */
import { execFile } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readOracles, warnLoudly } from "../setup/oracles.js";
import { installPackage } from "./install.js";
import { type PublishedPackage, type Registry, startRegistry } from "./registry.js";

const folder = mkdtempSync(join(tmpdir(), "wazarr-package-managers-"));
const run = promisify(execFile);
const guide = readFileSync("docs/from-zarrita-installing.md", "utf8");
const { runtimes } = readOracles();

let registry: Registry;
beforeAll(async () => {
  const packages: PublishedPackage[] = [];
  const publish = async (path: string, given?: string) => {
    const manifest = JSON.parse(readFileSync(join(path, "package.json"), "utf8"));
    const options = ["pack", path, "--ignore-scripts", "--silent", "--pack-destination", folder];
    const tarball = given ?? (await run("npm", options)).stdout.trim();
    packages.push({ manifest, tarball: join(folder, tarball) });
  };
  const make = async (name: string, code: string, manifest: object) => {
    const path = join(folder, "packages", name);
    mkdirSync(path, { recursive: true });
    writeFileSync(join(path, "index.js"), code);
    const more = { name, version: "1.0.0", type: "module", exports: { ".": "./index.js" } };
    writeFileSync(join(path, "package.json"), JSON.stringify({ ...more, ...manifest }));
    await publish(path);
  };
  const wazarr = installPackage(folder);
  await publish(
    wazarr.package,
    readdirSync(folder).find((name) => name.endsWith(".tgz")),
  );
  for (const name of ["fflate", "@noble/hashes"]) await publish(resolve("node_modules", name));
  await make("zarrita", "export const registry = undefined;", { version: "0.7.9" });
  await make("@zarrita/storage", "", { version: "0.2.9" });
  const reader = 'export { registry } from "zarrita";';
  await make("with-peer", reader, { peerDependencies: { zarrita: ">=0.6.0" } });
  await make("with-minors", reader, { peerDependencies: { zarrita: "^0.5.0 || ^0.6.0 || ^0.7.0" } });
  const both = { zarrita: "^0.7.1", "@zarrita/storage": "^0.2.0" };
  await make("with-own", `${reader} export { default as Store } from "@zarrita/storage/fs";`, {
    dependencies: both,
  });
  registry = await startRegistry(packages);
});
afterAll(() => {
  registry?.close();
  rmSync(folder, { recursive: true });
});

const managers = resolve(".oracles/package-managers/node_modules");
if (!existsSync(managers))
  warnLoudly("No pnpm and Yarn: scripts/oracles/install.sh installs them with the argument nightly.");

interface Manager {
  readonly name: string;
  readonly command: readonly string[];
  /** `overrides` and the like, as the guide says. */
  readonly overrides: object;
  readonly files?: Readonly<Record<string, string>>;
  /** What runs a program of the application, where that is not Node alone. */
  readonly runner?: readonly string[];
}

/** The JSON block of the guide that has `part`, and those in its tables. */
const overridesOf = (part: string): object => {
  const [, line = ""] = new RegExp(`^\\| ${part} \\|.*?\`(.*?)\` in package.json`, "m").exec(guide) ?? [];
  return withStorage(JSON.parse(`{${line}}`));
};

/** What is said of zarrita is done for its stores, too. */
function withStorage(value: unknown): object {
  const object: Record<string, unknown> = { ...Object(value) };
  for (const [name, member] of Object.entries(object)) {
    if (name === "zarrita") object["@zarrita/storage"] = member;
    else object[name] = withStorage(member);
  }
  return object;
}

const [, npmBlock = "{}"] = /```json\n([^`]*"overrides"[^`]*)```/.exec(guide) ?? [];
const ofNpm = JSON.parse(npmBlock);
const [, yaml = ""] = /```yaml\n([^`]*)```/.exec(guide) ?? [];
const noScripts = "--ignore-scripts";
const inNode = (path: string) => [process.execPath, join(managers, path)];
const berry = (linker: string): Readonly<Record<string, string>> => ({
  ".yarnrc.yml": `nodeLinker: ${linker}\nenableTelemetry: false\nenableScripts: false\nunsafeHttpWhitelist: ["127.0.0.1"]\nenableImmutableInstalls: false\nnpmRegistryServer: "REGISTRY"\nenableGlobalCache: false\n`,
  "yarn.lock": "",
});
const yarn4 = inNode("yarn-4/bin/yarn.js");

const MANAGERS: readonly Manager[] = [
  {
    name: "npm",
    command: ["npm", "install", "--no-audit", "--no-fund", noScripts],
    overrides: { overrides: ofNpm.overrides },
  },
  {
    name: "pnpm 10, package.json",
    command: [...inNode("pnpm-10/bin/pnpm.cjs"), "install", noScripts],
    overrides: overridesOf("pnpm 10.4 and older"),
  },
  ...["pnpm-10/bin/pnpm.cjs", "pnpm-12/bin/pnpm.mjs"].map((path) => ({
    name: `${path.slice(0, 7)}, pnpm-workspace.yaml`,
    command: [...inNode(path), "install", noScripts],
    overrides: {},
    files: { "pnpm-workspace.yaml": yaml },
  })),
  {
    name: "Yarn 1",
    command: [...inNode("yarn-1/bin/yarn.js"), "install", noScripts, "--non-interactive"],
    overrides: overridesOf("Yarn"),
    files: { ".yarnrc": 'registry "REGISTRY"\n' },
  },
  {
    name: "Yarn 4, node_modules",
    command: [...yarn4, "install"],
    overrides: overridesOf("Yarn"),
    files: berry("node-modules"),
  },
  {
    name: "Yarn 4, Plug'n'Play",
    command: [...yarn4, "install"],
    overrides: overridesOf("Yarn"),
    files: berry("pnp"),
    runner: [...yarn4, "node"],
  },
  {
    name: "bun",
    command: [runtimes?.bun?.executable ?? "", "install", noScripts],
    overrides: overridesOf("bun"),
  },
];

const PROGRAM = `import * as zarr from "zarrita";
import FileSystemStore from "@zarrita/storage/fs";
import ReferenceStore from "@zarrita/storage/ref";
import ZipFileStore from "@zarrita/storage/zip";
import FetchStore from "@zarrita/storage/fetch";
import * as peer from "with-peer";
import * as minors from "with-minors";
import * as own from "with-own";
const store = new FileSystemStore("data.zarr");
await zarr.create(store, { shape: [2], dtype: "int8", fillValue: 7 });
const { data } = await zarr.get(await zarr.open(store, { kind: "array" }));
const isOne = [peer, minors, own].every(({ registry }) => registry === zarr.registry && registry !== undefined);
const made = [ReferenceStore.fromSpec({ version: 1, refs: {} }), ZipFileStore.fromBlob(new Blob()), new FetchStore("https://a.test"), new own.Store("data.zarr")];
console.log(JSON.stringify([[...data], isOne, made.map((each) => typeof each.get)]));`;

const TYPED = `import * as zarr from "zarrita";
import FileSystemStore from "@zarrita/storage/fs";
const array = await zarr.open(new FileSystemStore("data.zarr"), { kind: "array" });
if (array.is("int8")) {
  const { data } = await zarr.get(array);
  const numbers: Int8Array = data;
  console.log(numbers);
}
`;

describe.each(MANAGERS)(
  "$name",
  ({ name, command: [program = "", ...options], overrides, files = {}, runner }) => {
    const app = join(folder, "apps", name.replaceAll(/\W+/g, "-"));
    const isThere = name === "npm" || (name === "bun" ? runtimes?.bun !== undefined : existsSync(managers));
    test.skipIf(!isThere)("there is one zarrita, which is wazarr, and no complaint about peers", async () => {
      mkdirSync(app, { recursive: true });
      const libraries = Object.fromEntries(
        ["with-peer", "with-minors", "with-own"].map((each) => [each, "^1.0.0"]),
      );
      const dependencies = { ...ofNpm.dependencies, ...libraries };
      const manifest = {
        name: "app",
        version: "1.0.0",
        private: true,
        type: "module",
        dependencies,
        ...overrides,
      };
      writeFileSync(join(app, "package.json"), JSON.stringify(manifest));
      writeFileSync(join(app, ".npmrc"), `registry=${registry.url}\n`);
      for (const [file, text] of Object.entries(files))
        writeFileSync(join(app, file), text.replaceAll("REGISTRY", registry.url));
      writeFileSync(join(app, "run.mjs"), PROGRAM);
      writeFileSync(join(app, "typed.ts"), TYPED);
      // Nothing of this process's own settings, and no cache that other versions of this package are in.
      const home = { HOME: app, XDG_CACHE_HOME: join(app, "cache"), XDG_DATA_HOME: join(app, "share") };
      const given = {
        PATH: process.env.PATH,
        CI: "1",
        npm_config_cache: join(app, "npm"),
        YARN_CACHE_FOLDER: join(app, "yarn"),
      };
      const settings = { cwd: app, env: { ...given, ...home }, timeout: 100_000 };
      const installed = await run(program, options, settings).catch((error: unknown) => {
        const { stdout, stderr } = Object(error);
        throw new Error(`${stdout}\n${stderr}`, { cause: error });
      });
      const output = installed.stdout + installed.stderr;
      expect(output).not.toMatch(/unmet|incorrect peer|missing peer|YN0060|YN0002/i);
      const [first = process.execPath, ...rest] = runner ?? [];
      const { stdout } = await run(first, [...rest, "run.mjs"], settings);
      const seen: unknown = JSON.parse(stdout.trim());
      expect(seen).toEqual([[7, 7], true, ["function", "function", "function", "function"]]);
      if (runner !== undefined) return;
      const strict = ["--noEmit", "--strict", "--module", "nodenext", "--target", "es2022"];
      await run(
        process.execPath,
        [resolve("node_modules/typescript/bin/tsc"), ...strict, "typed.ts"],
        settings,
      );
    });
  },
);
