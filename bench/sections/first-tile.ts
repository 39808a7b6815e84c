/**
 * Time from the start of a navigation to the first decoded tile, in Chromium, with an empty cache, over a
 * slow link.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium } from "playwright";
import { type CreateArrayOptions, create, set } from "../../src/index.js";
import { chromiumLaunchOptions } from "../../test/setup/chromium.js";
import { smoothField } from "../fields.js";
import { type Care, median } from "../race.js";
import { figure, type Section, type Table } from "../table.js";
import { bundleSite, installLibraries, type Site, type SiteServer, serveSites } from "./sites.js";

const LENGTH = 1024;
const TILE = 256;
/** Bytes per second: 50 Mbit/s. */
const BANDWIDTH = 50e6 / 8;
const LATENCIES = [20, 50, 150];
const ROUNDS = 3;
/** Milliseconds for one page. */
const PATIENCE = 60_000;

const blosc = (cname: string) => ({
  name: "blosc",
  configuration: { cname, clevel: 5, shuffle: "shuffle", typesize: 4, blocksize: 0 },
});

const LAYOUTS: Readonly<Record<string, Partial<CreateArrayOptions<"float32">>>> = {
  raw: { codecs: [] },
  zstd: { codecs: ["zstd"] },
  gzip: { codecs: ["gzip"] },
  blosc: { codecs: [blosc("lz4")] },
  "blosc-zstd": { codecs: [blosc("zstd")] },
  shards: { chunkShape: [128, 128], shards: [1024, 1024], codecs: ["zstd"] },
  v2: { zarrFormat: 2, codecs: { compressor: { id: "zlib", level: 5 } } },
};
/** Layouts with `--quick`. */
const QUICK_LAYOUTS = ["raw", "zstd"];

/** The first program is the lower limit for all others. */
const LIBRARIES = ["floor", "zarrita", "wazarr"] as const;
type Library = (typeof LIBRARIES)[number];

/** Report of a page, in its title: milliseconds since the start of the navigation. */
interface Times {
  /** When the first line of the program ran: the code had arrived. */
  readonly started: number;
  readonly opened: number;
  readonly tile: number;
}

interface Visit extends Times {
  readonly codeRequests: number;
  readonly codeBytes: number;
  readonly dataRequests: number;
}

