/** Tiles of several chunks, some of which are damaged: the others are drawn, and the hole is told. */
import { describe, expect, test } from "vitest";
import { create, MemoryStore, root, set } from "../../src/index.js";
import { levelsInPixels, TileSource } from "../../src/tiles/index.js";

const SIDE = 100;
const ALL = { bounds: [0, 0, SIDE, SIDE], resolution: 1 } as const;
const elements = Uint16Array.from({ length: SIDE * SIDE }, (_, i) => i + 1);

/** [100, 100] in chunks (inner chunks of shards) of [30, 40]: 4 x 3 of them, in one tile. */
async function arrayOf(store: MemoryStore, more: object = {}) {
  const layout = { shape: [SIDE, SIDE], dtype: "uint16", chunkShape: [30, 40], codecs: ["gzip"] } as const;
  const array = await create(root(store), { ...layout, ...more });
  await set(array, null, { data: elements, shape: [SIDE, SIDE] });
  return array;
}

async function damage(store: MemoryStore, key: `/${string}`): Promise<() => Promise<void>> {
  const whole = (await store.get(key)) ?? new Uint8Array();
  await store.set(key, whole.subarray(0, whole.length >> 1));
  return async () => {
    await store.set(key, whole);
  };
}

const isIn = (row: number, column: number): boolean => row >= 30 && row < 60 && column >= 40 && column < 80;

describe("one damaged chunk of twelve", () => {
  test.each([
    ["float32", undefined, Number.NaN],
    ["float32", -1, -1],
    ["uint16", undefined, 0],
    ["float16", undefined, 0x7e00],
  ] as const)("is a hole of a tile of %s, missing as %s", async (as, missingAs, value) => {
    const store = new MemoryStore();
    const array = await arrayOf(store);
    await damage(store, "/c/1/1");
    const source = new TileSource(levelsInPixels([array]), { as, missingAs });
    source.show(ALL);
    const { tiles, failures, isComplete } = await source.complete();
    expect(isComplete).toBe(true);
    const error = { tag: "CodecError", key: "/c/1/1" };
    expect(failures).toMatchObject([error]);
    const [tile, ...others] = tiles;
    expect(others).toEqual([]);
    expect(tile?.holes).toMatchObject([{ rows: [30, 60], columns: [40, 80], error }]);
    if (as === "float16") return expect(tile?.data[30 * SIDE + 40]).toBe(value);
    const right = Array.from(elements, (element, i) =>
      isIn(Math.floor(i / SIDE), i % SIDE) ? value : element,
    );
    expect(Array.from(tile?.data ?? [])).toEqual(right);
  });

  test("is where nothing is read, if a tile has no other chunk", async () => {
    const store = new MemoryStore();
    const shape = [2, 30, 40];
    const array = await create(store, { shape, chunkShape: [1, 30, 40], dtype: "uint16", codecs: ["gzip"] });
    await set(array, null, 7);
    await damage(store, "/c/1/0/0");
    const source = new TileSource(levelsInPixels([array]), { as: "uint16", dimensions: ["t", "y", "x"] });
    source.show({ bounds: [0, 0, 40, 30], resolution: 1, selectors: { t: 0 } });
    expect((await source.complete()).unread).toEqual([]);
    source.show({ selectors: { t: 1 } });
    await expect(source.complete()).rejects.toMatchObject({ key: "/c/1/0/0" });
    const { unread, step } = source.picture();
    // What was drawn stays below the mark.
    expect(step).toEqual({ t: 0 });
    expect(unread).toMatchObject([
      { level: 0, rows: [0, 30], columns: [0, 40], bounds: [0, 0, 40, 30], error: { key: "/c/1/0/0" } },
    ]);
  });

  test("is read again by retry", async () => {
    const store = new MemoryStore();
    const array = await arrayOf(store);
    const mend = await damage(store, "/c/3/0");
    const source = new TileSource(levelsInPixels([array]), { as: "uint16" });
    source.show(ALL);
    await source.complete();
    await mend();
    source.retry();
    const { tiles, failures } = await source.complete();
    expect(failures).toEqual([]);
    expect(tiles[0]?.holes).toEqual([]);
    expect(tiles[0]?.data).toEqual(elements);
  });

  test("in an array that counts columns first", async () => {
    const store = new MemoryStore();
    const array = await arrayOf(store);
    await damage(store, "/c/1/1");
    const source = new TileSource(levelsInPixels([array], { yAxis: 1, xAxis: 0 }), { as: "uint16" });
    source.show(ALL);
    const [tile] = (await source.complete()).tiles;
    expect(tile?.holes).toMatchObject([{ rows: [40, 80], columns: [30, 60] }]);
    const right = Array.from(elements, (_, i) => {
      const [row, column] = [Math.floor(i / SIDE), i % SIDE];
      return isIn(column, row) ? 0 : elements[column * SIDE + row];
    });
    expect(Array.from(tile?.data ?? [])).toEqual(right);
  });
});

