/** parseGeoZarr gives what openGeoZarr does, without a store. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type GeoZarrNode, openGeoZarr, parseGeoZarr } from "../../../src/formats/geozarr.js";
import { get, members, open } from "../../../src/index.js";

interface Case {
  readonly name: string;
  readonly variable: string;
  readonly store: Readonly<Record<string, string>>;
}

const cases: readonly Case[] = JSON.parse(readFileSync("test/fixtures/geozarr.json", "utf8"));

test.each(cases)("$name", async ({ variable, store }) => {
  const values = new Map(Object.entries(store).map(([key, value]) => [key, Buffer.from(value, "base64")]));
  const nodes: Record<string, GeoZarrNode> = {};
  for await (const node of members(values)) {
    const { attributes } = node.metadata;
    const path = node.path.slice(1);
    if (node.kind === "group") nodes[path] = { attributes };
    else {
      const { shape, dimensionNames } = node.metadata;
      const { data } = shape.length === 1 ? await get(node) : { data: undefined };
      const elements = data instanceof BigInt64Array ? Float64Array.from(data, Number) : data;
      const isList = elements instanceof Float64Array;
      nodes[path] = { attributes, shape, dimensionNames, ...(isList ? { data: elements } : {}) };
    }
  }
  const opened = await openGeoZarr(values, { variable });
  const { attributes } = (await open(values)).metadata;
  const parsed = parseGeoZarr(attributes, nodes, { variable });
  expect(parsed.crs).toEqual(opened.crs);
  expect(
    parsed.levels.map(({ grid: { transform, bounds, shape } }) => ({ transform, bounds, shape })),
  ).toEqual(opened.levels.map(({ grid: { transform, bounds, shape } }) => ({ transform, bounds, shape })));
  expect(parsed.levels.map(({ path, array }) => [path, array])).toEqual(
    opened.levels.map(({ path, array }) => [path, array?.path]),
  );
});

test("attributes and shapes suffice if transforms are stated", () => {
  const layout = [
    { asset: "r10m", "spatial:transform": [10, 0, 500000, 0, -10, 5000000] },
    { asset: "r20m", derived_from: "r10m", transform: { scale: [2, 2] } },
  ];
  const attributes = { multiscales: { layout }, "proj:code": "EPSG:32633" };
  const { levels, crs } = parseGeoZarr(
    attributes,
    { "r10m/b04": [3, 120, 120], "r20m/b04": [3, 60, 60] },
    { variable: "b04" },
  );
  expect(crs?.code).toBe("EPSG:32633");
  expect(levels.map(({ path, array, grid }) => [path, array, grid.bounds, grid.yAxis])).toEqual([
    ["r10m", "/r10m/b04", [500000, 4998800, 501200, 5000000], 1],
    ["r20m", "/r20m/b04", [500000, 4998800, 501200, 5000000], 1],
  ]);
});

test("an array by itself, with coordinates beside it", () => {
  const { levels } = parseGeoZarr(
    {},
    {
      "": { shape: [2, 3], dimensionNames: ["lat", "lon"] },
      lat: { shape: [2], data: [10, 0] },
      lon: { shape: [3], data: new Float32Array([0, 120, 240]) },
    },
  );
  expect(levels[0]?.grid).toMatchObject({ bounds: [-60, -5, 300, 15], wraps: 360 });
  expect(levels[0]?.array).toBe("/");
});

test.each([
  [{ "": { shape: [2, 3], dimensionNames: ["lat", "lon"] }, lat: [2], lon: [3] }, "InvalidMetadataError"],
  [{ "": { shape: [2, 3] } }, "InvalidMetadataError"],
  [{ b: [2, 3] }, "InvalidArgumentError"],
] as const)("what is missing is an error, as in openGeoZarr: %o", (nodes, tag) => {
  const parse = () => {
    const { levels, unplaced } = parseGeoZarr({}, nodes);
    if (levels.length === 0) throw unplaced[0]?.reason;
  };
  expect(parse).toThrow(expect.objectContaining({ tag }));
});
