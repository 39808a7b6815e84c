// Reads a large array that a store makes up, in a process of its own, and says how much memory that took: see read.test.ts.
import { create, get, open, set } from "../../dist/index.js";
import { WorkerPool } from "../../dist/workers/pool.js";

/** Elements (float32) of a chunk, of a shard if there is one, bytes of the array; workers, if any; whether the store answers later. */
const { codecs, chunk, shard, size, workers, later } = JSON.parse(process.argv[2]);
const side = shard ?? chunk;
const element = (i) => Math.imul((i % side) + 1, 0x9e3779b1) >>> 8;

/**
 * Every chunk (or shard) has the same bytes, so that the store takes neither disk nor memory. It hands out copies, as a network
 * does, and has those collected that nobody holds any more: what is measured is what reading holds, not when the engine cleans up.
 */
async function makeStore() {
  const values = new Map();
  const options = { chunkShape: [chunk], codecs, dtype: "float32", ...(shard && { shards: [shard] }) };
  const array = await create(values, { ...options, shape: [side] });
  await set(array, null, { data: Float32Array.from({ length: side }, (_, i) => element(i)), shape: [side] });
  const bytes = values.get("/c/0");
  const whole = new Map();
  await create(whole, { ...options, shape: [size / 4] });
  const document = whole.get("/zarr.json");
  let sinceCollected = 0;
  const answer = (key) => {
    if (!key.startsWith("/c/")) return key === "/zarr.json" ? document : undefined;
    sinceCollected += bytes.length;
    if (sinceCollected > 8 << 20) {
      globalThis.gc();
      sinceCollected = 0;
    }
    return bytes.slice();
  };
  const get = async (key) => {
    await new Promise((resolve) => setTimeout(resolve, 1));
    return answer(key);
  };
  return { get: later ? get : answer };
}

const array = await open(await makeStore(), { kind: "array" });
for (let i = 0; i < 3; i++) globalThis.gc();
const before = process.memoryUsage().rss;
const pool = workers > 0 ? new WorkerPool({ size: workers }) : undefined;
const { data } = await get(array, null, { workers: pool, shared: pool !== undefined });
const beyond = process.resourceUsage().maxRSS * 1024 - before - size;
for (const i of [0, 5, chunk, side + 1, size / 4 - 1])
  if (data[i] !== element(i)) throw new Error(`wrong element ${i}`);
console.log(JSON.stringify({ elements: data.length, beyond, running: pool?.running ?? 0 }));
