/**
 * Reads and writes files with wazarr (WASM and JavaScript fallback), zarrita, and TensorStore on one core. All take turns on the same files,
 * each in its own process.
 */
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Selection } from "../src/index.js";
import { type Field, fieldOf } from "./fields.js";
import { directoryOf, FOLDER } from "./folder.js";
import { LibraryProcess } from "./library-process.js";
import { type Effort, medianOf, type Rival, turnsOf } from "./race.js";
import { emptyTarget, LIBRARIES, type Library, ownWriter } from "./rivals.js";
import { figure, type Table, times } from "./section.js";
import { shareCore, type Tensorstore } from "./tensorstore.js";
import { documentOf, type Workload, type WorkloadGroup } from "./workloads.js";

/** "files" is a baseline: only Node's file functions. */
type Runner = Library | "tensorstore";
/** In the order of their turns. The closest rivals are adjacent. */
const RUNNERS: readonly Runner[] = ["wasm", "tensorstore", "files", "zarrita", "javascript"];

interface Cell {
  readonly workload: Workload;
  readonly operation: string;
  /** For reads only. */
  readonly selection: Selection;
}

const byRunner = <Value>(of: (runner: Runner) => Value): Record<Runner, Value> => ({
  wasm: of("wasm"),
  tensorstore: of("tensorstore"),
  files: of("files"),
  zarrita: of("zarrita"),
  javascript: of("javascript"),
});

type Turns = Readonly<Record<Runner, readonly number[]>>;
/** Milliseconds of the turn in every round; empty for a runner that is missing or does not support the case. */
export type EndToEndTurns = Cell & { readonly turns: Turns };
/** Medians of all turns. */
export type EndToEndResult = Cell &
  Readonly<Record<Runner, number | undefined>> & { readonly passes: readonly Turns[] };

export const WRITE = "write whole";
/** Limits of rounds for slow runners. The fallback is only for orientation. */
const ROUNDS: Partial<Record<Runner, number>> = { zarrita: 4, javascript: 1 };

/** Measures one array. */
export async function benchWorkload(
  workload: Workload,
  { reads, withFallback }: WorkloadGroup,
  tensorstore: Tensorstore | undefined,
  effort: Effort,
): Promise<EndToEndTurns[]> {
  const field = fieldOf(FOLDER, workload.shape, workload.dtype);
  const path = await prepare(workload, field, tensorstore);
  const isPinned = tensorstore !== undefined;
  const libraries = LIBRARIES.filter((library) => library !== "javascript" || withFallback).map(
    (library) => [library, new LibraryProcess({ library, isPinned })] as const,
  );
  const theirs = tensorstore?.writer(
    { driver: "file", path: emptyTarget() },
    documentOf(workload),
    field.file,
  );
  const operations = [
    ...reads.map(({ name, selection }) => ({
      operation: `read ${name}`,
      selection,
      read: name,
      peer: tensorstore?.reader({ driver: "file", path }, selection),
    })),
    { operation: WRITE, selection: null, read: undefined, peer: theirs && intoNothing(theirs) },
  ];
  const results: EndToEndTurns[] = [];
  try {
    // Only after the processes have started: they would inherit the pinning for all of their threads.
    if (isPinned) shareCore();
    for (const { operation, selection, read, peer } of operations) {
      const rivals = new Map<Runner, Rival | undefined>([["tensorstore", peer]]);
      for (const [library, process] of libraries) {
        if (library === "javascript" && operation === WRITE) continue;
        const rival = await process.rival({ workload: workload.name, read });
        rivals.set(library, rival && { ...rival, rounds: ROUNDS[library] });
      }
      const inOrder = await turnsOf(
        RUNNERS.map((runner) => rivals.get(runner)),
        { ...effort, isOnOneCore: isPinned },
      );
      const turns = byRunner((runner) => inOrder[RUNNERS.indexOf(runner)] ?? []);
      results.push({ workload, operation, selection, turns });
    }
  } finally {
    for (const [, process] of libraries) process.close();
    emptyTarget();
  }
  return results;
}

