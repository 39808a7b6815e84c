/**
 * The programs in TypeScript of README.md and docs/ run, and the programs and commands of
 * docs/getting-started.md, against the package as it was built.
 */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { transform } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { FileSystemStore } from "../../src/core/stores/files/file-system.js";
import { consolidateMetadata, create, root, set } from "../../src/index.js";
import { serve, type TestServer } from "../core/stores/server.js";

/** What stands in each program, to know it by, and what is to be seen at its end. */
const PROGRAMS: readonly (readonly [page: string, part: string, result: string, value: string])[] = [
  [
    "docs/anndata.md",
    "openAnnData(store)",
    "[data.shape, [...type], matrix.kind, [...rows.data], rows.shape]",
    '[[3,2],["neuron","glia",null],"csr",[0,0,7,9],[2,2]]',
  ],
  ["docs/anndata.md", "openSpatialData(store)", "show.length", "1"],
  [
    "README.md",
    "getOrthogonal(array",
    "[shape, every10th.shape, one, picked.shape, stations.shape]",
    "[[344,403],[35,403],474,[3,100],[3]]",
  ],
  ["docs/chunk-grids.md", "[31, 2]", "array.metadata.chunkGrid.name", '"rectilinear"'],
  [
    "docs/chunk-grids.md",
    "shards: [[31",
    "[array.metadata.chunkGrid.name, array.chunks]",
    '["rectilinear",[1,91]]',
  ],
  ["docs/data-types.md", "complex64", "data.get(0)", '{"re":1,"im":-2}'],
  ["docs/data-types.md", "zarrs.optional", "present.data.toArray()", "[1,null,3]"],
  [
    "docs/draft-v3.md",
    "hierarchy.resolve",
    "[array.kind, hierarchy.metadata.zarrFormat]",
    '["array","draft"]',
  ],
  ["docs/draft-v3.md", "draftExtensions.set", "draftExtensions.size", "1"],
  ["docs/extending.md", "writeOverview", "[overview.shape, (await get(overview, [24, 19]))]", "[[25,20],7]"],
  [
    "docs/extending.md",
    "registerChunkKeyEncoding",
    "[...store.keys()]",
    '["/zarr.json","/x-0-0","/x-1-0","/x-2-0"]',
  ],
  [
    "docs/stac.md",
    "parseStac(found",
    "assets.map(({ address }) => address?.replace(/^.*S2B/, ''))",
    '[".zarr",".zarr|zarr:measurements/r10m",null]',
  ],
  ["docs/from-zarrita.md", "zarr.select", "shape", "[10,4]"],
  [
    "docs/geozarr.md",
    "await openGeoZarr(",
    "[overview.path, window.columns, part.shape]",
    '["r20m",[4,11],[5,7]]',
  ],
  [
    "docs/geozarr.md",
    "rasterVariables",
    "variables.map(({ variable, problem }) => [variable, problem?.tag])",
    '[["b04",null]]',
  ],
  [
    "docs/geozarr-writing.md",
    "writeGeoZarr",
    "[(await wazarr.open(wazarr.root(store).resolve('0/b04'))).shape, (await wazarr.open(wazarr.root(store).resolve('2/b04'))).shape]",
    "[[512,512],[128,128]]",
  ],
  [
    "docs/geozarr.md",
    "const { levels, crs }",
    "[crs.code, levels[0].grid.bounds]",
    '["EPSG:3035",[4000000,2999600,4000300,3000000]]',
  ],
  [
    "docs/getting-started.md",
    "updateAttributes(longer",
    "[longer.shape, await wazarr.get(longer, [3, 45, 7])]",
    "[[366,181,360],20.5]",
  ],
  ["docs/getting-started.md", 'FileSystemStore("temperature.zarr"), { kind', "shape", "[2,3]"],
  ["docs/getting-started.md", "HttpStore", "data[90]", "30"],
  ["docs/healpix.md", "variable.placeAt", "[place, data[1], face.shape]", "[42,288.5,[2,32,32]]"],
  ["docs/healpix.md", "healpixFace", "withTiles", "[0,1,3,4,5,8]"],
  [
    "docs/jobs.md",
    "planCopy",
    "[plan.stages.length, report.isFinished, series.data[99], series.data[100]]",
    "[2,true,0,20.5]",
  ],
  ["docs/jobs-queue.md", "planVerify", "[plan.stages.length, problems]", "[1,[]]"],
  [
    "docs/jobs-statistics.md",
    "planReduce",
    "[shape, data[0].toFixed(5), whole.count, whole.max]",
    '[[90,180],"0.05616",5913000,20.5]',
  ],
  [
    "docs/ome-zarr-writing.md",
    "planMultiscale",
    "image.levels.map((level) => level.array.shape)",
    "[[365,90,180],[365,45,90],[365,23,45]]",
  ],
  [
    "docs/ome-zarr.md",
    "openOmeZarr",
    "[level.index, tile.shape, corner, index, nuclei?.levels.length, red]",
    "[1,[6,8],[0,0,0.5,1.125,1.625],[0,0,1,2,3],3,[255,0,0,255]]",
  ],
  ["docs/ome-zarr.md", "parseOmeZarr", "[parsed.kind, parsed.levels[0].pixelSize]", '["image",[0.5,0.5]]'],
  [
    "docs/ome-zarr-writing.md",
    "writeMultiscale",
    "[group.attrs.ome.multiscales[0].datasets.length, (await wazarr.open(group.resolve('3'))).shape]",
    "[4,[13,15]]",
  ],
  [
    "docs/selections.md",
    "getCoordinates",
    "[data.length, some.shape, land.shape, block.shape]",
    "[3,[3],[20000],[3,100]]",
  ],
  [
    "docs/sharding.md",
    "shards",
    "[array.shards, array.chunks, other.shards.length]",
    "[[1024,1024],[128,128],2]",
  ],
  ["docs/variable-length.md", "await get(array)", "data", '["Aar","Reuss","Limmat"]'],
  ["docs/arrow.md", "toArrowVector", "[...vector]", '["Aar","Reuss","Limmat"]'],
  [
    "docs/arrow.md",
    "arrowStream",
    "[pieces.length, table.numRows, [...table.getChild('station')]]",
    '[3,3,["Säntis","Davos","Chur"]]',
  ],
  [
    "docs/workers.md",
    "WorkerPool",
    "[shape, data.buffer.constructor.name]",
    '[[50,200],"SharedArrayBuffer"]',
  ],
  ["docs/xarray.md", "range(-90", "[...data, ...coords.lon.data]", "[276.5,275,275.5,270,0,90]"],
  [
    "docs/xarray-writing.md",
    "appendDataset",
    "(await wazarr.open(wazarr.root(store).resolve('t2m'))).shape",
    "[2,4]",
  ],
];

