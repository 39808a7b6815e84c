/**
 * `wazarr info` of a group that is a data set: what xarray wrote (test/fixtures/xarray), as xarray shows it.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { expect, test } from "vitest";
import { FileSystemStore } from "../../src/core/stores/files/file-system.js";
import { consolidateMetadata, create, root } from "../../src/index.js";
import cube from "../fixtures/xarray/cube-v3.json?raw";
import ocean from "../fixtures/xarray/ocean-v3.json?raw";
import reanalysis from "../fixtures/xarray/reanalysis-v2.json?raw";
import { runHere } from "../setup/command-line.js";
import { DATA, useCommandLine } from "./use-command-line.js";

const { at, here, wazarr } = useCommandLine();

function unpack(text: string, name: string): string {
  const { store }: { store: Readonly<Record<string, string>> } = JSON.parse(text);
  for (const [key, value] of Object.entries(store)) {
    const file = at(`${name}${key}`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, Buffer.from(value, "base64"));
  }
  return at(name);
}

test("a packed reanalysis", async () => {
  expect(await wazarr("info", unpack(reanalysis, "reanalysis.zarr"))).toMatchInlineSnapshot(`
    "/: group, Zarr v2
    Dimensions:    (latitude: 7, longitude: 8, time: 12)
    Coordinates:
      * latitude   (latitude) float32 60 ... 45, degrees_north
      * longitude  (longitude) float32 0 ... 17.5, degrees_east
      * time       (time) datetime64[ns] 2026-07-31 ... 2026-08-02T18:00:00
    Data variables:
        t2m        (time, latitude, longitude) float64, K
        tp         (time, latitude, longitude) float64, m
    Attributes:
        Conventions: CF-1.6
        history: 2026-09-01 from GRIB
    "
  `);
});

test("a cube of the noleap calendar", async () => {
  expect(await here("info", unpack(cube, "cube.zarr"))).toMatchInlineSnapshot(`
    "/: group, Zarr v3
    Dimensions:    (lat: 6, lon: 12, time: 6, bnds: 2)
    Coordinates:
        height     () float64, m
      * lat        (lat) float64 -75 ... 75, degrees_north
      * lon        (lon) float64 0 ... 330, degrees_east
      * time       (time) cftime[noleap] 2049-12-16T12:00:00 ... 2050-05-15T12:00:00
    Data variables:
        tas        (time, lat, lon) float32, K
        time_bnds  (time, bnds) cftime[noleap]
    Attributes:
        Conventions: CF-1.8
        source: a model
        realization: 1
    "
  `);
});

test("an ocean grid", async () => {
  expect(await here("info", unpack(ocean, "ocean.zarr"))).toMatchInlineSnapshot(`
    "/: group, Zarr v3
    Dimensions:  (x: 8, y: 6, time: 3)
    Coordinates:
        basin    (x) string
        lat      (y, x) float64, degrees_north
        lon      (y, x) float64, degrees_east
      * time     (time) datetime64[ns] 2026-01-15 ... 2026-03-15
    Data variables:
        land     (y, x) bool
        sst      (time, y, x) float32, degC
    Attributes:
        title: an ocean model
        grid: curvilinear
    "
  `);
});

test("what cannot be decoded is shown as it is stored, with the reason", async () => {
  const where = root(new FileSystemStore(at("wrong.zarr")));
  await create(where.resolve("t"), {
    shape: [2],
    dtype: "int8",
    dimensionNames: ["t"],
    attributes: { scale_factor: 0 },
  });
  expect(await here("info", at("wrong.zarr"))).toBe(
    `/: group, Zarr v3
Dimensions:  (t: 2)
Coordinates:
  * t        (t) int8 0 ... 0
Data variables:
    none
Not decoded: expected a scale other than 0 (node "/t", member attributes.scale_factor)
`,
  );
});

test("groups that are no data set, and --json, are as before", async () => {
  const where = root(new FileSystemStore(at("levels.zarr")));
  const dimensionNames = ["y", "x"];
  await create(where, { attributes: { title: "an image" } });
  await create(where.resolve("0"), { shape: [8, 8], dtype: "int8", dimensionNames });
  await create(where.resolve("1"), { shape: [4, 4], dtype: "int8", dimensionNames });
  expect(await here("info", at("levels.zarr"))).toBe('/: group, Zarr v3\nattributes\n  title: "an image"\n');
  await create(where.resolve("plain/a"), { shape: [8], dtype: "int8" });
  expect(await here("info", at("levels.zarr"), "plain")).toBe("/plain: group, Zarr v3\n");
  expect(JSON.parse(await here("info", at("wrong.zarr"), "--json"))).toMatchObject({
    node_type: "group",
    attributes: {},
  });
  expect(await here("info", DATA)).toContain("elevation  (latitude, longitude) int16, m\n");
});

test("names that every object has are no arrays", async () => {
  const store = unpack(cube, "inherited.zarr");
  for (const name of ["constructor", "toString", "__proto__"]) {
    const { status, stderr } = await runHere("get", store, name, "--select", "lat=0", "--out", "-");
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: expect.stringContaining(`no array ${name} in /`),
    });
  }
});

test("coordinates that are too long to read for their ends, and one beside them", async () => {
  const store = new FileSystemStore(at("long.zarr"));
  const group = root(store);
  await create(group, {});
  const coordinate = (name: string, length: number) =>
    create(group.resolve(name), {
      shape: [length],
      dtype: "int16",
      chunkShape: [length],
      dimensionNames: [name],
    });
  await coordinate("x", 2e12);
  await coordinate("y", 2 ** 20 + 1);
  await coordinate("z", 2 ** 20);
  // A chunk is decoded whole, however short the array is.
  const options = { shape: [4], dtype: "int16", chunkShape: [2 ** 30], dimensionNames: ["w"] } as const;
  await create(group.resolve("w"), options);
  const lines = (await here("info", at("long.zarr"))).split("\n");
  expect(lines.filter((line) => line.startsWith("  *")).map((line) => line.replaceAll(/ +/g, " "))).toEqual([
    " * w (w) int16",
    " * x (x) int16",
    " * y (y) int16",
    " * z (z) int16 0 ... 0",
  ]);
});

test("consolidated metadata that differ from the documents are noted", async () => {
  const store = new FileSystemStore(at("stale.zarr"));
  await create(store, {});
  const options = { shape: [4], dtype: "int8", dimensionNames: ["x"] } as const;
  await create(root(store).resolve("a"), options);
  await consolidateMetadata(store);
  expect(await here("info", at("stale.zarr"))).not.toContain("Note:");
  const document = JSON.parse(readFileSync(at("stale.zarr/a/zarr.json"), "utf8"));
  writeFileSync(at("stale.zarr/a/zarr.json"), JSON.stringify({ ...document, shape: [5] }));
  expect(await here("info", at("stale.zarr"))).toMatch(
    /\nNote: the consolidated metadata in \/zarr\.json differ from the document; .*wazarr consolidate.*\/a\/zarr\.json/,
  );
});
