/** Controls on a screen as wide as a telephone, and the order in which the tab key goes to them. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { FileSystemStore } from "../../src/core/stores/files/file-system.js";
import { open } from "../../src/index.js";
import { openViewer, options, type ViewerPage } from "./viewer-page.js";

describe.skipIf(options === undefined)("375 pixels", () => {
  let viewer: ViewerPage;
  beforeAll(async () => {
    viewer = await openViewer(new FileSystemStore("examples/data/jacksboro.zarr"), {
      width: 375,
      height: 700,
    });
  });
  afterAll(() => viewer?.close());

  test("the picture comes first, the controls are a sheet below it, and nothing is wider", async () => {
    await viewer.show("#url=/data/&path=/elevation&stage=plane");
    const { page } = viewer;
    const tabs = (await page.locator(".tabs").boundingBox()) ?? { y: 0, height: 0 };
    expect(tabs.y + tabs.height).toBeLessThanOrEqual(700);
    // All of the picture is seen, between the bar above it and the sheet.
    const top = (await page.locator(".top").boundingBox()) ?? { y: 0, height: 0 };
    const free = { width: 375, height: tabs.y - top.y - top.height };
    const zoom = (): number => {
      const [, , zoom = 0] =
        new URLSearchParams(new URL(page.url()).hash.slice(1)).get("view")?.split(",") ?? [];
      return Number(zoom);
    };
    const array = await open.v3(new FileSystemStore("examples/data/jacksboro.zarr/elevation"), {
      kind: "array",
    });
    const [rows = 0, columns = 0] = array.shape;
    const fit = 0.9 * Math.min(free.width / columns, free.height / rows);
    await expect.poll(() => Math.abs(zoom() / fit - 1)).toBeLessThan(0.05);
    const wide = (): Promise<readonly string[]> =>
      page.evaluate(() =>
        [...document.querySelectorAll("button, input, select, canvas")]
          .filter((control) => control.getBoundingClientRect().right > innerWidth + 1)
          .map((control) => control.outerHTML),
      );
    expect(await wide()).toEqual([]);
    for (const [name, id] of [
      ["Variables", "tree"],
      ["Colours", "map"],
    ] as const) {
      await page.locator(".tabs").getByRole("button", { name }).click();
      await page.locator(`#${id}`).waitFor();
      expect(await wide()).toEqual([]);
    }
  });

  test("a region is asked for from the sheet of values", { timeout: 180_000 }, async () => {
    await viewer.show("#url=/data/&path=/elevation&stage=plane");
    const { page } = viewer;
    const tool = page.getByRole("button", { name: "Region", exact: true });
    expect(await tool.count()).toBe(0);
    await page.locator(".tabs").getByRole("button", { name: "Values" }).click();
    await tool.click();
    expect(await tool.getAttribute("aria-pressed")).toBe("true");
    await page.mouse.move(120, 300);
    await page.mouse.down();
    await page.mouse.move(240, 380, { steps: 4 });
    await page.mouse.up();
    await page.getByText("mean, weighted by area").waitFor();
  });

  test("a drag of its handle, a click and a key change the height of the sheet", {
    timeout: 180_000,
  }, async () => {
    await viewer.show("#url=/data/&path=/elevation&stage=plane");
    const { page } = viewer;
    const height = () => page.locator(".dock").getAttribute("data-height");
    const handle = page.locator(".grabber");
    expect(await height()).toBe("closed");
    const box = await handle.boundingBox();
    if (box === null) throw new Error("expected a handle");
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2, box.y - 60, { steps: 4 });
    await page.mouse.up();
    expect(await height()).toBe("half");
    await handle.click();
    expect(await height()).toBe("full");
    await handle.press("ArrowDown");
    await handle.press("ArrowDown");
    expect(await height()).toBe("closed");
  });

  test("the tab key goes through all that is on the screen, and what has the focus is seen", async () => {
    await viewer.show("#url=/data/&path=/elevation&stage=plane");
    const { page } = viewer;
    await page.locator(".tabs").getByRole("button", { name: "Colours" }).click();
    const stops: string[] = [];
    for (let i = 0; i < 40; i++) {
      await page.keyboard.press("Tab");
      const stop = await page.evaluate(() => {
        const focused = document.activeElement;
        const box = focused?.getBoundingClientRect();
        const isSeen = box !== undefined && box.bottom > 0 && box.top < innerHeight && box.width > 0;
        const { id = "", textContent = "" } = focused ?? {};
        const name = focused?.getAttribute("aria-label") ?? textContent;
        return focused === document.body ? undefined : { name: id || (name ?? ""), isSeen };
      });
      if (stop === undefined) continue;
      expect(stop.isSeen, stop.name).toBe(true);
      stops.push(stop.name.trim());
    }
    for (const name of ["canvas", "low", "high", "Auto", "map", "curve", "reversed", "Share"])
      expect(stops).toContain(name);
    expect(stops.some((name) => name.endsWith("open other data"))).toBe(true);
  });

  test("arrow keys go through the tree", async () => {
    await viewer.show("#url=/data/&path=/elevation&stage=plane");
    const { page } = viewer;
    await page.locator(".tabs").getByRole("button", { name: "Variables" }).click();
    await page.locator('#tree button[aria-current="true"]').focus();
    await page.keyboard.press("ArrowUp");
    expect(await page.evaluate(() => document.activeElement?.getAttribute("data-path"))).toBe("/");
    await page.keyboard.press("ArrowDown");
    expect(await page.evaluate(() => document.activeElement?.getAttribute("data-path"))).toBe("/elevation");
  });
});
