/**
 * What people ask, done with only what is on the screen. The clicks of each are in docs/viewer.md: a drag is one,
 * and so is a key.
 */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { writeMultiscale } from "../../src/formats/ome-zarr.js";
import { writeDataset } from "../../src/formats/xarray.js";
import { MemoryStore, root } from "../../src/index.js";
import { openViewer, options, type ViewerPage } from "./viewer-page.js";

const [ROWS, COLUMNS, DAYS, MONTHS] = [18, 36, 90, 24];
/** Row and column of Nairobi, 1.3 degrees south and 36.8 east, in elements of ten degrees. */
const [ROW, COLUMN] = [8, 21];
const [SPECIAL_DAY, LOWEST_MONTH] = [63, 20];

async function makeStore(): Promise<MemoryStore> {
  const store = new MemoryStore();
  const count = ROWS * COLUMNS;
  const degrees = (length: number, first: number) => Float64Array.from({ length }, (_, i) => first + 10 * i);
  const grid = {
    lat: { dims: ["lat"], data: degrees(ROWS, -85), attrs: { units: "degrees_north" } },
    lon: { dims: ["lon"], data: degrees(COLUMNS, -175), attrs: { units: "degrees_east" } },
  };
  const time = (data: Date[]) => ({
    time: { dims: ["time"], data, encoding: { units: "days since 2025-01-01", dtype: "int32" } },
  });
  const variable = (
    steps: number,
    attrs: Readonly<Record<string, string>>,
    valueAt: (t: number, i: number) => number,
  ) => ({
    dims: ["time", "lat", "lon"],
    shape: [steps, ROWS, COLUMNS],
    data: Float32Array.from({ length: steps * count }, (_, i) => valueAt(Math.floor(i / count), i % count)),
    attrs,
    encoding: { chunks: [10, ROWS, COLUMNS] },
  });
  await writeDataset(root(store).resolve("weather"), {
    coords: {
      ...grid,
      ...time(Array.from({ length: DAYS }, (_, i) => new Date(Date.UTC(2026, 0, 1 + i)))),
    },
    dataVars: {
      t2m: variable(DAYS, { units: "degC", long_name: "2 metre temperature" }, (t, i) =>
        t === SPECIAL_DAY && i === ROW * COLUMNS + COLUMN ? 18.75 : 30 - (i % 50) + t / 10,
      ),
    },
  });
  await writeDataset(root(store).resolve("ice"), {
    coords: {
      ...grid,
      ...time(Array.from({ length: MONTHS }, (_, i) => new Date(Date.UTC(2025, i, 15)))),
    },
    dataVars: {
      siconc: variable(MONTHS, { units: "%", long_name: "sea ice" }, (t, i) =>
        i >= 15 * COLUMNS
          ? 50 + 40 * Math.cos((2 * Math.PI * (t - 2)) / 12) - (t === LOWEST_MONTH ? 5 : 0)
          : 0,
      ),
    },
  });
  const axes = [{ name: "c", type: "channel" }, { name: "y" }, { name: "x" }] as const;
  const data = Uint16Array.from({ length: 2 * 64 * 64 }, (_, i) => (i < 64 * 64 ? 700 : 40));
  const image = { data, shape: [2, 64, 64] };
  await writeMultiscale(root(store).resolve("cells"), image, { axes: [...axes], scaleFactors: [] });
  await writeDataset(root(store).resolve("damaged"), {
    dataVars: {
      depth: {
        dims: ["y", "x"],
        shape: [100, 200],
        data: new Float32Array(20_000).fill(6),
        encoding: { chunks: [100, 100] },
      },
    },
  });
  const whole = (await store.get("/damaged/depth/c/0/1")) ?? new Uint8Array();
  await store.set("/damaged/depth/c/0/1", whole.subarray(0, whole.length >> 1));
  return store;
}

