/** Pans and zooms over an image in a Chromium page. The server has a high latency and fails occasionally. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium } from "playwright";
import { create, root, set } from "../../src/index.js";
import { chromiumLaunchOptions } from "../../test/setup/chromium.js";
import { type Care, median } from "../race.js";
import { figure, type Section } from "../table.js";
import { bundleSite, installLibraries, type Site, type SiteServer, serveSites } from "./sites.js";

/** Elements of the image along each dimension, by level. */
const LEVELS = [4096, 1024];
const TILE = 256;
/** Bytes per second: 200 Mbit/s. */
const BANDWIDTH = 200e6 / 8;
const LATENCIES = [20, 80];
const ROUNDS = 3;
/** Every so many requests for data one gets status 503. */
const FAILURE = 50;
/** Milliseconds for one page. */
const PATIENCE = 180_000;

type Tile = readonly [level: number, y: number, x: number];

/**
 * 25 views of 4 x 3 tiles: to the right, down, back over half of the visited area, out, and in again. Views
 * start at arbitrary places, so that most tiles cross four chunks.
 */
const VIEWS: readonly (readonly Tile[])[] = (() => {
  const corners: Tile[] = [];
  for (let i = 0; i < 8; i++) corners.push([0, 300, 40 + 230 * i]);
  for (let i = 1; i < 5; i++) corners.push([0, 300 + 180 * i, 1650]);
  for (let i = 1; i < 6; i++) corners.push([0, 1020 - 140 * i, 1650 - 200 * i]);
  for (let i = 0; i < 3; i++) corners.push([1, 30 * i, 0]);
  for (let i = 0; i < 5; i++) corners.push([0, 700 + 60 * i, 1100 + 150 * i]);
  return corners.map(([level, y, x]) =>
    Array.from({ length: 12 }, (_, i): Tile => [level, y + TILE * (i >> 2), x + TILE * (i & 3)]),
  );
})();

const PAGES = {
  zarrita: { library: "zarrita" },
  wazarr: { library: "wazarr" },
  "wazarr, cache": { library: "wazarr", cache: true },
  "wazarr, cache and two workers": { library: "wazarr", cache: true, workers: true },
} as const;
type Page = keyof typeof PAGES;
const isPage = (name: string): name is Page => name in PAGES;
const PAGE_NAMES = Object.keys(PAGES).filter(isPage);

interface Pan {
  /** Milliseconds until the last tile of the last view. */
  readonly total: number;
  /** Time to all tiles of a view, over the views. */
  readonly view: number;
  readonly longestTask: number;
  readonly longTasks: number;
}
interface Visit extends Pan {
  readonly requests: number;
  readonly bytes: number;
  readonly wasted: number;
}

