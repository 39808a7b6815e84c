// Reads a large result again and again, in a process of its own, and says how many pages the kernel had to map each time: see memory.test.ts.
import { setTimeout } from "node:timers/promises";
import { create, get } from "../../dist/index.js";

/** Bytes of the result, and how often it is read. */
const { byteLength, reads } = JSON.parse(process.argv[2]);

const array = await create(new Map(), {
  shape: [byteLength],
  chunkShape: [1 << 20],
  dtype: "uint8",
  fillValue: 7,
});

/** A function of its own: the frame of a loop that waits would hold the result before. */
async function read() {
  globalThis.gc();
  await setTimeout(20);
  const before = process.resourceUsage().minorPageFault;
  const { data } = await get(array);
  if (data[byteLength - 1] !== 7) throw new Error("wrong element");
  return process.resourceUsage().minorPageFault - before;
}

const faults = [];
for (let i = 0; i < reads; i++) faults.push(await read());
console.log(JSON.stringify({ glibc: process.report.getReport().header.glibcVersionRuntime, faults }));
