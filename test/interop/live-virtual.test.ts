/** h5py and netCDF4 from Python: random files, whose elements are read to the bit. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readOracles } from "../setup/oracles.js";
import { differences } from "../stores/virtual/expected.js";

const { files } = readOracles();
const executable = files?.h5py && files.netCDF4 ? files.executable : undefined;
/** Of each; a night's seed is another. */
const FILES = 100;

it.skipIf(executable === undefined).each(["make_hdf5_fixtures.py", "make_netcdf_fixtures.py"])(
  "%s writes random files, which are read to the bit",
  { timeout: 300_000 },
  async (script) => {
    const folder = mkdtempSync(join(tmpdir(), "wazarr-files-"));
    try {
      execFileSync(executable ?? "", [`scripts/oracles/${script}`, folder, "11", String(FILES)]);
      const written = readdirSync(folder).filter((name) => !name.endsWith(".json"));
      expect(written).toHaveLength(FILES);
      for (const name of written) expect([name, await differences(join(folder, name))]).toEqual([name, {}]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);
