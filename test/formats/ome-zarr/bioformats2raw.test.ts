/**
 * What bioformats2raw wrote (scripts/oracles/make_bioformats2raw_fixtures.py): collections of images in OME-Zarr
 * 0.4 and 0.5, with shards in 0.5, and a plate.
 */
import { describe, expect, test } from "vitest";
import { OmeImageList, OmePlate, openOmeZarr } from "../../../src/formats/ome-zarr.js";
import { get, root } from "../../../src/index.js";
import text from "../../fixtures/ome-zarr/bioformats2raw.json?raw";

interface Fixture {
  /** The sum of each array's elements, as zarr-python reads them, by path. */
  readonly expected: Readonly<Record<string, number>>;
  readonly store: Readonly<Record<string, string>>;
}

const { expected, store }: Fixture = JSON.parse(text);
const bytes = (value: string) => Uint8Array.from(atob(value), (character) => character.charCodeAt(0));
const at = root(new Map(Object.entries(store).map(([key, value]) => [key, bytes(value)] as const)));

async function sumOf(array: Parameters<typeof get>[0]): Promise<number> {
  return Array.from(Object((await get(array)).data), Number).reduce((sum, value) => sum + value, 0);
}

describe.each([
  ["image", "0.5"],
  ["old", "0.4"],
])("%s, version %s", (name, version) => {
  test("a collection of two series", async () => {
    const collection = await openOmeZarr(at.resolve(name));
    if (!(collection instanceof OmeImageList)) throw new Error(`found ${collection.kind}`);
    expect(collection).toMatchObject({ kind: "collection", names: ["0", "1"] });
    for (const series of collection.names) {
      const image = await collection.image(series);
      expect(image).toMatchObject({ version, warnings: [] });
      expect(image.axes.map((axis) => axis.name).join("")).toBe("tczyx");
      expect(image.channels).toHaveLength(2);
      expect(image.levels.map(({ array }) => array.shape)).toEqual([
        [1, 2, 2, 32, 40],
        [1, 2, 2, 16, 20],
      ]);
      expect(image.levels.map(({ pixelSize }) => pixelSize.slice(2))).toEqual([
        [2, 0.5, 0.5],
        [2, 1, 1],
      ]);
      for (const [i, { array }] of image.levels.entries())
        expect(await sumOf(array)).toBe(expected[`${name}/${series}/${i}`]);
    }
  });
});

test("a plate, whose group is a collection, too", async () => {
  const plate = await openOmeZarr(at.resolve("plate"));
  if (!(plate instanceof OmePlate)) throw new Error(`found ${plate.kind}`);
  expect(plate.layout.wells.map(({ path }) => path)).toEqual(["A/1", "A/2", "B/1", "B/2"]);
  for (const { path } of plate.layout.wells) {
    const well = await plate.well(path);
    const [level] = (await well.image(0)).levels;
    expect(level && (await sumOf(level.array))).toBe(expected[`plate/${path}/0/0`]);
  }
});