/** @returns undefined without Chromium */
export async function benchPan({ isQuick }: Care): Promise<Section | undefined> {
  const launchOptions = chromiumLaunchOptions();
  if (launchOptions === undefined) return undefined;
  const folder = mkdtempSync(join(tmpdir(), "wazarr-pan-"));
  try {
    installLibraries(folder);
    const sites = new Map<Page, Site>();
    for (const [i, page] of PAGE_NAMES.entries())
      sites.set(page, await bundleSite(folder, `page${i}`, programOf(page)));
    const { data, sum } = await writeImage();
    const server = await serveSites(folder, data, FAILURE);
    const args = [...launchOptions.args, server.flag];
    const browser = await chromium.launch({ ...launchOptions, args });
    const rows: string[][] = [];
    try {
      for (const latency of isQuick ? [20] : LATENCIES) {
        const visits = new Map<Page, Visit[]>(PAGE_NAMES.map((page) => [page, []]));
        for (let round = 0; round < (isQuick ? 1 : ROUNDS); round++) {
          for (const [page, site] of round % 2 === 0 ? sites : [...sites].reverse())
            visits.get(page)?.push(await visit(browser, server, site, { page, latency, sum }));
        }
        rows.push(...PAGE_NAMES.map((page) => row(latency, page, visits)));
      }
    } finally {
      await browser.close();
      server.close();
    }
    return {
      title: "Panning and zooming in a page",
      text: `${VIEWS.length} views of 4 x 3 tiles of ${TILE} x ${TILE}, ${VIEWS.length * 12} tiles in all, over an image of uint16 with noise (${LEVELS.join(" and ")} elements a side, chunks of ${TILE} x ${TILE}, zstd), in Chromium, over a link of
${(8 * BANDWIDTH) / 1e6} Mbit/s (HTTP/2). Views begin anywhere: most tiles cross four chunks. The next view begins when all tiles of one are there. One request for data in ${FAILURE} is answered with status 503; values are as old as those in buckets mostly are, so that the browser caches them: wazarr asks again by itself, the page of zarrita does
so after 100 ms. Twice is what was sent of chunks that had been sent before. A long task is a gap of more than 16 ms between two turns of the page's event loop. Medians.`,
      tables: [
        {
          header: [
            "page",
            "ms away",
            "all tiles ms",
            "median view ms",
            "time to zarrita's",
            "requests",
            "MiB",
            "MiB twice",
            "longest task ms",
            "long tasks",
          ],
          rows,
        },
      ],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function row(latency: number, page: Page, visits: ReadonlyMap<Page, readonly Visit[]>): string[] {
  const of = (which: Page, what: keyof Visit): number =>
    Number(median(visits.get(which)?.map((each) => each[what])));
  return [
    page,
    latency.toFixed(0),
    of(page, "total").toFixed(0),
    of(page, "view").toFixed(0),
    (of(page, "total") / of("zarrita", "total")).toFixed(2),
    of(page, "requests").toFixed(0),
    figure(of(page, "bytes") / 2 ** 20),
    figure(of(page, "wasted") / 2 ** 20),
    of(page, "longestTask").toFixed(0),
    of(page, "longTasks").toFixed(0),
  ];
}

async function visit(
  browser: Browser,
  server: SiteServer,
  site: Site,
  { page: name, latency, sum }: { readonly page: Page; readonly latency: number; readonly sum: number },
): Promise<Visit> {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    const failures: string[] = [];
    page.on("pageerror", ({ message }) => failures.push(message));
    const protocol = await context.newCDPSession(page);
    await protocol.send("Network.enable");
    await protocol.send("Network.emulateNetworkConditions", {
      offline: false,
      latency,
      downloadThroughput: BANDWIDTH,
      uploadThroughput: BANDWIDTH,
    });
    const transfers = server.show(site);
    await page.goto(server.url, { waitUntil: "commit" });
    await page.waitForFunction("document.title", undefined, { timeout: PATIENCE }).catch((cause) => {
      throw new Error(`${name}: ${failures.join("; ") || "no answer"}`, { cause });
    });
    const pan: Pan & { readonly sum: number } = JSON.parse(await page.title());
    if (pan.sum !== sum) throw new Error(`${name}: expected tiles with the sum ${sum}, got ${pan.sum}`);
    const data = transfers.filter(({ isCode }) => !isCode);
    const first = new Map(data.map(({ path, bytes }) => [path, bytes]));
    const bytes = data.reduce((total, each) => total + each.bytes, 0);
    const wasted = bytes - [...first.values()].reduce((total, each) => total + each, 0);
    return { ...pan, requests: data.length, bytes, wasted };
  } finally {
    await context.close();
  }
}

/** Noisy counts like those of a microscope or a satellite. The second level has every fourth element. */
async function writeImage(): Promise<{ data: Map<string, Uint8Array>; sum: number }> {
  const data = new Map<string, Uint8Array>();
  const [length = 0] = LEVELS;
  let seed = 7;
  const image = Uint16Array.from({ length: length * length }, (_, i) => {
    seed = (seed * 1103515245 + 12345) & 0x7fffffff;
    return 900 + 700 * Math.sin((i % length) / 90) * Math.cos(i / length / 70) + (seed & 63);
  });
  const levels = LEVELS.map((side) => {
    const step = length / side;
    return Uint16Array.from({ length: side * side }, (_, i) =>
      Number(image[Math.floor(i / side) * step * length + (i % side) * step]),
    );
  });
  for (const [level, side] of LEVELS.entries()) {
    const store = new Map<string, Uint8Array>();
    const shape = [side, side];
    const array = await create(root(store).resolve(`${level}`), {
      shape,
      dtype: "uint16",
      chunkShape: [TILE, TILE],
      codecs: ["zstd"],
    });
    await set(array, null, { data: levels[level] ?? image, shape });
    for (const [key, value] of store) data.set(`/data${key}`, value);
  }
  let sum = 0;
  for (const [level, y, x] of VIEWS.flat()) {
    const side = LEVELS[level] ?? 0;
    const [bottom, right] = [Math.min(y + TILE, side) - 1, Math.min(x + TILE, side) - 1];
    sum += Number(levels[level]?.[y * side + x]) + Number(levels[level]?.[bottom * side + right]);
  }
  return { data, sum };
}

function programOf(page: Page): string {
  const { library, ...uses } = PAGES[page];
  return `
    import { FetchStore, get, open, root, slice${"cache" in uses ? ", ChunkCache" : ""} } from "${library}";
    ${"workers" in uses ? 'import { WorkerPool } from "wazarr/workers";' : ""}
    const options = {
      ${"cache" in uses ? "cache: new ChunkCache({ maxBytes: 256 << 20 })," : ""}
      ${"workers" in uses ? "workers: new WorkerPool({ size: 2 })," : ""}
    };
    const image = root(new FetchStore(location.origin + "/data"));
    const opened = async (level) => {
      try {
        return await open(image.resolve(level), { kind: "array" });
      } catch (error) {
        return opened(level);
      }
    };
    const levels = [await opened("0"), await opened("1")];
    const read = async ([level, y, x]) => {
      try {
        return await get(levels[level], [slice(y, y + ${TILE}), slice(x, x + ${TILE})], options);
      } catch (error) {
        await new Promise((resolve) => setTimeout(resolve, 100));
        return read([level, y, x]);
      }
    };
    const gaps = [];
    let last = performance.now();
    let isGoing = true;
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      const now = performance.now();
      gaps.push(now - last);
      last = now;
      if (isGoing) port2.postMessage(0);
    };
    port2.postMessage(0);
    const times = [];
    let sum = 0;
    const start = performance.now();
    for (const view of ${JSON.stringify(VIEWS)}) {
      const began = performance.now();
      for (const { data } of await Promise.all(view.map(read))) sum += data[0] + data[data.length - 1];
      times.push(performance.now() - began);
    }
    const total = performance.now() - start;
    isGoing = false;
    times.sort((a, b) => a - b);
    document.title = JSON.stringify({
      total,
      view: times[times.length >> 1],
      longestTask: gaps.reduce((a, b) => Math.max(a, b), 0),
      longTasks: gaps.filter((gap) => gap > 16).length,
      sum,
    });`;
}