/** @returns undefined without Chromium */
export async function benchFirstTile({ isQuick }: Care): Promise<Section | undefined> {
  const launchOptions = chromiumLaunchOptions();
  if (launchOptions === undefined) return undefined;
  const folder = mkdtempSync(join(tmpdir(), "wazarr-first-tile-"));
  try {
    installLibraries(folder);
    const sites = new Map<Library, Site>();
    for (const library of LIBRARIES)
      sites.set(library, await bundleSite(folder, library, programOf(library)));
    const layouts = isQuick ? QUICK_LAYOUTS : Object.keys(LAYOUTS);
    const server = await serveSites(folder, await writeLayouts(layouts));
    const browser = await chromium.launch(launchOptions);
    const tables: Table[] = [];
    try {
      // Warm up: the first page of a browser is slower than the next ones.
      for (const [library, site] of sites) {
        await visit(browser, server, site, { library, layout: layouts[0] ?? "", latency: 0 });
      }
      for (const latency of isQuick ? [50] : LATENCIES) {
        const rows: string[][] = [];
        for (const layout of layouts) {
          const visits = await takeTurns(isQuick ? 1 : ROUNDS, sites, (site, library) =>
            visit(browser, server, site, { library, layout, latency }),
          );
          rows.push(...LIBRARIES.map((library) => row(layout, library, visits)));
        }
        tables.push({ header: [`${latency} ms away`, ...HEADER], rows });
      }
    } finally {
      await browser.close();
      server.close();
    }
    const emitted = [...(sites.get("wazarr")?.keys() ?? [])].filter((path) => path.endsWith(".js")).length;
    return {
      title: "First tile of a page",
      text: `Milliseconds from the start of a navigation, cache empty, to the first ${TILE} x ${TILE} elements of a float32 array of ${LENGTH} x ${LENGTH} in chunks of ${TILE} x ${TILE} (shards: ${LENGTH} x ${LENGTH} in inner chunks of 128 x 128), in Chromium,
over a link of ${(8 * BANDWIDTH) / 1e6} Mbit/s (HTTP/2, code gzipped). Pages are bundled by Vite without configuration; of wazarr it emitted ${emitted} JavaScript files. The floor is a page that fetches the metadata and the bytes of the tile, one after the other, and decodes nothing.
Requests are those before the tile; code is JavaScript and HTML. Ratios are of medians; they hold better than times.`,
      tables,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const HEADER = [
  "page",
  "code there ms",
  "open ms",
  "first tile ms",
  "code requests",
  "code KiB",
  "data requests",
  "time to zarrita's",
  "time to the floor's",
];

/** Measures all pages in rounds, which alternate in direction. */
async function takeTurns(
  rounds: number,
  sites: ReadonlyMap<Library, Site>,
  run: (site: Site, library: Library) => Promise<Visit>,
): Promise<ReadonlyMap<Library, readonly Visit[]>> {
  const visits = new Map<Library, Visit[]>(LIBRARIES.map((library) => [library, []]));
  for (let round = 0; round < rounds; round++) {
    for (const [library, site] of round % 2 === 0 ? [...sites] : [...sites].reverse()) {
      visits.get(library)?.push(await run(site, library));
    }
  }
  return visits;
}

function row(layout: string, library: Library, visits: ReadonlyMap<Library, readonly Visit[]>): string[] {
  const of = (which: Library, what: keyof Visit): number =>
    Number(median(visits.get(which)?.map((each) => each[what])));
  return [
    layout,
    library,
    ...(["started", "opened", "tile", "codeRequests"] as const).map((what) => of(library, what).toFixed(0)),
    figure(of(library, "codeBytes") / 1024),
    of(library, "dataRequests").toFixed(0),
    (of(library, "tile") / of("zarrita", "tile")).toFixed(2),
    (of(library, "tile") / of("floor", "tile")).toFixed(2),
  ];
}

interface Place {
  readonly library: Library;
  readonly layout: string;
  readonly latency: number;
}

/** Opens a page in a new browser context, so that nothing is cached. */
async function visit(
  browser: Browser,
  server: SiteServer,
  site: Site,
  { library, layout, latency }: Place,
): Promise<Visit> {
  const context = await browser.newContext({ ignoreHTTPSErrors: true });
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
    await page.goto(`${server.url}?${layout}`, { waitUntil: "commit" });
    await page.waitForFunction("document.title", undefined, { timeout: PATIENCE }).catch((cause) => {
      throw new Error(`${library}, ${layout}: ${failures.join("; ") || "no answer"}`, { cause });
    });
    const { sum, ...times }: Times & { readonly sum: number | null } = JSON.parse(await page.title());
    if (library !== "floor" && sum !== TILE_SUM) {
      throw new Error(`${library}, ${layout}: expected a tile with the sum ${TILE_SUM}, got ${sum}`);
    }
    const code = transfers.filter(({ isCode }) => isCode);
    return {
      ...times,
      codeRequests: code.length,
      codeBytes: code.reduce((total, { bytes }) => total + bytes, 0),
      dataRequests: transfers.length - code.length,
    };
  } finally {
    await context.close();
  }
}

const FIELD = smoothField([LENGTH, LENGTH], "float32");
const TILE_SUM = sumOfTile();

/** Sums elements in the same order as the pages, so that the sums are equal to the last bit. */
function sumOfTile(): number {
  let sum = 0;
  for (let y = 0; y < TILE; y++) {
    for (let x = 0; x < TILE; x++) sum += FIELD[y * LENGTH + x] ?? 0;
  }
  return sum;
}

async function writeLayouts(names: readonly string[]): Promise<Map<string, Uint8Array>> {
  const data = new Map<string, Uint8Array>();
  for (const name of names) {
    const store = new Map<string, Uint8Array>();
    const shape = [LENGTH, LENGTH];
    const array = await create(store, {
      shape,
      dtype: "float32",
      chunkShape: [TILE, TILE],
      ...LAYOUTS[name],
    });
    await set(array, null, { data: FIELD, shape });
    for (const [key, value] of store) data.set(`/data/${name}${key}`, value);
  }
  return data;
}

function programOf(library: Library): string {
  const place = `location.origin + "/data/" + location.search.slice(1)`;
  if (library !== "floor") {
    return `
      import { FetchStore, get, open, root, slice } from "${library}";
      const started = performance.now();
      const array = await open(root(new FetchStore(${place})), { kind: "array" });
      const opened = performance.now();
      const { data } = await get(array, [slice(0, ${TILE}), slice(0, ${TILE})]);
      const tile = performance.now();
      document.title = JSON.stringify({ started, opened, tile, sum: data.reduce((a, b) => a + b, 0) });`;
  }
  return `
    const started = performance.now();
    const place = ${place};
    const isV2 = place.endsWith("v2");
    const metadata = await (await fetch(place + (isV2 ? "/.zarray" : "/zarr.json"))).text();
    const opened = performance.now();
    const chunk = async (range) => (await fetch(place + (isV2 ? "/0.0" : "/c/0/0"), range && { headers: { range } })).arrayBuffer();
    if (metadata.includes("sharding_indexed")) {
      await chunk("bytes=-1028");
      await chunk("bytes=0-140000");
    } else await chunk();
    document.title = JSON.stringify({ started, opened, tile: performance.now(), sum: null });`;
}
