/** Tiles of views: their order, aborts, levels and steps, over stores that answer when they are told. */
import { expect, test } from "vitest";
import { Grid } from "../../src/formats/geozarr.js";
import { create, set } from "../../src/index.js";
import {
  levelsInPixels,
  type Tile,
  type TileLevel,
  type TilePicture,
  TileSource,
  type TileView,
} from "../../src/tiles/index.js";
import type { HeldStore } from "../setup/stores.js";
import { elementOf, nameOf, pyramid, SIDE, STEPS, until } from "./pyramid.js";

/** Tiles of level 1 are 512 units wide. */
const WHOLE: TileView = { bounds: [0, 0, 2048, 2048], resolution: 2 };

/** @param count of levels, from the finest on */
async function sourceOf(
  options: Partial<ConstructorParameters<typeof TileSource<"float32">>[1]> = {},
  count = 3,
) {
  const { stores, levels } = await pyramid();
  const changes = { count: 0 };
  const source = new TileSource(levels.slice(0, count), {
    as: "float32",
    onChange: () => changes.count++,
    ...options,
  });
  const asked = () => stores.flatMap((store, level) => store.requests.map((key) => `${level}${key}`));
  return { source, stores, asked, changes };
}

const answerAll = (stores: readonly HeldStore[]) => {
  for (const store of stores) store.answer();
};

async function untilComplete(source: TileSource<"float32">, stores: readonly HeldStore[]): Promise<void> {
  await until(() => {
    answerAll(stores);
    return source.picture().isComplete;
  });
}

/** Each tile has the elements of its step, level and place. One assertion: there are many tiles. */
function checkValues({ tiles }: TilePicture<"float32">): void {
  const wrong = tiles.filter(({ data, level, rows, columns, key }) => {
    const expected = elementOf(Number(key.split("@")[1]), level, rows[0] / SIDE, columns[0] / SIDE);
    return data[0] !== expected || data.at(-1) !== expected;
  });
  if (wrong.length > 0) throw new Error(`wrong elements in ${wrong.map(({ key }) => key)}`);
}

test("what covers a view comes before its tiles, if nothing else is there", async () => {
  const { source, stores, asked, changes } = await sourceOf();
  source.show(WHOLE);
  await until(() => asked().length === 16);
  const cover = ["2/c/0/0/0", "2/c/0/0/1", "2/c/0/1/0", "2/c/0/1/1"];
  expect(asked().slice(-4).sort()).toEqual(cover);
  stores[2]?.answer();
  await until(() => source.picture().tiles.length === 4);
  expect(source.picture().tiles.map(({ level }) => level)).toEqual([2, 2, 2, 2]);
  expect(changes.count).toBe(4);
  expect(source.progress).toEqual({ settled: 0, total: 16 });
  await untilComplete(source, stores);
  expect(source.picture().tiles.map(({ level }) => level)).toEqual(Array.from({ length: 16 }, () => 1));
  // The next step waits behind the one that is drawn.
  source.show({ selectors: { time: 1 } });
  await untilComplete(source, stores);
  expect(
    asked()
      .filter((key) => key.startsWith("2/"))
      .sort(),
  ).toEqual(cover);
  source.close();
});

test("what covers a view is requested first, also of a level that has yet to be opened", async () => {
  const { stores, levels } = await pyramid();
  const order: number[] = [];
  const opened = levels.map((level, index): TileLevel => {
    const { array, grid } = level;
    const store = stores[index];
    if (array === undefined || store === undefined) throw new Error("expected levels that are open");
    const get = store.get.bind(store);
    store.get = (key, options) => {
      if (key.startsWith("/c/")) order.push(index);
      return get(key, options);
    };
    const open = async () => {
      for (let i = 0; i < index ** 2; i++) await Promise.resolve();
      return array;
    };
    return { array: index === 0 ? array : undefined, grid, open };
  });
  const source = new TileSource(opened, { as: "float32" });
  source.show(WHOLE);
  await until(() => order.length === 16);
  expect(order).toEqual([2, 2, 2, 2, ...Array.from({ length: 12 }, () => 1)]);
  source.close();
});

