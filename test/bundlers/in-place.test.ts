/**
 * wazarr installed in zarrita's place by npm, as docs/from-zarrita-installing.md says, beside packages that
 * ask for zarrita.
 */
import { execFileSync } from "node:child_process";
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
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { installPackage } from "./install.js";

const folder = mkdtempSync(join(tmpdir(), "wazarr-in-place-"));
afterAll(() => rmSync(folder, { recursive: true }));

const app = join(folder, "app");

/** A library of others that reads with zarrita. */
function makeLibrary(name: string, manifest: object): void {
  const path = join(folder, name);
  mkdirSync(path);
  const code = `import * as zarr from "zarrita"; export const FetchStore = zarr.FetchStore; export const { registry } = zarr;`;
  writeFileSync(join(path, "index.js"), code);
  const more = { version: "1.0.0", type: "module", main: "index.js" };
  writeFileSync(join(path, "package.json"), JSON.stringify({ name, ...more, ...manifest }));
}

/** The example of the document with the tarball in place of the version in the registry. */
function manifestOfGuide(tarball: string): object {
  const guide = readFileSync("docs/from-zarrita-installing.md", "utf8");
  const [, json = ""] = /```json\n([^`]*"overrides"[^`]*)```/.exec(guide) ?? [];
  return JSON.parse(json.replaceAll(/npm:wazarr@[^"]*/g, `file:${tarball}`));
}

beforeAll(() => {
  const { folder: packed } = installPackage(folder);
  const tarball = readdirSync(packed).find((name) => name.endsWith(".tgz")) ?? "";
  makeLibrary("peer-of-zarrita", { peerDependencies: { zarrita: ">=0.6.0" } });
  makeLibrary("peer-of-minors", { peerDependencies: { zarrita: "^0.5.0 || ^0.6.0 || ^0.7.0" } });
  makeLibrary("with-zarrita", { dependencies: { zarrita: "^0.7.1" } });
  mkdirSync(app);
  const manifest = manifestOfGuide(join(packed, tarball));
  const libraries = ["peer-of-zarrita", "peer-of-minors", "with-zarrita"];
  const dependencies = {
    ...Object(manifest).dependencies,
    ...Object.fromEntries(libraries.map((name) => [name, `file:../${name}`])),
  };
  const whole = { ...manifest, name: "app", version: "1.0.0", type: "module", dependencies };
  writeFileSync(join(app, "package.json"), JSON.stringify(whole));
  // Copies, as from a registry: a link would look for zarrita beside the original.
  const options = ["--prefer-offline", "--no-audit", "--no-fund", "--install-links"];
  execFileSync("npm", ["install", ...options], { cwd: app, stdio: "pipe" });
});

test("there is one zarrita, which is wazarr", () => {
  const { name, version } = JSON.parse(readFileSync(join(app, "node_modules/zarrita/package.json"), "utf8"));
  expect([name, version]).toEqual(["wazarr", JSON.parse(readFileSync("package.json", "utf8")).version]);
  expect(existsSync(join(app, "node_modules/with-zarrita/node_modules"))).toBe(false);
});

test("the application and the libraries read with the same", () => {
  writeFileSync(
    join(app, "run.mjs"),
    `import * as zarr from "zarrita";
    import FileSystemStore from "@zarrita/storage/fs";
    import ReferenceStore from "@zarrita/storage/ref";
    import ZipFileStore from "@zarrita/storage/zip";
    import FetchStore from "@zarrita/storage/fetch";
    import * as peer from "peer-of-zarrita";
    import * as minors from "peer-of-minors";
    import * as own from "with-zarrita";
    const store = new FileSystemStore(new URL("data.zarr", import.meta.url).pathname);
    await zarr.create(store, { shape: [2], dtype: "int8", fillValue: 7 });
    const { data } = await zarr.get(await zarr.open(store, { kind: "array" }));
    const isOne = [peer, minors, own].every(({ registry }) => registry === zarr.registry);
    const made = [ReferenceStore.fromSpec({ version: 1, refs: {} }), ZipFileStore.fromBlob(new Blob()), new FetchStore("https://a.test")];
    console.log(JSON.stringify([[...data], isOne, made.map((each) => typeof each.get)]));`,
  );
  const output = execFileSync(process.execPath, ["run.mjs"], { cwd: app, encoding: "utf8" });
  expect(JSON.parse(output)).toEqual([[7, 7], true, ["function", "function", "function"]]);
});
