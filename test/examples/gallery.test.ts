/**
 * The applications of the site's gallery, and the picture of its first page: each runs over HTTP in Chromium,
 * and says what its data say.
 */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { decode } from "fast-png";
import { type Browser, chromium, type Page } from "playwright";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildFirst } from "../../site/first.mjs";
import { buildLive } from "../../site/live.mjs";
import { type Served, serve } from "../bundlers/serve.js";
import { chromiumLaunchOptions } from "../setup/chromium.js";

interface Application {
  readonly page: string;
  readonly title: string;
}
const gallery: readonly Application[] = JSON.parse(readFileSync("site/gallery.json", "utf8"));
const options = chromiumLaunchOptions();

test("the gallery has ten applications, and the program of each fits on one screen", () => {
  expect(gallery.length).toBeGreaterThanOrEqual(10);
  for (const { page } of gallery) {
    const text = readFileSync(join("examples/live", page), "utf8");
    const [, program = text] = /<script type="module">\n(.*?)^ *<\/script>/ms.exec(text) ?? [];
    expect([page, program.trimEnd().split("\n").length <= 45]).toEqual([page, true]);
  }
});

/** A page that sends the lines of its query to the picture of the first page, as FirstPicture.vue does. */
const AROUND = `<script>
addEventListener("message", ({ source }) => source.postMessage(new URLSearchParams(location.search).get("lines"), "*"));
</script><iframe src="first/stage.html" style="width: 700px; height: 600px"></iframe>`;

/** Of a page, which draws with WebGL without a graphics card on a machine that has other work. */
const PATIENCE = 150_000;

