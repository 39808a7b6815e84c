// Makes the pictures of the docs, docs/images/*.jpg, after `npm run build`: `node scripts/viewer-pictures.mjs
// [CHROMIUM]`. With `--states FOLDER`, screenshots of every state of the viewer instead, on a desk and a
// phone, light and dark, to be looked at; `--only hole,map` of some.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { chromium } from "playwright";
import { writeCells, writeTemperatures, writeWorld } from "./viewer-picture-data.mjs";
import { SOURCES, STATES } from "./viewer-states.mjs";

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { states: { type: "string" }, only: { type: "string" } },
});
const executablePath = positionals[0] ?? "/usr/bin/chromium";
const folder = await mkdtemp(join(tmpdir(), "wazarr-pictures-"));
const browser = await chromium.launch({
  executablePath,
  args: ["--no-sandbox", "--enable-unsafe-swiftshader", "--use-angle=swiftshader"],
});

const isDrawn = (page) =>
  page.waitForFunction(
    () =>
      document.getElementById("canvas")?.dataset.loading === "0" ||
      Boolean(document.getElementById("words")?.textContent) ||
      document.querySelector("#problems .problem") !== null,
    null,
    { timeout: 120_000 },
  );

/** Serves `source`, and gives `use` the address of the viewer and the hash that shows the data. */
async function served(source, use) {
  const args = ["dist/cli.js", "serve", source, "--port", "0"];
  const server = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const [printed] = await once(server.stdout.setEncoding("utf8"), "data");
  const link = new URL(/viewer +(\S+)/.exec(printed)[1]);
  try {
    await use(link.origin, link.hash || "#url=/data/");
  } finally {
    server.kill();
  }
}

/** Waits until the viewer has drawn what `more` says of the data. */
async function picture(source, file, more) {
  await served(source, async (origin, hash) => {
    const page = await browser.newPage({ viewport: { width: 1200, height: 720 } });
    await page.goto(`${origin}/${hash}${more}`);
    await isDrawn(page);
    await page.waitForTimeout(1500);
    await page.screenshot({ path: `docs/images/${file}`, type: "jpeg", quality: 82 });
    await page.close();
  });
}

const SIZES = {
  desk: { viewport: { width: 1280, height: 800 } },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
};

async function states(into) {
  await mkdir(into, { recursive: true });
  const only = options.only?.split(",");
  const wanted = STATES.filter(({ name }) => only?.includes(name) ?? true);
  for (const [source, write] of Object.entries(SOURCES)) {
    const ofSource = wanted.filter(({ of }) => of === source);
    if (ofSource.length === 0) continue;
    await served(await write(join(folder, `${source}.zarr`)), async (origin) => {
      for (const [size, device] of Object.entries(SIZES))
        for (const state of ofSource) await stateOn(size, device, state, origin, into);
    });
  }
}

async function stateOn(size, device, { name, hash, isReady = isDrawn, before, act, sizes }, origin, into) {
  if (sizes && !sizes.includes(size)) return;
  const page = await browser.newPage({ ...device, colorScheme: "light", reducedMotion: "reduce" });
  try {
    await before?.(page);
    await page.goto(`${origin}/#${hash}`);
    await isReady(page);
    await act?.(page, size);
    await page.waitForTimeout(1000);
    for (const colorScheme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme });
      await page.waitForTimeout(500);
      await page.screenshot({ path: join(into, `${name}-${size}-${colorScheme}.png`) });
    }
  } catch (error) {
    console.error(`${name} on a ${size}: ${error.message}`);
  }
  await page.close();
}

if (options.states !== undefined) await states(options.states);
else {
  await picture(
    `${await writeWorld(join(folder, "world.zarr"))}|zarr:t2m`,
    "viewer.jpg",
    "&at=time:63&point=108,45&point=95,14",
  );
  await picture(
    `${await writeTemperatures(join(folder, "era.zarr"))}|zarr:t2m`,
    "data-set.jpg",
    "&point=120,70",
  );
  await picture(
    "examples/forecast/forecast.json|zarr:t2m",
    "forecast.jpg",
    "&at=time:4&point=36,20&point=110,50",
  );
  await picture(await writeCells(join(folder, "cells.zarr")), "ome-zarr.jpg", "");
}
await browser.close();
await rm(folder, { recursive: true });
