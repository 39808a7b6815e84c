/**
 * `npm run bench [-- --quick] [--only NAME]` prints each section as soon as it is measured; `npm run
 * bench:report [-- --into FOLDER]` writes performance.md into the folder (docs/) as well. bench/README.md
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
  const loads = [currentLoad()];
  const { cpu, cores, commit, date, versions } = machine;
  const named = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  console.log(`${cpu}, ${cores} cores, load ${loads[0]}, commit ${commit}, ${date}\n${named.join(", ")}`);
  const began = performance.now();
  const sections: Section[] = [];
  for await (const section of benchAll({ isQuick: values.quick, only: values.only })) {
    sections.push(section);
    console.log(`\n${asText(section)}`);
  }
  loads.push(currentLoad());
  const minutes = (performance.now() - began) / 60_000;
  console.log(`\nload ${loads[1]}, ${minutes.toFixed(1)} minutes`);
  if (values.into !== undefined) writeReport(values.into, machine, loads, minutes, sections);
}

if (!serveIfAsked(JOBS)) await main();
