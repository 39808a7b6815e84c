/**
 * Documents with any member replaced: a raster with finite numbers, or an error of wazarr that names a node.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { parseGeoZarr } from "../../../src/formats/geozarr.js";
import { isZarrError, type Json, type JsonObject } from "../../../src/index.js";

const matrix = {
  id: "0",
  cellSize: 10,
  pointOfOrigin: [0, 0],
  tileWidth: 4,
  tileHeight: 4,
  matrixWidth: 1,
  matrixHeight: 1,
};
const documents: readonly JsonObject[] = [
  {
    multiscales: {
      layout: [
        { asset: "0", "spatial:transform": [10, 0, 0, 0, -10, 0] },
        { asset: "1", derived_from: "0", transform: { scale: [2, 2], translation: [0, 0] } },
      ],
    },
    "proj:code": "EPSG:4326",
    "proj:projjson": { type: "GeographicCRS", id: { authority: "EPSG", code: 4326 } },
    "spatial:dimensions": ["y", "x"],
  },
  {
    multiscales: {
      tile_matrix_set: { tileMatrices: [matrix], crs: "EPSG:3857", orderedAxes: ["X", "Y"] },
      tile_matrix_limits: { 0: { minTileCol: 0, minTileRow: 0 } },
    },
  },
  { multiscales: { tile_matrix_set: "WebMercatorQuad", tile_matrix_limits: { 0: {} } } },
  { multiscales: [{ datasets: [{ path: "0", pixels_per_tile: 4, crs: "EPSG:3857" }] }] },
];
const level: JsonObject = {
  ...{ grid_mapping: "m", coordinates: "lat lon", "proj:epsg": 32633, "proj:shape": [4, 4] },
  ...{
    "proj:transform": [1, 0, 0, 0, 1, 0],
    _CRS: { wkt: "PROJCS[]", url: "http://x/def/crs/EPSG/0/1" },
    crs: "EPSG:1",
  },
};
const mapping: JsonObject = {
  GeoTransform: "0 1 0 0 0 -1",
  crs_wkt: 'GEOGCS["a"]',
  grid_mapping_name: "latitude_longitude",
};
const coordinate: JsonObject = { standard_name: "longitude", units: "degrees_east", bounds: "b", axis: "X" };

const strange = fc.oneof(
  fc.constantFrom<Json>(
    null,
    true,
    0,
    -1,
    1e308,
    Number.NaN,
    2 ** 53,
    "",
    "..",
    "/",
    "a/b",
    [],
    {},
    [[]],
    "0",
    "constructor",
  ),
  fc.double(),
  fc.array(fc.oneof(fc.double(), fc.string()), { maxLength: 9 }),
);

/** Replaces one member, which `choice` chooses, anywhere in a document. */
function replaced(document: Json, choice: number, by: Json): Json {
  let left = choice % count(document);
  const walk = (value: Json): Json => {
    if (left-- === 0) return by;
    if (Array.isArray(value)) return value.map(walk);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, walk(each)]));
  };
  return walk(document);
}

function count(value: Json): number {
  if (typeof value !== "object" || value === null) return 1;
  return Object.values(value).reduce<number>((sum, each) => sum + count(each), 1);
}

test("documents with a member that is anything", () => {
  const whole = fc.record({
    which: fc.nat(documents.length - 1),
    choice: fc.nat(),
    by: strange,
    values: fc.array(fc.double(), { minLength: 4, maxLength: 4 }),
  });
  let placed = 0;
  fc.assert(
    fc.property(whole, ({ which, choice, by, values }) => {
      const all: JsonObject = { group: documents[which] ?? {}, level, mapping, coordinate };
      const mutated = replaced(all, choice, by);
      const parts: Readonly<Record<string, unknown>> = Object(mutated);
      const attributes = (name: string): JsonObject => Object(parts[name] ?? {});
      const axis = (name: string) => ({
        shape: [4],
        dimensionNames: [name],
        attributes: attributes("coordinate"),
        data: values,
      });
      const inLevel = (path: string) => ({
        [`${path}/v`]: { shape: [4, 4], dimensionNames: ["y", "x"], attributes: attributes("level") },
        ...{
          [`${path}/m`]: { shape: [], attributes: attributes("mapping") },
          [`${path}/x`]: axis("x"),
          [`${path}/y`]: axis("y"),
        },
      });
      try {
        const { levels } = parseGeoZarr(
          attributes("group"),
          { ...inLevel("0"), ...inLevel("1") },
          { variable: "v" },
        );
        for (const { grid } of levels) {
          expect([...grid.bounds, ...grid.resolution].every(Number.isFinite)).toBe(true);
          grid.windows([-10, -10, 10, 10]);
          placed++;
        }
      } catch (error) {
        if (!isZarrError(error)) throw error;
        expect(error.path).toBeDefined();
      }
    }),
    { numRuns: 1000, seed: 7 },
  );
  expect(placed).toBeGreaterThan(100);
});
