// `npm run nightly [-- --seed 20261126]`: runs the tests that are too long for `npm run test:rest` (*.nightly.test.ts;
// all that run in pages, in three browsers), fuzzes every decoder with a million inputs, then attacks for an
// hour (test/fuzz/run.ts, test/attack/run.ts). The seed is the date, so that each night tries something else;
// what fails prints it. Status 1 when anything failed.
import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";

const today = new Date().toISOString().slice(0, 10).replaceAll("-", "");
const { values } = parseArgs({ options: { seed: { type: "string", default: today } } });
console.log(`seed ${values.seed}`);
for (const [command, ...args] of [
  ["npx", "vitest", "run", "--project=nightly"],
  ["npm", "run", "test:browsers"],
]) {
  const { status } = spawnSync(command, args, { stdio: "inherit" });
  if (status !== 0) process.exitCode = 1;
}
for (const program of ["test/fuzz/run.ts", "test/attack/run.ts"]) {
  const { status } = spawnSync(process.execPath, ["scripts/run-ts.mjs", program, "--seed", values.seed], {
    stdio: "inherit",
  });
  if (status !== 0) process.exitCode = 1;
}
