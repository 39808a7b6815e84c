// How much faster two cores are than one: `npm run build && node examples/workers.mjs`.
import { create, get, set } from "wazarr";
import { WorkerPool } from "wazarr/workers";

const shape = [256, 256, 256];
const store = new Map();
const array = await create(store, { shape, chunkShape: [64, 64, 64], dtype: "float32", codecs: ["zstd"] });
const data = Float32Array.from(
  { length: 256 ** 3 },
  (_, i) => Math.sin(i / 1e4) * 100 + ((i * 7919) % 256) / 256,
);

const pool = new WorkerPool({ size: 2 });
const time = async (what, action) => {
  const best = [];
  for (let round = 0; round < 5; round++) {
    const began = performance.now();
    await action();
    best.push(performance.now() - began);
  }
  console.log(what.padEnd(36), `${Math.min(...best).toFixed(0)} ms`);
};

await time("write, one core", () => set(array, null, { data, shape }));
await time("write, two workers", () => set(array, null, { data, shape }, { workers: pool }));
await time("read, one core", () => get(array));
await time("read, two workers", () => get(array, null, { workers: pool }));
await time("read, two workers, shared memory", () => get(array, null, { workers: pool, shared: true }));

const { data: shared } = await get(array, null, { workers: pool, shared: true });
if (shared.some((value, i) => value !== data[i])) throw new Error("expected what was written");
await pool.close();
