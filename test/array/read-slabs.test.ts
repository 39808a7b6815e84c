import { expect, test } from "vitest";
import { create, get, read, type Selection, set, slice } from "../../src/index.js";
import { SlowStore } from "../setup/stores.js";

async function counting(shape: number[], chunkShape: number[], store: SlowStore) {
  const array = await create(store, { shape, chunkShape, dtype: "int32" });
  const length = shape.reduce((product, extent) => product * extent, 1);
  await set(array, null, { data: Int32Array.from({ length }, (_, i) => i), shape });
  return array;
}

test.each<{ selection: Selection }>([
  { selection: null },
  { selection: [slice(3, 47), null] },
  { selection: [slice(null, null, -1), slice(null, null, 2)] },
  { selection: [slice(40, 2, -3), 5] },
  { selection: [7, null] },
  { selection: [slice(5, 5), null] },
])("slabs are the selection in pieces: $selection", async ({ selection }) => {
  const array = await counting([50, 12], [7, 5], new SlowStore());
  const whole = await get(array, selection);
  const values: number[] = [];
  let next = 0;
  for await (const { data, shape, start } of read(array, selection, { maximumBytes: 12 * 4 * 15 })) {
    expect(start).toBe(next);
    expect(data.length).toBe(shape.reduce((product, extent) => product * extent, 1));
    expect(data.byteLength).toBeLessThanOrEqual(12 * 4 * 15);
    next += shape[0] ?? 0;
    values.push(...data);
  }
  expect(values).toEqual([...whole.data]);
});

test("one slab is read ahead and no more, and leaving stops", async () => {
  const store = new SlowStore();
  const array = await counting([100, 4], [10, 4], store);
  store.reset();
  for await (const { start } of read(array, null, { maximumBytes: 160 })) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(store.requests.length).toBe(start / 10 + 2);
    if (start === 30) break;
  }
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(store.requests.length).toBe(5);
});

test("progress counts chunks and bytes", async () => {
  const array = await counting([20, 20], [5, 20], new SlowStore());
  const steps: { chunksDone: number; chunksTotal: number; bytes: number }[] = [];
  await get(array, null, { onProgress: (progress) => steps.push(progress) });
  expect(steps.at(-1)).toEqual({ chunksDone: 4, chunksTotal: 4, bytes: 1600 });
  await set(array, null, 1, { onProgress: (progress) => steps.push(progress) });
  expect(steps.at(-1)).toEqual({ chunksDone: 4, chunksTotal: 4, bytes: 1600 });
});

test("a signal given as zarrita has it ends it, too", async () => {
  const array = await counting([20, 20], [5, 20], new SlowStore());
  const signal = AbortSignal.abort(new Error("enough"));
  await expect(read(array, null, { opts: { signal } }).next()).rejects.toThrow("enough");
});

test("with `reuse`, all slabs of one length stand in the same two pieces of memory", async () => {
  const store = new Map();
  const array = await create(store, { shape: [70, 3], chunkShape: [10, 3], dtype: "int32", fillValue: -1 });
  await set(
    array,
    [slice(10, 60), null],
    Int32Array.from({ length: 150 }, (_, i) => i),
  );
  const { data: whole } = await get(array);
  for (const selection of [null, [slice(null, null, -1), null], [slice(3, 68, 2), 1]]) {
    const { data: expected } = await get(array, selection);
    const buffers = new Set<ArrayBufferLike>();
    const seen: number[] = [];
    for await (const { data, start } of read(array, selection, { maximumBytes: 120, reuse: true })) {
      expect(start).toBe(seen.length / (selection?.[1] === 1 ? 1 : 3));
      if (data.length === 30) buffers.add(data.buffer);
      seen.push(...data);
    }
    expect(seen).toEqual([...expected]);
    if (selection === null) expect([buffers.size, seen.length]).toEqual([2, whole.length]);
  }
});
