/**
 * What ome-zarr-py wrote (scripts/oracles/make_ome_zarr_fixtures.py, make_ome_zarr_old_fixtures.py): images,
 * labels, plates and wells of 0.1 to 0.5.
 */
import { describe, expect, test } from "vitest";
import { OmeImage, OmePlate, openLabels, openOmeZarr } from "../../../src/formats/ome-zarr.js";
import { get, root } from "../../../src/index.js";
import v01 from "../../fixtures/ome-zarr/0.1.json?raw";
import v02 from "../../fixtures/ome-zarr/0.2.json?raw";
import v03 from "../../fixtures/ome-zarr/0.3.json?raw";
import v04 from "../../fixtures/ome-zarr/0.4.json?raw";
import v05 from "../../fixtures/ome-zarr/0.5.json?raw";

interface Fixture {
  readonly expected: {
    readonly sums: readonly number[];
    readonly shapes: readonly (readonly number[])[];
    readonly axes: readonly string[];
  };
  readonly store: Readonly<Record<string, string>>;
}

function load(text: string) {
  const { expected, store }: Fixture = JSON.parse(text);
  const bytes = (value: string) => Uint8Array.from(atob(value), (character) => character.charCodeAt(0));
  return {
    expected,
    at: root(new Map(Object.entries(store).map(([key, value]) => [key, bytes(value)] as const))),
  };
}

async function imageAt(location: Parameters<typeof openOmeZarr>[0]) {
  const node = await openOmeZarr(location);
  if (!(node instanceof OmeImage)) throw new Error(`found ${node.kind}`);
  return node;
}

const sumsOf = ({ levels }: OmeImage): Promise<number[]> =>
  Promise.all(
    levels.map(async ({ array }) => numbers((await get(array)).data).reduce((sum, value) => sum + value, 0)),
  );

describe.each([
  ["0.1", v01],
  ["0.2", v02],
  ["0.3", v03],
])("ome-zarr-py, version %s", (version, text) => {
  const { expected, at } = load(text);

  test("an image: axes, levels, sizes as the shapes say, and elements", async () => {
    const image = await imageAt(at.resolve("image"));
    expect(image).toMatchObject({ kind: "image", version, warnings: [] });
    expect(image.axes.map(({ name }) => name)).toEqual(expected.axes);
    expect(image.levels.map(({ shape }) => shape)).toEqual(expected.shapes);
    expect(image.levels.map(({ pixelSize }) => pixelSize)).toEqual([
      [1, 1, 1, 1, 1],
      [1, 1, 1, 2, 2],
      [1, 1, 1, 4, 4],
    ]);
    expect(await sumsOf(image)).toEqual(expected.sums);
    const tile = await image.tile(0, 1, 1, { size: [10, 8], at: { c: 1, z: 1 } });
    expect([tile.shape, numbers(tile.data)[0]]).toEqual([[4, 6], 192 * 3 + 8 * 16 + 10]);
  });

  labelsAndPlate(at);
});

describe.each([
  ["0.4", v04],
  ["0.5", v05],
])("ome-zarr-py, version %s", (version, text) => {
  const { expected, at } = load(text);

  test("an image: axes, units, levels, transformations and elements", async () => {
    const image = await imageAt(at.resolve("image"));
    expect(image).toMatchObject({ kind: "image", version, warnings: [] });
    expect(image.axes.map(({ name }) => name)).toEqual(expected.axes);
    expect(image.axes).toMatchObject([
      { type: "time", unit: "second" },
      { type: "channel", unit: undefined },
      { type: "space", unit: "micrometer" },
      { type: "space" },
      { type: "space" },
    ]);
    expect(image.levels.map(({ shape }) => shape)).toEqual(expected.shapes);
    expect(image.levels.map(({ pixelSize }) => pixelSize)).toEqual([
      [2, 1, 0.5, 0.25, 0.25],
      [2, 1, 0.5, 0.5, 0.5],
      [2, 1, 0.5, 1, 1],
    ]);
    expect(await sumsOf(image)).toEqual(expected.sums);
  });

  test("channels, and a tile by the label of a channel", async () => {
    const image = await imageAt(at.resolve("image"));
    expect(image.channels).toMatchObject([
      { label: "DAPI", color: "0000FF", active: true, window: { start: 0, end: 500 } },
      { label: "GFP", color: "00FF00", active: false },
    ]);
    const tile = await image.tile(0, 1, 1, { size: [10, 8], at: { c: "GFP" } });
    // The second tile of ten columns and eight rows; z is the default of `rdefs`, 1.
    expect(tile).toMatchObject({ shape: [4, 6], axes: ["y", "x"], origin: [10, 8] });
    const start = 192 * 3 + 8 * 16 + 10;
    expect(Array.from({ length: 6 }, (_, i) => start + i)).toEqual([...numbers(tile.data).slice(0, 6)]);
    const all = await image.tile(1, 0, 0, { at: { z: 0 } });
    expect(all).toMatchObject({ axes: ["c", "y", "x"], shape: [2, 6, 8] });
    expect((await image.tile(1, 0, 0, { at: { z: 0, c: [1, "DAPI"] } })).shape).toEqual([2, 6, 8]);
  });

  labelsAndPlate(at);
});

/** The same in all versions. */
function labelsAndPlate(at: ReturnType<typeof load>["at"]): void {
  test("labels with colours and properties", async () => {
    const image = await imageAt(at.resolve("image"));
    const labels = await openLabels(image);
    expect(labels).toMatchObject({ kind: "labels", names: ["nuclei"] });
    const nuclei = await labels?.image("nuclei");
    expect(nuclei?.label?.colors).toEqual(
      new Map([
        [1, [255, 0, 0, 255]],
        [2, [0, 0, 255, 128]],
      ]),
    );
    expect(nuclei?.label?.properties).toEqual(new Map([[1, { area: 48, class: "nucleus" }]]));
    expect(nuclei?.levels).toHaveLength(3);
    expect(await openLabels(await imageAt(at.resolve("plate/B/2/0")))).toBeDefined();
    expect(await openLabels(nuclei ?? image)).toBeUndefined();
  });

  test("a plate, its wells, their fields and labels", async () => {
    const plate = await openOmeZarr(at.resolve("plate"));
    if (!(plate instanceof OmePlate)) throw new Error(`found ${plate.kind}`);
    expect(plate.layout).toMatchObject({
      name: "screen",
      rows: ["A", "B"],
      columns: ["1", "2"],
      fieldCount: 2,
      acquisitions: [{ id: 1, name: "first", maximumFieldCount: 2, startTime: 1343731272000 }],
    });
    expect(plate.wells).toMatchObject([
      { path: "A/1", row: "A", column: "1", rowIndex: 0, columnIndex: 0 },
      { path: "B/2", rowIndex: 1, columnIndex: 1 },
    ]);
    const well = await plate.well("A/1");
    expect(well.fields).toEqual([
      { path: "0", acquisition: 1 },
      { path: "1", acquisition: 1 },
    ]);
    const field = await well.image(1);
    expect(await get(field.levels[0]?.array ?? never(), [0, 0, 0, 0, 0])).toBe(1);
    expect((await openLabels(field))?.names).toEqual(["nuclei"]);
    await expect(plate.well("C/1")).rejects.toMatchObject({ tag: "InvalidArgumentError" });
    await expect(well.image(2)).rejects.toMatchObject({ tag: "InvalidArgumentError" });
  });
}

function never(): never {
  throw new Error("no level");
}

function numbers(data: unknown): Uint16Array {
  if (data instanceof Uint16Array) return data;
  throw new Error("expected uint16");
}