test("a picture takes a request a tile, from the middle outwards, so many at once", async () => {
  const { source, stores, asked, changes } = await sourceOf({ concurrency: 4 }, 2);
  expect(source.progress).toEqual({ settled: 0, total: 0 });
  source.show({ ...WHOLE, bounds: [0, 0, 2000, 2000] });
  expect(source.picture().tiles).toEqual([]);
  await until(() => asked().length === 4);
  const middle = ["1/c/0/1/1", "1/c/0/1/2", "1/c/0/2/1", "1/c/0/2/2"];
  expect(asked().sort()).toEqual(middle);
  const complete = source.complete();
  let drawn = 0;
  await until(() => {
    if (stores.some(({ mostUnderWay }) => mostUnderWay > 4)) throw new Error("more than 4 at once");
    if (asked().length <= 16) answerAll(stores);
    checkValues(source.picture());
    expect(source.picture().tiles.length).toBeGreaterThanOrEqual(drawn);
    drawn = source.picture().tiles.length;
    expect(source.progress).toEqual({ settled: drawn, total: 16 });
    return drawn === 16;
  });
  await complete;
  expect(source.picture()).toMatchObject({
    isComplete: true,
    isCurrent: true,
    isCut: false,
    step: { time: 0 },
  });
  expect(source.picture()).toBe(source.picture());
  expect(asked().length).toBe(16);
  expect(asked().slice(-4).sort()).toEqual(["1/c/0/0/0", "1/c/0/0/3", "1/c/0/3/0", "1/c/0/3/3"]);
  expect(changes.count).toBe(16);
  source.close();
  expect([source.bytes, source.picture().tiles.length]).toEqual([0, 0]);
  expect(source.progress).toEqual({ settled: 0, total: 0 });
});

test("corners and bounds say where a tile lies, its data what is there", async () => {
  const { source, stores } = await sourceOf();
  source.show({ bounds: [600, 100, 700, 200], resolution: 2, selectors: { time: 3 } });
  await untilComplete(source, stores);
  const [tile, ...more] = source.picture().tiles;
  expect(more).toEqual([]);
  expect(tile).toMatchObject({
    level: 1,
    rows: [0, 256],
    columns: [256, 512],
    shape: [256, 256],
    bounds: [512, 0, 1024, 512],
    corners: [
      [512, 0],
      [1024, 0],
      [1024, 512],
      [512, 512],
    ],
  });
  expect(tile?.data[0]).toBe(elementOf(3, 1, 0, 1));
});

test("the level is the coarsest that is fine enough, or the finest; a budget makes it coarser", async () => {
  const { source, stores, asked } = await sourceOf();
  const levels: number[] = [];
  for (const resolution of [0.1, 1, 1.9, 2, 3.9, 4, 100]) {
    source.show({ bounds: [0, 0, 100, 100], resolution });
    await untilComplete(source, stores);
    levels.push(source.picture().tiles.at(-1)?.level ?? -1);
  }
  expect(levels).toEqual([0, 0, 0, 1, 1, 2, 2]);
  expect(asked().filter((key) => key.endsWith("/0/0")).length).toBe(3);

  // A tile of float32 is 256 KiB: half of the budget is 10 of them.
  const small = await sourceOf({ maximumBytes: 20 * 4 * SIDE * SIDE });
  small.source.show({ ...WHOLE, resolution: 1 });
  await untilComplete(small.source, small.stores);
  expect(small.asked().filter((key) => key.startsWith("2/")).length).toBe(4);
  expect(small.source.picture()).toMatchObject({ isCut: false, isComplete: true });

  const {
    levels: [finest],
  } = await pyramid();
  if (finest === undefined) throw new Error("a level is expected");
  const cut = new TileSource([finest], { as: "float32", maximumBytes: 20 * 4 * SIDE * SIDE });
  cut.show(WHOLE);
  expect(cut.picture()).toMatchObject({ isCut: true, isComplete: false });
  cut.close();
});

