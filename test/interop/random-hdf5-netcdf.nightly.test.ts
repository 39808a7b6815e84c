/**
 * h5py and netCDF4 from Python: 600 random files, whose elements are read to the bit. With those of
 * random-tiff-grib.nightly.test.ts they are 1,000.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readOracles } from "../setup/oracles.js";
import { seedOfTheDay } from "../setup/seed.js";
import { differences } from "../stores/virtual/expected.js";

const { files } = readOracles();
const executable = files?.h5py && files.netCDF4 ? files.executable : undefined;
const FILES = 300;

it.skipIf(executable === undefined).each(["make_hdf5_fixtures.py", "make_netcdf_fixtures.py"])(
  `%s writes ${FILES} random files of seed ${seedOfTheDay()}`,
  { timeout: 1_200_000 },
  async (script) => {
    const folder = mkdtempSync(join(tmpdir(), "wazarr-files-"));
    try {
      execFileSync(executable ?? "", [
        `scripts/oracles/${script}`,
        folder,
        String(seedOfTheDay()),
        String(FILES),
      ]);
      const written = readdirSync(folder).filter((name) => !name.endsWith(".json"));
      expect(written).toHaveLength(FILES);
      for (const name of written) expect([name, await differences(join(folder, name))]).toEqual([name, {}]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);
