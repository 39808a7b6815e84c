/** Writes performance.md. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { FOLDER } from "./folder.js";
import type { Machine } from "./machine.js";
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
  const { loads, minutes } = run;
  const { cpu, cores, commit, date, versions } = run.machine;
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

If the load before the run is far above 0, or the load after it far above 1, other work ran at the same time. Then ratios are more reliable than times.

**Which data.** Arrays are files in \`${FOLDER}\`, unless a section says otherwise. Below /dev/shm, files are in memory. If TensorStore is installed, it wrote the arrays that are read, so its encoders decide how hard they are to decode. A write starts with an empty directory, and its time includes the metadata. No library syncs files to the disk.

**Who takes part.** zarrita is used with \`@zarrita/storage\`. It writes no gzip and no shards, and ignores the \`shuffle\` of blosc when it writes. TensorStore runs on one core, with one copy thread and one I/O thread. wazarr and zarrita run in one thread each, pinned to the same core, because one of two virtual cores is often slower for a while. V8's own threads, which compile and collect garbage, and the threads for files may use the other core. "Its fallback" is wazarr without WebAssembly. "Files alone" are Node's file functions for the same files, whole, one after the other.

**How it was measured.** In the first tables, every library has a process of its own for each array. The processes take turns. A round is one turn of each library. Rounds alternate in direction, and the first round does not count. A turn is as many runs as fill 40 ms, after one run that does not count, and their median (tinybench). If a run takes more than 200 ms, a turn is one run. The tables show the median of all turns. Ratios between libraries are the median of the ratios of rounds. The turns of a round are close in time, so that both libraries suffer when the virtual machine is slower by half for some seconds. The later sections have one process for each library (and one of Python), and collect garbage before every turn.

Fresh memory costs page faults in every implementation, 0.5 ms for each MiB on this machine. A loop avoids them with \`out\`, or with \`reuse\` of \`read\`.

${ordered.map(asMarkdown).join("\n\n")}
`;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "performance.md"), page);
}
