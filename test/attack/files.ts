/**
 * Files of HDF5, NetCDF, TIFF and GRIB that were changed at random: pointers into circles, lengths and counts
 * that no file has, other bytes in headers. What is read is an error of wazarr's, or elements.
 */
import { isZarrError } from "../../src/index.js";
import { random as integers } from "../fuzz/mutate.js";
import { failureOf, mutatedFile, VIRTUAL_FILES, type VirtualFiles } from "../fuzz/virtual.js";
import type { Campaign, Row } from "./campaign.js";

const MOST_BROKEN = 10;

export const files: Campaign = {
  name: "files",
  holds: "files of other formats that were changed are refused by a typed error, or read",
  async run(until, random) {
    const rows: Row[] = [];
    for (const [i, target] of VIRTUAL_FILES.entries()) {
      const left = VIRTUAL_FILES.length - i;
      rows.push(await attack(target, performance.now() + (until - performance.now()) / left, random));
    }
    return rows;
  },
};

async function attack(target: VirtualFiles, until: number, random: () => number): Promise<Row> {
  const next = integers(1 + Math.floor(random() * 2 ** 30));
  const broken: string[] = [];
  let [rounds, wasRead, milliseconds] = [0, 0, 0];
  do {
    const input = mutatedFile(target, next);
    const begin = performance.now();
    const failure = await failureOf(input);
    milliseconds = Math.max(milliseconds, performance.now() - begin);
    rounds++;
    if (failure === undefined) wasRead++;
    else if (!isZarrError(failure)) broken.push(`${failure}: ${Buffer.from(input).toString("base64")}`);
  } while (performance.now() < until && broken.length < MOST_BROKEN);
  return {
    attack: `files of ${target.name}`,
    rounds,
    broken,
    figures: { read: wasRead, "ms at most": Math.ceil(milliseconds) },
  };
}
