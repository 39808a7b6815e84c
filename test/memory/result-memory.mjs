// Reads results of 64 MiB while others are held, in a process of its own, and says how many pages the kernel had to map, and how much memory
// the process has when everything was let go: see memory.test.ts.
import { setTimeout } from "node:timers/promises";
import { countPages, createFilled, glibc, heapRoom } from "./count-pages.mjs";

const HELD = 3;
/** Longer than src/engine/result-memory.ts keeps memory that nobody asks for. */
const IDLE_MILLISECONDS = 11_000;

const array = await createFilled(64 << 20);
const held = [];
for (let i = 0; i < HELD; i++) await countPages(array, held);
const faults = [];
for (let i = 0; i < 8; i++) faults.push(await countPages(array));
held.length = 0;
await setTimeout(IDLE_MILLISECONDS);
globalThis.gc();
await setTimeout(100);
globalThis.gc();
await setTimeout(100);
console.log(JSON.stringify({ glibc, heapRoom, faults, rss: process.memoryUsage().rss }));
