/** Maps: what lies below the data, how long something is, and what could not be read. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { writeDataset } from "../../src/formats/xarray.js";
import { MemoryStore } from "../../src/index.js";
import { openViewer, options, type ViewerPage } from "./viewer-page.js";

/** One pixel. */
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==",
  "base64",
);
const TILES = "https://tiles.example.org/{z}/{x}/{y}.png";

async function makeStore(): Promise<MemoryStore> {
  const store = new MemoryStore();
  const [rows, columns] = [18, 36];
  const degrees = (length: number, first: number) => Float64Array.from({ length }, (_, i) => first + 10 * i);
  await writeDataset(store, {
    coords: {
      lat: { dims: ["lat"], data: degrees(rows, -85), attrs: { units: "degrees_north" } },
      lon: { dims: ["lon"], data: degrees(columns, -175), attrs: { units: "degrees_east" } },
    },
    dataVars: {
      depth: {
        dims: ["lat", "lon"],
        shape: [rows, columns],
        data: Float32Array.from({ length: rows * columns }, (_, i) => i),
        attrs: { units: "m" },
        encoding: { chunks: [9, 18] },
      },
    },
  });
  // North and east of the middle.
  const whole = (await store.get("/depth/c/1/1")) ?? new Uint8Array();
  await store.set("/depth/c/1/1", whole.subarray(0, whole.length >> 1));
  return store;
}

describe.skipIf(options === undefined)("a map", () => {
  let viewer: ViewerPage;
  const asked: string[] = [];
  beforeAll(async () => {
    viewer = await openViewer(await makeStore(), { width: 1200, height: 800 });
    await viewer.page.route("https://tiles.example.org/**", (route) => {
      asked.push(route.request().url());
      return route.fulfill({
        contentType: "image/png",
        body: PNG,
        headers: { "access-control-allow-origin": "*" },
      });
    });
    await viewer.page.route("https://nobody.example.org/**", (route) => route.abort());
  });
  afterAll(() => viewer?.close());

  test("a base map is asked for once somebody gives its address, and is in the link", async () => {
    const { page } = viewer;
    await viewer.show("#url=/data/&path=/depth&map=-90,-40,2");
    await page.locator(".maplibregl-canvas").waitFor();
    expect(asked).toEqual([]);
    await page.getByRole("button", { name: "Unfold map" }).click();
    await page.getByLabel("Base map: address of its tiles").fill("tiles.example.org");
    await page.keyboard.press("Tab");
    await page.locator("#map-panel [role=status]", { hasText: "begins with https://" }).waitFor();
    await page.getByLabel("Base map: address of its tiles").fill(TILES);
    await page.keyboard.press("Tab");
    await page.waitForURL(/base=https/);
    await expect.poll(() => asked.length).toBeGreaterThan(0);
    expect(asked[0]).toMatch(/^https:\/\/tiles\.example\.org\/\d\/\d\/\d\.png$/);
    expect(await page.locator(".attribution").innerText()).toBe("Base map: tiles.example.org");
    await page.getByLabel("Opacity of the data").fill("0.5");
    await page.waitForURL(/opacity=0\.5/);
  });

  test("a base map that cannot be read is said in words, and the data are there", async () => {
    const { page } = viewer;
    await viewer.show(
      `#url=/data/&path=/depth&map=-90,-40,2&base=https://nobody.example.org/{z}/{x}/{y}.png`,
    );
    await page
      .locator("#map-panel [role=status]", { hasText: "cannot be read" })
      .waitFor({ state: "attached" });
    await page.mouse.move(600, 400);
    await page.mouse.move(601, 400);
    await page.locator("#readout", { hasText: /: \d+ m$/ }).waitFor();
  });

  test("a bar says how long something is", async () => {
    const { page } = viewer;
    await viewer.show("#url=/data/&path=/depth&map=0,0,4");
    // At the equator a pixel of zoom 4 is 4.89 km.
    await page.getByRole("img", { name: "Scale: 500 km" }).waitFor();
    const width = await page.locator(".scale-bar i").evaluate((bar) => bar.getBoundingClientRect().width);
    expect(width).toBeCloseTo(500 / (40_075.0167 / (512 * 16)), 0);
  });

  test("a damaged chunk is hatched, and says what is wrong under the pointer", async () => {
    const { page } = viewer;
    await viewer.show("#url=/data/&path=/depth&map=0,0,2");
    await page.locator("#map-stage canvas[data-holes='1']").waitFor({ state: "attached" });
    await page.mouse.move(680, 330);
    await page.mouse.move(681, 330);
    await page.locator("#readout", { hasText: /cannot be read\. .*\/depth\/c\/1\/1/ }).waitFor();
    await page.mouse.move(500, 330);
    await page.locator("#readout", { hasText: /: \d+ m$/ }).waitFor();
  });
});
