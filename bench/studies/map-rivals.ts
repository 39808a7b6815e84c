/**
 * `node scripts/run-ts.mjs bench/studies/map-rivals.ts --packages FOLDER --deck-gl-raster CHECKOUT`: the same
 * world over time in maps by the layers of packages/, @carbonplan/zarr-layer, OpenLayers' GeoZarr and
 * @developmentseed/deck.gl-zarr, in Chromium, 50 ms (`--latency`) and 50 Mbit/s away. `--steps 0` measures
 * the first picture alone; on a busy machine, a latency of seconds tells its requests. With `--rounds` the
 * pages are opened in turns, and the rows are medians. Not a section of `npm run bench`: it takes five
 * minutes a round, and rivals from npm, which it installs into FOLDER. deck.gl-zarr is not in npm:
 * CHECKOUT is one of github.com/developmentseed/deck.gl-raster; without it that row is missing.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import { chromium } from "playwright";
import { chromiumLaunchOptions } from "../../test/setup/chromium.js";
import { median } from "../race.js";
import { type SlowServer, serveSlowly } from "../sections/slow-server.js";
import { tableAsText } from "../table.js";
import { STEPS, WHITE, worldOverTime } from "./map-rivals/data.js";
import { PAGES } from "./map-rivals/programs.js";

const RIVALS = [
  ...["@carbonplan/zarr-layer", "maplibre-gl", "ol", "proj4", "zarrita"],
  ...["core", "extensions", "geo-layers", "layers", "mesh-layers"].map((name) => `@deck.gl/${name}`),
  ...["core", "engine", "shadertools"].map((name) => `@luma.gl/${name}`),
  ...["core", "culling", "web-mercator"].map((name) => `@math.gl/${name}`),
  ...["wkt-parser", "zod"],
];
const DECK_GL_ZARR = "@developmentseed/deck.gl-zarr";
/** Milliseconds for a page to load on a machine that has other work. */
const PATIENCE = 240_000;
/** Bytes per second: 50 Mbit/s. */
const BANDWIDTH = 50e6 / 8;

/** What a page measures; times in milliseconds. */
interface Measured {
  /** Of the first picture, 0 is the finest. */
  readonly level: number;
  readonly first: number;
  /** Those that were answered before it. */
  readonly firstRequests: number;
  readonly pans?: readonly number[];
  /** Between frames while the map slides: the median, and the longest but for one in twenty. */
  readonly frame?: number;
  readonly slowFrame?: number;
  readonly playTime?: number;
  readonly playRequests?: number;
  /** Of the steps that are played. */
  readonly frames?: number;
  readonly mixed?: number;
  readonly holes?: number;
  /** To a step that was shown before. */
  readonly backFrames?: number;
  readonly backTime?: number;
}

const { values: given } = parseArgs({
  options: {
    packages: { type: "string", default: "build/map-rivals" },
    "deck-gl-raster": { type: "string" },
    only: { type: "string", default: "" },
    steps: { type: "string", default: `${STEPS}` },
    rounds: { type: "string", default: "1" },
    latency: { type: "string", default: "50" },
  },
});
const packages = resolve(given.packages);
const checkout = given["deck-gl-raster"];

function install(): void {
  if (existsSync(join(packages, "node_modules/ol"))) return;
  mkdirSync(packages, { recursive: true });
  writeFileSync(join(packages, "package.json"), '{ "private": true }');
  const flags = ["--no-audit", "--no-fund", "--no-package-lock", "--silent"];
  execFileSync("npm", ["install", ...flags, ...RIVALS], { cwd: packages, stdio: "inherit" });
}

function versionOf(name: string): string {
  const folder =
    name === DECK_GL_ZARR
      ? join(checkout ?? "", "packages/deck.gl-zarr")
      : join(packages, "node_modules", name);
  const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return `${name} ${version}`;
}

/** The scripts of a page by path: /main.js, and what it may load later. */
async function scriptsOf(program: string): Promise<(readonly [string, Uint8Array])[]> {
  const contents = `import { measure, nextFrame } from ${JSON.stringify(resolve("bench/studies/map-rivals/probe.js"))};
    const WHITE = ${WHITE};
    ${program}
    window.measure = (steps) => measure(open, steps);`;
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: "examples/maps/maplibre", loader: "js" },
    bundle: true,
    splitting: true,
    format: "esm",
    target: "es2022",
    outdir: "/",
    entryNames: "main",
    write: false,
    // As the condition "browser" of package.json says.
    alias: { "wazarr/stores/open-store": resolve("src/stores/addresses/open-store-browser.ts") },
    external: ["node:*"],
    nodePaths: [join(packages, "node_modules")],
    loader: { ".png": "dataurl" },
    logLevel: "error",
    plugins: [
      {
        name: "packages of a workspace that is not built",
        setup({ onResolve, resolve: resolved }) {
          const own = { resolveDir: packages, kind: "import-statement" } as const;
          // Not this repository's own.
          onResolve(
            { filter: /^(zarrita|maplibre-gl|proj4|ol|@(deck|luma|math)[.]gl)(\/|$)/ },
            ({ path, resolveDir }) => (resolveDir.startsWith(packages) ? undefined : resolved(path, own)),
          );
          onResolve({ filter: /^@developmentseed\// }, ({ path, importer }) => {
            const [, name = "", rest = ""] = /^@developmentseed\/([^/]+)(.*)$/.exec(path) ?? [];
            const folder = resolve(checkout ?? "", "packages", name);
            if (!existsSync(folder) || importer.startsWith(join(packages, "node_modules"))) return undefined;
            return { path: join(folder, "src", rest, "index.ts") };
          });
        },
      },
    ],
  });
  return outputFiles.map(({ path, contents }) => [path, contents] as const);
}

