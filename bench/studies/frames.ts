/**
 * `node scripts/run-ts.mjs bench/studies/frames.ts`: what the main thread of a page does in a frame while 100
 * chunks arrive that workers decode, and how often their elements are copied before they are uploaded. Not a
 * section of `npm run bench`, which compares.
 */
import { build } from "esbuild";
import { chromium } from "playwright";
import { create, set } from "../../src/index.js";
import { serve } from "../../test/browser/server.js";
import { chromiumLaunchOptions } from "../../test/setup/chromium.js";
import { median } from "../race.js";
import { tableAsText } from "../table.js";

const [SIDE, CHUNK] = [2560, 256];
const ROUNDS = 5;

/**
 * Counts copies of 4 KiB and more in a thread by JavaScript, but for those of encoded chunks, and calls of
 * the kernel that copies in WebAssembly.
 */
const countOf = (encoded: readonly number[]) => `
const encoded = new Set([${encoded}]);
globalThis.copied = { script: 0, kernel: 0 };
{
  const Typed = Object.getPrototypeOf(Uint8Array).prototype;
  const { set, slice, copyWithin } = Typed;
  const count = (bytes) => { if (bytes >= 4096 && !encoded.has(bytes)) globalThis.copied.script += bytes; };
  Typed.set = function (from, at) { count(from.byteLength ?? from.length); return set.call(this, from, at); };
  Typed.slice = function (...range) { const made = slice.apply(this, range); count(made.byteLength); return made; };
  Typed.copyWithin = function (...range) { count(this.byteLength); return copyWithin.apply(this, range); };
  const { instantiate } = WebAssembly;
  WebAssembly.instantiate = async (module, imports) => {
    const instance = await instantiate(module, imports);
    if (!(instance instanceof WebAssembly.Instance) || !instance.exports.copy) return instance;
    const copy = (...given) => { globalThis.copied.kernel += 1; return instance.exports.copy(...given); };
    return { exports: { ...instance.exports, copy } };
  };
}`;

/** The worker of wazarr takes no messages of others. */
const WORKER = `import "./worker.js";
const channel = new BroadcastChannel("copied");
channel.onmessage = ({ data }) => { if (data === "?") channel.postMessage(globalThis.copied); };`;

const PAGE = `
  import { HttpStore, get, open, slice } from "./src/index.ts";
  import { WorkerPool } from "./src/workers/pool.ts";
  const workers = [];
  const createWorker = () => {
    const worker = new Worker("/counted.js", { type: "module" });
    workers.push(worker);
    return worker;
  };
  const gl = document.body.appendChild(document.createElement("canvas")).getContext("webgl2");
  const array = await open(new HttpStore(new URL("store", location.href)), { kind: "array" });
  const pool = new WorkerPool({ size: 2, createWorker });
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  async function copies() {
    const counts = [];
    const channel = new BroadcastChannel("copied");
    channel.onmessage = ({ data }) => { if (data !== "?") counts.push(data); };
    channel.postMessage("?");
    while (counts.length < workers.length) await frame();
    channel.close();
    return { page: { ...globalThis.copied }, workers: counts };
  }
  /** Reads all chunks at once, and uploads in each frame what has come. */
  window.run = async (options) => {
    const before = await copies();
    const arrived = [];
    const corners = Array.from({ length: ${(SIDE / CHUNK) ** 2} }, (_, i) => [Math.floor(i / ${SIDE / CHUNK}), i % ${SIDE / CHUNK}]);
    let waiting = corners.length;
    for (const [y, x] of corners) {
      const box = [slice(y * ${CHUNK}, (y + 1) * ${CHUNK}), slice(x * ${CHUNK}, (x + 1) * ${CHUNK})];
      get(array, box, { workers: pool, ...options }).then(({ data }) => { arrived.push(data); });
    }
    const textures = [];
    performance.mark("begin");
    while (waiting > 0) {
      await frame();
      performance.mark("frame");
      for (const data of arrived.splice(0)) {
        waiting--;
        const texture = gl.createTexture();
        gl.bindTexture(gl.TEXTURE_2D, texture);
        if (data instanceof Float32Array) gl.texImage2D(gl.TEXTURE_2D, 0, gl.R32F, ${CHUNK}, ${CHUNK}, 0, gl.RED, gl.FLOAT, data);
        else gl.texImage2D(gl.TEXTURE_2D, 0, gl.R16UI, ${CHUNK}, ${CHUNK}, 0, gl.RED_INTEGER, gl.UNSIGNED_SHORT, data);
        textures.push(texture);
      }
    }
    performance.mark("end");
    if (gl.getError() !== 0) throw new Error("WebGL refuses the elements");
    for (const texture of textures) gl.deleteTexture(texture);
    const after = await copies();
    const sum = (from) => ["script", "kernel"].map((kind) => from.reduce((total, each) => total + each[kind], 0));
    const difference = (a, b) => a.map((each, i) => each - b[i]);
    return {
      page: difference(sum([after.page]), sum([before.page])),
      workers: difference(sum(after.workers), sum(before.workers)),
    };
  };`;