test("tiles that left the view are aborted, and those that stay are not asked for again", async () => {
  const { source, stores, asked } = await sourceOf({}, 2);
  source.show({ bounds: [0, 0, 1024, 1024], resolution: 2 });
  await until(() => asked().length === 4);
  // The first column of tiles is out of reach, the second one in the ring around the view.
  source.show({ bounds: [1024, 0, 2048, 1024] });
  await until(() => asked().length === 8);
  const aborted = () => stores.flatMap((store) => store.aborted).sort();
  await until(() => aborted().length > 0);
  expect(aborted()).toEqual(["/c/0/0/0", "/c/0/1/0"]);
  await untilComplete(source, stores);
  expect(new Set(asked()).size).toBe(asked().length);
});

test("coarser tiles stay until finer ones are there, below them; and finer ones when the view grows", async () => {
  const { source, stores } = await sourceOf();
  source.show({ bounds: [0, 0, 1024, 1024], resolution: 4 });
  await untilComplete(source, stores);
  expect(source.picture().tiles.map(nameOf)).toEqual(["2:0/0"]);

  source.show({ bounds: [0, 0, 512, 512], resolution: 1 });
  expect(source.picture()).toMatchObject({ isComplete: false, isCurrent: true });
  expect(source.picture().tiles.map(nameOf)).toEqual(["2:0/0"]);
  await until(() => stores[0]?.requests.length === 4);
  stores[0]?.answer();
  await until(() => source.picture().isComplete);
  expect(source.picture().tiles.map(nameOf).sort()).toEqual(["0:0/0", "0:0/1", "0:1/0", "0:1/1"]);

  // Level 1 was never read: its tile is drawn from the four finer ones, not from the coarser one.
  source.show({ bounds: [0, 0, 512, 512], resolution: 2 });
  expect(source.picture().isComplete).toBe(false);
  expect(source.picture().tiles.map(nameOf).sort()).toEqual(["0:0/0", "0:0/1", "0:1/0", "0:1/1"]);
  await untilComplete(source, stores);
  expect(source.picture().tiles.map(nameOf)).toEqual(["1:0/0"]);
  checkValues(source.picture());
});

test("once a view is there, the next steps and a ring around it are read, and no sooner", async () => {
  const { source, stores, asked } = await sourceOf();
  const view = { bounds: [600, 600, 700, 700], resolution: 2, selectors: { time: STEPS - 1 } } as const;
  source.show({ ...view, ahead: { time: 2 } });
  await until(() => asked().length === 1);
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(asked()).toEqual([`1/c/${STEPS - 1}/1/1`]);
  await until(() => {
    answerAll(stores);
    return asked().length === 11;
  });
  // After the last step comes the first.
  expect(asked().slice(1, 3)).toEqual(["1/c/0/1/1", "1/c/1/1/1"]);
  expect(new Set(asked().slice(3)).size).toBe(8);
  expect(
    asked()
      .slice(3)
      .every((key) => key.startsWith(`1/c/${STEPS - 1}/`)),
  ).toBe(true);
  answerAll(stores);
  await until(() => source.bytes === 11 * 4 * SIDE * SIDE);
  // A step that was read ahead is drawn at once.
  source.show({ selectors: { time: 0 } });
  expect(source.picture()).toMatchObject({ isComplete: true, step: { time: 0 } });
  checkValues(source.picture());
});