test("several damaged chunks, and inner chunks of a shard", async () => {
  const store = new MemoryStore();
  const array = await arrayOf(store, { chunkShape: [25, 25], shards: [50, 50] });
  // The index at the end stays whole.
  const shard = (await store.get("/c/1/1")) ?? new Uint8Array();
  await store.set("/c/1/1", shard.slice().fill(0, 0, 20));
  await damage(store, "/c/0/0");
  const source = new TileSource(levelsInPixels([array]), { as: "uint16" });
  source.show(ALL);
  const [tile] = (await source.complete()).tiles;
  const cells = tile?.holes.map(({ rows, columns }) => `${rows} ${columns}`).sort();
  expect(cells).toEqual(["0,25 0,25", "0,25 25,50", "25,50 0,25", "25,50 25,50", "50,75 50,75"]);
  const right = Array.from(elements, (element, i) => {
    const [row, column] = [Math.floor(i / SIDE), i % SIDE];
    const isFirst = row < 50 && column < 50;
    return isFirst || (row >= 50 && row < 75 && column >= 50 && column < 75) ? 0 : element;
  });
  expect(Array.from(tile?.data ?? [])).toEqual(right);
});

test("a tile of which nothing can be read has failed, as before", async () => {
  const store = new MemoryStore();
  const array = await arrayOf(store, { chunkShape: [SIDE, SIDE] });
  await damage(store, "/c/0/0");
  const source = new TileSource(levelsInPixels([array]), { as: "uint16" });
  source.show(ALL);
  await expect(source.complete()).rejects.toMatchObject({ tag: "CodecError" });
  expect(source.picture()).toMatchObject({ tiles: [], failures: [{ tag: "CodecError" }] });
});

test("reads about twice the logarithm of the number of chunks, and ends where all are damaged", async () => {
  const store = new MemoryStore();
  const array = await arrayOf(store, { chunkShape: [4, 4] });
  await damage(store, "/c/13/7");
  let reads = 0;
  const { get } = store;
  store.get = (key) => {
    if (key.startsWith("/c/")) reads++;
    return get.call(store, key);
  };
  const source = new TileSource(levelsInPixels([array]), { as: "uint16" });
  source.show(ALL);
  expect((await source.complete()).tiles[0]?.holes).toMatchObject([{ rows: [52, 56], columns: [28, 32] }]);
  expect(reads).toBeLessThan(4 * 625);
  for (let row = 0; row < 25; row++)
    for (let column = 0; column < 25; column++)
      if (row + column > 0) await damage(store, `/c/${row}/${column}`);
  const all = new TileSource(levelsInPixels([array]), { as: "uint16" });
  all.show(ALL);
  const [tile] = (await all.complete()).tiles;
  expect(tile?.holes.length).toBeLessThan(100);
  const holes = tile?.holes.reduce(
    (sum, { rows, columns }) => sum + (rows[1] - rows[0]) * (columns[1] - columns[0]),
    0,
  );
  expect(holes).toBe(SIDE * SIDE - 16);
});
