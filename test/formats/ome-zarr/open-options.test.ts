/** What is read to open images and plates, and the channels that a program draws. */
import { describe, expect, test } from "vitest";
import { type OmeImage, openLabels, openOmeZarr, parseOmeZarr } from "../../../src/formats/ome-zarr.js";
import { type AbsolutePath, create, type Json, open, root } from "../../../src/index.js";

const axes = ["c", "y", "x"].map((name) => ({ name, type: name === "c" ? "channel" : "space" }));
const level = (path: string, factor: number) => ({
  path,
  coordinateTransformations: [{ type: "scale", scale: [1, factor, factor] }],
});
const multiscales = [{ version: "0.4", axes, datasets: [level("0", 1), level("1", 2), level("2", 4)] }];

/** A store that notes which keys it is asked for. */
function noting() {
  const values = new Map<AbsolutePath, Uint8Array>();
  const asked: string[] = [];
  const store = {
    get(key: AbsolutePath) {
      asked.push(key);
      return values.get(key);
    },
    set: (key: AbsolutePath, value: Uint8Array) => values.set(key, value),
  };
  return { store, asked };
}

async function written(omero?: Json, dtype: "uint8" | "int16" | "float32" = "uint8") {
  const { store, asked } = noting();
  const at = root(store);
  await create(at, { attributes: { multiscales, ...(omero !== undefined && { omero }) }, zarrFormat: 2 });
  for (const [i, side] of [16, 8, 4].entries())
    await create(at.resolve(String(i)), { shape: [2, side, side], dtype, zarrFormat: 2 });
  await create(at.resolve("labels"), { attributes: { labels: ["nuclei"] }, zarrFormat: 2 });
  asked.length = 0;
  return { at, asked };
}

async function imageOf(omero?: Json, dtype?: "uint8" | "int16" | "float32"): Promise<OmeImage> {
  const node = await openOmeZarr((await written(omero, dtype)).at);
  if (node.kind === "image") return node;
  throw new Error(`found ${node.kind}`);
}

