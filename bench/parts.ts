/**
 * Parts of the benchmarks, each measured in its own process: garbage, heap and compiled code of one table would slow the next one by an
 * unknown amount.
 */
import { fork } from "node:child_process";
import { benchBrowsers } from "./browser.js";
import { benchCoalescing } from "./coalescing.js";
import { benchCodecs } from "./codecs.js";
import { BLOSC_GROUPS } from "./codecs-blosc.js";
import { ZSTD_GROUPS } from "./codecs-zstd.js";
import { benchCores } from "./cores.js";
import { benchElements, formatElements } from "./elements.js";
import { benchWorkload, type EndToEndTurns } from "./end-to-end.js";
import { benchFirstCalls } from "./first-calls.js";
import { benchFirstTile } from "./first-tile.js";
import { benchGrids } from "./grids.js";
import { benchGrowth } from "./growth.js";
import type { MeasureOptions } from "./harness.js";
import { benchKernels, kernelTable } from "./kernels.js";
import { benchPan } from "./pan.js";
import { benchPoints } from "./points.js";
import { type Effort, FULL_EFFORT, QUICK_EFFORT } from "./race.js";
import type { Section } from "./section.js";
import { benchSmallReads } from "./small-reads.js";
import { benchStrings } from "./strings.js";
import { shareCore, Tensorstore } from "./tensorstore.js";
import { GROUPS } from "./workloads.js";

export const SECTIONS = [
  "first-calls",
  "growth",
  "small reads",
  "points",
  "grids",
  "coalescing",
  "cores",
  "first-tile",
  "pan",
  "browser",
  "codecs",
  "strings",
  "elements",
  "kernels",
] as const;

export interface Part {
  /** Few rounds: checks that the benchmark works, its figures mean little. */
  readonly quick: boolean;
  /** Name of the array to read and write. */
  readonly workload?: string;
  readonly section?: (typeof SECTIONS)[number];
}

/** Sections in which TensorStore takes turns and no other threads or processes start. */
const ON_ITS_CORE: readonly Part["section"][] = ["growth", "points"];

export interface PartResult {
  /** Name of a workload. */
  readonly turns?: readonly EndToEndTurns[];
  readonly section?: Section | undefined;
}

/** Number of passes: each measures every array in new processes, minutes after the last pass. */
const PASSES = 2;
/** Effort of each pass. */
const PASS_EFFORT: Effort = { least: 5, most: 12, budget: 1500 };

export const passesOf = ({ quick }: Pick<Part, "quick">): number => (quick ? 1 : PASSES);

export const effortOf = ({ quick }: Pick<Part, "quick">): Effort => (quick ? QUICK_EFFORT : FULL_EFFORT);

/** Runs a part in a new process. */
export function inOwnProcess(part: Part): Promise<PartResult> {
  return new Promise((resolve, reject) => {
    const child = fork("scripts/run-ts.mjs", ["bench/part.ts", JSON.stringify(part)], {
      serialization: "advanced",
    });
    let answer: PartResult | undefined;
    child.on("message", (message: PartResult) => {
      answer = message;
    });
    child.on("error", reject);
    child.on("exit", (code) => {
      if (answer === undefined)
        reject(new Error(`${JSON.stringify(part)} ended with code ${code}, see above`));
      else resolve(answer);
    });
  });
}

/** Runs a part in this process. */
export async function runPart(part: Part): Promise<PartResult> {
  const tensorstore = Tensorstore.start();
  if (tensorstore !== undefined && ON_ITS_CORE.includes(part.section)) shareCore();
  try {
    const group = GROUPS.find(({ workloads }) => workloads.some(({ name }) => name === part.workload));
    const workload = group?.workloads.find(({ name }) => name === part.workload);
    return group !== undefined && workload !== undefined
      ? { turns: await benchWorkload(workload, group, tensorstore, part.quick ? QUICK_EFFORT : PASS_EFFORT) }
      : { section: await runSection(part, tensorstore) };
  } finally {
    tensorstore?.close();
  }
}

async function runSection(part: Part, tensorstore: Tensorstore | undefined): Promise<Section | undefined> {
  const { quick } = part;
  const effort = effortOf(part);
  // Less effort for sections in which trends matter, not single cells.
  const brief = { ...effort, least: Math.min(3, effort.least) };
  const measuring: MeasureOptions = quick ? { warmUp: 5, batch: 2, batches: 3 } : {};
  switch (part.section) {
    case "first-calls":
      return benchFirstCalls(quick);
    case "growth":
      return benchGrowth(tensorstore, brief, quick);
    case "small reads":
      return benchSmallReads(brief);
    case "points":
      return benchPoints(tensorstore, brief);
    case "grids":
      return benchGrids(brief, quick);
    case "coalescing":
      return benchCoalescing(brief, quick);
    case "cores":
      return benchCores(brief);
    case "first-tile":
      return benchFirstTile(quick);
    case "pan":
      return benchPan(quick);
    case "browser":
      return benchBrowsers(tensorstore, brief);
    case "codecs":
      return benchCodecs([...BLOSC_GROUPS, ...ZSTD_GROUPS].slice(quick ? -1 : 0));
    case "strings":
      return benchStrings(effort, measuring);
    case "elements":
      return {
        title: "Conversions of elements",
        text: `2^18 elements in place, GB/s of the larger side, median.\n\n${fenced(formatElements(await benchElements(measuring)))}`,
        tables: [],
        charts: [],
      };
    case "kernels":
      return {
        title: "Kernels",
        text: "Operands of 1 MiB in place, GB/s of payload, median.",
        tables: [kernelTable(await benchKernels(2 ** 20, measuring))],
        charts: [],
      };
    default:
      return undefined;
  }
}

const fenced = (text: string): string => `\`\`\`text\n${text}\n\`\`\``;
