/**
 * `node bench/studies/viewer.mjs`, after `npm run build`: when the first picture of the viewer is there, of a folder
 * on this machine and of the same over HTTP with 50 ms of latency, and how long frames take while cached data are
 * panned. Medians of five, each in a browser without anything cached.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright";
import { writeWorld } from "../../scripts/viewer-picture-data.mjs";

const ROUNDS = 5;
const LATENCY = 50;
/** Pixels of a drag in a frame, and frames of a round. */
const [STEP, FRAMES] = [6, 240];

const folder = await mkdtemp(join(tmpdir(), "wazarr-bench-viewer-"));
const server = spawn(process.execPath, [
  "dist/cli.js",
  "serve",
  await writeWorld(join(folder, "world.zarr")),
  "--port",
  "0",
]);
const [printed] = await once(server.stdout.setEncoding("utf8"), "data");
const { origin } = new URL(/viewer +(\S+)/.exec(printed)[1]);

const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];

/** Runs `use` with a page of a new browser. */
async function fresh(latency, use) {
  const browser = await chromium.launch({
    executablePath: "/usr/bin/chromium",
    args: ["--no-sandbox", "--enable-unsafe-swiftshader", "--use-angle=swiftshader"],
  });
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    if (latency > 0) {
      const session = await page.context().newCDPSession(page);
      await session.send("Network.enable");
      const conditions = { offline: false, latency, downloadThroughput: -1, uploadThroughput: -1 };
      await session.send("Network.emulateNetworkConditions", conditions);
    }
    return await use(page);
  } finally {
    await browser.close();
  }
}

/** Milliseconds from the start of the navigation to the frame in which all tiles are drawn. */
const firstPicture = (latency, hash) =>
  fresh(latency, async (page) => {
    await page.goto(`${origin}/#url=/data/${hash}`, { waitUntil: "commit" });
    return page.evaluate(
      () =>
        new Promise((resolve) => {
          const look = () => {
            if (document.getElementById("canvas")?.dataset.loading !== "0") requestAnimationFrame(look);
            else requestAnimationFrame(() => resolve(performance.now()));
          };
          look();
        }),
    );
  });

/** Milliseconds between frames while a plane that is in memory is dragged to and fro. */
const framesOfPan = () =>
  fresh(0, async (page) => {
    await page.goto(`${origin}/#url=/data/&path=/t2m&stage=plane`);
    await page.waitForFunction(() => document.getElementById("canvas")?.dataset.loading === "0");
    return page.evaluate(
      ([step, frames]) =>
        new Promise((resolve) => {
          const canvas = document.getElementById("canvas");
          const times = [];
          let [left, count] = [600, 0];
          const send = (type) =>
            canvas.dispatchEvent(
              new PointerEvent(type, { pointerId: 1, clientX: left, clientY: 400, bubbles: true }),
            );
          canvas.setPointerCapture = () => {};
          send("pointerdown");
          const next = (time) => {
            times.push(time);
            left += (count++ >> 5) % 2 === 0 ? step : -step;
            send("pointermove");
            if (count < frames) requestAnimationFrame(next);
            else resolve(times.slice(1).map((each, i) => each - times[i]));
          };
          requestAnimationFrame(next);
        }),
      [STEP, FRAMES],
    );
  });

async function rounds(measure) {
  const found = [];
  for (let i = 0; i < ROUNDS; i++) found.push(await measure());
  return found;
}

const words = (values) =>
  `${(median(values) / 1000).toFixed(2)} s (${values.map((each) => (each / 1000).toFixed(2)).join(", ")})`;
console.log("map, folder:", words(await rounds(() => firstPicture(0, ""))));
console.log("map, 50 ms:", words(await rounds(() => firstPicture(LATENCY, ""))));
console.log("plane, folder:", words(await rounds(() => firstPicture(0, "&path=/t2m&stage=plane"))));
console.log("plane, 50 ms:", words(await rounds(() => firstPicture(LATENCY, "&path=/t2m&stage=plane"))));
const frames = (await rounds(framesOfPan)).flat();
const late = frames.filter((each) => each > 17.5).length;
console.log(
  `frames: median ${median(frames).toFixed(1)} ms; ${late} of ${frames.length} took more than 17.5 ms`,
);
server.kill();
await rm(folder, { recursive: true });
