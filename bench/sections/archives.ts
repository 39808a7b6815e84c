/**
 * Codecs of archives beside native libraries, on one core. All decode the same bytes, which the native
 * libraries wrote.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Python, shareCore } from "../peers/python.js";
import type { Care } from "../race.js";
import type { Section, Table } from "../table.js";
import { fieldTrials } from "./archives-grib.js";
import { numberTrials } from "./archives-pcodec.js";
import { compareChunks } from "./archives-table.js";
import { tileTrials } from "./archives-tiff.js";
import { zfpTrials } from "./archives-zfp.js";

/** The library that writes, what the table is called, who is compared with wazarr, and the rows. */
const COMPARISONS = [
  ["eccodes", "GRIB", ["eccodes", "gribberish"], fieldTrials],
  ["pcodec", "pcodec", ["pcodec"], numberTrials],
  ["zfpy", "zfp", ["zfpy"], zfpTrials],
  ["imagecodecs", "TIFF", ["imagecodecs", "geotiff.js"], tileTrials],
] as const;

/** @returns a table for each library that is installed, undefined without any */
export async function benchArchives(care: Care): Promise<Section | undefined> {
  const tables: Table[] = [];
  const folder = mkdtempSync(join(tmpdir(), "archives-"));
  try {
    for (const [library, format, rivals, trialsOf] of COMPARISONS) {
      const python = Python.start(library);
      if (python === undefined) continue;
      try {
        shareCore();
        tables.push(await compareChunks({ python, folder, care }, format, rivals, trialsOf(python)));
      } finally {
        python.close();
      }
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  if (tables.length === 0) return undefined;
  return {
    title: "Codecs of archives",
    text: `The tables give milliseconds on one core. The data are GRIB messages of 1440 x 721 points, which eccodes wrote, decoded to float64; 1,048,576 numbers, which pcodec wrote at its default level; as many, which zfp wrote; and tiles of TIFF. The time of wazarr includes a copy into an ordinary array. "Of eccodes" is the speed of wazarr divided by that of eccodes, and so on. The goals are 0.6 of native libraries, and 3 times geotiff.js. [Two rows](../bench/studies/README.md#what-limits-two-rows-of-the-codecs-of-archives) are near the goal, or miss it.`,
    tables,
  };
}
