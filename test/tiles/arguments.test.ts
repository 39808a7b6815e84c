/** What a source of tiles takes, and what it refuses. */
import { expect, test } from "vitest";
import { MemoryStore } from "../../src/core/stores/memory.js";
import { create, set } from "../../src/index.js";
import { levelsInPixels, TileSource } from "../../src/tiles/index.js";

const array = await create(new MemoryStore(), { shape: [4, 4], dtype: "uint8" });
await set(array, null, 7);

test("a polygon is rings, or a geometry of GeoJSON", async () => {
  const source = new TileSource(levelsInPixels([array]), { as: "float32" });
  const coordinates = [
    [
      [0, 0],
      [2, 0],
      [2, 2],
      [0, 2],
    ],
  ] as const;
  const { values } = await source.query({ type: "Polygon", coordinates });
  expect(values).toEqual((await source.query(coordinates)).values);
  const other = Object.assign(
    { type: "Polygon" as const, coordinates },
    JSON.parse('{"type":"MultiPolygon"}'),
  );
  await expect(source.query(other)).rejects.toMatchObject({ name: "InvalidArgumentError" });
});

test.each([
  ["a store", array.store],
  ["an array", array],
  ["nothing", undefined],
])("%s is no raster", (_, given) => {
  const make = () => Reflect.construct(TileSource, [given, { as: "float32" }]);
  expect(make).toThrow("levels: expected a raster of openGeoZarr");
});

test("a closed source shows and reads nothing", async () => {
  const source = new TileSource(levelsInPixels([array]), { as: "float32" });
  source.close();
  expect(() => source.show({ bounds: [0, 0, 4, 4], resolution: 1 })).toThrow("is closed");
  await expect(source.query([1, 1])).rejects.toThrow("is closed");
});

test.each([
  [{ forward: () => [0, 0] }, "projection: expected an object with the functions forward and inverse"],
  ["EPSG:3857", "projection: expected an object with the functions forward and inverse"],
  [
    { forward: () => [0, 0], inverse: () => [0, 0], turn: 0 },
    "projection.turn: expected a number above 0, got 0",
  ],
])("%o is no projection", (projection, message) => {
  const options = { as: "float32", projection };
  expect(() => Reflect.construct(TileSource, [levelsInPixels([array]), options])).toThrow(message);
});

const JUNK = [Symbol("s"), 1n, Object.create(null), "5", [], Number.NaN, -1, () => 1];

test("junk is refused with a typed error, before anything is read", async () => {
  const make = (options: object) =>
    Reflect.construct(TileSource, [levelsInPixels([array]), { as: "uint8", ...options }]);
  const source = new TileSource(levelsInPixels([array]), { as: "uint8" });
  source.show({ bounds: [0, 0, 4, 4], resolution: 1 });
  const call = (name: "show" | "query" | "play", ...given: unknown[]): Promise<unknown> =>
    Promise.resolve().then(() => Reflect.apply(source[name], source, given));
  const typed = { tag: expect.any(String) };
  for (const junk of JUNK) {
    for (const name of ["as", "maximumBytes", "concurrency", "projection"])
      expect(() => make({ [name]: junk })).toThrow(expect.objectContaining(typed));
    if (junk !== "5") await expect(call("show", { resolution: junk })).rejects.toMatchObject(typed);
    await expect(call("query", [1, 1], { along: junk })).rejects.toMatchObject(typed);
    await expect(Reflect.apply(source.play, source, [junk]).next()).rejects.toMatchObject(typed);
    await expect(call("query", [[[0, 0], junk, [2, 2], [0, 2]]])).rejects.toMatchObject(typed);
    if (junk === -1) continue;
    await expect(
      call("query", [
        [
          [0, 0],
          [junk, 1],
          [2, 2],
        ],
      ]),
    ).rejects.toMatchObject(typed);
    await expect(call("query", [junk, 1])).rejects.toMatchObject(typed);
  }
});

test.each([undefined, "x", [1], Promise.resolve([1, 2])])("a projection that returns %o", (answer) => {
  const there = (point: readonly number[]) => point;
  const back = () => answer;
  for (const projection of [
    { forward: there, inverse: back, turn: 360 },
    { forward: back, inverse: there },
  ]) {
    const options = { as: "uint8", projection };
    const show = () => {
      const source = Reflect.construct(TileSource, [levelsInPixels([array]), options]);
      source.show({ bounds: [0, 0, 4, 4], resolution: 1 });
    };
    expect(show).toThrow(/^projection\.\w+: expected it to return a list of two numbers or more/);
  }
});

test("an onChange that throws is a failure of the picture, and complete throws it", async () => {
  const failure = new Error("of the caller");
  let calls = 0;
  const onChange = () => {
    if (calls++ === 0) throw failure;
  };
  const source = new TileSource(levelsInPixels([array]), { as: "uint8", onChange });
  source.show({ bounds: [0, 0, 4, 4], resolution: 1 });
  await expect(source.complete()).rejects.toBe(failure);
  expect(source.picture()).toMatchObject({ failures: [failure], isComplete: true });
  source.show({ bounds: [0, 0, 4, 4], resolution: 2 });
  expect((await source.complete()).failures).toEqual([]);
});
