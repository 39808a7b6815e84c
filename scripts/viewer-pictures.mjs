// docs/images/viewer.jpg: the viewer as it is, after `npm run build`. `node scripts/viewer-pictures.mjs [CHROMIUM]`
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chromium } from "playwright";

const executablePath = process.argv[2] ?? "/usr/bin/chromium";
const args = ["dist/cli.js", "serve", "examples/data/jacksboro.zarr::/elevation", "--port", "0"];
const server = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
const [told] = await once(server.stdout.setEncoding("utf8"), "data");
const link = /viewer +(\S+)/.exec(told)[1];
const browser = await chromium.launch({
  executablePath,
  args: ["--no-sandbox", "--enable-unsafe-swiftshader", "--use-angle=swiftshader"],
});
const page = await browser.newPage({ viewport: { width: 1100, height: 640 } });
await page.goto(link);
await page.waitForFunction(() => document.getElementById("canvas")?.dataset.loading === "0");
await page.mouse.click(520, 300);
await page.locator("#profile svg").waitFor();
await page.locator("#readout", { hasText: / m$/ }).waitFor();
await page.waitForTimeout(500);
await page.screenshot({ path: "docs/images/viewer.jpg", type: "jpeg", quality: 82 });
await browser.close();
server.kill();
