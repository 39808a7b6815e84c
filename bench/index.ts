/** `npm run bench [-- --quick] [--only NAME]`: runs every benchmark and prints each result immediately. */
import { parseArgs } from "node:util";
import { currentLoad, describeMachine } from "./machine.js";
import { sectionAsText } from "./section.js";
import { benchAll } from "./sections.js";

const { values } = parseArgs({
  options: { quick: { type: "boolean", default: false }, only: { type: "string" } },
});
const { cpu, cores, commit, date, versions } = describeMachine();
const named = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
console.log(`${cpu}, ${cores} cores, load ${currentLoad()}, commit ${commit}, ${date}\n${named.join(", ")}`);
for await (const section of benchAll(values)) console.log(`\n${sectionAsText(section)}`);
console.log(`\nload ${currentLoad()}`);