/** Empties the target before a turn, outside of the measured time: nobody overwrites files of another runner. */
function intoNothing(rival: Required<Pick<Rival, "run" | "runs" | "isApart">>): Rival {
  return {
    ...rival,
    run() {
      emptyTarget();
      return rival.run();
    },
    runs(times) {
      emptyTarget();
      return rival.runs(times);
    },
  };
}

/** Combines several measurements of the same cells. */
export function pooled(measured: readonly (readonly EndToEndTurns[])[]): EndToEndResult[] {
  const [first = []] = measured;
  return first.map(({ workload, operation, selection }, cell) => {
    const passes = measured.flatMap((results) => results[cell]?.turns ?? []);
    const medians = byRunner((runner) => medianOf(passes.flatMap((turns) => turns[runner])));
    return { workload, operation, selection, ...medians, passes };
  });
}

/**
 * Speed of `runner` relative to `rival`: the median of the ratios per round. Both have a turn in each round, so a slowdown of the machine for
 * some seconds affects both and cancels out.
 */
export function timesAsFast(
  result: EndToEndResult,
  rival: Runner,
  runner: Runner = "wasm",
): number | undefined {
  return medianOf(ofRounds(result, rival, runner));
}

/** Interquartile range of the ratios per round; undefined without rounds. */
export function middleHalf(
  result: EndToEndResult,
  rival: Runner,
): readonly [least: number, most: number] | undefined {
  const sorted = ofRounds(result, rival, "wasm").toSorted((a, b) => a - b);
  const quarter = Math.floor(sorted.length / 4);
  const [least, most] = [sorted[quarter], sorted.at(-1 - quarter)];
  return least === undefined || most === undefined ? undefined : [least, most];
}

/**
 * Speed of wazarr's quickest turn relative to TensorStore's. Both have the same number of turns; other runners have fewer. Neighbours on the host
 * do not slow all runners alike: in the same minutes columns of gzip took 31 to 55 ms in wazarr and 45 to 60 ms in TensorStore.
 */
export function quickestTimesAsFast({ passes }: EndToEndResult): number | undefined {
  const quickest = (runner: Runner): number => Math.min(...passes.flatMap((turns) => turns[runner]));
  const ratio = quickest("tensorstore") / quickest("wasm");
  return Number.isFinite(ratio) ? ratio : undefined;
}

function ofRounds({ passes }: EndToEndResult, rival: Runner, runner: Runner): number[] {
  return passes.flatMap((turns) =>
    turns[rival].flatMap((theirs, round) => {
      const own = turns[runner][round];
      return own === undefined ? [] : [theirs / own];
    }),
  );
}

/**
 * Writes the array to read, unless it exists. TensorStore writes it if it can, so that its encoder determines how hard the bytes are to
 * decode.
 */
export async function prepare(
  workload: Workload,
  field: Field,
  tensorstore: Tensorstore | undefined,
): Promise<string> {
  const directory = directoryOf(workload);
  if (existsSync(join(directory, "zarr.json"))) return directory;
  rmSync(directory, { recursive: true, force: true });
  if (tensorstore === undefined) {
    await ownWriter("wasm", () => directory, workload, field.data).run();
  } else {
    await tensorstore.writer({ driver: "file", path: directory }, documentOf(workload), field.file).run();
  }
  return directory;
}

export function endToEndTable(results: readonly EndToEndResult[]): Table {
  const withFallback = results.some(({ javascript }) => javascript !== undefined);
  const fallback = <Column>(column: Column): Column[] => (withFallback ? [column] : []);
  return {
    header: [
      "data",
      "operation",
      "wazarr ms",
      ...fallback("its fallback ms"),
      "zarrita ms",
      "TensorStore ms",
      "against zarrita",
      "against TensorStore",
    ],
    rows: results.map((result) => [
      result.workload.name,
      result.operation,
      figure(result.wasm),
      ...fallback(figure(result.javascript)),
      figure(result.zarrita),
      figure(result.tensorstore),
      times(timesAsFast(result, "zarrita")),
      times(timesAsFast(result, "tensorstore")),
    ]),
  };
}
