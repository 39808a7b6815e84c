/** Files that h5py and netCDF4 wrote (scripts/oracles/make_hdf5_fixtures.py, make_netcdf_fixtures.py), read element by
 * element. */
import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { differences } from "./expected.js";

const FOLDER = process.env.WAZARR_HDF5 ?? "test/fixtures/virtual";
const files = readdirSync(FOLDER).filter((name) => /\.(h5|nc)$/.test(name));

test.each(files)("%s: all elements are those that its writer reads", async (name) => {
  expect(await differences(`${FOLDER}/${name}`)).toEqual({});
});
