/** `<wazarr-viewer>` of `wazarr/viewer` in an application that is bundled, with the viewer beside it. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type Browser, chromium } from "playwright";
import { build } from "vite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Served, serve } from "../bundlers/serve.js";
import { options } from "./viewer-page.js";

/**
 * The program of docs/viewer-serve.md, with data that are here; and a second definition, which changes
 * nothing.
 */
function application(): string {
  const [, program] =
    /```js\n(import \{ defineViewer[^`]*`[^`]*`;\n)```/.exec(readFileSync("docs/viewer-serve.md", "utf8")) ??
    [];
  if (program === undefined) throw new Error("docs/viewer-serve.md has no program with defineViewer");
  const here = program
    .replace("https://example.com/data.zarr", "data/jacksboro.zarr")
    .replace('path="/t2m"', 'path="/elevation" style="height: 600px"');
  return `${here}defineViewer("elsewhere.html");\n`;
}

const folder = mkdtempSync(join(tmpdir(), "wazarr-element-"));
let served: Served;
let browser: Browser;

beforeAll(async () => {
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(resolve("."), join(folder, "node_modules/wazarr"));
  writeFileSync(join(folder, "main.js"), application());
  writeFileSync(join(folder, "index.html"), '<!doctype html><script type="module" src="./main.js"></script>');
  await build({ root: folder, logLevel: "error" });
  // As the page of the viewer says: a copy of wazarr/dist.
  cpSync("dist", join(folder, "dist/wazarr"), { recursive: true });
  served = await serve({ "": join(folder, "dist"), data: "examples/data" });
  const args = (options?.args ?? []).filter((flag) => flag !== "--disable-gpu");
  browser = await chromium.launch({
    ...options,
    args: [...args, "--enable-unsafe-swiftshader", "--use-angle=swiftshader"],
  });
});
afterAll(async () => {
  await browser?.close();
  served?.close();
  rmSync(folder, { recursive: true, force: true });
});

test("an application shows data, and then others", { timeout: 300_000 }, async () => {
  const page = await browser.newPage();
  const errors: string[] = [];
  page.on("pageerror", ({ message }) => errors.push(message));
  await page.goto(`${served.url}/index.html`);
  const frame = page.frameLocator("wazarr-viewer iframe");
  await frame.locator("#canvas[data-loading='0']").waitFor({ timeout: 120_000, state: "attached" });
  // Without the panels of a page of its own.
  expect(await frame.locator("#tree").count()).toBe(0);
  const box = await page.locator("wazarr-viewer").boundingBox();
  if (box === null) throw new Error("expected an element that is shown");
  expect(box.height).toBe(600);
  const move = async (): Promise<string | null> => {
    await page.mouse.move(box.x + box.width / 2 + Math.random(), box.y + box.height / 2);
    return frame.locator("#readout").textContent();
  };
  await expect.poll(move, { timeout: 60_000 }).toMatch(/: \d+ m$/);
  await page.locator("wazarr-viewer").evaluate((element) => element.setAttribute("path", "/latitude"));
  await frame.locator(".plot canvas").waitFor({ timeout: 60_000 });
  expect(errors).toEqual([]);
});
