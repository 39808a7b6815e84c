/**
 * Reads and writes on a file system: wazarr with WASM and with its TypeScript twin, zarrita, and TensorStore on one core, on the
 * same files, in turn, each in a process of its own.
 */
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Selection } from "../src/index.js";
import { type Field, fieldOf } from "./fields.js";
import { FOLDER } from "./folder.js";
import { LibraryProcess } from "./library-process.js";
import { type Effort, medianOf, type Rival, turnsOf } from "./race.js";
import { emptyTarget, LIBRARIES, type Library, ownWriter } from "./rivals.js";
import { figure, ratio, type Table } from "./section.js";
import type { Tensorstore } from "./tensorstore.js";
import { directoryOf, documentOf, type Workload, type WorkloadGroup } from "./workloads.js";

/** "files" are Node's file functions alone. */
type Runner = Library | "tensorstore";
const RUNNERS: readonly Runner[] = [...LIBRARIES, "tensorstore"];

interface Cell {
  readonly workload: Workload;
  readonly operation: string;
  /** Of reads. */
  readonly selection: Selection;
}

/** Milliseconds of every turn; none where somebody cannot do it or is not there. */
export type EndToEndTurns = Cell & Readonly<Record<Runner, readonly number[]>>;
/** Their medians. */
export type EndToEndResult = Cell & Readonly<Record<Runner, number | undefined>>;

export const WRITE = "write whole";
/** Of the twin, which is slow where it has to decompress. */
const TWIN_ROUNDS = 1;

/** Measures one array. */
export async function benchWorkload(
  workload: Workload,
  { reads, withTwin }: WorkloadGroup,
  tensorstore: Tensorstore | undefined,
  effort: Effort,
): Promise<EndToEndTurns[]> {
  const field = fieldOf(FOLDER, workload.shape, workload.dtype);
  const path = await prepare(workload, field, tensorstore);
  const isPinned = tensorstore !== undefined;
  const libraries = LIBRARIES.map((library) => ({
    library,
    process: library === "javascript" && !withTwin ? undefined : new LibraryProcess({ library, isPinned }),
  }));
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
    for (const { operation, selection, read, peer } of operations) {
      const rivals: (Rival | undefined)[] = [];
      for (const { library, process } of libraries) {
        const isMissing = library === "javascript" && operation === WRITE;
        const rival = isMissing ? undefined : await process?.rival({ workload: workload.name, read });
        rivals.push(rival && library === "javascript" ? { ...rival, rounds: TWIN_ROUNDS } : rival);
      }
      const [wasm = [], javascript = [], zarrita = [], files = [], last = []] = await turnsOf(
        [...rivals, peer],
        effort,
      );
      results.push({ workload, operation, selection, wasm, javascript, zarrita, files, tensorstore: last });
    }
  } finally {
    for (const { process } of libraries) process?.close();
    emptyTarget();
  }
  return results;
}

/** What others have written counts for nobody. */
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

/** The medians of all turns of several times that the same cells were measured. */
export function pooled(passes: readonly (readonly EndToEndTurns[])[]): EndToEndResult[] {
  const [first = []] = passes;
  return first.map(({ workload, operation, selection }, cell) => {
    const of = (runner: Runner): number | undefined =>
      medianOf(passes.flatMap((turns) => turns[cell]?.[runner] ?? []));
    const [wasm, javascript, zarrita, files, tensorstore] = RUNNERS.map(of);
    return { workload, operation, selection, wasm, javascript, zarrita, files, tensorstore };
  });
}

/**
 * Writes the array that is read, unless it is there. TensorStore does where it can, so that its encoder decides how hard the
 * bytes are to decode.
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
    await ownWriter("wasm", () => directory, workload, field).run();
  } else {
    await tensorstore.writer({ driver: "file", path: directory }, documentOf(workload), field.file).run();
  }
  return directory;
}

export function endToEndTable(results: readonly EndToEndResult[]): Table {
  const withTwin = results.some(({ javascript }) => javascript !== undefined);
  const twin = <Column>(column: Column): Column[] => (withTwin ? [column] : []);
  return {
    header: [
      "data",
      "operation",
      "wazarr ms",
      ...twin("its twin ms"),
      "zarrita ms",
      "TensorStore ms",
      "against zarrita",
      "against TensorStore",
    ],
    rows: results.map(({ workload, operation, wasm, javascript, zarrita, tensorstore }) => [
      workload.name,
      operation,
      figure(wasm),
      ...twin(figure(javascript)),
      figure(zarrita),
      figure(tensorstore),
      ratio(zarrita, wasm),
      ratio(tensorstore, wasm),
    ]),
  };
}
