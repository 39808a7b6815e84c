/** Types of the package with each kind of module resolution; package.test.ts has Node's own. */
import { cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { installPackage } from "./install.js";
import { typesOf } from "./types.js";

const folder = mkdtempSync(join(tmpdir(), "wazarr-types-"));
beforeAll(() => {
  installPackage(folder);
  for (const peer of Object.keys(manifest.peerDependencies))
    symlinkSync(resolve("node_modules", peer), join(folder, "node_modules", peer));
  cpSync("test/bundlers/apps", join(folder, "app"), { recursive: true });
});
afterAll(() => rmSync(folder, { recursive: true }));

test.each(["Bundler", "Node10"] as const)("moduleResolution %s", async (moduleResolution) => {
  expect(await typesOf(folder, moduleResolution)).toBe("");
});