describe("documents", () => {
  test("are read once: a group that is open is not read again, nor are the labels", async () => {
    const { at, asked } = await written();
    const group = await open(at, { kind: "group" });
    const node = await openOmeZarr(group);
    if (node.kind !== "image") throw new Error(`found ${node.kind}`);
    const labels = await openLabels(node);
    expect(labels?.names).toEqual(["nuclei"]);
    expect(asked.filter((key, i) => asked.indexOf(key) !== i)).toEqual([]);
  });

  test("of a group that was opened without attributes are read for them", async () => {
    const { at } = await written();
    const group = await open(at, { kind: "group", attrs: false });
    expect((await openOmeZarr(group)).kind).toBe("image");
  });

  test.each([
    [[-1], [2]],
    [
      [0, -1],
      [0, 2],
    ],
    [[], []],
  ])("of the levels %j alone are read", async (levels, expected) => {
    const { at, asked } = await written();
    const node = await openOmeZarr(at, { levels });
    if (node.kind !== "image") throw new Error(`found ${node.kind}`);
    expect(node.levels.map(({ index }) => index)).toEqual(expected);
    expect(node.levels.map(({ pixelSize }) => pixelSize[1])).toEqual(expected.map((i) => 2 ** i));
    expect(asked.filter((key) => key.endsWith(".zarray"))).toEqual(
      expect.arrayContaining(expected.map((i) => `/${i}/.zarray`)),
    );
    for (const i of [0, 1, 2].filter((each) => !expected.includes(each)))
      expect(asked.filter((key) => key.startsWith(`/${i}/`))).toEqual([]);
    expect(node.axes.map(({ name }) => name)).toEqual(["c", "y", "x"]);
  });

  test("levels that there are not are refused, and a tile says what is open", async () => {
    const { at } = await written();
    await expect(openOmeZarr(at, { levels: [3] })).rejects.toThrow(
      "levels: expected indices from -3 to 2, got [3]",
    );
    const node = await openOmeZarr(at, { levels: [-1] });
    if (node.kind !== "image") throw new Error(`found ${node.kind}`);
    expect((await node.tile(2, 0, 0)).shape).toEqual([2, 4, 4]);
    await expect(node.tile(0, 0, 0)).rejects.toThrow("no level 0; 2 are open");
  });

  test("of a plate: one level of each image", async () => {
    const { store, asked } = noting();
    const at = root(store);
    const plate = { rows: [{ name: "A" }], columns: [{ name: "1" }], wells: [{ path: "A/1" }] };
    await create(at, {
      attributes: {
        plate: { ...plate, version: "0.4", wells: [{ path: "A/1", rowIndex: 0, columnIndex: 0 }] },
      },
    });
    await create(at.resolve("A"));
    await create(at.resolve("A/1"), { attributes: { well: { version: "0.4", images: [{ path: "0" }] } } });
    await create(at.resolve("A/1/0"), { attributes: { multiscales } });
    for (const i of [0, 1, 2])
      await create(at.resolve(`A/1/0/${i}`), { shape: [2, 16 >> i, 16 >> i], dtype: "uint8" });
    asked.length = 0;
    const node = await openOmeZarr(at);
    if (node.kind !== "plate") throw new Error(`found ${node.kind}`);
    const image = await (await node.well("A/1")).image(0, { levels: [-1] });
    expect(image.levels.map(({ path }) => path)).toEqual(["2"]);
    expect(asked.filter((key) => /\/A\/1\/0\/\d\//.test(key))).toEqual(["/A/1/0/2/zarr.json"]);
  });

  test("without transformations, a coarse level alone has the pixel size that the shapes tell", async () => {
    const at = root(new Map());
    const old = [{ version: "0.2", datasets: [{ path: "0" }, { path: "1" }] }];
    await create(at, { attributes: { multiscales: old }, zarrFormat: 2 });
    for (const [i, side] of [16, 4].entries())
      await create(at.resolve(String(i)), { shape: [1, 1, 1, side, side], dtype: "uint8", zarrFormat: 2 });
    const node = await openOmeZarr(at, { levels: [-1] });
    if (node.kind !== "image") throw new Error(`found ${node.kind}`);
    expect(node.levels.map(({ pixelSize }) => pixelSize)).toEqual([[1, 1, 1, 4, 4]]);
  });
});

describe("channels", () => {
  test("have a label, a colour and a window each, whatever omero says", async () => {
    const { channels } = await imageOf({
      channels: [
        { color: "00ff00", window: { start: 5, end: 90 } },
        { label: "DAPI", active: false },
      ],
    });
    // As a first program draws them, with no look at undefined.
    const drawn: [string, string, number, number][] = channels.map(({ label, color, window }) => [
      label.toUpperCase(),
      color.toLowerCase(),
      window.start,
      window.end,
    ]);
    expect(drawn).toEqual([
      ["CHANNEL 0", "00ff00", 5, 90],
      ["DAPI", "00ff00", 0, 255],
    ]);
    expect(channels[0]?.window).toEqual({ min: 0, max: 255, start: 5, end: 90 });
    expect(channels.map(({ active }) => active)).toEqual([true, false]);
  });

  test.each([
    ["int16", [-32768, 32767]],
    ["float32", [0, 1]],
  ] as const)("without omero, of %s", async (dtype, [start, end]) => {
    const { channels, rendering } = await imageOf(undefined, dtype);
    expect(rendering).toBeUndefined();
    expect(channels).toMatchObject([
      { label: "Channel 0", color: "FF0000", window: { start, end }, active: true },
      { label: "Channel 1", color: "00FF00", window: { start, end } },
    ]);
  });

  test("without an open level have no window to give", async () => {
    const { at } = await written({ channels: [{}] });
    const node = await openOmeZarr(at, { levels: [] });
    if (node.kind !== "image") throw new Error(`found ${node.kind}`);
    expect(() => node.channels).toThrow("no level is open");
    expect(node.rendering?.channels).toHaveLength(1);
  });

  test("omero.name is the title of the image", async () => {
    expect((await imageOf({ name: "Kidney", channels: [] })).rendering?.name).toBe("Kidney");
    const parsed = parseOmeZarr({ multiscales, omero: { name: "Kidney" } });
    expect(parsed).toMatchObject({ rendering: { name: "Kidney", channels: [] } });
  });
});
