/** What a person does with a map: looks, asks, compares, shares. */
import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { writeDataset } from "../../src/formats/xarray.js";
import { MemoryStore } from "../../src/index.js";
import { openViewer, options, type ViewerPage } from "./viewer-page.js";

const [TIMES, ROWS, COLUMNS] = [4, 18, 36];
/** Degrees of a row and column. */
const STEP = 10;

/** 100 at the equator of the first step; 1 more a column, 10 more a step. */
const elementAt = (t: number, row: number, column: number): number =>
  100 + 10 * t + column + (row === 8 ? 0 : 50);

async function makeWorld(): Promise<MemoryStore> {
  const store = new MemoryStore();
  const count = ROWS * COLUMNS;
  const data = Float64Array.from({ length: TIMES * count }, (_, i) => {
    const at = i % count;
    return elementAt(Math.floor(i / count), Math.floor(at / COLUMNS), at % COLUMNS);
  });
  const edges = (length: number, first: number): Float64Array =>
    Float64Array.from({ length }, (_, i) => first + STEP * i);
  await writeDataset(store, {
    attrs: { title: "a world" },
    coords: {
      time: {
        dims: ["time"],
        data: Array.from({ length: TIMES }, (_, i) => new Date(Date.UTC(2026, 2, 1 + i))),
        encoding: { units: "days since 2026-01-01", dtype: "int32" },
      },
      lat: { dims: ["lat"], data: edges(ROWS, -85), attrs: { units: "degrees_north" } },
      lon: { dims: ["lon"], data: edges(COLUMNS, -175), attrs: { units: "degrees_east" } },
    },
    dataVars: {
      land: { dims: ["lat", "lon"], shape: [ROWS, COLUMNS], data: new Uint8Array(count) },
      t2m: {
        dims: ["time", "lat", "lon"],
        shape: [TIMES, ROWS, COLUMNS],
        data,
        attrs: { units: "K", long_name: "2 metre temperature" },
        encoding: { dtype: "int16", scale_factor: 0.5, add_offset: 3, chunks: [1, ROWS, COLUMNS] },
      },
    },
  });
  return store;
}

