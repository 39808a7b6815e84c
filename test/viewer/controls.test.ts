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

  test("picture and settings are on the screen at once, and nothing is wider than it", async () => {
    await viewer.show("#url=/data/&path=/elevation");
    const { page } = viewer;
    for (const id of ["url", "tree", "canvas", "settings"]) {
      const box = await page.locator(`#${id}`).boundingBox();
      expect(box?.height, id).toBeGreaterThan(20);
      expect((box?.y ?? 700) + Math.min(80, box?.height ?? 0), id).toBeLessThanOrEqual(700);
    }
    // All of the picture is seen, though the settings came later and took some of its height.
    const { width = 0, height = 0 } = (await page.locator("#canvas").boundingBox()) ?? {};
    const seen = (): number => {
      const [, , zoom = 0] =
        new URLSearchParams(new URL(page.url()).hash.slice(1)).get("view")?.split(",") ?? [];
      return Number(zoom);
    };
    const array = await open.v3(new FileSystemStore("examples/data/jacksboro.zarr/elevation"), {
      kind: "array",
    });
    const [rows = 0, columns = 0] = array.shape;
    const fit = 0.9 * Math.min(width / columns, height / rows);
    await expect.poll(() => Math.abs(seen() / fit - 1)).toBeLessThan(0.01);
    const wide = await page.evaluate(() =>
      [...document.querySelectorAll("button, input, select, canvas")]
        .filter((control) => control.getBoundingClientRect().right > innerWidth + 1)
        .map((control) => control.outerHTML),
    );
    expect(wide).toEqual([]);
  });

  test("the tab key goes through the form, one node of the tree, the picture and all settings", async () => {
    await viewer.show("#url=/data/&path=/elevation");
    const { page } = viewer;
    await page.locator('#tree button[aria-current="true"]').waitFor();
    await page.locator("#url").focus();
    const stops: string[] = [];
    for (let i = 0; i < 25 && stops.at(-1) !== "SUMMARY"; i++) {
      const stop = await page.evaluate(() => {
        const { id = "", tagName = "", textContent = "" } = document.activeElement ?? {};
        return id || (tagName === "BUTTON" ? textContent : tagName);
      });
      stops.push(stop ?? "");
      const isSeen = await page.evaluate(() => {
        const box = document.activeElement?.getBoundingClientRect();
        return box !== undefined && box.bottom > 0 && box.top < innerHeight;
      });
      expect(isSeen, stop ?? "").toBe(true);
      await page.keyboard.press("Tab");
    }
    expect(stops).toEqual([
      "url",
      "Open",
      "files",
      "zip",
      "example",
      expect.stringMatching(/^elevation/),
      "canvas",
      "across",
      "down",
      "map",
      "reversed",
      "low",
      "high",
      "Auto",
      "Save PNG",
      "Save CSV",
      "SUMMARY",
    ]);
  });

  test("arrow keys go through the tree", async () => {
    await viewer.show("#url=/data/&path=/elevation");
    const { page } = viewer;
    await page.locator('#tree button[aria-current="true"]').focus();
    await page.keyboard.press("ArrowUp");
    expect(await page.evaluate(() => document.activeElement?.getAttribute("data-path"))).toBe("/");
    await page.keyboard.press("ArrowDown");
    expect(await page.evaluate(() => document.activeElement?.getAttribute("data-path"))).toBe("/elevation");
  });
});