test("200 random steps and views: a picture is of one step, and never emptier than it could be", async () => {
  const maximumBytes = 60 * 4 * SIDE * SIDE;
  const { source, stores } = await sourceOf({ maximumBytes });
  let seed = 11;
  const random = (below: number) => {
    seed = (seed * 48271) % 2147483647;
    return seed % below;
  };
  let switches = 0;
  let waits = 0;
  let before = -1;
  for (let i = 0; i < 200; i++) {
    const [x, y] = [random(1024), random(1024)];
    const resolution = [1, 2, 2, 4][random(4)] ?? 1;
    const isPan = random(3) === 0;
    const view = isPan
      ? { bounds: [x, y, x + 512 * resolution, y + 512 * resolution] as const, resolution }
      : {};
    const time = random(STEPS);
    source.show({ ...(i === 0 ? WHOLE : {}), ...view, selectors: { time }, ahead: { time: 1 } });
    const isWaited = random(3) > 0;
    for (let answers = 0; answers < 12 && !(isWaited && source.picture().isComplete); answers++) {
      if (!isWaited && answers > 2) break;
      stores[random(3)]?.answer();
      await new Promise((resolve) => setTimeout(resolve, 0));
      const picture = source.picture();
      checkValues(picture);
      const { tiles, step, isCurrent } = picture;
      const isMixed = tiles.some(({ data }) => Math.floor((data[0] ?? -1) / 1000) !== step.time);
      // Whoever still sees the step before sees something.
      const isEmpty = !isCurrent && tiles.length === 0;
      if (isMixed || isEmpty || isCurrent !== (step.time === time) || source.bytes > maximumBytes)
        throw new Error(`wrong picture: ${JSON.stringify({ isMixed, isEmpty, isCurrent, step, time })}`);
      if (!isCurrent) waits++;
      if (step.time !== before) switches++;
      before = step.time ?? -1;
    }
  }
  expect(switches).toBeGreaterThan(50);
  expect(waits).toBeGreaterThan(50);
});

test("a step is drawn when it covers the view, not before", async () => {
  const { source, stores, asked, changes } = await sourceOf();
  source.show({ bounds: [0, 0, 1024, 1024], resolution: 2 });
  await untilComplete(source, stores);
  source.show({ selectors: { time: 5 } });
  await until(() => asked().filter((key) => key.startsWith("1/c/5/")).length === 4);
  const seen = changes.count;
  expect(source.picture()).toMatchObject({ isCurrent: false, isComplete: false, step: { time: 0 } });
  const complete = source.complete();
  await untilComplete(source, stores);
  await complete;
  // One change, from four tiles of one step to four of another.
  expect(changes.count).toBe(seen + 1);
  expect(source.picture().tiles.every(({ key }) => key.endsWith("@5"))).toBe(true);
});

test("10,000 pans keep no more than the budget, and leave nothing under way", async () => {
  const array = await create(new Map(), {
    shape: [256 * 64, 256 * 64],
    chunkShape: [256, 256],
    dtype: "uint8",
    fillValue: 7,
  });
  const maximumBytes = 40 * SIDE * SIDE;
  const source = new TileSource(levelsInPixels([array]), { as: "uint8", maximumBytes });
  let most = 0;
  for (let i = 0; i < 10_000; i++) {
    const [x, y] = [(i * 7) % 16_000, (i * 3) % 16_000];
    source.show({ bounds: [x, y, x + 300, y + 300], resolution: 1 });
    if (i % 100 === 0) await source.complete();
    most = Math.max(most, source.bytes);
  }
  await source.complete();
  expect(source.picture().isComplete).toBe(true);
  expect(most).toBeLessThanOrEqual(maximumBytes);
  expect(most).toBeGreaterThan(maximumBytes / 2);
});

test("a tile that fails is told once, and asked for again after the view left it", async () => {
  const { source, stores, asked } = await sourceOf();
  const view: TileView = { bounds: [0, 0, 400, 400], resolution: 2 };
  source.show(view);
  await until(() => asked().length === 1);
  stores[1]?.answer(new Error("gone"));
  await expect(source.complete()).rejects.toThrow("gone");
  expect(source.picture()).toMatchObject({ isComplete: true, tiles: [], failures: [expect.any(Error)] });
  source.show(view);
  const again = () => asked().filter((key) => key === "1/c/0/0/0").length;
  expect(again()).toBe(1);
  source.show({ bounds: [1600, 1600, 1700, 1700] });
  source.show(view);
  await until(() => again() === 2);
  await untilComplete(source, stores);
  expect(source.picture().tiles.map(nameOf)).toEqual(["1:0/0"]);
});

