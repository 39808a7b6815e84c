/** Plates: a well is picked, then a field of it. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { writeMultiscale, writePlate } from "../../src/formats/ome-zarr.js";
import { MemoryStore, root } from "../../src/index.js";
import { openViewer, options, type ViewerPage } from "./viewer-page.js";

const WELLS = { "A/1": ["0", "1"], "A/2": ["0"], "B/2": ["0"] } as const;

async function makePlate(): Promise<MemoryStore> {
  const store = new MemoryStore();
  let value = 0;
  for (const [well, fields] of Object.entries(WELLS))
    for (const field of fields) {
      const data = new Uint16Array(2 * 32 * 32).fill(++value);
      const axes = [{ name: "c", type: "channel" }, { name: "y" }, { name: "x" }] as const;
      await writeMultiscale(
        root(store).resolve(`${well}/${field}`),
        { data, shape: [2, 32, 32] },
        { name: `${well}/${field}`, axes: [...axes], scaleFactors: [] },
      );
    }
  await writePlate(store, { name: "a plate", wells: { ...WELLS } });
  return store;
}

describe.skipIf(options === undefined)("a plate", () => {
  let viewer: ViewerPage;
  beforeAll(async () => {
    viewer = await openViewer(await makePlate());
  });
  afterAll(() => viewer?.close());

  test("its wells with small pictures, then the fields of one, with the same channels", async () => {
    const { page } = viewer;
    await viewer.show("#url=/data/");
    expect(await page.locator("#plate h1").innerText()).toBe("a plate");
    const wells = page.locator("#plate button.well");
    expect(await wells.evaluateAll((all) => all.map((each) => each.getAttribute("aria-label")))).toEqual([
      "Well A1",
      "Well A2",
      "Well B2",
    ]);
    await wells.first().locator("canvas.thumb").waitFor();
    await wells.first().click();
    await page.waitForURL(/path=%2FA%2F1%2F0/);
    const panel = page.locator("#wells");
    await panel.getByRole("button", { name: "Well A1", pressed: true }).waitFor();
    await page.getByLabel("channel 1").first().uncheck();
    await panel.getByRole("button", { name: "Field 2" }).click();
    await page.waitForURL(/path=%2FA%2F1%2F1.*channel=1%2C0/);
    await panel.getByRole("button", { name: "Well B2" }).click();
    await page.waitForURL(/path=%2FB%2F2%2F0.*channel=1%2C0/);
    await page.locator("#canvas").hover();
    await page.locator("#readout", { hasText: "channel 0: 4" }).waitFor();
  });

  test("a well that is opened by itself shows its first field", async () => {
    await viewer.show("#url=/data/&path=/A/2");
    await viewer.page.waitForURL(/path=%2FA%2F2%2F0/);
  });
});
