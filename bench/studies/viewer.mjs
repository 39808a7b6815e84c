/**
 * `node bench/studies/viewer.mjs`, after `npm run build`: when the first picture of the viewer is there, of a
 * folder on this machine and of the same over HTTP with 50 ms of latency, what that loads, and how long
 * frames take while cached data are panned. Medians of five, each in a browser without anything cached.
 *
 * Beside each is the floor, taken in turns with it: a page without code that draws one triangle of WebGL2 on
 * a canvas of the same size. On a machine without graphics hardware, or with other work, the ratio says more
 * than the time.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { chromium } from "playwright";
import { writeWorld } from "../../scripts/viewer-picture-data.mjs";

const ROUNDS = 5;
const LATENCY = 50;
/** A browser that has just started is busy with itself for some seconds: nobody opens a page within them. */
const SETTLE = 4000;
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
    // The graphics that the browser chooses: told to draw its own panels by SwiftShader too, it takes twice
    // as long.
    args: ["--no-sandbox", "--enable-unsafe-swiftshader"],
  });
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await setTimeout(SETTLE);
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
const firstPicture = (latency, url) =>
  fresh(latency, async (page) => {
    await withFloor(page);
    await page.goto(url, { waitUntil: "commit" });
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

/**
 * Draws once into a canvas as large as the screen, as the picture does, and says when that is on the screen.
 */
const FLOOR = `<!doctype html><style>body{margin:0}canvas{width:100vw;height:100vh;display:block}</style>
<canvas id="canvas" width="1280" height="800"></canvas><script type="module">
const gl = canvas.getContext("webgl2", { stencil: true, antialias: false, preserveDrawingBuffer: true });
const program = gl.createProgram();
for (const [type, source] of [
  [gl.VERTEX_SHADER, "void main(){gl_Position=vec4(vec2(gl_VertexID&1,gl_VertexID>>1)*4.0-1.0,0,1);}"],
  [gl.FRAGMENT_SHADER, "precision highp float;out vec4 c;void main(){c=vec4(fract(gl_FragCoord.xy/256.0),0,1);}"],
]) {
  const shader = gl.createShader(type);
  gl.shaderSource(shader, "#version 300 es\\n" + source);
  gl.compileShader(shader);
  gl.attachShader(program, shader);
}
gl.linkProgram(program);
gl.useProgram(program);
globalThis.draw = () => gl.drawArrays(gl.TRIANGLES, 0, 3);
draw();
canvas.dataset.loading = "0";
</script>`;
const FLOOR_URL = `${origin}/floor.html`;
const withFloor = (page) =>
  page.route(FLOOR_URL, (route) => route.fulfill({ contentType: "text/html", body: FLOOR }));

/** Bytes that the first picture loads, and requests for them. */
const loaded = (url) =>
  fresh(0, async (page) => {
    await page.goto(url);
    await page.waitForFunction(() => document.getElementById("canvas")?.dataset.loading === "0");
    return page.evaluate(() => {
      const code = performance.getEntriesByType("resource").filter(({ name }) => /\.(js|css)$/.test(name));
      const files = new Map(code.map(({ name, encodedBodySize }) => [name, encodedBodySize]));
      return { files: files.size, bytes: [...files.values()].reduce((sum, each) => sum + each, 0) };
    });
  });

/** Milliseconds between frames in which nothing but the triangle of the floor is drawn. */
const framesOfFloor = () =>
  fresh(0, async (page) => {
    await withFloor(page);
    await page.goto(FLOOR_URL);
    return page.evaluate(
      (frames) =>
        new Promise((resolve) => {
          const times = [];
          const next = (time) => {
            times.push(time);
            globalThis.draw();
            if (times.length <= frames) requestAnimationFrame(next);
            else resolve(times.slice(1).map((each, i) => each - times[i]));
          };
          requestAnimationFrame(next);
        }),
      FRAMES,
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

/** Both in turns, so that what else the machine does meets both. */
async function inTurns(measure, floor) {
  const found = { measured: [], floors: [] };
  for (let i = 0; i < ROUNDS; i++) {
    found.measured.push(await measure());
    found.floors.push(await floor());
  }
  return found;
}

const seconds = (values) =>
  `${(median(values) / 1000).toFixed(2)} s (${values.map((each) => (each / 1000).toFixed(2)).join(", ")})`;
const VIEWS = [
  ["map", `${origin}/#url=/data/`],
  ["plane", `${origin}/#url=/data/&path=/t2m&stage=plane`],
];
for (const [view, url] of VIEWS) {
  for (const [place, latency] of [
    ["folder", 0],
    [`${LATENCY} ms`, LATENCY],
  ]) {
    const { measured, floors } = await inTurns(
      () => firstPicture(latency, url),
      () => firstPicture(latency, FLOOR_URL),
    );
    console.log(
      `${view}, ${place}: ${seconds(measured)}; floor ${seconds(floors)}; load ${loadavg()[0].toFixed(1)}`,
    );
  }
  const { files, bytes } = await loaded(url);
  console.log(`${view}: ${files} files of code, ${Math.round(bytes / 1000)} kB as they are`);
}
const { measured, floors } = await inTurns(framesOfPan, framesOfFloor);
const late = measured.flat().filter((each) => each > 17.5).length;
console.log(
  `frames: median ${median(measured.flat()).toFixed(1)} ms, ${late} of ${measured.flat().length} took more than 17.5 ms;`,
  `floor ${median(floors.flat()).toFixed(1)} ms; load ${loadavg()[0].toFixed(1)}`,
);
server.kill();
await rm(folder, { recursive: true });
