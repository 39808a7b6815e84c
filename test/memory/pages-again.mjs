// Reads a large result again and again, in a process of its own, and says how many pages the kernel had to map each time: see memory.test.ts.
import { countPages, createFilled, glibc, heapRoom } from "./count-pages.mjs";

/** Bytes of the result, and how often it is read. */
const { byteLength, reads } = JSON.parse(process.argv[2]);

const array = await createFilled(byteLength);
const faults = [];
for (let i = 0; i < reads; i++) faults.push(await countPages(array));
console.log(JSON.stringify({ glibc, heapRoom, faults }));
