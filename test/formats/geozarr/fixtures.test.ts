/** Rasters as rioxarray, ndpyramid and GDAL write them lie where these programs say. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { openGeoZarr } from "../../../src/formats/geozarr.js";

interface Case {
  readonly name: string;
  readonly variable: string;
  readonly levels: readonly { bounds: number[]; transform: number[]; shape: number[] }[];
  readonly crs: string | null;
  /** null if there is no CRS. */
  readonly geographic: boolean | null;
  readonly store: Readonly<Record<string, string>>;
}

const cases = ["geozarr", "gdal"].flatMap((file): readonly Case[] =>
  JSON.parse(readFileSync(`test/fixtures/${file}.json`, "utf8")),
);

test.each(cases)("$name", async ({ variable, levels, crs, geographic, store }) => {
  const files = Object.entries(store).map(([key, value]) => [key, Buffer.from(value, "base64")] as const);
  const raster = await openGeoZarr(new Map(files), { variable });
  expect(raster.levels).toHaveLength(levels.length);
  expect(raster.crs?.code).toBe(crs ?? undefined);
  expect(raster.crs?.isGeographic).toBe(geographic ?? undefined);
  // The finest first, as in `levels` of a raster.
  const expected = levels.toSorted((a, b) => Math.abs(a.transform[0] ?? 0) - Math.abs(b.transform[0] ?? 0));
  for (const [i, { grid }] of raster.levels.entries()) {
    const { bounds = [], transform = [], shape } = expected[i] ?? {};
    const [width] = grid.resolution;
    const inPixels = (values: readonly number[] = []) => values.map((value) => value / width);
    const isClose = (value: number) => expect.closeTo(value, 6);
    expect(grid.shape).toEqual(shape);
    expect(inPixels(grid.bounds)).toEqual(inPixels(bounds).map(isClose));
    expect(inPixels(grid.transform)).toEqual(inPixels(transform).map(isClose));
    expect(grid.wraps).toBe(geographic ? 360 : undefined);
  }
});