describe.skipIf(options === undefined)("a map", () => {
  let viewer: ViewerPage;
  const outside: string[] = [];
  beforeAll(async () => {
    viewer = await openViewer(await makeWorld(), { width: 1200, height: 800 });
    viewer.page.on("request", (request) => {
      const { protocol, host } = new URL(request.url());
      if (protocol.startsWith("http") && !host.startsWith("localhost")) outside.push(request.url());
    });
  });
  afterAll(() => viewer?.close());
  const text = (selector: string): Promise<string> => viewer.page.locator(selector).first().innerText();

  test("a data set opens on its data, on a map, and asks nobody else", async () => {
    await viewer.show("#url=/data/");
    const { page } = viewer;
    await page.locator('#tree button[data-path="/t2m"][aria-current="true"]').waitFor();
    await page.locator(".maplibregl-canvas").waitFor();
    expect(await text(".path h1")).toBe("2 metre temperature");
    expect(await text("#sliders .when")).toContain("1 March 2026");
    expect(outside).toEqual([]);
  });

  test("how warm it was there on 3 March, and over time", async () => {
    // The middle of the element at 5 degrees south and west.
    await viewer.show("#url=/data/&path=/t2m&map=-5,-5,3&at=time:2");
    const { page } = viewer;
    await page.locator(".maplibregl-canvas").waitFor();
    await page.mouse.move(600, 400);
    await page.mouse.move(601, 400);
    const value = elementAt(2, 8, 17);
    await page.locator("#readout", { hasText: `: ${value} K` }).waitFor({ timeout: 30_000 });
    await page.mouse.click(600, 400);
    await page.locator(".answer", { hasText: String(value) }).waitFor({ timeout: 30_000 });
    await page.locator("#profile [role=img][aria-label*='along time']").waitFor();
    await page.waitForURL(/point=17%2C8/);
    await page.locator(".pin-mark").waitFor();
  });

  test("the difference of two steps, and a link that shows it", async () => {
    await viewer.show("#url=/data/&path=/t2m&at=time:3");
    const { page } = viewer;
    await page.getByRole("button", { name: "Compare" }).click();
    await page.getByRole("button", { name: "Difference" }).click();
    await page.locator("#sliders input[type=range]").fill("0");
    await page.waitForURL(/with=3/);
    // 30 less everywhere.
    await page.waitForURL(/range=-30/, { timeout: 30_000 });
    await viewer.show(new URL(page.url()).hash);
    await page.locator("#compare", { hasText: "Each step, less 4 March 2026." }).waitFor();
  });

  test("the mean, the extremes and the means over time of a region", async () => {
    await viewer.show("#url=/data/&path=/t2m&region=10,8,13,8");
    const { page } = viewer;
    const mean = (elementAt(0, 8, 10) + elementAt(0, 8, 13)) / 2;
    await page.locator("#region .answer", { hasText: String(mean) }).waitFor({ timeout: 30_000 });
    expect(await page.locator("#region dd").allInnerTexts()).toEqual([
      expect.stringContaining(String(elementAt(0, 8, 10))),
      expect.stringContaining(String(elementAt(0, 8, 13))),
      "4",
    ]);
    await page.getByRole("img", { name: "Mean of the region along time" }).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Save the means as CSV" }).click(),
    ]);
    const rows = (await readFile(await download.path(), "utf8")).trim().split("\r\n");
    expect(rows.shift()).toBe("time,mean");
    const found = rows.map((row) => row.split(","));
    expect(found.map(([date]) => date)).toEqual(["2026-03-01", "2026-03-02", "2026-03-03", "2026-03-04"]);
    for (const [t, [, value]] of found.entries()) expect(Number(value)).toBeCloseTo(mean + 10 * t);
  });

  test("a region that is drawn", async () => {
    await viewer.show("#url=/data/&path=/t2m&map=0,0,2");
    const { page } = viewer;
    await page.getByRole("button", { name: "Region" }).click();
    await page.mouse.move(550, 350);
    await page.mouse.down();
    await page.mouse.move(600, 400, { steps: 3 });
    await page.mouse.move(650, 450, { steps: 3 });
    await page.mouse.up();
    await page.locator("#region .answer", { hasText: /\d/ }).waitFor({ timeout: 30_000 });
    await page.waitForURL(/region=\d+%2C\d+%2C\d+%2C\d+/);
  });

  test("a group shows its members as cards", async () => {
    await viewer.show("#url=/data/&path=/t2m");
    const { page } = viewer;
    await page.getByRole("button", { name: "All variables as cards" }).click();
    await page.locator('#cards [data-path="/t2m"]', { hasText: "time 4, lat 18, lon 36" }).waitFor();
    expect(await text("#cards h1")).toBe("A world");
    await page.locator('#cards [data-path="/t2m"] canvas').waitFor();
    await page.locator('#cards [data-path="/land"]').click();
    await page.waitForURL(/path=%2Fland/);
  });

  test("a film of the steps, which plays", async () => {
    await viewer.show("#url=/data/&path=/t2m&stage=plane&at=time:2");
    const { page } = viewer;
    await page.getByRole("button", { name: "4×" }).click();
    const [download] = await Promise.all([
      page.waitForEvent("download", { timeout: 60_000 }),
      page.getByRole("button", { name: "Save a film" }).click(),
    ]);
    expect(download.suggestedFilename()).toBe("t2m.webm");
    const film = [...(await readFile(await download.path()))];
    const played = await page.evaluate(async (bytes) => {
      const video = document.createElement("video");
      video.src = URL.createObjectURL(new Blob([Uint8Array.from(bytes)]));
      await new Promise((resolve, reject) => {
        video.onloadeddata = resolve;
        video.onerror = () => reject(new Error(video.error?.message));
      });
      return [video.duration, video.videoWidth];
    }, film);
    // Four steps at sixteen of a second.
    expect(played).toEqual([TIMES / 16, 1200]);
    await page.waitForURL(/at=time%3A2/);
  });

  test("a picture of each step", async () => {
    await viewer.show("#url=/data/&path=/t2m&stage=plane");
    const { page } = viewer;
    await page.getByRole("button", { name: "Share" }).click();
    const [download] = await Promise.all([
      page.waitForEvent("download", { timeout: 60_000 }),
      page.getByRole("button", { name: "Save a picture of each step" }).click(),
    ]);
    expect(download.suggestedFilename()).toBe("t2m.zip");
    const zip = await readFile(await download.path());
    for (const name of ["0.png", "1.png", "2.png", "3.png"]) expect(zip.includes(name)).toBe(true);
  });

  test("what is shared: a link, frames, programs", async () => {
    await viewer.show("#url=/data/&path=/t2m&at=time:1&stage=plane");
    const { page } = viewer;
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.getByRole("button", { name: "Share" }).click();
    const copied = async (name: string): Promise<string> => {
      const button = page.getByRole("button", { name }).first();
      await button.click();
      return button.locator("xpath=../pre").innerText();
    };
    expect(await copied("Copy link")).toContain("path=%2Ft2m");
    expect(await copied("Embed")).toMatch(/^<iframe src=".*embed=1/);
    expect(await copied("Embed as an element")).toContain("<wazarr-viewer src=");
    expect(await copied("Copy JavaScript")).toContain("await get(array, [1, slice(0, 18), slice(0, 36)])");
    expect(await copied("Copy Python")).toContain(
      'dataset["t2m"].isel(time=1, lat=slice(0, 18), lon=slice(0, 36))',
    );
  });

  test("an element of another page", async () => {
    const { page } = viewer;
    await page.goto("about:blank");
    await page.route("**/around.html", (route) =>
      route.fulfill({
        contentType: "text/html",
        body: `<script type="module" src="/element.js"></script><wazarr-viewer src="/data/" path="/t2m"></wazarr-viewer>`,
      }),
    );
    await page.goto(`${viewer.url}/around.html`);
    const inside = page.frameLocator("wazarr-viewer iframe");
    await inside.locator(".maplibregl-canvas").waitFor({ timeout: 30_000 });
    expect(await inside.locator("#tree").count()).toBe(0);
  });
});
