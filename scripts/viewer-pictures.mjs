// Makes screenshots of the viewer, docs/images/*.jpg, after `npm run build`: `node
// scripts/viewer-pictures.mjs [CHROMIUM]`
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright";
import { writeCells, writeTemperatures } from "./viewer-picture-data.mjs";

const executablePath = process.argv[2] ?? "/usr/bin/chromium";
const folder = await mkdtemp(join(tmpdir(), "wazarr-pictures-"));
const browser = await chromium.launch({
  executablePath,
  args: ["--no-sandbox", "--enable-unsafe-swiftshader", "--use-angle=swiftshader"],
});

/** Serves `source`, waits until the viewer has drawn it, and lets `prepare` act like a user. */
async function picture(source, file, prepare) {
  const args = ["dist/cli.js", "serve", source, "--port", "0"];
  const server = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const [told] = await once(server.stdout.setEncoding("utf8"), "data");
  const link = /viewer +(\S+)/.exec(told)[1];
  const page = await browser.newPage({ viewport: { width: 1100, height: 640 } });
  await page.goto(link);
  const isDrawn = () =>
    page.waitForFunction(() => document.getElementById("canvas")?.dataset.loading === "0");
  await isDrawn();
  await prepare(page);
  await isDrawn();
  await page.waitForTimeout(500);
  await page.screenshot({ path: `docs/images/${file}`, type: "jpeg", quality: 82 });
  await page.close();
  server.kill();
}

await picture("examples/data/jacksboro.zarr|zarr:elevation", "viewer.jpg", async (page) => {
  await page.mouse.click(520, 300);
  await page.locator("#profile svg").waitFor();
  await page.locator("#readout", { hasText: / m$/ }).waitFor();
});
await picture(
  `${await writeTemperatures(join(folder, "era.zarr"))}|zarr:t2m`,
  "data-set.jpg",
  async (page) => {
    await page.mouse.click(520, 300);
    await page.locator("#profile svg").waitFor();
    await page.locator("#readout", { hasText: / K$/ }).waitFor();
  },
);
await picture("examples/forecast/forecast.json|zarr:t2m", "forecast.jpg", async (page) => {
  await page.mouse.click(520, 250);
  await page.locator("#profile svg").waitFor();
});
await picture(await writeCells(join(folder, "cells.zarr")), "ome-zarr.jpg", async () => {});
await browser.close();
await rm(folder, { recursive: true });
