/** Files of NetCDF and HDF5 on the command line. */
import { cpSync } from "node:fs";
import { expect, test } from "vitest";
import { lines, useCommandLine } from "./use-command-line.js";

const { at, run, wazarr } = useCommandLine();
const FILE = "test/fixtures/virtual/weather_netcdf4.nc";

test("a file is a store by its name", async () => {
  expect(await wazarr("info", FILE)).toContain("t2m");
  const { data } = JSON.parse(await wazarr("get", FILE, "/t2m", "--select", "0,0,:3", "--raw", "--out", "-"));
  expect(data).toEqual([-70, -69, -68]);
});

test("references are written once, and read as the files are", async () => {
  const files = ["a.nc", "b.nc"].map(at);
  for (const file of files) cpSync(FILE, file);
  const output = at("run.json");
  await wazarr("virtual", ...files, "--concat", "time", "-o", output);
  const { shape } = JSON.parse(await wazarr("info", output, "/t2m", "--json"));
  expect(shape).toEqual([8, 5, 7]);
  const { data } = JSON.parse(
    await wazarr("get", output, "/t2m", "--select", "4,0,:3", "--raw", "--out", "-"),
  );
  expect(data).toEqual([-70, -69, -68]);
  const again = await run("virtual", ...files, "--concat", "time", "--out", output);
  expect(again.status).toBe(2);
  expect(lines(again).join()).toMatch(/exists already; --overwrite/);
  const apart = await run("virtual", ...files, "--out", at("other.json"));
  expect(lines(apart).join()).toMatch(/--concat: expected the dimension/);
});

test("a file is added to references, and those of the others stay", async () => {
  const files = ["x.nc", "y.nc"].map(at);
  for (const file of files) cpSync(FILE, file);
  const [first = "", second = ""] = files;
  const output = at("grown.json");
  await wazarr("virtual", first, "--out", output);
  await wazarr("virtual", second, "--concat", "time", "--append", output);
  const { shape } = JSON.parse(await wazarr("info", output, "/t2m", "--json"));
  expect(shape).toEqual([8, 5, 7]);
  const { data } = JSON.parse(
    await wazarr("get", output, "/t2m", "--select", "4,0,:3", "--raw", "--out", "-"),
  );
  expect(data).toEqual([-70, -69, -68]);
  const without = await run("virtual", second, "--append", output);
  expect(lines(without).join()).toMatch(/--concat: expected the dimension/);
  const other = await run("virtual", second, "--concat", "time", "--append", first);
  expect(lines(other).join()).toMatch(/--append: expected a document of references/);
});
