/** tifffile and eccodes from Python: 400 random files, whose elements are read to the bit. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readOracles } from "../setup/oracles.js";
import { seedOfTheDay } from "../setup/seed.js";
import { expectGribFile, type GribCase } from "../stores/virtual/grib/cases.js";
import { expectFile, type TiffCase } from "../stores/virtual/tiff/cases.js";

const { files } = readOracles();
const executable = files?.tifffile && files.cfgrib ? files.executable : undefined;

/** Random cases of a script. */
function casesOf<Case>(script: string, count: number): readonly Case[] {
  const folder = mkdtempSync(join(tmpdir(), "wazarr-files-"));
  try {
    const file = join(folder, "cases.json");
    execFileSync(executable ?? "", [
      `scripts/oracles/${script}`,
      file,
      String(count),
      String(seedOfTheDay()),
    ]);
    const { cases }: { readonly cases: readonly Case[] } = JSON.parse(readFileSync(file, "utf8"));
    expect(cases).toHaveLength(count);
    return cases;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

it.skipIf(executable === undefined)(
  `300 files of tifffile of seed ${seedOfTheDay()}`,
  { timeout: 1_200_000 },
  async () => {
    for (const each of casesOf<TiffCase>("make_tiff_file_fixtures.py", 300)) await expectFile(each);
  },
);

it.skipIf(executable === undefined)(
  `100 files of eccodes of seed ${seedOfTheDay()}, as cfgrib reads them`,
  { timeout: 1_200_000 },
  async () => {
    for (const each of casesOf<GribCase>("make_grib_file_fixtures.py", 100)) await expectGribFile(each);
  },
);