describe.skipIf(options === undefined)("tasks", () => {
  let viewer: ViewerPage;
  let clicks = 0;
  beforeAll(async () => {
    viewer = await openViewer(await makeStore(), { width: 1280, height: 800 });
    await viewer.page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  });
  afterAll(() => viewer?.close());

  async function begin(path: string): Promise<void> {
    clicks = 0;
    await viewer.show(`#url=/data/${path}`);
  }
  async function click(left: number, top: number): Promise<void> {
    clicks++;
    await viewer.page.mouse.click(left, top);
  }
  async function press(name: string): Promise<void> {
    clicks++;
    await viewer.page.getByRole("button", { name }).first().click();
  }

  /** A table of docs/viewer.md: what is asked, and how many clicks it takes. */
  const documented = new Map(
    [...readFileSync("docs/viewer.md", "utf8").matchAll(/^\| "(.+)" \| (\d+) \|/gm)].map(
      ([, task = "", count]) => [task, Number(count)],
    ),
  );
  const expectClicks = (task: string): void => expect(clicks).toBe(documented.get(task));

  test("how warm was it in Nairobi on 5 March?", async () => {
    const { page } = viewer;
    await begin("weather/");
    await page.locator(".maplibregl-canvas").waitFor();
    // Where the words under the pointer say so.
    const place = await findPlace(-5, 35);
    await click(...place);
    await page.locator("#profile .uplot").waitFor();
    const track = await page.locator("#sliders input[type=range]").boundingBox();
    if (!track) throw new Error("no timeline");
    await click(track.x + (track.width * (SPECIAL_DAY + 0.5)) / DAYS, track.y + track.height / 2);
    await page.locator(".when", { hasText: "5 March 2026" }).waitFor();
    await page.locator(".answer", { hasText: /^18.75\s*degC$/ }).waitFor();
    expectClicks("How warm was it in Nairobi on 5 March?");
  });

  /** Moves the pointer towards a place by what the page says of where it is, as people do. */
  async function findPlace(latitude: number, longitude: number): Promise<[left: number, top: number]> {
    const { page } = viewer;
    let [left, top] = [620, 400];
    for (let i = 0; i < 60; i++) {
      await page.mouse.move(left, top);
      await page.waitForTimeout(200);
      const said = await page.locator("#readout").innerText();
      const [, lat = Number.NaN, lon = Number.NaN] =
        /lat (-?[\d.]+).* lon (-?[\d.]+)/.exec(said)?.map(Number) ?? [];
      if (lat === latitude && lon === longitude) return [left, top];
      // Ten degrees are some ten pixels.
      const stepOf = (distance: number): number =>
        Math.sign(distance) * Math.max(4, Math.abs(distance) * 0.8);
      if (lon !== longitude && !Number.isNaN(lon)) left += stepOf(longitude - lon);
      if (lat !== latitude && !Number.isNaN(lat)) top -= stepOf(latitude - lat);
    }
    throw new Error(`no place is at ${latitude} and ${longitude} degrees`);
  }

  test("which month had the lowest ice?", async () => {
    const { page } = viewer;
    await begin("ice/");
    await page.locator(".maplibregl-canvas").waitFor();
    await press("Region");
    clicks++;
    await page.mouse.move(400, 90);
    await page.mouse.down();
    await page.mouse.move(600, 130, { steps: 4 });
    await page.mouse.move(860, 150, { steps: 4 });
    await page.mouse.up();
    await page.locator("#region .extremes", { hasText: /Lowest .*, 15 September 2026/ }).waitFor();
    expectClicks("Which month had the lowest ice?");
  });

  test("send this view to a colleague", async () => {
    const { page } = viewer;
    await begin("weather/&at=time:9&point=21,8");
    await page.waitForURL(/range=/);
    await press("Share");
    await press("Copy link");
    const link = await page.evaluate(() => navigator.clipboard.readText());
    expectClicks("Send this view to a colleague");
    await viewer.show(new URL(link).hash);
    await page.locator(".when", { hasText: "10 January 2026" }).waitFor();
    await page.locator(".pin").waitFor();
  });

  test("is there data under the hole?", async () => {
    const { page } = viewer;
    await begin("damaged/");
    expect(await page.locator("#axes").getAttribute("data-holes")).toBe("1");
    await page.mouse.move(800, 420);
    await page.locator("#readout", { hasText: /cannot be read\. .*depth\/c\/0\/1/ }).waitFor();
    expectClicks("Is there data under the hole?");
  });

  test("compare channel 1 and 2", async () => {
    const { page } = viewer;
    await begin("cells/");
    await click(640, 400);
    await page.locator(".answer", { hasText: "channel 0 700, channel 1 40" }).waitFor();
    await page.locator("#profile", { hasText: "channel 1" }).waitFor();
    expectClicks("Compare channel 1 and 2");
  });
});