describe.skipIf(options === undefined)("in Chromium", { timeout: PATIENCE }, () => {
  const folder = mkdtempSync(join(tmpdir(), "wazarr-gallery-"));
  const errors: string[] = [];
  let site: Served;
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    await buildLive(".", folder);
    buildFirst(".", folder);
    writeFileSync(join(folder, "around.html"), AROUND);
    site = await serve({ "": folder });
    // WebGL without graphics hardware.
    const args = (options?.args ?? []).filter((flag) => flag !== "--disable-gpu");
    browser = await chromium.launch({
      ...options,
      args: [...args, "--enable-unsafe-swiftshader", "--use-angle=swiftshader"],
    });
    page = await browser.newPage({ viewport: { width: 760, height: 700 } });
    page.setDefaultTimeout(PATIENCE);
    page.on("pageerror", (error) => errors.push(error.message));
    page.on("request", (request) => {
      if (!request.url().startsWith(site.url) && !/^(blob|data):/.test(request.url()))
        errors.push(request.url());
    });
  });
  afterAll(async () => {
    await browser?.close();
    site?.close();
    rmSync(folder, { recursive: true });
  });

  /** Opens an application, and waits until it says something. */
  async function open(name: string): Promise<void> {
    errors.length = 0;
    await page.goto(`${site.url}/examples/live/${name}`);
  }
  /** @param title a part of it, as numpy computes what it says from the same files */
  async function expectTitle(title: string | RegExp): Promise<void> {
    await expect.poll(() => page.title(), { timeout: PATIENCE }).toMatch(title);
    expect(errors).toEqual([]);
  }
  /** Red, green and blue at a place of the picture, from 0 to 1. */
  const colorAt = (x: number, y: number): Promise<number[]> =>
    page.evaluate(
      ([x, y]) => {
        const canvas = document.querySelector("canvas");
        const context = canvas?.getContext("2d");
        if (!canvas || !context) throw new Error("expected a picture");
        return [...context.getImageData(x * canvas.width, y * canvas.height, 1, 1).data.slice(0, 3)];
      },
      [x, y] as const,
    );

  test("globe.html: another month, and the value of a place", async () => {
    await open("globe.html");
    await expectTitle("2011-08");
    await page.locator("#step").fill("5");
    await expectTitle("2012-01");
    await page.locator("#map").click({ position: { x: 380, y: 350 } });
    await expect.poll(() => page.locator("#words").innerText()).toMatch(/^2012-01: -?\d+\.\d °C$/);
  });

  test("react.html: the profile of another row", async () => {
    await open("react.html");
    await expectTitle("Row 120: 295 to 896 m");
    await page.locator("#row").fill("0");
    await expectTitle("Row 0: 365 to 774 m");
    const points = await page.locator("polygon").getAttribute("points");
    // A row of 403 elements, and the ground at both ends.
    expect(points?.split(" ")).toHaveLength(405);
    expect(await page.locator("figcaption").innerText()).toBe(await page.title());
  });

  test("microscope.html: a channel less is a darker picture", async () => {
    await open("microscope.html");
    await expectTitle("nuclei and tubulin, 0.325 micrometres a pixel");
    const light = (): Promise<number> =>
      page.evaluate(() => {
        const canvas = document.querySelector("canvas");
        const pixels = canvas?.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height).data;
        return pixels?.reduce((sum, value) => sum + value, 0) ?? 0;
      });
    const both = await light();
    await page.getByLabel("tubulin").uncheck();
    expect(await light()).toBeLessThan(0.9 * both);
  });

  /** Opens an application, and waits until it takes files. */
  async function openForFiles(name: string): Promise<void> {
    await open(name);
    await page.waitForFunction(() => document.ondrop !== null);
  }
  /** Drops a file on the page, as the system does. */
  async function drop(file: string): Promise<void> {
    const session = await page.context().newCDPSession(page);
    const data = { items: [], files: [resolve(file)], dragOperationsMask: 1 };
    for (const type of ["dragEnter", "dragOver", "drop"] as const)
      await session.send("Input.dispatchDragEvent", { type, x: 300, y: 300, data });
  }

  test.each(["dropped", "chosen", "ours"])("geotiff.html: a file that is %s", async (how) => {
    await openForFiles("geotiff.html");
    if (how === "ours") await page.locator("#ours").click();
    else if (how === "dropped") await drop("examples/live/jacksboro.tif");
    else await page.locator("#file").setInputFiles("examples/live/jacksboro.tif");
    await expectTitle("403 x 344, 236 to 1076, EPSG:4326");
    // The lake in the south is lower than the ridge.
    expect(await colorAt(0.5, 0.5)).not.toEqual(await colorAt(0.05, 0.05));
  });

  test.each(["geotiff.html", "netcdf.html"])("%s: a file that is no array", async (name) => {
    await openForFiles(name);
    await drop("LICENSE");
    await expect
      .poll(() => page.locator("#words").innerText())
      .toMatch(/LICENSE: expected a file of HDF5, NetCDF-3, TIFF, GRIB/);
    expect(errors).toEqual([]);
  });

  test("netcdf.html: the first and the last year", async () => {
    await openForFiles("netcdf.html");
    await drop("examples/live/north-america.nc");
    await expectTitle("year 0: -12.8 to 26.4 degC");
    await page.locator("#step").fill("239");
    await expectTitle("year 239: -0.2 to 29.9 degC");
  });

  test("history.html: the change between two snapshots", async () => {
    await open("history.html");
    await expectTitle("4.41 °C warmer, from 1860 to 2099-A1B");
    await page.locator("#to").selectOption("2099-E1");
    await expectTitle("2.12 °C warmer, from 1860 to 2099-E1");
    expect(await page.locator("#commits li").count()).toBe(4);
  });

  test("statistics.html: all cells, and those of a rectangle", async () => {
    await open("statistics.html");
    await expectTitle("138632 cells: 236 to 1076 m, mean 531.0 m");
    await page.locator("#picture").hover({ position: { x: 100, y: 100 } });
    await page.mouse.down();
    await page.mouse.move(300, 300, { steps: 4 });
    await page.mouse.up();
    await expectTitle(/^\d{4,5} cells: /);
  });

  test("towns.html: both scenarios", async () => {
    await open("towns.html");
    await expectTitle("Toronto +6.5 °C, Denver +5.6 °C, Havana +3.7 °C");
    await page.locator("#scenario").selectOption("E1");
    await expectTitle("Toronto +3.6 °C, Denver +2.9 °C, Havana +2.0 °C");
    expect(await page.locator("#chart canvas").count()).toBe(1);
  });

  test("forecast.html: a step, and the series of a place", async () => {
    await open("forecast.html");
    await expectTitle("2026-11-26T00:00Z");
    await page.locator("#step").fill("4");
    await expectTitle("2026-11-26T12:00Z");
    await page.locator("#picture").click({ position: { x: 15, y: 170 } });
    await expect.poll(() => page.locator("#series").innerText()).toMatch(/ N, .* E: (-?\d+, ){7}-?\d+ °C/);
  });

  const lines = readFileSync("site/first/lines.js", "utf8");
  async function openFirst(program: string): Promise<void> {
    errors.length = 0;
    const here = program.replace("https://example.org/", `${site.url}/examples/live/`);
    await page.goto(`${site.url}/around.html?lines=${encodeURIComponent(here)}`);
  }

  test("the first page: eight lines draw the months, another range is another scale", async () => {
    expect(lines.split("\n").filter((line) => line !== "")).toHaveLength(8);
    await openFirst(lines);
    const stage = page.frameLocator("iframe");
    await expect.poll(() => stage.locator("#month").textContent(), { timeout: PATIENCE }).toBe("August 2011");
    expect(await stage.locator("#low").innerText()).toBe("−40");
    await openFirst(lines.replace("[-40, 40]", "[0, 30]"));
    await expect.poll(() => stage.locator("#low").innerText(), { timeout: PATIENCE }).toBe("0");
    expect(errors).toEqual([]);
  });

  test("the first page: what is wrong with the lines", async () => {
    await openFirst(lines.replace('"temperature"', '"temprature"'));
    const problem = page.frameLocator("iframe").locator("#problem");
    await expect.poll(() => problem.innerText(), { timeout: PATIENCE }).toContain("temprature");
  });

  test("series.html plays", async () => {
    await open("series.html");
    await expectTitle("24 steps, 6.25 h to 17.75 h");
    await page.locator("#play").click();
    await expect.poll(() => page.locator("#step").inputValue()).not.toBe("0");
  });
});

