/** The sections of the benchmarks, in their order. To add one: a file in sections/ and a line here. */
import { rmSync } from "node:fs";
import { GROUPS } from "./arrays.js";
import { FOLDER } from "./folder.js";
import { askOnce } from "./helper.js";
import { type Care, FULL_EFFORT, QUICK_EFFORT } from "./race.js";
import { benchArchives } from "./sections/archives.js";
import { benchBrowsers } from "./sections/browsers.js";
import { benchCoalescing } from "./sections/coalescing.js";
import { benchCodecs } from "./sections/codecs.js";
import { benchCores } from "./sections/cores.js";
import { benchElements } from "./sections/elements.js";
import { benchFiles, type Cell, sectionOf } from "./sections/files.js";
import { benchFirstCalls } from "./sections/first-calls.js";
import { benchFirstTile } from "./sections/first-tile.js";
import { benchGrids } from "./sections/grids.js";
import { benchGrowth } from "./sections/growth.js";
import { benchKernels } from "./sections/kernels.js";
import { benchPan } from "./sections/pan.js";
import { benchPoints } from "./sections/points.js";
import { benchSmallReads } from "./sections/small-reads.js";
import { benchStrings } from "./sections/strings.js";
import { shortOfGoals, summarise } from "./sections/summary.js";
import { benchVirtual } from "./sections/virtual.js";
import type { Section } from "./table.js";

/** By the name that `--only` takes. @returns undefined if what it needs is not installed */
const SECTIONS: Readonly<Record<string, (care: Care) => Promise<Section | undefined>>> = {
  "first-calls": benchFirstCalls,
  growth: benchGrowth,
  "small-reads": benchSmallReads,
  points: benchPoints,
  grids: benchGrids,
  coalescing: benchCoalescing,
  cores: benchCores,
  "first-tile": benchFirstTile,
  pan: benchPan,
  browsers: benchBrowsers,
  codecs: benchCodecs,
  archives: benchArchives,
  virtual: benchVirtual,
  strings: benchStrings,
  elements: benchElements,
  kernels: benchKernels,
};

export interface Run {
  readonly isQuick: boolean;
  /** Only arrays and sections whose name contains this. */
  readonly only: string;
}

/**
 * Runs the benchmarks: first the arrays in files and what they come to, then the other sections, each in its
 * own process.
 */
export async function* benchAll({ isQuick, only }: Run): AsyncGenerator<Section> {
  try {
    const cells: Cell[] = [];
    for (const group of GROUPS) {
      const own = await benchFiles(group, isQuick, only);
      if (own.length === 0) continue;
      cells.push(...own);
      yield sectionOf(group, own);
    }
    if (cells.length > 0) yield summarise(cells);
    const short = shortOfGoals(cells);
    if (short !== undefined) yield short;
    for (const name of Object.keys(SECTIONS).filter((each) => each.includes(only))) {
      const section = await askOnce<Question, Section | undefined>("section", { name, isQuick });
      if (section !== undefined) yield section;
    }
  } finally {
    rmSync(FOLDER, { recursive: true, force: true });
  }
}

interface Question {
  readonly name: string;
  readonly isQuick: boolean;
}

/** The job of the process of a section. */
export async function runSection({ name, isQuick }: Question): Promise<Section | undefined> {
  growMemory();
  return SECTIONS[name]?.({ isQuick, effort: isQuick ? QUICK_EFFORT : FULL_EFFORT });
}

/**
 * Touches 2 GiB. If the host reclaims free memory of a virtual machine, the first growth of a process is
 * slow: 200 ms for 64 MiB, usually 25 ms. The first row of a table would include that.
 */
function growMemory(): void {
  const pieces = Array.from({ length: 32 }, () => new Uint8Array(64 << 20).fill(1));
  pieces.length = 0;
}
