/** examples/live/files.html: a NetCDF-4 file and a COG that are dropped on it are read, in Chromium. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright";
import { afterAll, expect, test } from "vitest";
import { withFolders } from "../../site/live.mjs";
import { serve } from "../bundlers/serve.js";
import { fromBase64 } from "../core/codecs/harness.js";
import tiffFixtures from "../fixtures/virtual/tiff.json" with { type: "json" };
import { chromiumLaunchOptions } from "../setup/chromium.js";

const options = chromiumLaunchOptions();
const folder = mkdtempSync(join(tmpdir(), "wazarr-live-files-"));
afterAll(() => rmSync(folder, { recursive: true }));

const scene = tiffFixtures.cases.find(({ name }) => name === "COG deflate 2");
if (scene === undefined) throw new Error("expected a fixture");
writeFileSync(join(folder, "scene.tif"), fromBase64(scene.file));
writeFileSync(join(folder, "weather.nc"), readFileSync("test/fixtures/virtual/weather_netcdf4.nc"));
writeFileSync(join(folder, "notes.txt"), "no array");

test.skipIf(options === undefined)(
  "files that are dropped on the page are read",
  async () => {
    writeFileSync(
      join(folder, "files.html"),
      withFolders(readFileSync("examples/live/files.html", "utf8"), {
        wazarr: "/dist/",
        packages: "/packages/",
        examples: "/examples/",
      }),
    );
    const site = await serve({ dist: "dist", "": folder });
    const browser = await chromium.launch(options);
    try {
      const page = await browser.newPage();
      await page.goto(`${site.url}/files.html`);
      const session = await page.context().newCDPSession(page);
      /** Drops a file as the system does. @returns what the page says of it */
      const drop = async (name: string): Promise<string> => {
        const before = await page.locator("#words").textContent();
        const data = { items: [], files: [join(folder, name)], dragOperationsMask: 1 };
        for (const type of ["dragEnter", "dragOver", "drop"] as const)
          await session.send("Input.dispatchDragEvent", { type, x: 300, y: 300, data });
        await page.waitForFunction((old) => document.getElementById("words")?.textContent !== old, before);
        return (await page.locator("#words").textContent()) ?? "";
      };
      // The narrowest array comes first.
      expect(await drop("weather.nc")).toBe("/odd: 4 x 3 int8, 0 to 11 ");
      await page.selectOption("#names", "/t2m");
      await expect.poll(() => page.title()).toMatch(/^\/t2m: 4 x 5 x 7 int16, -70 to -36$/);
      expect(await page.locator("#picture").evaluate((canvas) => canvas.getAttribute("width"))).toBe("7");
      expect(await drop("scene.tif")).toMatch(/^\/(?:overviews\/\d+\/)?image: /);
      expect(await drop("notes.txt")).toMatch(/notes\.txt: expected a file of HDF5, NetCDF-3, TIFF, GRIB/);
    } finally {
      await browser.close();
      site.close();
    }
  },
  180_000,
);
