// Reads small selections again and again, in a process of its own, and says how memory went: see
// memory.test.ts and memory.nightly.test.ts.
import { create, get, set, slice } from "../../dist/index.js";
import { WorkerPool } from "../../dist/workers/pool.js";

const { reads, codecs, shard, workers } = JSON.parse(process.argv[2]);
const MEBIBYTE = 2 ** 20;
const SIDE = 256;
const array = await create(new Map(), {
  shape: [SIDE, SIDE],
  chunkShape: [128, 128],
  dtype: "float32",
  codecs,
  ...(shard && { shards: [SIDE, SIDE] }),
});
await set(array, null, {
  data: Float32Array.from({ length: SIDE * SIDE }, (_, i) => i % 4099),
  shape: [SIDE, SIDE],
});
const pool = workers > 0 ? new WorkerPool({ size: workers }) : undefined;
const { kernels } = await array.prepare();
const wasmBytes = () => {
  kernels.begin(16);
  return kernels.allocate(16).buffer.byteLength;
};
const samples = [];
let sum = 0;
for (let i = 0; i < reads; i++) {
  const from = (i * 37) % 200;
  const { data } = await get(array, [slice(from, from + 40), null], { workers: pool });
  sum += data[0] - ((from * SIDE) % 4099);
  if ((i + 1) % (reads / 5) !== 0) continue;
  for (let turn = 0; turn < 3; turn++) {
    globalThis.gc();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  const { rss, arrayBuffers, heapUsed } = process.memoryUsage();
  samples.push({ rss: rss / MEBIBYTE, arrayBuffers, heapUsed, wasm: wasmBytes() });
}
console.log(JSON.stringify({ wrong: sum, samples }));