const pages = ["README.md", ...readdirSync("docs").map((name) => `docs/${name}`)].filter(
  (name) =>
    // Parts of the examples of maps: test/examples/map-pages.test.ts.
    name.endsWith(".md") && !name.startsWith("docs/maps-"),
);
/** What one program there writes, pages after it read. */
const IN_JAVASCRIPT = "docs/getting-started.md";
/** Programs that need a page, a bucket or a file of another format, which other tests have. */
const ELSEWHERE = ["globalThis.caches", 'openStore("s3://', "openVirtual(", "openTransformation("];
const programs = pages.flatMap((page) => {
  const blocks = page === IN_JAVASCRIPT ? /^```js\n(.*?)^```$/gms : /^```ts\n(.*?)^```$/gms;
  const found = Array.from(readFileSync(page, "utf8").matchAll(blocks), ([, program = ""]) => program);
  return found
    .filter((program) => !ELSEWHERE.some((words) => program.includes(words)))
    .map((program) => ({ page, program }));
});

let server: TestServer;
let example: TestServer;
let folder: string;
beforeAll(async () => {
  // Inside of the package, which there knows itself by its name.
  mkdirSync("build", { recursive: true });
  folder = resolve(mkdtempSync(join("build", "pages-")));
  server = await serve(folder);
  example = await serve("examples/data");
});
afterAll(async () => {
  await Promise.all([server.close(), example.close()]);
  rmSync(folder, { recursive: true });
});