test("the figures of the first page are those of docs/performance.md", () => {
  const { figures }: { figures: readonly { number: string; text: string }[] } = JSON.parse(
    readFileSync("site/first/words.json", "utf8"),
  );
  const page = readFileSync("docs/performance.md", "utf8");
  const tables = readFileSync("docs/performance-tables.md", "utf8");
  const [, median, least] =
    /^\| reading everything \| zarrita \| 20 \| ([\d.]+)x \| ([\d.]+)x/m.exec(page) ?? [];
  const [, part] = /^\| reading a part \| zarrita \| \d+ \| ([\d.]+)x/m.exec(page) ?? [];
  const [fast, code, tile] = figures;
  expect(fast?.number).toBe(Number(median).toFixed(1));
  expect(fast?.text).toContain(`${Number(least).toFixed(1)}×. Parts of arrays: ${Number(part).toFixed(1)}×`);
  const [, table = ""] = /^\| 50 ms away \|.*?\n((?:\|.*\n)+)/m.exec(tables) ?? [];
  const rowOf = (data: string, who: string) => {
    const row = table.split("\n").find((line) => line.startsWith(`| ${data} | ${who} |`)) ?? "";
    const [, , , , ms = "", , kib = ""] = row.split(" | ");
    return { seconds: (Number(ms) / 1000).toFixed(2), kB: Math.round(Number(kib) * 1.024) };
  };
  const own = rowOf("zstd", "wazarr");
  const zarrita = rowOf("zstd", "zarrita");
  expect(code?.number).toBe(`${own.kB}`);
  expect(code?.text).toContain(`zarrita it is ${zarrita.kB} kB`);
  expect(code?.text).toContain(`${rowOf("raw", "zarrita").kB} kB to our ${rowOf("raw", "wazarr").kB}`);
  expect(tile?.number).toBe(own.seconds);
  expect(tile?.text).toContain(`zarrita ${zarrita.seconds} s`);
  expect(tile?.text).toContain(`takes ${rowOf("zstd", "floor").seconds} s`);
});

test("hillshade.mjs writes a picture", async () => {
  // Inside of the package, which there knows itself by its name.
  mkdirSync("build", { recursive: true });
  const cwd = mkdtempSync(resolve("build", "hillshade-"));
  try {
    const program = resolve("examples/live/hillshade.mjs");
    const address = `${resolve("examples/data/jacksboro.zarr")}|zarr3:elevation`;
    const { stdout } = await promisify(execFile)(process.execPath, [program, address], { cwd });
    expect(stdout.trim()).toBe("hillshade.png: 403 x 344, 236 to 1076 m");
    const picture = decode(readFileSync(join(cwd, "hillshade.png")));
    expect([picture.width, picture.height, picture.channels]).toEqual([403, 344, 1]);
    // Level ground has the light of a sun at 45 degrees.
    let sum = 0;
    for (const value of picture.data) sum += value;
    const mean = sum / picture.data.length;
    expect(mean).toBeGreaterThan(150);
    expect(mean).toBeLessThan(200);
  } finally {
    rmSync(cwd, { recursive: true });
  }
});
