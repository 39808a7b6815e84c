// Reads a large result and counts the pages that the kernel had to map for it: for the scripts that memory.test.ts runs.
import { setTimeout } from "node:timers/promises";
import { create, get } from "../../dist/index.js";

export const glibc = process.report.getReport().header.glibcVersionRuntime;

/** An array of so many bytes, all of them fill value. */
export function createFilled(byteLength) {
  return create(new Map(), { shape: [byteLength], chunkShape: [1 << 20], dtype: "uint8", fillValue: 7 });
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