/** What the programs open. */
async function prepare(page: string): Promise<void> {
  const at = (name: string) => new FileSystemStore(join(folder, name));
  if (page === "docs/from-zarrita.md") {
    const dimensionNames = ["time", "latitude", "longitude"];
    const where = root(at("data.zarr"));
    await create(where.resolve("temperature"), {
      codecs: [],
      shape: [2, 30, 4],
      dtype: "float32",
      dimensionNames,
    });
    await consolidateMetadata(where.store);
  }
  if (page === "docs/draft-v3.md") {
    const where = root(at("old.zarr")).resolve("path/of/array");
    await create(where, { codecs: [], zarrFormat: "draft", shape: [4], dtype: "int8", overwrite: true });
  }
  if (page === "docs/geozarr.md") {
    const layout = [
      { asset: "r10m", "spatial:transform": [10, 0, 500000, 0, -10, 5000000] },
      { asset: "r20m", derived_from: "r10m", transform: { scale: [2, 2] } },
    ];
    const scene = root(at("scene.zarr"));
    await create(scene, {
      overwrite: true,
      attributes: { multiscales: { layout }, "proj:code": "EPSG:32633" },
    });
    await create(scene.resolve("r10m/b04"), { shape: [120, 120], dtype: "uint16" });
    await create(scene.resolve("r20m/b04"), { shape: [60, 60], dtype: "uint16" });
  }
  if (page.startsWith("docs/ome-zarr")) {
    const plane = await create(at("plane.zarr"), { shape: [100, 120], dtype: "int16", overwrite: true });
    await set(plane, null, 7);
    const { store }: { store: Record<string, string> } = JSON.parse(
      readFileSync("test/fixtures/ome-zarr/0.5.json", "utf8"),
    );
    for (const [key, text] of Object.entries(store).filter(([key]) => key.startsWith("/image/")))
      await at("cells.zarr").set(
        `/${key.slice("/image/".length)}`,
        new Uint8Array(Buffer.from(text, "base64")),
      );
  }
  if (page === "docs/workers.md") {
    // The program of docs/getting-started.md left another one.
    const array = await create(at("temperature.zarr"), {
      overwrite: true,
      // The pool takes chunks of 8 KiB and more.
      shape: [50, 200],
      dtype: "float32",
      codecs: ["gzip"],
    });
    await set(array, null, 7);
  }
}

test("docs/getting-started.md: the commands, after the program that writes", async () => {
  const text = readFileSync("docs/getting-started.md", "utf8");
  const all = [...text.matchAll(/^npx wazarr (.+?)(?: +#.*)?$/gm)].map(([, command = ""]) => command);
  // That runs until somebody ends it: test/viewer.
  const commands = all.filter((command) => !command.startsWith("serve "));
  const program = programs.find(({ program }) => program.includes("updateAttributes(longer"));
  const cwd = mkdtempSync(join(folder, "commands-"));
  const run = (...args: string[]) => promisify(execFile)(process.execPath, args, { cwd, timeout: 60_000 });
  // As it stands: JavaScript.
  await run("--input-type=module", "-e", program?.program ?? "");
  const outputs: string[] = [];
  for (const command of commands) {
    const words = Array.from(command.matchAll(/"([^"]*)"|\S+/g), ([word, quoted]) => quoted ?? word);
    outputs.push((await run(resolve("dist/cli.js"), ...words)).stdout);
  }
  expect(outputs).toEqual([
    expect.stringContaining("[366, 181, 360] float32"),
    expect.stringContaining("stored           16 of 104 chunks"),
    expect.stringMatching(/time \\ longitude +0 +90 +180 +270/),
    expect.stringMatching(/^copied to copy.zarr: 2 tasks/),
    expect.stringContaining("0 problems"),
  ]);
});

const isIn = ([page, part]: (typeof PROGRAMS)[number], found: (typeof programs)[number]): boolean =>
  found.page === page && found.program.includes(part);

test("every program is tested, and known by what stands in it alone", () => {
  const known = programs.map((found) => PROGRAMS.filter((expected) => isIn(expected, found)).length);
  expect(programs.filter((_, i) => known[i] !== 1)).toEqual([]);
  const found = PROGRAMS.map((expected) => [
    expected[0],
    expected[1],
    programs.filter((each) => isIn(expected, each)).length,
  ]);
  expect(found.filter(([, , count]) => count !== 1)).toEqual([]);
});

test.each(
  PROGRAMS.map((expected) => ({
    expected,
    program: programs.find((found) => isIn(expected, found))?.program ?? "",
  })),
)("$expected.0: $expected.1", async ({ expected: [page, , result, value], program }) => {
  await prepare(page);
  const text = program
    .replaceAll("https://example.com/elevation.zarr", `${example.url}/jacksboro.zarr/elevation`)
    .replaceAll("https://example.com", server.url);
  const seen = `import * as wazarr from "wazarr";\nconsole.log(JSON.stringify(${result}));`;
  const { code } = await transform(`${text}\n${seen}`, { loader: "ts", format: "esm" });
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", code], {
    cwd: folder,
    timeout: 60_000,
  });
  expect(stdout.trimEnd().split("\n").at(-1)).toBe(value);
});
