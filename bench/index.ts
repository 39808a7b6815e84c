/**
 * `npm run bench [-- --quick] [--only NAME]` prints each section as soon as it is measured; `npm run
 * bench:report [-- --into FOLDER]` writes performance.md, its tables and its pictures into the folder (docs/) as well. bench/README.md
 * says how it all works.
 */
import { parseArgs } from "node:util";
import { serveIfAsked } from "./helper.js";
import { currentLoad, describeMachine } from "./machine.js";
import { answerErrand } from "./peers/library.js";
import { writeReport } from "./report.js";
import { measureArray } from "./sections/files.js";
import { callFirst } from "./sections/first-calls.js";
import { benchAll, runSection } from "./sections.js";
import { asText, type Section } from "./table.js";

const JOBS = { section: runSection, array: measureArray, library: answerErrand, firstCalls: callFirst };

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      quick: { type: "boolean", default: false },
      only: { type: "string", default: "" },
      into: { type: "string" },
    },
  });
  const machine = describeMachine();
  const before = currentLoad();
  const { cpu, cores, commit, date, versions } = machine;
  const named = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  console.log(`${cpu}, ${cores} cores, load ${before}, commit ${commit}, ${date}\n${named.join(", ")}`);
  const began = performance.now();
  const sections: Section[] = [];
  for await (const section of benchAll({ isQuick: values.quick, only: values.only })) {
    sections.push(section);
    console.log(`\n${asText(section)}`);
    // After each section: a run that is stopped leaves what it has measured.
    const run = { machine, loads: [before, currentLoad()], minutes: (performance.now() - began) / 60_000 };
    if (values.into !== undefined) writeReport(values.into, run, sections);
  }
  console.log(`\nload ${currentLoad()}, ${((performance.now() - began) / 60_000).toFixed(1)} minutes`);
}

if (!serveIfAsked(JOBS)) await main();