test("retry reads what failed again, and nothing else", async () => {
  const { source, stores, asked } = await sourceOf({ concurrency: 1 });
  source.show({ bounds: [0, 0, 1000, 400], resolution: 2 });
  const complete = source.complete();
  await until(() => asked().length === 1);
  stores[1]?.answer(new Error("gone"));
  await until(() => asked().length === 2);
  stores[1]?.answer();
  await expect(complete).rejects.toThrow("gone");
  source.retry();
  expect(source.picture()).toMatchObject({ isComplete: false, failures: [] });
  await untilComplete(source, stores);
  expect(source.picture()).toMatchObject({ isComplete: true, failures: [] });
  expect(source.picture().tiles.map(nameOf).sort()).toEqual(["1:0/0", "1:0/1"]);
  const inView = asked().filter((key) => /^1.c.0.0.[01]$/.test(key));
  expect(inView).toEqual(["1/c/0/0/0", "1/c/0/0/1", "1/c/0/0/0"]);
});

/** A world from 0 to 360 in 4 x 2 tiles, whose elements are their column. */
async function world() {
  const array = await create(new Map(), { shape: [512, 1024], chunkShape: [256, 256], dtype: "int16" });
  await set(array, null, {
    data: Int16Array.from({ length: 512 * 1024 }, (_, i) => i % 1024),
    shape: [512, 1024],
  });
  const size = 360 / 1024;
  const place = [size, 0, 0, 0, -180 / 512, 90] as const;
  return {
    array,
    grid: new Grid({ crs: undefined, shape: [512, 1024], yAxis: 0, xAxis: 1, place, wraps: 360 }),
  };
}

test("over the edge of a world, tiles are where the view is; over several turns, one tile is at several places", async () => {
  const source = new TileSource([await world()], { as: "int16" });
  const placed = () =>
    source
      .picture()
      .tiles.map(({ bounds, columns }) => `${columns[0] / SIDE} from ${bounds[0]} to ${bounds[2]}`)
      .sort();
  source.show({ bounds: [-10, 10, 10, 20], resolution: 0.1 });
  await source.complete();
  expect(placed()).toEqual(["0 from 0 to 90", "3 from -90 to 0"]);
  source.show({ bounds: [350, 10, 20, 20] });
  await source.complete();
  expect(placed()).toEqual(["0 from 360 to 450", "3 from 270 to 360"]);
  source.show({ bounds: [-180, 10, 540, 20] });
  await source.complete();
  expect(placed().length).toBe(8);
  const data = new Set(source.picture().tiles.map((tile) => tile.data));
  expect(data.size).toBe(4);
  expect(new Set(source.picture().tiles.map(({ key }) => key)).size).toBe(4);
});

test("an array that counts columns first gives tiles from row to row, and several steps in a chunk are read once", async () => {
  const store = new Map<string, Uint8Array>();
  const array = await create(store, { shape: [300, 3, 200], chunkShape: [300, 3, 200], dtype: "int32" });
  const data = Int32Array.from({ length: 300 * 3 * 200 }, (_, i) => i);
  await set(array, null, { data, shape: [300, 3, 200] });
  const source = new TileSource(levelsInPixels([array], { yAxis: 2, xAxis: 0 }), {
    as: "float64",
    scale: 2,
    dimensions: ["x", "band", "y"],
    labels: { band: ["red", "green", "blue"] },
  });
  source.show({ bounds: [0, 0, 300, 200], resolution: 1, selectors: { band: "green" } });
  await source.complete();
  const [tile] = source.picture().tiles as [Tile<"float64">];
  expect(tile.shape).toEqual([200, 300]);
  expect(tile.data[7 * 300 + 5]).toBe(2 * (5 * 600 + 200 + 7));
  store.clear();
  source.show({ selectors: { band: "blue" } });
  await source.complete();
  expect(source.picture().tiles[0]?.data[0]).toBe(2 * 400);
});

