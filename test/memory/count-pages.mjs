// Reads a large result and counts the pages that the kernel had to map for it: for the scripts that memory.test.ts runs.
import { readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { create, get } from "../../dist/index.js";

export const glibc = process.report.getReport().header.glibcVersionRuntime;

/** Bytes by which glibc's heap can grow: in about one process of a hundred V8 puts its code right behind it, and large results get no room. */
export const heapRoom = glibc === undefined ? undefined : roomBehindHeap();

function roomBehindHeap() {
  const lines = readFileSync("/proc/self/maps", "utf8").split("\n");
  const heap = lines.findIndex((line) => line.endsWith("[heap]"));
  const address = (line, end) => Number.parseInt(line.split(/[- ]/)[end], 16);
  return address(lines[heap + 1], 0) - address(lines[heap], 1);
}

/** An array of so many bytes, all of them fill value. */
export function createFilled(byteLength) {
  return create(new Map(), {
    codecs: [],
    shape: [byteLength],
    chunkShape: [1 << 20],
    dtype: "uint8",
    fillValue: 7,
  });
}

/**
 * A function of its own, which returns nothing that leads to the result: the frame of a loop that waits would hold it.
 * @param held gets the result, if it is to stay
 */
export async function countPages(array, held) {
  globalThis.gc();
  // Another thread frees what was collected.
  await setTimeout(20);
  const before = process.resourceUsage().minorPageFault;
  const { data } = await get(array);
  if (data.at(-1) !== 7) throw new Error("wrong element");
  held?.push(data);
  return process.resourceUsage().minorPageFault - before;
}
