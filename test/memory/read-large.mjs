// Reads a large array whose chunks are all the same, in a process of its own, and says how much memory that
// took: see memory.test.ts and memory.nightly.test.ts.
import { fork } from "node:child_process";
import { once } from "node:events";
import fs, { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { create, get, open, set } from "../../dist/index.js";
import { FileSystemStore } from "../../dist/stores/file-system.js";
import { HttpStore } from "../../dist/stores/http.js";
import { WorkerPool } from "../../dist/workers/pool.js";

/**
 * Elements (float32) of a chunk, of a shard if there is one, bytes of the array; workers, if any; and where
 * the array stands: in "files", in "slow files", behind "http", or with a store that answers with memory of
 * its own each time, "now" or "later", with whole values or "parts later".
 */
const { codecs, chunk, shard, size, workers, store: kind } = JSON.parse(process.argv[2]);
const side = shard ?? chunk;
const element = (i) => Math.imul((i % side) + 1, 0x9e3779b1) >>> 8;
/** Where the array stands behind a URL. */
let server;
const folder = mkdtempSync(join(tmpdir(), "wazarr-gibibyte-"));

/** By the clock, opening a file takes 50 ms. Nothing else may: turns of the event loop are timed, too. */
function slowOpening() {
  const { openSync } = fs;
  const now = performance.now.bind(performance);
  let late = 0;
  performance.now = () => now() + late;
  fs.openSync = (...given) => {
    late += 50;
    return openSync(...given);
  };
  syncBuiltinESMExports();
}

/** All chunks (or shards) are one value, so that the store takes neither disk nor memory. */
async function makeStore() {
  const values = new Map();
  const options = { chunkShape: [chunk], codecs, dtype: "float32", ...(shard && { shards: [shard] }) };
  const array = await create(values, { codecs: [], ...options, shape: [side] });
  await set(array, null, { data: Float32Array.from({ length: side }, (_, i) => element(i)), shape: [side] });
  const bytes = values.get("/c/0");
  const whole = new Map();
  await create(whole, { codecs: [], ...options, shape: [size / 4] });
  const document = whole.get("/zarr.json");
  if (kind.endsWith("files")) {
    if (kind === "slow files") slowOpening();
    mkdirSync(join(folder, "c"));
    writeFileSync(join(folder, "zarr.json"), document);
    writeFileSync(join(folder, "value"), bytes);
    for (let i = 0; i < size / 4 / side; i++) symlinkSync("../value", join(folder, "c", String(i)));
    return new FileSystemStore(folder);
  }
  if (kind === "http") {
    server = fork(new URL("one-value-server.mjs", import.meta.url), { serialization: "advanced" });
    server.send({ document, value: bytes });
    const [port] = await once(server, "message");
    return new HttpStore(`http://127.0.0.1:${port}`);
  }
  const answer = (key) =>
    key.startsWith("/c/") ? bytes.slice() : key === "/zarr.json" ? document : undefined;
  if (kind === "now") return { get: answer };
  const wait = () => new Promise((resolve) => setTimeout(resolve, 1));
  const get = async (key) => {
    await wait();
    return answer(key);
  };
  const getRange = async (_, { offset, length, suffixLength }) => {
    await wait();
    return suffixLength ? bytes.slice(-suffixLength) : bytes.slice(offset, offset + length);
  };
  return kind.startsWith("parts") ? { get, getRange } : { get };
}

const array = await open(await makeStore(), { kind: "array" });
for (let i = 0; i < 3; i++) globalThis.gc();
const before = process.memoryUsage().rss;
const pool = workers > 0 ? new WorkerPool({ size: workers }) : undefined;
const began = performance.now();
const { data } = await get(array, null, { workers: pool, shared: pool !== undefined });
const milliseconds = performance.now() - began;
const beyond = process.resourceUsage().maxRSS * 1024 - before - size;
for (const i of [0, 5, chunk, side + 1, size / 4 - 1])
  if (data[i] !== element(i)) throw new Error(`wrong element ${i}`);
console.log(JSON.stringify({ elements: data.length, beyond, running: pool?.running ?? 0, milliseconds }));
server?.disconnect();
rmSync(folder, { recursive: true });