test("query reads a point, or a series at it, in one read", async () => {
  const { source, stores, asked } = await sourceOf({ scale: 0.5, missing: elementOf(4, 0, 1, 2) });
  const answered = async <Result>(query: Promise<Result>): Promise<Result> => {
    let isDone = false;
    query.finally(() => (isDone = true));
    await until(() => {
      answerAll(stores);
      return isDone;
    });
    return query;
  };
  const point = [2 * SIDE + 10.3, SIDE + 4.8] as const;
  const one = await answered(source.query(point, { selectors: { time: 2 } }));
  expect(one).toEqual({
    values: Float64Array.of(elementOf(2, 0, 1, 2) / 2),
    row: SIDE + 4,
    column: 2 * SIDE + 10,
    middle: [2 * SIDE + 10.5, SIDE + 4.5],
  });
  expect(asked()).toEqual(["0/c/2/1/2"]);
  const series = await answered(source.query(point, { along: "time" }));
  expect(series?.values.length).toBe(STEPS);
  expect(series?.values[3]).toBe(elementOf(3, 0, 1, 2) / 2);
  expect(series?.values[4]).toBeNaN();
  expect(asked().length).toBe(1 + STEPS);
  expect(await source.query([-1, 5])).toBeUndefined();
  await expect(source.query([Number.NaN, 5])).rejects.toThrow("expected a point of two finite numbers");
  await expect(source.query(point, { along: "tme" })).rejects.toThrow(
    'no dimension "tme"; the dimensions are time',
  );
});

test("a view that is none is refused, and the one before stays", async () => {
  const { source, stores } = await sourceOf({
    labels: { time: Array.from({ length: STEPS }, (_, i) => `day ${i}`) },
  });
  expect(() => source.show({ selectors: { time: 1 } })).toThrow(
    "expected bounds and resolution of the first view",
  );
  source.show({ bounds: [0, 0, 100, 100], resolution: 2, selectors: { time: "day 4" } });
  await untilComplete(source, stores);
  const picture = source.picture();
  expect(picture.step).toEqual({ time: 4 });
  const wrong: [Partial<TileView>, string][] = [
    [{ bounds: [100, 0, 0, 100] }, "bounds: expected"],
    [{ resolution: 0 }, "resolution: expected a number above 0, got 0"],
    [{ resolution: Number.NaN }, "resolution: expected a number above 0, got NaN"],
    [{ selectors: { time: STEPS } }, "selectors.time: expected an index below 12, or one of"],
    [{ selectors: { time: "day 40" } }, 'got "day 40"'],
    [{ selectors: { level: 1 } }, 'no dimension "level"; the dimensions are time'],
    [{ ahead: { x: 1 } }, 'no dimension "x"; the dimensions are time'],
  ];
  for (const [change, message] of wrong) expect(() => source.show(change)).toThrow(message);
  expect(source.picture()).toBe(picture);
});

test("options that are none are refused", async () => {
  const { levels } = await pyramid();
  const wrong: [ConstructorParameters<typeof TileSource<"float32">>, string][] = [
    [[[], { as: "float32" }], "expected one level or more"],
    [
      [levels, { as: "float32", maximumBytes: 1000 }],
      "maximumBytes: expected 1048576 (four tiles) or more, got 1000",
    ],
    [[levels, { as: "float32", concurrency: 0 }], "concurrency: expected a number above 0, got 0"],
    [[levels, { as: "float32", labels: { time: ["one"] } }], "labels.time: expected 12 strings, got 1"],
  ];
  for (const [args, message] of wrong) expect(() => new TileSource(...args)).toThrow(message);
  // @ts-expect-error not a type of number
  expect(() => new TileSource(levels, { as: "column" })).toThrow(
    'as: expected a type of number, got "column"',
  );
});

test("levels in pixels have whole factors, also of odd lengths", async () => {
  const arrays = await Promise.all(
    [1001, 501, 250, 126, 77].map((side) => create(new Map(), { shape: [side, side], dtype: "uint8" })),
  );
  const widths = levelsInPixels(arrays).map(({ grid }) => grid.resolution[0]);
  expect(widths).toEqual([1, 2, 4, 8, 13]);
  const [line] = await Promise.all([create(new Map(), { shape: [4], dtype: "uint8" })]);
  expect(() => levelsInPixels([line])).toThrow(
    "expected two dimensions for y and x, got -1 and 0 in an array of rank 1",
  );
});

