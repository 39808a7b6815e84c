/**
 * Takes the pictures of the site's gallery, site/public/gallery/*.jpg, after `npm run build`:
 * `node scripts/run-ts.mjs scripts/gallery-pictures.ts [CHROMIUM]`.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { chromium, type Page } from "playwright";
import { buildLive } from "../site/live.mjs";
import { serve } from "../test/bundlers/serve.js";

/** What a reader does before the picture is taken. */
const ACTS: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  geotiff: (page) => page.locator("#ours").click(),
  netcdf: (page) => page.locator("#ours").click(),
  forecast: (page) => page.locator("#step").fill("4"),
  series: (page) => page.locator("#step").fill("4"),
  async statistics(page) {
    await page.mouse.move(220, 120);
    await page.mouse.down();
    await page.mouse.move(400, 260, { steps: 3 });
    await page.mouse.up();
  },
};

const executablePath = process.argv[2] ?? "/usr/bin/chromium";
const applications: readonly { page: string }[] = JSON.parse(readFileSync("site/gallery.json", "utf8"));
const into = "site/public/gallery";
mkdirSync(into, { recursive: true });
const folder = mkdtempSync(join(tmpdir(), "wazarr-gallery-"));
await buildLive(".", folder);
const site = await serve({ "": folder });
const args = ["--no-sandbox", "--enable-unsafe-swiftshader", "--use-angle=swiftshader"];
const browser = await chromium.launch({ executablePath, args });
const page = await browser.newPage({ viewport: { width: 640, height: 400 } });
for (const { page: file } of applications) {
  const name = file.replace(/\.\w+$/, "");
  const path = join(into, `${name}.jpg`);
  const picture = { path, type: "jpeg", quality: 82 } as const;
  if (file.endsWith(".html")) {
    await page.goto(`${site.url}/examples/live/${file}`);
    await page.waitForTimeout(3000);
    await ACTS[name]?.(page);
    await page.waitForTimeout(2500);
    await page.screenshot(picture);
  } else {
    const address = `${resolve("examples/data/jacksboro.zarr")}|zarr3:elevation`;
    const cwd = mkdtempSync(resolve("build", "gallery-"));
    execFileSync(process.execPath, [resolve("examples/live", file), address], { cwd });
    const written = readFileSync(join(cwd, "hillshade.png")).toString("base64");
    await page.setContent(
      `<style>body { margin: 0 }</style><img src="data:image/png;base64,${written}" width="640">`,
    );
    await page.locator("img").screenshot(picture);
    rmSync(cwd, { recursive: true });
  }
}
await browser.close();
site.close();
rmSync(folder, { recursive: true });
