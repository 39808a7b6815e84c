/**
 * `npm run bench:report [-- --quick] [--into FOLDER]`: runs the benchmarks once and writes performance.md and its charts from this run.
 * FOLDER defaults to docs/.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { FOLDER } from "./folder.js";
import { currentLoad, describeMachine, type Machine } from "./machine.js";
import { passesOf } from "./parts.js";
import { LONG_MILLISECONDS, MOST_RUNS, MOST_TURNS, TURN_MILLISECONDS, WARM_UP_MILLISECONDS } from "./race.js";
import { type Section, sectionAsMarkdown } from "./section.js";
import { benchAll } from "./sections.js";
import { SUMMARY } from "./summary.js";

const IMAGES = "images/performance";

function page(
  { cpu, cores, commit, date, versions }: Machine,
  loads: readonly string[],
  minutes: string,
  sections: readonly Section[],
): string {
  const named = Object.entries(versions).map(([name, version]) => `| ${name} | ${version} |`);
  return `# Performance

Written by \`npm run bench:report\` from one run of ${minutes} minutes; nothing here is from anywhere else.

| | |
| --- | --- |
| machine | ${cpu}, ${cores} cores |
| date | ${date} |
| wazarr | commit ${commit} |
${named.join("\n")}
| load of the machine, before and after | ${loads.join(" and ")} |

Where the load before is far above 0 or that after far above 1 other work ran beside it: ratios hold better than times.

**How it was measured.** Arrays are files in \`${FOLDER}\` (in memory, where it is below /dev/shm), unless a section says otherwise. Of each array that is read and written every library has a process of its own,
so that it is measured with its own garbage and nobody else's, and they take turns: a round is one turn of each, rounds alternate in direction, the first (${WARM_UP_MILLISECONDS} ms of runs) does not count. A turn is so many runs in a row as fill ${TURN_MILLISECONDS} ms
(${MOST_RUNS} at most) after one that does not count, and their median; of what takes more than ${LONG_MILLISECONDS} ms it is one run. ${passesOf({ quick: false })} times, minutes apart, that is done with new processes; the median of all turns is shown. How many times as fast somebody was is the median of the rounds, in which both had a turn one soon after the other:
a virtual machine is slower by half for some seconds at a time, which hits both. Where the core is shared with somebody else's thread for more than a tenth of the millisecond before a turn or of that after it (additions that do not wait for each other then take
1.7 times as long), another turn is taken (${MOST_TURNS} in all at most), and the one that was disturbed least counts, however long it took. Later sections have one process each (and one of TensorStore), in which garbage is collected before every turn. Where TensorStore is found it wrote the arrays that are
read, so that its encoders decide how hard they are to decode. A write begins with an empty directory and counts from the
metadata on; nobody syncs files to the disk. zarrita is used with \`@zarrita/storage\`; it writes no gzip and no shards, and ignores the \`shuffle\` of blosc when writing. TensorStore runs on one core with one copy and
one I/O thread. wazarr and zarrita run in one thread each, pinned to the same core, since of two virtual cores one is often slower for a while; V8's own threads, which compile and collect garbage, and those for files may use another core. "Its fallback" is wazarr without WebAssembly.

Fresh memory costs page faults in every implementation, 0.5 ms a MiB on this machine. A loop spares them with \`out\`, or with \`reuse\` of \`read\`; \`GLIBC_TUNABLES=glibc.malloc.hugetlb=1 node ...\` makes them rarer (Linux).

${sections.map((section) => sectionAsMarkdown(section, IMAGES)).join("\n\n")}
`;
}

const { values } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    into: { type: "string", default: "docs" },
    only: { type: "string" },
  },
});
const machine = describeMachine();
const loads = [currentLoad()];
const began = performance.now();
const sections: Section[] = [];
for await (const section of benchAll(values)) {
  console.log(`${((performance.now() - began) / 1000).toFixed(0)} s: ${section.title}`);
  // The summary is computed last, from the other sections, and comes first in the document.
  if (section.title === SUMMARY) sections.unshift(section);
  else sections.push(section);
}
loads.push(currentLoad());
const minutes = ((performance.now() - began) / 60_000).toFixed(1);
mkdirSync(join(values.into, IMAGES), { recursive: true });
for (const { name, svg } of sections.flatMap(({ charts }) => charts)) {
  writeFileSync(join(values.into, IMAGES, `${name}.svg`), svg);
}
writeFileSync(join(values.into, "performance.md"), page(machine, loads, minutes, sections));
console.log(`${join(values.into, "performance.md")} and its charts written`);
