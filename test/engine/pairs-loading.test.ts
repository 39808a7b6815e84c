/**
 * What decodes two chunks at once is downloaded and compiled for chunks that it is used for, and no others.
 */
import { expect, test } from "vitest";
import { create, get, set } from "../../src/index.js";
import { compiledModules } from "../../src/kernels/load.js";

const MEBIBYTE = 2 ** 20;

/** Reads two chunks of so many bytes, and says which modules this thread has then. */
async function modulesAfter(byteLength: number, codec: string): Promise<string[]> {
  const array = await create(new Map<string, Uint8Array>(), {
    shape: [2 * byteLength],
    chunkShape: [byteLength],
    dtype: "uint8",
    codecs: [codec],
  });
  await set(array, null, 3);
  const { data } = await get(array);
  expect(data.every((element) => element === 3)).toBe(true);
  return ((await compiledModules()) ?? []).map(([name]) => name);
}

// In this order: what is compiled once stays.
test.each(["gzip", "numcodecs.zlib"])("%s: not for chunks above 4 MiB", async (codec) => {
  const modules = await modulesAfter(4 * MEBIBYTE + 1, codec);
  expect(modules).toContain("inflate");
  expect(modules).not.toContain("inflate-pair");
});

test("gzip: for chunks of 4 MiB", async () => {
  expect(await modulesAfter(4 * MEBIBYTE, "gzip")).toContain("inflate-pair");
});