test("play shows every step in its order, complete, and reads ahead of itself", async () => {
  const { source, stores } = await sourceOf();
  source.show({ bounds: [0, 0, 100, 100], resolution: 4, selectors: { time: 9 }, ahead: { time: 2 } });
  const answering = setInterval(() => answerAll(stores), 0);
  const seen: unknown[] = [];
  for await (const picture of source.play("time")) {
    checkValues(picture);
    expect(picture).toMatchObject({ isComplete: true, isCurrent: true });
    seen.push(picture.step.time);
    // Somebody moves the slider.
    if (seen.length === 2) source.show({ selectors: { time: 10 } });
    if (seen.length === 6) break;
  }
  clearInterval(answering);
  expect(seen).toEqual([9, 10, 11, 0, 1, 2]);
  const requests = stores.flatMap(({ requests: keys }) => keys);
  expect(new Set(requests).size).toBe(requests.length);
  source.close();
});

test("play lets the page draw between steps that are there", async () => {
  const { source, stores } = await sourceOf();
  source.show({ bounds: [0, 0, 100, 100], resolution: 4 });
  const answering = setInterval(() => answerAll(stores), 0);
  let turns = 0;
  const counting = setInterval(() => turns++, 0);
  let steps = 0;
  for await (const _ of source.play("time")) if (++steps > 3 * STEPS) break;
  clearInterval(answering);
  clearInterval(counting);
  expect(turns).toBeGreaterThan(2 * STEPS);
});

test("play ends with the source, and throws for a dimension that does not exist, and for a tile that failed", async () => {
  const { source, stores } = await sourceOf();
  source.show({ bounds: [0, 0, 100, 100], resolution: 4 });
  await expect(source.play("height").next()).rejects.toThrow(
    'no dimension "height"; the dimensions are time',
  );
  const [, , store] = stores;
  const first = source.play("time").next();
  await until(() => (store?.requests.length ?? 0) > 0);
  store?.answer(new Error("gone"));
  await expect(first).rejects.toThrow("gone");
  const playing = source.play("time");
  source.close();
  expect(await playing.next()).toEqual({ done: true, value: undefined });
});

test("play ends if the source is closed while a step is read, and complete then has no tiles", async () => {
  const { source } = await sourceOf();
  await expect(source.complete()).rejects.toThrow("complete: expected a view; call show first");
  source.show({ bounds: [0, 0, 100, 100], resolution: 4 });
  const [next, complete] = [source.play("time").next(), source.complete()];
  await Promise.resolve();
  source.close();
  expect(await next).toEqual({ done: true, value: undefined });
  expect(await complete).toMatchObject({ tiles: [], isComplete: false });
  await expect(source.complete()).rejects.toThrow("is closed");
});

test("a step that fails in every tile is not drawn: the step before stays, until retry brings it", async () => {
  const { source, stores } = await sourceOf();
  source.show({ bounds: [0, 0, 1000, 400], resolution: 2 });
  await untilComplete(source, stores);
  const before = source.picture().tiles.map(nameOf);
  source.show({ selectors: { time: 2 } });
  await until(() => {
    for (const store of stores) store.answer(new Error("gone"));
    return source.picture().failures.length === 2;
  });
  expect(source.picture()).toMatchObject({ isCurrent: false, isComplete: true, step: { time: 0 } });
  expect(source.picture().tiles.map(nameOf)).toEqual(before);
  await expect(source.complete()).rejects.toThrow("gone");
  source.retry();
  expect(source.picture()).toMatchObject({ isComplete: false, failures: [] });
  await untilComplete(source, stores);
  expect(source.picture()).toMatchObject({ isCurrent: true, step: { time: 2 } });
  checkValues(source.picture());
});
