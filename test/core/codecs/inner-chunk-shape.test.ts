/** What an array says of its inner chunks before any codec is loaded is what its codecs do. */
import { expect, test } from "vitest";
import { create, get, open, set } from "../../../src/index.js";
import { LITTLE } from "../../setup/codecs.js";

const transposed = (order: number[] | string) => ({ name: "transpose", configuration: { order } });
const sharding = (chunkShape: number[]) => ({
  name: "sharding_indexed",
  configuration: { chunk_shape: chunkShape, codecs: [LITTLE], index_codecs: [LITTLE] },
});

test.each([
  [[sharding([2, 3, 4])], [2, 3, 4]],
  [
    [transposed([2, 0, 1]), sharding([4, 2, 3])],
    [2, 3, 4],
  ],
  [
    [transposed("C"), sharding([2, 3, 4])],
    [2, 3, 4],
  ],
  [
    [transposed("F"), sharding([4, 3, 2])],
    [2, 3, 4],
  ],
  [
    [transposed([2, 0, 1]), transposed("F"), sharding([3, 2, 4])],
    [2, 3, 4],
  ],
])("%j", async (codecs, chunks) => {
  const store = new Map<string, Uint8Array>();
  const made = await create(store, { shape: [4, 6, 8], chunkShape: [4, 6, 8], dtype: "uint16", codecs });
  const data = Uint16Array.from({ length: 4 * 6 * 8 }, (_, i) => i);
  await set(made, null, data);
  const array = await open(store, { kind: "array" });
  expect(array.chunks).toEqual(chunks);
  expect(array.shards).toEqual([4, 6, 8]);
  expect((await get(array)).data).toEqual(data);
  // Of an inner chunk by itself as many elements.
  const { inner } = (await array.prepare()).pipeline.sharding ?? {};
  expect(inner?.byteLength).toBe(2 * 24);
});
