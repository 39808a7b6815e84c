/** Writes performance.md, which says what the figures come to, and performance-tables.md, which has them all. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { FOLDER } from "./folder.js";
import type { Machine } from "./machine.js";
import { plotsOf } from "./plots.js";
import { SUMMARY } from "./sections/summary.js";
import { asMarkdown, type Section } from "./table.js";

/** What is said of a run, besides its sections. */
export interface Run {
  readonly machine: Machine;
  /** Load of the machine before and after. */
  readonly loads: readonly string[];
  readonly minutes: number;
}

export function writeReport(folder: string, run: Run, sections: readonly Section[]): void {
  const images = join(folder, "images");
  mkdirSync(images, { recursive: true });
  for (const [name, svg] of plotsOf(sections)) writeFileSync(join(images, name), svg);
  writeFileSync(join(folder, "performance.md"), pageOf(run, sections));
  writeFileSync(join(folder, "performance-tables.md"), tablesOf(run, sections));
}

function pageOf({ machine, minutes }: Run, sections: readonly Section[]): string {
  const summary = sections.filter(({ title }) => title === SUMMARY);
  return `# Performance

Written by \`npm run bench:report\` on ${machine.date.slice(0, 10)} at commit ${machine.commit}, from one run of ${minutes.toFixed(0)} minutes on ${machine.cpu} with ${machine.cores} cores.

![How many times as fast wazarr is as zarrita and TensorStore: a dot for each array that was read or written, a line for the median](images/performance-speed.svg)

Each dot is one array of 16 to 128 MiB in files in memory, with one of ten codecs or layouts. To the right of 1 wazarr is faster. The table has the medians and the worst cells.

${summary.flatMap(({ tables }) => tables.map((table) => asMarkdown({ title: SUMMARY, text: "", tables: [table] }))).join("\n\n")}

## In a page

![Milliseconds until a page has its first tile: wazarr, zarrita, and a page that decodes nothing](images/performance-page.svg)

A page starts with an empty cache, loads its code, opens an array and reads 256 x 256 elements, over a link of 50 Mbit/s. "Floor" fetches the same bytes and decodes nothing. zarrita loads less code for raw chunks and gzip, and more for the other codecs.

## How it was measured

- **One core each.** wazarr and zarrita run in one thread, pinned to the same core. TensorStore has one copy thread and one I/O thread. zarrita writes no gzip and no shards.
- **In turns.** Each library has a process of its own for each array. Processes take turns in rounds, in alternating order. A turn fills 40 ms or is one run. A ratio is the median of the ratios of rounds, so a machine that is slow for some seconds is slow for both.
- **Data** are files in \`${FOLDER}\`. TensorStore wrote the arrays that are read, so its encoders decide how hard they are to decode.
- **Fresh memory** costs page faults in every implementation, 0.5 ms for each MiB on this machine. A loop avoids them with \`out\`, or with \`reuse\` of \`read\`.

[All tables](performance-tables.md) have the times of every array, first calls, small reads, points, shards over HTTP, workers, panning, browsers, codecs and kernels, with the versions and the load of the machine.
`;
}

function tablesOf({ machine, loads, minutes }: Run, sections: readonly Section[]): string {
  const { cpu, cores, commit, date, versions } = machine;
  const named = Object.entries(versions).map(([name, version]) => `| ${name} | ${version} |`);
  const ordered = sections.filter(({ title }) => title !== SUMMARY);
  return `---
search: false
---

# Tables of the benchmarks

All figures of the run that [Performance](performance.md) sums up, which also says how they were measured. \`npm run bench:report\` writes both.

| | |
| --- | --- |
| machine | ${cpu}, ${cores} cores, ${minutes.toFixed(1)} minutes |
| date | ${date} |
| wazarr | commit ${commit} |
${named.join("\n")}
| load of the machine, before and after | ${loads.join(" and ")} |

If the load before the run is far above 0, or the load after it far above 1, other work ran at the same time. Then ratios are more reliable than times. "Its fallback" is wazarr without WebAssembly. "Files alone" are Node's file functions for the same files, whole, one after the other.

${ordered.map(asMarkdown).join("\n\n")}
`;
}
