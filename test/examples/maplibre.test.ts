/** The map of examples/maps/maplibre in Chromium: colours at known places against values computed here. */
import { readFileSync } from "node:fs";
import { build } from "esbuild";
import { decode } from "fast-png";
import { type Browser, chromium, type Page } from "playwright";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { create, root, set } from "../../src/index.js";
import { type RunningServer, serve } from "../browser/server.js";
import { chromiumLaunchOptions } from "../setup/chromium.js";

const FOLDER = "examples/maps/maplibre";
const STEPS = 6;
const [ROWS, COLUMNS] = [90, 180];
/** A world from 0 to 360 in pixels of 2 degrees, from north to south; one column is missing. */
const MISSING_COLUMN = 20;
const valueAt = (time: number, row: number, column: number): number =>
  column === MISSING_COLUMN ? -9999 : (time * 37 + row * 3 + column) % 256;

async function data(): Promise<Map<string, Uint8Array>> {
  const store = new Map<string, Uint8Array>();
  const group = root(store);
  await create(group);
  const array = await create(group.resolve("data"), {
    shape: [STEPS, ROWS, COLUMNS],
    chunkShape: [1, ROWS, COLUMNS / 2],
    dtype: "int16",
    dimensionNames: ["time", "latitude", "longitude"],
  });
  const values = Int16Array.from({ length: STEPS * ROWS * COLUMNS }, (_, i) =>
    valueAt(Math.floor(i / (ROWS * COLUMNS)), Math.floor(i / COLUMNS) % ROWS, i % COLUMNS),
  );
  await set(array, null, { data: values, shape: [STEPS, ROWS, COLUMNS] });
  const axes = [["latitude", ROWS, 89, -2] as const, ["longitude", COLUMNS, 1, 2] as const];
  for (const [name, length, first, step] of axes) {
    const axis = await create(group.resolve(name), {
      shape: [length],
      dtype: "float64",
      dimensionNames: [name],
    });
    await set(axis, null, {
      data: Float64Array.from({ length }, (_, i) => first + i * step),
      shape: [length],
    });
  }
  return store;
}

/** What the page's colours are at a value, as numbers from 0 to 255. */
function colorOf(value: number): readonly number[] {
  if (value === -9999) return [255, 255, 255];
  const share = value / 255;
  return [share, 0.5 - Math.abs(share - 0.5), 1 - share].map((part) => Math.round(part * 255));
}

/**
 * The place on a map of 800 x 600, at zoom 1: a world is 1024 pixels wide.
 * @param east degrees from the middle of the map
 */
function pixelOf(east: number, latitude: number): readonly [x: number, y: number] {
  const y = Math.asinh(Math.tan((latitude * Math.PI) / 180)) / (2 * Math.PI);
  return [Math.floor(400 + (east / 360) * 1024), Math.floor(300 - y * 1024)];
}

const launchOptions = chromiumLaunchOptions();

describe.skipIf(launchOptions === undefined)("the map in MapLibre", () => {
  let browser: Browser;
  let server: RunningServer;
  let page: Page;
  const errors: string[] = [];

  beforeAll(async () => {
    const { outputFiles } = await build({
      entryPoints: { main: `${FOLDER}/main.ts` },
      bundle: true,
      splitting: true,
      format: "esm",
      target: "es2022",
      outdir: "/",
      write: false,
      external: ["node:*"],
      logLevel: "warning",
    });
    const scripts = new Map(outputFiles.map(({ path, contents }) => [path, contents]));
    scripts.set("/main.ts", scripts.get("/main.js") ?? new Uint8Array());
    const worker = "node_modules/maplibre-gl/dist/maplibre-gl-worker.mjs";
    scripts.set("/maplibre-gl-worker.mjs", readFileSync(worker));
    server = await serve({ scripts, store: await data() });
    const flags = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader"];
    const args = (launchOptions?.args ?? []).filter((flag) => flag !== "--disable-gpu");
    browser = await chromium.launch({ ...launchOptions, args: [...args, ...flags] });
    page = await browser.newPage({ viewport: { width: 800, height: 640 } });
    page.on("pageerror", (error) => errors.push(error.message));
    const html = readFileSync(`${FOLDER}/index.html`, "utf8");
    await page.route(/\/\?/, (route) => route.fulfill({ body: html, contentType: "text/html" }));
    await page.goto(`${server.url}?range=0,255`);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  const shows = (text: string) =>
    page.waitForFunction((wanted) => document.querySelector("output")?.value === wanted, text, {
      timeout: 30_000,
    });

  /** Places whose colours are not those of a step, on a map around a longitude. */
  async function wrongPlaces(time: number, middle: number): Promise<string[]> {
    const { data: pixels, width, channels } = decode(await page.screenshot());
    const places = [-127, -101, -43, -9, 1, 11, 41, 87, 139].flatMap((east) =>
      [-59, -33, -1, 21, 45, 61].map((latitude) => [east, latitude] as const),
    );
    return places.flatMap(([east, latitude]) => {
      const [x, y] = pixelOf(east, latitude);
      const row = Math.floor((90 - latitude) / 2);
      const column = Math.floor(((middle + east + 720) % 360) / 2);
      const expected = colorOf(valueAt(time, row, column));
      const start = (y * width + x) * channels;
      const seen = Array.from(pixels.slice(start, start + 3), Number);
      const isNear = seen.every((part, i) => Math.abs(part - (expected[i] ?? 0)) <= 1);
      return isNear ? [] : [`${east} ${latitude}: expected ${expected}, saw ${seen}`];
    });
  }

  test("has the colours of the values at their places, step after step", async () => {
    await shows("0");
    expect(await wrongPlaces(0, 0)).toEqual([]);
    await page.locator("input").fill("4");
    await shows("4");
    expect(await wrongPlaces(4, 0)).toEqual([]);
    expect(errors).toEqual([]);
  });

  test("has them on both sides of the dateline, and plays", async () => {
    await page.evaluate(() => location.assign("#1/0/170"));
    await page.locator("button").click();
    for (const step of [1, 3, 5]) await shows(`${step}`);
    await page.locator("button").click();
    await page.locator("input").fill("2");
    await shows("2");
    expect(await wrongPlaces(2, 170)).toEqual([]);
    expect(errors).toEqual([]);
  });
});
