/** Groups, attributes, names of dimensions, and what is refused: files that h5py and netCDF4 wrote. */
import { expect, test } from "vitest";
import { at, openDataset } from "../../../src/formats/xarray.js";
import { get, open, root } from "../../../src/index.js";
import { fileStore } from "./expected.js";

const FOLDER = "test/fixtures/virtual";

test.each(["earliest", "latest"])(
  "links of %s groups are followed, and those to other files refused by name",
  async (libver) => {
    const store = await fileStore(`${FOLDER}/groups_${libver}.h5`);
    const { prefixes } = await store.listDir("/");
    const names = prefixes.map((prefix) => prefix.slice(1, -1));
    expect(names).toContain("soft");
    expect(names).not.toContain("external");
    expect(names).not.toContain("dangling");
    expect(names).not.toContain("type");
    const soft = await open(root(store).resolve("soft"), { kind: "array" });
    expect((await get(soft)).data).toEqual(new Int32Array([0, 1]));
    const relative = await open(root(store).resolve("relative/c/d/x"), { kind: "array" });
    expect(relative.shape).toEqual([2]);
    await expect(open(root(store).resolve("external"))).rejects.toMatchObject({
      tag: "UnsupportedError",
      path: "/external",
    });
    await expect(open(root(store).resolve("a/b/up"))).rejects.toMatchObject({ tag: "UnsupportedError" });
    await expect(open(root(store).resolve("dangling"))).rejects.toMatchObject({ tag: "NotFoundError" });
  },
);

test.each(["earliest", "latest"])("attributes of %s, few and many, are those of h5py", async (libver) => {
  const store = await fileStore(`${FOLDER}/attributes_${libver}.h5`);
  const { metadata } = await open(root(store), { kind: "group" });
  expect(metadata.attributes).toMatchObject({
    text: "Temperatur in °C",
    bytes: "fixed",
    list: [1, 2, 3],
    big: [1.5, 2.5],
    long: 2n ** 62n,
    texts: ["a", "bc"],
    matrix: [
      [1, 2],
      [3, 4],
    ],
    nan: Number.NaN,
    true: true,
    one: 7,
    large: "x".repeat(libver === "latest" ? 70000 : 1000),
  });
  const x = await open(root(store).resolve("x"), { kind: "array" });
  expect(x.metadata.attributes).toMatchObject({ number0: 0, number39: 58.5 });
});

test("dimension scales are names of dimensions", async () => {
  for (const libver of ["earliest", "latest"]) {
    const store = await fileStore(`${FOLDER}/dimensions_${libver}.h5`);
    const t = await open(root(store).resolve("t"), { kind: "array" });
    expect(t.metadata.dimensionNames).toEqual(["lat", "lon"]);
  }
});

test("an enumeration keeps its names, as flags of CF", async () => {
  const store = await fileStore(`${FOLDER}/data_types_latest.h5`);
  const array = await open(root(store).resolve("enumeration"), { kind: "array" });
  expect(array.metadata.attributes).toMatchObject({
    flag_values: [42, 1, 0],
    flag_meanings: "BLUE GREEN RED",
  });
});

test.each(["netcdf3_classic", "netcdf3_64bit_data", "netcdf4", "netcdf4_classic"])(
  "%s is a data set: decoded, with coordinates",
  async (format) => {
    const ds = await openDataset(await fileStore(`${FOLDER}/weather_${format}.nc`));
    expect(ds.attrs).toMatchObject({ title: "Wetter in °C" });
    // The dimension without a variable is none.
    expect(Object.keys(ds.variables).sort()).toEqual(["lat", "lon", "names", "odd", "scalar", "t2m", "time"]);
    const { t2m } = ds.variables;
    if (t2m === undefined) throw new TypeError("expected t2m");
    const { data, coords } = await t2m.get({ time: "2026-03-05T06", lat: at(60), lon: at(0) });
    expect(Number(data)).toBeCloseTo((35 + 28 - 70) * 0.01 + 273.15, 4);
    expect(coords).toBeDefined();
  },
);

test("groups of netCDF-4 take dimensions of the groups that they are in", async () => {
  const store = await fileStore(`${FOLDER}/weather_netcdf4.nc`);
  const q = await open(root(store).resolve("run/member/q"), { kind: "array" });
  expect(q.metadata.dimensionNames).toEqual(["level", "lat"]);
  const label = await open(root(store).resolve("run/member/label"), { kind: "array" });
  expect([...(await get(label)).data]).toEqual(["top", "ground"]);
});
