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
