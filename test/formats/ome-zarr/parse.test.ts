/** parseOmeZarr says what openOmeZarr does, without a store. */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { openOmeZarr, parseOmeZarr } from "../../../src/formats/ome-zarr.js";
import { type JsonObject, members, type Node, open, root } from "../../../src/index.js";

const files = readdirSync("test/fixtures/ome-zarr").filter((name) => name.endsWith(".json"));

/** The root, or the nodes below it where it is none. */
function topsOf(keys: readonly string[]): Iterable<string> {
  if (keys.some((key) => /^\/(?:zarr\.json|\.zgroup)$/.test(key))) return ["/"];
  return new Set(keys.map((key) => key.split("/")[1] ?? ""));
}

test.each(files)("every group of %s", async (file) => {
  const { store }: { store: Record<string, string> } = JSON.parse(
    readFileSync(`test/fixtures/ome-zarr/${file}`, "utf8"),
  );
  const values = new Map(Object.entries(store).map(([key, value]) => [key, Buffer.from(value, "base64")]));
  const groups: Node[] = [];
  for (const top of topsOf(Object.keys(store))) {
    const group = await open(root(values).resolve(top));
    groups.push(group);
    for await (const node of members(group)) groups.push(node);
  }
  let count = 0;
  for (const group of groups.filter(({ kind }) => kind === "group")) {
    const opened = await openOmeZarr(group).catch(() => undefined);
    if (opened === undefined) continue;
    count++;
    const { attributes } = group.metadata;
    if (opened.kind !== "image") {
      const parsed = parseOmeZarr(attributes);
      expect([parsed.kind, parsed.version]).toEqual([opened.kind, opened.version]);
      if (parsed.kind === "plate" && opened.kind === "plate") expect(parsed.layout).toEqual(opened.layout);
      if (parsed.kind === "well" && opened.kind === "well") expect(parsed.fields).toEqual(opened.fields);
      if (parsed.kind === "labels" && opened.kind === "labels") expect(parsed.names).toEqual(opened.names);
      continue;
    }
    const shapes = Object.fromEntries(opened.levels.map(({ path, shape }) => [path, shape]));
    const { version, name, axes, rendering, label, warnings, systems, transformations } = opened;
    expect(parseOmeZarr(attributes, { shapes })).toEqual({
      ...{ kind: "image", version, name, axes, rendering, label, warnings, systems, transformations },
      levels: opened.levels.map(({ path, transformation, pixelSize }) => ({
        path,
        transformation,
        pixelSize,
      })),
    });
  }
  expect(count).toBeGreaterThan(0);
});

describe("without shapes", () => {
  test("transformations that metadata state", () => {
    const coordinateTransformations = [{ type: "scale", scale: [0.5, 0.25] }];
    const multiscales = [
      {
        version: "0.4",
        axes: [{ name: "y" }, { name: "x" }],
        datasets: [{ path: "0", coordinateTransformations }],
      },
    ];
    const parsed = parseOmeZarr({ multiscales });
    if (parsed.kind !== "image") throw new Error(parsed.kind);
    expect(parsed.levels).toEqual([
      {
        path: "0",
        transformation: [
          [0.5, 0, 0],
          [0, 0.25, 0],
        ],
        pixelSize: [0.5, 0.25],
      },
    ]);
  });

  test("none before 0.4, when shapes told the sizes of pixels", () => {
    const multiscales = [{ version: "0.1", datasets: [{ path: "0" }, { path: "1" }] }];
    const parsed = parseOmeZarr({ multiscales });
    if (parsed.kind !== "image") throw new Error(parsed.kind);
    expect(parsed.levels.map(({ pixelSize }) => pixelSize)).toEqual([undefined, undefined]);
    const fitted = parseOmeZarr({ multiscales }, { shapes: { 0: [4, 8], 1: [2, 2] } });
    if (fitted.kind !== "image") throw new Error(fitted.kind);
    expect(fitted.levels.map(({ pixelSize }) => pixelSize)).toEqual([
      [1, 1],
      [2, 4],
    ]);
    expect(fitted.axes.map(({ name }) => name)).toEqual(["y", "x"]);
  });
});

/** An image of two axes whose level 0 has an affine matrix of these rows; `steps` follow for all levels. */
const affine = (rows: number, steps: JsonObject[] = []): JsonObject => ({
  multiscales: [
    {
      axes: [{ name: "y" }, { name: "x" }],
      datasets: [
        {
          path: "0",
          coordinateTransformations: [
            { type: "affine", affine: Array.from({ length: rows }, () => [1, 2, 3]) },
          ],
        },
      ],
      ...(steps.length > 0 && { coordinateTransformations: steps }),
    },
  ],
});
const scale = { type: "scale", scale: [2, 2] };
const matrix = { type: "affine", affine: [[1, 2, 3]] };
const ofLevel = "multiscales[0].datasets[0].coordinateTransformations";

test.each<[string, Parameters<typeof parseOmeZarr>, object]>([
  ["a matrix of fewer rows than there are axes", [affine(1)], { member: ofLevel }],
  ["a matrix of more rows than there are axes", [affine(3)], { member: ofLevel }],
  ["a matrix of fewer rows, and a step for all levels", [affine(1, [scale])], { member: ofLevel }],
  [
    "a step for all levels that leads to fewer axes",
    [affine(2, [matrix])],
    { tag: "InvalidMetadataError", member: "multiscales[0].coordinateTransformations" },
  ],
  ["no attributes", [{}], { tag: "InvalidMetadataError", path: "/" }],
  ["a damaged member", [{ multiscales: [{ datasets: [] }] }], { member: "multiscales[0].datasets" }],
  ["an index", [{ multiscales: [] }, { multiscale: -1 }], { tag: "InvalidArgumentError" }],
  [
    "a shape that is not given",
    [{ multiscales: [{ datasets: [{ path: "0" }] }] }, { shapes: {} }],
    { tag: "InvalidArgumentError", message: expect.stringContaining('the shape of "0"') },
  ],
])("refused: %s", (_, given, error) => {
  expect(() => parseOmeZarr(...given)).toThrow(expect.objectContaining(error));
});
