/** Files that h5py wrote (scripts/oracles/make_hdf5_fixtures.py), read element by element. */
import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { differences } from "./expected.js";

const FOLDER = process.env.WAZARR_HDF5 ?? "test/fixtures/virtual";
const files = readdirSync(FOLDER).filter((name) => name.endsWith(".h5"));

test.each(files)("%s: all elements are those that h5py reads", async (name) => {
  expect(await differences(`${FOLDER}/${name}`)).toEqual({});
});
