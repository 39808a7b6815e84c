// Reads results of 64 MiB while others are held, in a process of its own, and says how many pages the kernel had to map, and how much memory
// the process has when everything was let go: see memory.test.ts.
import { setTimeout } from "node:timers/promises";
import { create, get } from "../../dist/index.js";

const BYTES = 64 << 20;
const HELD = 3;
/** Longer than src/engine/result-memory.ts keeps memory that nobody asks for. */
const IDLE_MILLISECONDS = 11_000;

const array = await create(new Map(), {
  shape: [BYTES],
  chunkShape: [1 << 20],
  dtype: "uint8",
  fillValue: 7,
});

async function read() {
  globalThis.gc();
  // Another thread frees what was collected.
  await setTimeout(20);
  const before = process.resourceUsage().minorPageFault;
  const { data } = await get(array);
  if (data[BYTES - 1] !== 7) throw new Error("wrong element");
  return { data, faults: process.resourceUsage().minorPageFault - before };
}

const held = [];
for (let i = 0; i < HELD; i++) held.push((await read()).data);
const faults = [];
for (let i = 0; i < 8; i++) faults.push((await read()).faults);
held.length = 0;
await setTimeout(IDLE_MILLISECONDS);
globalThis.gc();
await setTimeout(100);
globalThis.gc();
await setTimeout(100);
console.log(
  JSON.stringify({
    glibc: process.report.getReport().header.glibcVersionRuntime,
    faults,
    rss: process.memoryUsage().rss,
  }),
);
