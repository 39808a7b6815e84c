/** MapLibre 5: CommonJS, and contexts that may be of WebGL 1. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import type { CustomRenderMethodInput } from "maplibre-gl";
import { expectTypeOf, onTestFinished, test } from "vitest";
import type { ZarrLayer } from "../src/zarr-layer.js";

test("takes the methods of a layer", () => {
  interface Layer5 {
    readonly render: (
      gl: WebGLRenderingContext | WebGL2RenderingContext,
      input: CustomRenderMethodInput,
    ) => void;
    readonly prerender: Layer5["render"];
  }
  expectTypeOf<ZarrLayer>().toExtend<Layer5>();
});

test("can be imported by a server, which does not know its names", async () => {
  const folder = mkdtempSync(join(tmpdir(), "wazarr-maplibre-5-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const library = join(folder, "node_modules/maplibre-gl");
  mkdirSync(library, { recursive: true });
  writeFileSync(join(library, "index.js"), "(function (make) { module.exports = make(); })(() => ({}));");
  const outfile = join(folder, "layer.mjs");
  const options = { bundle: true, format: "esm", platform: "node", packages: "bundle", outfile } as const;
  const external = ["maplibre-gl"];
  await build({ ...options, entryPoints: ["packages/maplibre/src/index.ts"], external, logLevel: "error" });
  // In a process of its own: the test runner finds the names of every module.
  execFileSync(process.execPath, [outfile]);
});
