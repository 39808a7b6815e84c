/** Types of the package with each kind of module resolution; package.test.ts has Node's own. */
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { installPackage, linkPeers } from "./install.js";
import { typesOf } from "./types.js";

const folder = mkdtempSync(join(tmpdir(), "wazarr-types-"));
beforeAll(() => {
  installPackage(folder);
  linkPeers(folder);
  cpSync("test/bundlers/apps", join(folder, "app"), { recursive: true });
});
afterAll(() => rmSync(folder, { recursive: true }));

test.each(["Bundler", "Node10"] as const)("moduleResolution %s", async (moduleResolution) => {
  expect(await typesOf(folder, moduleResolution)).toBe("");
});
