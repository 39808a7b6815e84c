/**
 * The long run: `npm run fuzz -- [--inputs 1000000] [--seed 1] [--only NAME]`. Each decoder gets `inputs`
 * mutated inputs, each kind of file of Icechunk, HDF5 and NetCDF 20,000 at most; one line of JSON a decoder
 * goes to standard output, to be kept as the log. A decoder that fails ends its own run only; status 1 when
 * any did.
 */
import { parseArgs } from "node:util";
import { fuzz } from "./fuzz.js";
import { fuzzIcechunk, ICECHUNK_FILES } from "./icechunk.js";
import { fuzzStac } from "./stac.js";
import { TARGETS } from "./targets.js";
import { fuzzVirtual, VIRTUAL_FILES } from "./virtual.js";

const { values } = parseArgs({
  options: {
    inputs: { type: "string", default: "1000000" },
    seed: { type: "string", default: "1" },
    only: { type: "string", default: "" },
  },
});
const seed = Number(values.seed);
let total = 0;
for (const target of TARGETS) {
  if (!target.name.includes(values.only)) continue;
  try {
    const result = await fuzz(target, Number(values.inputs), seed);
    total += result.inputs;
    console.log(JSON.stringify({ decoder: target.name, seed, node: process.version, ...result }));
  } catch (error) {
    console.error(error);
    process.exitCode = 1;
  }
}
/** Each input is a repository, of which everything is read. */
const MOST_REPOSITORIES = 20_000;
for (const file of ICECHUNK_FILES) {
  const name = `icechunk ${file.name}`;
  if (!name.includes(values.only)) continue;
  try {
    const result = await fuzzIcechunk(file, Math.min(Number(values.inputs), MOST_REPOSITORIES), seed);
    total += result.inputs;
    console.log(JSON.stringify({ file: name, seed, node: process.version, ...result }));
  } catch (error) {
    console.error(error);
    process.exitCode = 1;
  }
}
for (const files of VIRTUAL_FILES) {
  if (!files.name.includes(values.only)) continue;
  try {
    const result = await fuzzVirtual(files, Math.min(Number(values.inputs), MOST_REPOSITORIES), seed);
    total += result.inputs;
    console.log(JSON.stringify({ file: files.name, seed, node: process.version, ...result }));
  } catch (error) {
    console.error(error);
    process.exitCode = 1;
  }
}
if ("stac".includes(values.only)) {
  try {
    const result = fuzzStac(Number(values.inputs), seed);
    total += result.inputs;
    console.log(JSON.stringify({ file: "stac", seed, node: process.version, ...result }));
  } catch (error) {
    console.error(error);
    process.exitCode = 1;
  }
}
console.log(JSON.stringify({ total, seed }));