const HTML = `<!doctype html><link rel="icon" href="data:,"><style>body { margin: 0 } #map { position: relative; width: 800px; height: 600px } #map canvas { position: absolute }</style>
<div id="map"></div><script type="module" src="/main.js"></script>`;

async function visit(name: string, server: SlowServer, steps: number): Promise<Measured> {
  const launchOptions = chromiumLaunchOptions();
  const flags = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader"];
  const args = (launchOptions?.args ?? []).filter((flag) => flag !== "--disable-gpu");
  const browser = await chromium.launch({ ...launchOptions, args: [...args, ...flags] });
  try {
    const page = await browser.newPage({ viewport: { width: 800, height: 600 } });
    page.setDefaultTimeout(PATIENCE);
    const problems: string[] = [];
    page.on("pageerror", ({ message }) => problems.push(message));
    page.on("console", (message) => {
      if (message.type() === "error") problems.push(message.text());
    });
    // The colours of the example by wazarr.
    await page.goto(`${server.url}/index.html?range=0,${WHITE}`);
    await page.waitForFunction("window.measure").catch((cause) => {
      throw new Error(`${name}: ${problems.join("; ")}`, { cause });
    });
    const measured: Promise<Measured> = page.evaluate(`window.measure(${steps})`);
    return await measured.catch((cause) => {
      throw new Error(`${name}: ${problems.slice(0, 3).join("; ")}`, { cause });
    });
  } finally {
    await browser.close();
  }
}

const whole = (value: number | undefined): string => value?.toFixed(0) ?? "";

/** The median of what rounds measured; undefined if none measured it. */
function medianOf(
  rounds: readonly Measured[],
  of: (each: Measured) => number | undefined,
): number | undefined {
  const values = rounds.map(of).filter((value) => value !== undefined);
  return values.length > 0 ? median(values) : undefined;
}

async function serverOf(program: string, data: ReadonlyMap<string, Uint8Array>): Promise<SlowServer> {
  const files = new Map([
    ...data,
    ["/index.html", new TextEncoder().encode(HTML)] as const,
    ...(await scriptsOf(program)),
    // MapLibre looks for its worker beside itself.
    ...["maplibre-gl-worker.mjs", "maplibre-gl-shared.mjs"].map(
      (file) => [`/${file}`, readFileSync(join(packages, "node_modules/maplibre-gl/dist", file))] as const,
    ),
  ]);
  return serveSlowly(files, Number(given.latency), BANDWIDTH);
}

function rowOf(name: string, names: readonly string[], rounds: readonly Measured[]): string[] {
  const of = (key: (each: Measured) => number | undefined) => whole(medianOf(rounds, key));
  const sum = (key: "mixed" | "frames" | "holes") =>
    rounds.reduce((total, each) => total + (each[key] ?? 0), 0);
  return [
    name,
    names.map(versionOf).join(", "),
    of(({ level }) => level),
    of(({ firstRequests }) => firstRequests),
    of(({ first }) => first),
    of(({ pans }) => (pans === undefined ? undefined : median(pans))),
    of(({ pans }) => (pans === undefined ? undefined : Math.max(...pans))),
    of(({ frame }) => frame),
    of(({ slowFrame }) => slowFrame),
    medianOf(rounds, ({ playTime }) => playTime && playTime / 1000)?.toFixed(1) ?? "",
    of(({ playRequests }) => playRequests),
    steps > 1 ? `${sum("mixed")} of ${sum("frames")}` : "",
    steps > 1 ? `${sum("holes")}` : "",
    of(({ backFrames }) => backFrames),
    of(({ backTime }) => backTime),
  ];
}

install();
const data = await worldOverTime();
const steps = Number(given.steps);
const pages = Object.entries(PAGES).filter(
  ([name]) => name.includes(given.only) && (name !== DECK_GL_ZARR || checkout !== undefined),
);
const seen = new Map<string, Measured[]>(pages.map(([name]) => [name, []]));
// In turns, so that what else the machine does meets all of them.
for (let round = 0; round < Number(given.rounds); round++)
  for (const [name, { program }] of pages) {
    const server = await serverOf(program, data);
    try {
      const measured = await visit(name, server, steps);
      seen.get(name)?.push(measured);
      console.info(name, JSON.stringify(measured));
    } catch (error) {
      console.error(error);
    } finally {
      server.close();
    }
  }
const header = [
  "library",
  "versions",
  "level",
  "requests to the first picture",
  "ms",
  "pan ms",
  "longest pan ms",
  "frame ms",
  "slow frame ms",
  `${steps - 1} steps s`,
  "their requests",
  "mixed frames",
  "frames with holes",
  "frames to the step before",
  "ms",
];
const rows = pages.map(([name, { names }]) => rowOf(name, names, seen.get(name) ?? []));
console.log(tableAsText({ header, rows }));
