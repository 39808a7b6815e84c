/** Writes performance.md. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { FOLDER } from "./folder.js";
import type { Machine } from "./machine.js";
import { SUMMARY } from "./sections/summary.js";
import { asMarkdown, type Section } from "./table.js";

export function writeReport(
  folder: string,
  { cpu, cores, commit, date, versions }: Machine,
  loads: readonly string[],
  minutes: number,
  sections: readonly Section[],
): void {
  const named = Object.entries(versions).map(([name, version]) => `| ${name} | ${version} |`);
  // The summary is made from the first tables, and comes before them.
  const first = sections.filter(({ title }) => title === SUMMARY);
  const ordered = [...first, ...sections.filter((section) => !first.includes(section))];
  const page = `# Performance

Written by \`npm run bench:report\` from one run of ${minutes.toFixed(1)} minutes; nothing here is from anywhere else.

| | |
| --- | --- |
| machine | ${cpu}, ${cores} cores |
| date | ${date} |
| wazarr | commit ${commit} |
${named.join("\n")}
| load of the machine, before and after | ${loads.join(" and ")} |

Where the load before is far above 0 or that after far above 1 other work ran beside it: ratios hold better than times.

**How it was measured.** Everybody takes turns: a round is one turn of each, rounds alternate in direction, and the first does not count. A
turn is as many runs as fill 40 ms, after one that does not count, and their median (tinybench); of what takes more than 200 ms it is one run.
Tables show the median of all turns. How many times as fast somebody was is the median of the ratios of rounds, in which both had a turn one
soon after the other: a virtual machine is slower by half for some seconds at a time, which hits both.

Arrays are files in \`${FOLDER}\` (in memory, where it is below /dev/shm), unless a section says otherwise. In the first tables every library
has a process of its own for each array, and each array is measured twice, minutes apart. Later sections have one process each (and one of
Python), in which garbage is collected before every turn. Where TensorStore is found it wrote the arrays that are read, so that its encoders
decide how hard they are to decode. A write begins with an empty directory and counts from the metadata on; nobody syncs files to the disk.
zarrita is used with \`@zarrita/storage\`; it writes no gzip and no shards, and ignores the \`shuffle\` of blosc when writing. TensorStore runs
on one core with one copy and one I/O thread. wazarr and zarrita run in one thread each, pinned to the same core, since of two virtual cores
one is often slower for a while; V8's own threads, which compile and collect garbage, and those for files may use another core. "Its fallback"
is wazarr without WebAssembly, "files alone" are Node's file functions for the same files, whole, one after the other. Fresh memory costs page
faults in every implementation, 0.5 ms a MiB on this machine; \`out\`, or \`reuse\` of \`read\`, spares them.

${ordered.map(asMarkdown).join("\n\n")}
`;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "performance.md"), page);
  console.log(`${join(folder, "performance.md")} written`);
}
