/** Reads arrays in browsers: how much a page gains from WebAssembly and workers. */
import { readdirSync, readFileSync } from "node:fs";
import { basename, join, relative, sep } from "node:path";
import { setTimeout } from "node:timers/promises";
import { build } from "esbuild";
import { serve } from "../../test/browser/server.js";
import { type InstalledBrowser, installedBrowsers } from "../../test/setup/browser-processes.js";
import { type ArrayToWrite, arrayNamed } from "../arrays.js";
import { fieldOf } from "../fields.js";
import { FOLDER } from "../folder.js";
import { Python } from "../peers/python.js";
import type { Care, Effort } from "../race.js";
import { against, milliseconds, type Section, type Table } from "../table.js";
import type { PageReport, PageRequest, PageResult } from "./browser-page.js";
import { prepare } from "./files.js";

/** Milliseconds for one array in one browser. */
const PATIENCE = 120_000;

const NAMES = ["raw 64^3", "blosc-lz4-shuffle 64^3", "blosc-zstd-shuffle 64^3", "zstd 64^3", "gzip 64^3"];

/** @returns undefined if no browser is installed */
export async function benchBrowsers({ effort }: Care): Promise<Section | undefined> {
  const browsers = installedBrowsers();
  if (browsers.length === 0) return undefined;
  const tensorstore = Python.start("tensorstore");
  const store = new Map<string, Uint8Array>();
  const requests: PageRequest[] = [];
  for (const name of NAMES) requests.push(await request(arrayNamed(name).array, store, tensorstore, effort));
  tensorstore?.close();
  const scripts = await bundle();
  const tables: Table[] = [];
  for (const browser of browsers) {
    const rows: string[][] = [];
    for (const request of requests) {
      const results = await resultsIn(browser, scripts, store, request);
      rows.push(...results.map(({ operation, turns }) => row(request.array, operation, turns)));
    }
    tables.push({ header: [browser.version, ...HEADER], rows });
  }
  return {
    title: "In browsers",
    text: `These are the volumes of float32 in ${browsers.map(({ version }) => version).join(", ")}, in a \`Map\` in the page. "Into" is one thread that reads into existing memory (\`out\`). "2 workers" reads into an existing \`SharedArrayBuffer\`. All other columns make a new result, and the browser gets its pages from the system each time. For 64 MiB, that takes longer than most of these arrays take to decode. "Over HTTP" reads from this machine, and most of its time is the browser's time to fetch. Garbage is collected between turns in Chromium only, because the other browsers have no way to ask for it.`,
    tables,
  };
}

const HEADER = [
  "operation",
  "wazarr ms",
  "into ms",
  "its fallback ms",
  "2 workers ms",
  "zarrita ms",
  "against its fallback",
  "against zarrita",
  "into against zarrita",
  "2 workers against zarrita",
];

/** Measures an array in a new browser, so that garbage and compiled code do not affect the next array. */
async function resultsIn(
  browser: InstalledBrowser,
  scripts: ReadonlyMap<string, Uint8Array>,
  store: Map<string, Uint8Array>,
  request: PageRequest,
): Promise<readonly PageResult[]> {
  store.set("/request.json", new TextEncoder().encode(JSON.stringify(request)));
  let answered = (_body: string): void => {};
  const answer = new Promise<string>((resolve) => {
    answered = resolve;
  });
  const server = await serve({
    scripts,
    store,
    isCrossOriginIsolated: true,
    onPost: (body) => answered(body),
  });
  const running = await browser.open(server.url);
  const patience = setTimeout(PATIENCE, undefined, { ref: false });
  try {
    const body = await Promise.race([answer, patience]);
    const { results, failure }: PageReport = JSON.parse(body ?? '{ "failure": "no answer" }');
    if (failure !== undefined) throw new Error(`${browser.version}, ${request.array}: ${failure}`);
    return results;
  } finally {
    await running.close();
    await server.close();
  }
}

/** Adds the files of an array to the files that the server sends. */
async function request(
  array: ArrayToWrite,
  store: Map<string, Uint8Array>,
  tensorstore: Python | undefined,
  effort: Effort,
): Promise<PageRequest> {
  const field = fieldOf(FOLDER, array.shape, array.dtype);
  const directory = await prepare(array, field, tensorstore);
  const name = basename(directory);
  const keys: string[] = [];
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const key = `/${relative(directory, path).split(sep).join("/")}`;
    keys.push(key);
    store.set(`/${name}${key}`, readFileSync(path));
  }
  return { array: array.name, root: `/store/${name}`, keys, effort };
}

/** Bundles the scripts of the page and of the workers, with shared code in common files. */
async function bundle(): Promise<Map<string, Uint8Array>> {
  const { outputFiles } = await build({
    entryPoints: { main: "bench/sections/browser-page.ts", worker: "src/workers/worker.ts" },
    outdir: "/",
    bundle: true,
    splitting: true,
    minify: true,
    format: "esm",
    target: "es2022",
    platform: "browser",
    write: false,
    logLevel: "warning",
  });
  return new Map(outputFiles.map(({ path, contents }) => [path, contents]));
}

function row(name: string, operation: string, turns: PageResult["turns"]): string[] {
  const [wazarr, into, fallback, workers, zarrita] = turns;
  return [
    name,
    operation,
    ...[wazarr, into, fallback, workers, zarrita].map(milliseconds),
    against(fallback, wazarr),
    against(zarrita, wazarr),
    against(zarrita, into),
    against(zarrita, workers),
  ];
}
