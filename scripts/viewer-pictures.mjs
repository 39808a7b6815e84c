// Makes screenshots of the viewer, after `npm run build`: `node scripts/viewer-pictures.mjs [CHROMIUM]` those of the
// docs, docs/images/*.jpg; `node scripts/viewer-pictures.mjs [CHROMIUM] --states FOLDER` every state of it into a
// folder, on a desk and a phone, light and dark, to be looked at.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { chromium } from "playwright";
import {
  writeCells,
  writeScreen,
  writeTemperatures,
  writeVolume,
  writeWorld,
} from "./viewer-picture-data.mjs";

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { states: { type: "string" } },
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

/** Of each data set, what follows the hash, and what a user does then. */
const STATES = [
  ["world", "start", undefined],
  ["world", "cards", "&stage=cards"],
  ["world", "map", "&path=/t2m&at=time:63&point=108,45&point=95,14"],
  ["world", "globe", "&path=/t2m&stage=globe&map=20,25,2"],
  ["world", "region", "&path=/t2m&at=time:63&region=88,18,112,34"],
  ["world", "difference", "&path=/t2m&at=time:150&with=10"],
  ["world", "steps", "&path=/t2m&at=time:150&with=10&curtain=0.5&point=108,45"],
  ["world", "variables", "&path=/t2m&at=time:63&with=/tp&curtain=0.6"],
  ["world", "classes", "&path=/land"],
  ["world", "plane", "&path=/tp&stage=plane"],
  ["world", "line", "&path=/lat"],
  ["world", "table", "&path=/time"],
  ["world", "missing", "&path=/nothing"],
  ["world", "share", "&path=/u10&at=time:20", (page) => page.getByRole("button", { name: "Share" }).click()],
  ["cells", "image", ""],
  ["screen", "plate", ""],
  ["screen", "well", "&path=/A/1/0"],
  ["volume", "planes", "&path=/amplitude&stage=planes"],
  ["volume", "projection", "&path=/amplitude&stage=volume"],
];

async function states(into) {
  await mkdir(into, { recursive: true });
  const sources = {
    world: await writeWorld(join(folder, "world.zarr")),
    cells: await writeCells(join(folder, "cells.zarr")),
    screen: await writeScreen(join(folder, "screen.zarr")),
    volume: await writeVolume(join(folder, "volume.zarr")),
  };
  for (const [source, path] of Object.entries(sources))
    await served(path, async (origin) => {
      for (const [size, viewport] of [
        ["desk", { width: 1280, height: 800 }],
        ["phone", { width: 390, height: 844 }],
      ])
        for (const colorScheme of ["light", "dark"])
          for (const [of, name, more, act] of STATES) {
            if (of !== source) continue;
            const page = await browser.newPage({ viewport, colorScheme, reducedMotion: "reduce" });
            await page.goto(more === undefined ? `${origin}/#` : `${origin}/#url=/data/${more}`);
            await isDrawn(page);
            await act?.(page);
            await page.waitForTimeout(1500);
            await page.screenshot({ path: join(into, `${name}-${size}-${colorScheme}.png`) });
            await page.close();
          }
    });
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
