/** Two views of one place and time: beside each other at a curtain, and as their difference. */
import type { Locator } from "playwright";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { writeDataset } from "../../src/formats/xarray.js";
import { MemoryStore } from "../../src/index.js";
import { openViewer, options, type ViewerPage } from "./viewer-page.js";

const [TIMES, ROWS, COLUMNS] = [3, 12, 24];
const COUNT = ROWS * COLUMNS;

/** Two variables of one grid, packed in different types, and one of another grid. */
async function makeStore(): Promise<MemoryStore> {
  const store = new MemoryStore();
  const shape = [TIMES, ROWS, COLUMNS];
  const each = (valueAt: (t: number, i: number) => number): Float64Array =>
    Float64Array.from({ length: TIMES * COUNT }, (_, i) => valueAt(Math.floor(i / COUNT), i % COUNT));
  const variable = (data: Float64Array, name: string, encoding: object) => ({
    dims: ["time", "y", "x"],
    shape,
    data,
    attrs: { units: "K", long_name: name },
    encoding: { chunks: [1, ROWS, COLUMNS], ...encoding },
  });
  await writeDataset(store, {
    coords: {
      time: {
        dims: ["time"],
        data: Array.from({ length: TIMES }, (_, i) => new Date(Date.UTC(2026, 2, 1 + i))),
        encoding: { units: "days since 2026-01-01", dtype: "int32" },
      },
    },
    dataVars: {
      air: variable(
        each((t, i) => 280 + 10 * t + (i % 7)),
        "air",
        { dtype: "int16", scale_factor: 0.5, add_offset: 250 },
      ),
      sea: variable(
        each((t) => 270 + t),
        "sea",
        { dtype: "float64" },
      ),
      coarse: { dims: ["y2", "x2"], shape: [4, 5], data: new Float64Array(20) },
    },
  });
  return store;
}

describe.skipIf(options === undefined)("two views", () => {
  let viewer: ViewerPage;
  beforeAll(async () => {
    viewer = await openViewer(await makeStore(), { width: 1200, height: 800 });
  });
  afterAll(() => viewer?.close());
  const said = (words: string | RegExp): Locator => viewer.page.locator("#readout", { hasText: words });

  /** Red, green and blue of the canvas, at a part of its width and in the middle of its height. */
  const colourAt = (part: number): Promise<readonly number[]> =>
    viewer.page.evaluate((at) => {
      const canvas = document.querySelector("#canvas");
      const gl = canvas instanceof HTMLCanvasElement ? canvas.getContext("webgl2") : null;
      if (!gl) throw new Error("no WebGL2");
      const pixel = new Uint8Array(4);
      const { drawingBufferWidth: width, drawingBufferHeight: height } = gl;
      gl.readPixels(Math.round(at * width), height >> 1, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
      return [...pixel];
    }, part);

  test("a step beside the one on the screen, which the timeline changes", async () => {
    const { page } = viewer;
    await viewer.show("#url=/data/&path=/air&at=time:2&range=280,310");
    const [left, right] = [await colourAt(0.45), await colourAt(0.55)];
    await page.getByRole("button", { name: "Compare" }).click();
    await page.waitForURL(/with=2/);
    await page.locator("#sliders input[type=range]").fill("0");
    await expect.poll(() => colourAt(0.55)).not.toEqual(right);
    await expect.poll(() => colourAt(0.45)).toEqual(left);
    expect(await page.locator(".curtain .side").allInnerTexts()).toEqual(["3 March 2026", "1 March 2026"]);
    await page.locator("#canvas").hover({ position: { x: 700, y: 400 } });
    await said(/: 28\d K, 3 March 2026: 30\d K$/).waitFor();
    // The curtain moves with keys, too.
    await page.getByRole("slider", { name: "Curtain" }).press("ArrowLeft");
    await page.waitForURL(/curtain=0.48/);
  });

  test("another variable beside it, with colours of its own, and a link that shows it", async () => {
    const { page } = viewer;
    await viewer.show("#url=/data/&path=/air&at=time:1");
    await page.getByRole("button", { name: "Compare" }).click();
    expect(await page.locator("#compare-with option").allInnerTexts()).toEqual([
      "Another step of time",
      "Sea",
    ]);
    await page.locator("#compare-with").selectOption("/sea");
    await page.waitForURL(/range-with=/);
    await page.locator(".curtain .side", { hasText: "sea" }).waitFor();
    await page.locator("#canvas").hover({ position: { x: 700, y: 400 } });
    await said(/: 29\d K, sea: 271 K$/i).waitFor();
    await viewer.show(new URL(page.url()).hash);
    await page.locator(".curtain .side", { hasText: "sea" }).waitFor();
  });

  test("the difference of two variables of different types, in the units of the first", async () => {
    const { page } = viewer;
    await viewer.show("#url=/data/&path=/air&at=time:1&with=/sea&point=0,0");
    await page.locator("#compare [role=status]", { hasText: "air, less sea." }).waitFor();
    // 290 to 296, less 271.
    await page.waitForURL(/range=19%2C25/);
    await page.locator("#canvas").hover({ position: { x: 700, y: 400 } });
    await said(/sea: 271 K, difference: (?:19|2[0-5]) K$/i).waitFor();
    await page.locator(".answer", { hasText: "271 → 290" }).waitFor();
  });

  test("what has other rows and columns cannot be compared with, and the page says so", async () => {
    await viewer.show("#url=/data/&path=/air&with=/coarse");
    await viewer.page
      .locator("#problems", { hasText: "/coarse has other rows and columns than /air" })
      .waitFor();
  });
});