interface Copies {
  /** Bytes by JavaScript, calls of the kernel. */
  readonly page: readonly [number, number];
  readonly workers: readonly [number, number];
}
interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly ts: number;
  readonly dur?: number;
  /** Processor time, which other programs do not lengthen. */
  readonly tdur?: number;
  readonly pid: number;
  readonly tid: number;
}

/** Milliseconds of processor time that the tasks of the main thread took in each frame, from mark to mark. */
function framesOf(trace: readonly TraceEvent[]): number[] {
  const marks = trace.filter(({ name }) => ["begin", "frame", "end"].includes(name));
  const [begin] = marks.filter(({ name }) => name === "begin");
  const [end] = marks.filter(({ name }) => name === "end");
  if (begin === undefined || end === undefined) throw new Error("expected marks in the trace");
  const starts = marks.filter(({ name }) => name !== "end").map(({ ts }) => ts);
  const tasks = trace.filter(({ name, ph, pid, tid, ts }) => {
    const isHere = pid === begin.pid && tid === begin.tid && ts >= begin.ts && ts < end.ts;
    return isHere && ph === "X" && name.endsWith("RunTask");
  });
  return starts.map((start, i) => {
    const next = starts[i + 1] ?? end.ts;
    const own = tasks.filter(({ ts }) => ts >= start && ts < next);
    return own.reduce((sum, { dur = 0, tdur = dur }) => sum + tdur, 0) / 1000;
  });
}

async function scripts(count: string): Promise<Map<string, Uint8Array>> {
  const stdin = { contents: PAGE, resolveDir: ".", loader: "ts" } as const;
  const options = { bundle: true, format: "esm", target: "es2022", write: false, minify: true } as const;
  const external = ["node:*"];
  const [main] = (await build({ ...options, external, stdin, banner: { js: count } })).outputFiles;
  const entryPoints = ["src/workers/worker.ts"];
  const [worker] = (await build({ ...options, external, entryPoints })).outputFiles;
  if (main === undefined || worker === undefined) throw new Error("expected scripts");
  const text = new TextEncoder();
  return new Map([
    ["/main.js", main.contents],
    ["/worker.js", worker.contents],
    ["/count.js", text.encode(count)],
    ["/counted.js", text.encode(`import "./count.js";\n${WORKER}`)],
  ]);
}

const store = new Map<string, Uint8Array>();
const shape = [SIDE, SIDE];
const array = await create(store, { shape, chunkShape: [CHUNK, CHUNK], dtype: "uint16", codecs: ["zstd"] });
let seed = 7;
const data = Uint16Array.from({ length: SIDE * SIDE }, (_, i) => {
  seed = (seed * 1103515245 + 12345) & 0x7fffffff;
  return 900 + 700 * Math.sin((i % SIDE) / 90) * Math.cos(i / SIDE / 70) + ((seed >> 16) & 63);
});
await set(array, null, { data, shape });

const launchOptions = chromiumLaunchOptions();
const flags = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader"];
const args = (launchOptions?.args ?? []).filter((flag) => flag !== "--disable-gpu");
const rows: string[][] = [];
for (const isShared of [true, false]) {
  const server = await serve({
    scripts: await scripts(countOf([...store.values()].map(({ length }) => length))),
    store,
    isCrossOriginIsolated: isShared,
  });
  const browser = await chromium.launch({ ...launchOptions, args: [...args, ...flags] });
  try {
    const page = await browser.newPage();
    page.on("pageerror", (error) => console.error(error));
    await page.goto(server.url);
    await page.waitForFunction("window.run", undefined, { timeout: 60_000 });
    for (const as of [undefined, "float32"]) {
      const options = JSON.stringify({ as, shared: isShared });
      const frames: number[] = [];
      const copies: Copies[] = [];
      for (let round = 0; round <= ROUNDS; round++) {
        await browser.startTracing(page, { categories: ["toplevel", "blink.user_timing"] });
        const counted: Copies = await page.evaluate(`window.run(${options})`);
        const { traceEvents } = JSON.parse((await browser.stopTracing()).toString("utf8"));
        // The first round compiles.
        if (round === 0) continue;
        frames.push(...framesOf(traceEvents));
        copies.push(counted);
      }
      const bytes = SIDE * SIDE * (as === undefined ? 2 : 4);
      const sorted = [...frames].sort((a, b) => a - b);
      const [last] = copies.slice(-1);
      const times = ([script = 0, kernel = 0]: readonly number[] = []): string =>
        `${(script / bytes).toFixed(2)} and ${kernel}`;
      rows.push([
        `${as ?? "uint16"}, ${isShared ? "shared memory" : "memory of its own"}`,
        `${frames.length}`,
        Number(median(frames)).toFixed(1),
        Number(sorted[Math.floor(sorted.length * 0.95)]).toFixed(1),
        Number(sorted.at(-1)).toFixed(1),
        `${frames.filter((each) => each > 4).length}`,
        times(last?.workers),
        times(last?.page),
      ]);
    }
  } finally {
    await browser.close();
    await server.close();
  }
}
const header = [
  `${(SIDE / CHUNK) ** 2} chunks`,
  "frames",
  "median ms",
  "95 % ms",
  "longest ms",
  "above 4 ms",
  "copies of elements in workers, and calls of the kernel",
  "in the page",
];
console.log(tableAsText({ header, rows }));
