/** The bar over the picture: how many of its tiles have arrived. */
import type { Route } from "playwright";
import { expect, test } from "vitest";
import { create, MemoryStore, root, set } from "../../src/index.js";
import { openViewer, options } from "./viewer-page.js";

test.skipIf(options === undefined)("the bar counts the tiles of the picture", async () => {
  const store = new MemoryStore();
  const array = await create(root(store), {
    shape: [2, 1024, 1024],
    chunkShape: [1, 512, 512],
    dtype: "uint8",
    dimensionNames: ["time", "y", "x"],
  });
  await set(array, null, 7);
  const viewer = await openViewer(store);
  const { page } = viewer;
  try {
    const held = new Map<string, Route>();
    for (const chunk of ["0/1/1", "1/0/0"])
      await page.route(`**/data/c/${chunk}`, (route) => void held.set(chunk, route));
    const bar = () =>
      page.locator("#progress").evaluate((element) => {
        if (!(element instanceof HTMLProgressElement)) throw new Error("expected the bar");
        const { hidden, value, max } = element;
        return hidden ? "hidden" : element.hasAttribute("value") ? `${value} of ${max}` : "no share";
      });
    await page.goto(`${viewer.url}/#url=/data/`);
    await expect.poll(bar, { timeout: 20_000 }).toBe("3 of 4");
    await held.get("0/1/1")?.continue();
    await expect.poll(bar).toBe("hidden");
    await page.locator("#sliders input[type=range]").fill("1");
    await expect.poll(bar).toBe("no share");
    await held.get("1/0/0")?.continue();
    await expect.poll(bar).toBe("hidden");
  } finally {
    await viewer.close();
  }
});
