/**
 * `npm run trace`: the files and functions that run for one read or write, by V8's coverage of the modules of
 * src/, with the budgets that CI holds (test/core/trace.test.ts). With lines and bytes of the functions that
 * run, and those longer than 40 lines, so that nothing is gained by merging files or functions. `npm run
 * trace -- --names` lists the files.
 */
import { readdirSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { Session } from "node:inspector/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";

const LONG = 40;

/**
 * What is measured, each in a thread of its own. The aims are those of issue 51, the limits what holds today:
 * a limit may only fall, until it is the aim.
 */
export const SCENARIOS = [
  { name: "zstd chunk over HTTP, cold", aim: [25, 140], run: (it) => it.http("plain", 0) },
  { name: "zstd chunk over HTTP, warm", aim: [20, 90], run: (it) => it.http("plain", 1) },
  { name: "zstd chunk of a Map, cold", aim: undefined, run: (it) => it.map("plain", 0) },
  { name: "zstd chunk of a Map, warm", aim: [14, 60], run: (it) => it.map("plain", 1) },
  { name: "zstd chunk of files, cold", aim: undefined, run: (it) => it.files("plain", 0) },
  { name: "inner chunk over HTTP, cold", aim: [30, 180], run: (it) => it.http("shards", 0) },
  { name: "inner chunk over HTTP, warm", aim: undefined, run: (it) => it.http("shards", 1) },
  { name: "partial set in files, cold", aim: [35, 180], run: (it) => it.set("plain") },
];

const ROWS = 256;
/** Of one chunk of the array, and of another one or of another inner chunk. */
const BOXES = [
  [10, 20, 10, 40],
  [70, 80, 70, 80],
];

/** Runs all scenarios. @returns {Promise<readonly Row[]>} */
export async function trace() {
  const folder = await mkdtemp(join(tmpdir(), "wazarr-trace-"));
  try {
    await buildModules(folder);
    await inThread({ folder });
    const rows = [];
    for (const { name, aim } of SCENARIOS) rows.push({ ...(await inThread({ folder, name })), name, aim });
    return rows;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** One module for each file of src/. */
async function buildModules(folder) {
  const { build } = await import("esbuild");
  const files = readdirSync("src", { recursive: true, encoding: "utf8" });
  await build({
    entryPoints: files.filter((file) => /(?<!\.d)\.ts$/.test(file)).map((file) => join("src", file)),
    format: "esm",
    target: "node20",
    outbase: "src",
    outdir: join(folder, "src"),
    logLevel: "error",
  });
  await symlink(resolve("node_modules"), join(folder, "node_modules"));
  await writeFile(join(folder, "package.json"), '{"type":"module"}');
}

function inThread(workerData) {
  return new Promise((done, fail) => {
    const worker = new Worker(fileURLToPath(import.meta.url), { workerData });
    worker.on("message", done);
    worker.on("error", fail);
  });
}

async function library(folder) {
  const files = readdirSync(join(folder, "src"), { recursive: true, encoding: "utf8" });
  const fileStore = files.find((file) => file.endsWith("file-system.js"));
  const load = (file) => import(pathToFileURL(join(folder, "src", file)).href);
  const { FileSystemStore } = await load(fileStore);
  return { ...(await load("index.js")), FileSystemStore };
}

async function writeArrays(folder) {
  const { FileSystemStore, create, root, set } = await library(folder);
  await mkdir(join(folder, "data"));
  const data = new Float32Array(ROWS * ROWS).map((_, i) => Math.sin(i / 100));
  const bytes = { name: "bytes", configuration: { endian: "little" } };
  const codecs = [bytes, { name: "zstd", configuration: { level: 3, checksum: false } }];
  const index = [bytes, { name: "crc32c" }];
  const configuration = { chunk_shape: [32, 32], codecs, index_codecs: index, index_location: "end" };
  const sharded = [{ name: "sharding_indexed", configuration }];
  const at = root(new FileSystemStore(join(folder, "data")));
  for (const [name, list] of Object.entries({ plain: codecs, shards: sharded })) {
    const shape = [ROWS, ROWS];
    const array = await create(at.resolve(name), {
      ...{ shape, chunkShape: [128, 128], dtype: "float32", codecs: list },
    });
    await set(array, null, { data, shape });
  }
}

/** Opens an array, reads from it `before` times, and measures the next read. */
async function scenario(folder) {
  const { FileSystemStore, HttpStore, get, open, root, set, slice } = await library(folder);
  const box = (i) => [slice(BOXES[i][0], BOXES[i][1]), slice(BOXES[i][2], BOXES[i][3])];
  const read = async (store, name, before) => {
    const array = await open(root(store).resolve(name), { kind: "array" });
    for (let i = 0; i < before; i++) await get(array, box(i));
    return measure(folder, () => get(array, box(before)));
  };
  const files = () => new FileSystemStore(join(folder, "data"));
  return {
    files: (name, before) => read(files(), name, before),
    http: async (name, before) => read(new HttpStore(await serve(join(folder, "data"))), name, before),
    async map(name, before) {
      const data = join(folder, "data");
      const keys = readdirSync(data, { recursive: true, withFileTypes: true }).filter((it) => it.isFile());
      const map = new Map(
        keys.map(({ parentPath, name: file }) => {
          const path = join(parentPath, file);
          return [path.slice(data.length), new Uint8Array(readFileSync(path))];
        }),
      );
      return read(map, name, before);
    },
    async set(name) {
      const array = await open(root(files()).resolve(name), { kind: "array" });
      return measure(folder, () => set(array, box(0), 3));
    },
  };
}

/** A server that knows ranges and versions. */
function serve(folder) {
  const server = createServer(({ url, headers: { range = "" } }, response) => {
    let bytes;
    try {
      bytes = readFileSync(join(folder, decodeURI(url)));
    } catch {
      response.writeHead(404).end();
      return;
    }
    const headers = { etag: `"${bytes.length}"`, "accept-ranges": "bytes" };
    const [, from, to] = /bytes=(\d*)-(\d*)/.exec(range) ?? [];
    if (from === undefined) {
      response.writeHead(200, { ...headers, "content-length": bytes.length }).end(bytes);
      return;
    }
    const first = from === "" ? bytes.length - Number(to) : Number(from);
    const last = from === "" || to === "" ? bytes.length - 1 : Math.min(Number(to), bytes.length - 1);
    const part = bytes.subarray(first, last + 1);
    const place = `bytes ${first}-${last}/${bytes.length}`;
    response.writeHead(206, { ...headers, "content-range": place, "content-length": part.length }).end(part);
  });
  return new Promise((done) => {
    server.listen(0, "127.0.0.1", () => done(`http://127.0.0.1:${server.address().port}`));
    server.unref();
  });
}

/** The functions of src/ that `run` calls. */
async function measure(folder, run) {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  await session.post("Profiler.takePreciseCoverage");
  await run();
  const { result } = await session.post("Profiler.takePreciseCoverage");
  const prefix = `${pathToFileURL(join(folder, "src")).href}/`;
  const found = { files: [], functions: 0, lines: 0, bytes: 0, long: [] };
  for (const { url, functions } of result) {
    if (!url.startsWith(prefix) || url.includes(".generated.")) continue;
    const file = url.slice(prefix.length);
    const text = readFileSync(fileURLToPath(url), "utf8");
    // The first is the module, which is not called but loaded.
    const ran = functions.filter(({ functionName, ranges: [whole] }) => {
      return whole.count > 0 && (functionName !== "" || whole.startOffset > 0);
    });
    if (ran.length > 0) found.files.push(`${file} (${ran.length}): ${ran.map(({functionName:f,ranges:[r]})=>(f||"anon@"+text.slice(0,r.startOffset).split("\n").length)+(r.count>1?"×"+r.count:"")).join(", ")}`);
    for (const { functionName, ranges } of ran) {
      const [{ startOffset, endOffset }] = ranges;
      const lines = text.slice(startOffset, endOffset).split("\n").length;
      found.functions++;
      found.lines += lines;
      found.bytes += endOffset - startOffset;
      if (lines > LONG && !functionName.startsWith("<"))
        found.long.push(`${file}: ${functionName} (${lines} lines)`);
    }
  }
  return found;
}

function print(rows) {
  const cells = rows.map(({ name, files, functions, lines, bytes, aim }) => [
    ...[name, files.length, functions, lines, bytes],
    aim === undefined ? "-" : `${aim[0]} / ${aim[1]}`,
  ]);
  for (const row of [["", "files", "functions", "lines", "bytes", "aim"], ...cells])
    console.log(
      row.map((cell, i) => (i === 0 ? String(cell).padEnd(30) : String(cell).padStart(11))).join(""),
    );
  const long = new Set(rows.flatMap((row) => row.long));
  if (long.size > 0) console.log(`\nLonger than ${LONG} lines:\n  ${[...long].sort().join("\n  ")}`);
  if (process.argv.includes("--names"))
    for (const { name, files } of rows) console.log(`\n${name}:\n  ${files.join("\n  ")}`);
}

if (!isMainThread && workerData?.folder !== undefined) {
  const { folder, name } = workerData;
  const scenarioOf = SCENARIOS.find((each) => each.name === name);
  if (scenarioOf === undefined) await writeArrays(folder);
  parentPort.postMessage(scenarioOf && (await scenarioOf.run(await scenario(folder))));
} else if (isMainThread && process.argv[1] === fileURLToPath(import.meta.url)) {
  print(await trace());
}
