/** Files of other formats, dropped on the viewer. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MemoryStore } from "../../src/index.js";
import { fromBase64 } from "../core/codecs/harness.js";
import gribFixtures from "../fixtures/virtual/grib.json" with { type: "json" };
import tiffFixtures from "../fixtures/virtual/tiff.json" with { type: "json" };
import { openViewer, options, type ViewerPage } from "./viewer-page.js";

const caseOf = (
  cases: readonly { readonly name: string; readonly file: string }[],
  named: string,
): Uint8Array => {
  const found = cases.find(({ name }) => name === named);
  if (found === undefined) throw new Error(`expected a fixture ${named}`);
  return fromBase64(found.file);
};

const FILES = [
  ["weather.nc", "t2m", new Uint8Array(readFileSync("test/fixtures/virtual/weather_netcdf4.nc"))],
  ["scene.tif", "image", caseOf(tiffFixtures.cases, "COG deflate 2")],
  ["forecast.grib2", "t", caseOf(gribFixtures.cases, "regular_gg, edition 2")],
] as const;

describe.skipIf(options === undefined)("dropped on the viewer", () => {
  const folder = mkdtempSync(join(tmpdir(), "wazarr-dropped-"));
  let viewer: ViewerPage;
  beforeAll(async () => {
    viewer = await openViewer(new MemoryStore());
  }, 60_000);
  afterAll(async () => {
    rmSync(folder, { recursive: true });
    await viewer?.close();
  });

  test.each(FILES)("%s is drawn", { timeout: 60_000 }, async (name, variable, bytes) => {
    const { page, url } = viewer;
    const path = join(folder, name);
    writeFileSync(path, bytes);
    await page.goto(`${url}/`);
    const session = await page.context().newCDPSession(page);
    // A drop as the system makes it: that of a page has no entries of a file system.
    const data = { items: [], files: [path], dragOperationsMask: 1 };
    for (const type of ["dragEnter", "dragOver", "drop"] as const)
      await session.send("Input.dispatchDragEvent", { type, x: 500, y: 400, data });
    await page.locator(`#tree button[data-path$="/${variable}"]`).first().waitFor();
    await page.waitForFunction(() => document.getElementById("canvas")?.dataset.loading === "0");
    expect(await page.evaluate(() => document.getElementById("words")?.textContent ?? "")).toBe("");
  });
});
