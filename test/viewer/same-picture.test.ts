/** What the viewer shows is what a link says, and what `wazarr get` gives. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { writeDataset } from "../../src/formats/xarray.js";
import { MemoryStore } from "../../src/index.js";
import { digest, openViewer, options, type ViewerPage } from "./viewer-page.js";

const SIDE = 32;

describe.skipIf(options === undefined)("the picture", () => {
  const store = new MemoryStore();
  let viewer: ViewerPage;
  beforeAll(async () => {
    // Steps have other ranges; a quarter of the elements is missing, and only the fill value of v2 says so.
    const data = Float64Array.from({ length: 3 * SIDE * SIDE }, (_, i) => {
      const [step, row] = [Math.floor(i / SIDE / SIDE), Math.floor(i / SIDE) % SIDE];
      return row < SIDE / 4 ? Number.NaN : 250 + 10 * step + (i % SIDE) / 8;
    });
    const encoding = { dtype: "int16", scale_factor: 0.01, add_offset: 250, _FillValue: -32768 };
    await writeDataset(
      store,
      {
        dataVars: {
          ta: { dims: ["time", "y", "x"], shape: [3, SIDE, SIDE], data, attrs: { units: "K" }, encoding },
        },
      },
      { zarrFormat: 2 },
    );
    viewer = await openViewer(store);
  });
  afterAll(() => viewer?.close());

  const pixels = (): Promise<number> => viewer.page.locator("#canvas").evaluate(digest);
  const words = (selector: string): Promise<string> => viewer.page.locator(selector).innerText();

  test("of an array of v2 has no value where its fill value is", async () => {
    await viewer.show("#url=/data/&path=/ta&view=16,16,20&at=time:0");
    const { page } = viewer;
    const box = await page.locator("#canvas").boundingBox();
    const at = async (row: number, column: number): Promise<void> => {
      const [x, y] = [(box?.width ?? 0) / 2, (box?.height ?? 0) / 2];
      await page.mouse.move(
        (box?.x ?? 0) + x + 20 * (column + 0.5 - 16),
        (box?.y ?? 0) + y + 20 * (row + 0.5 - 16),
      );
    };
    await at(5, 8);
    await page.locator("#readout", { hasText: "no value" }).waitFor({ timeout: 30_000 });
    await at(20, 8);
    await page.locator("#readout", { hasText: "251 K" }).waitFor({ timeout: 30_000 });
    // The fill value is no colour: it would begin at -77.68 K.
    expect(Number(await page.locator("#low").inputValue())).toBeGreaterThan(249);
  });

  test("of a shared link has the range and the series of the one who shares it", async () => {
    const { page } = viewer;
    await viewer.show("#url=/data/&path=/ta&view=16,16,20");
    const range = await page.locator("#low").inputValue();
    await page.locator("#canvas").focus();
    await page.keyboard.press(".");
    await page.keyboard.press(".");
    await page.locator("#sliders output", { hasText: "2 of 0 to 2" }).waitFor();
    await page.waitForFunction(() => document.getElementById("canvas")?.dataset.loading === "0");
    const box = await page.locator("#canvas").boundingBox();
    await page.mouse.click(
      (box?.x ?? 0) + (box?.width ?? 0) / 2 + 30,
      (box?.y ?? 0) + (box?.height ?? 0) / 2,
    );
    await page.waitForURL(/point=17%2C16/);
    await page.locator("#profile [role=img]").waitFor();
    expect(await page.locator("#low").inputValue()).toBe(range);
    const caption = await page.locator("#profile [role=img]").getAttribute("aria-label");
    await page.locator(".answer", { hasText: /\d/ }).waitFor();
    const [answer, picture] = [await words(".answer"), await pixels()];
    const link = page.url();
    expect(link).toContain("range=");
    await page.mouse.move(0, 0);
    await viewer.show(link.slice(link.indexOf("#")));
    await page.locator("#profile [role=img]").waitFor();
    expect(await page.locator("#low").inputValue()).toBe(range);
    expect(await page.locator("#profile [role=img]").getAttribute("aria-label")).toBe(caption);
    await page.locator(".answer", { hasText: answer.trim() }).waitFor({ timeout: 30_000 });
    await expect.poll(pixels).toBe(picture);
  });
});
