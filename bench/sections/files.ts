/**
 * Reads and writes of whole arrays in files: wazarr (WebAssembly and JavaScript), zarrita, and TensorStore on
 * one core take turns on the same files, each in its own process.
 */
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { FileSystemStore } from "../../src/core/stores/files/file-system.js";
import { type ArrayGroup, type ArrayToWrite, arrayNamed, documentOf } from "../arrays.js";
import { type Field, fieldOf } from "../fields.js";
import { directoryOf, FOLDER } from "../folder.js";
import { askOnce } from "../helper.js";
import { emptyTarget, LIBRARIES, type Library, LibraryProcess } from "../peers/library.js";
import { ownWriter } from "../peers/own.js";
import { indices, Python, shareCore } from "../peers/python.js";
import { type Effort, QUICK_EFFORT, type Rival, race } from "../race.js";
import { against, milliseconds, type Section } from "../table.js";

type Runner = Library | "tensorstore";
/** In the order of their turns. The closest rivals are adjacent. */
const RUNNERS: readonly Runner[] = ["wasm", "tensorstore", "out", "files", "zarrita", "javascript"];
/** Limits of rounds for slow runners. The fallback is only for orientation. */
const ROUNDS: Partial<Record<Runner, number>> = { zarrita: 4, javascript: 1 };

/** A row of the tables: what was done with an array, and milliseconds of the turns of each runner. */
export interface Cell {
  readonly array: ArrayToWrite;
  readonly operation: string;
  /** Whether everything is read, or written. */
  readonly isWhole: boolean;
  readonly turns: Readonly<Record<Runner, readonly number[]>>;
}

export const WRITE = "write whole";
export const nameOf = ({ array, operation }: Cell): string => `${array.name}, ${operation}`;

const EFFORT: Effort = { least: 5, most: 12, budget: 1000 };

/** The question to the process of an array. */
interface Question {
  readonly name: string;
  readonly isQuick: boolean;
}

/** Measures the arrays of a group whose name contains `only`. */
export async function benchFiles(
  group: ArrayGroup,
  isQuick: boolean,
  only: string,
): Promise<readonly Cell[]> {
  const names = group.arrays.map(({ name }) => name).filter((name) => name.includes(only));
  const cells: Cell[] = [];
  for (const name of names)
    cells.push(...(await askOnce<Question, readonly Cell[]>("array", { name, isQuick })));
  return cells;
}

const byRunner = <Value>(of: (runner: Runner) => Value): Record<Runner, Value> => ({
  wasm: of("wasm"),
  out: of("out"),
  tensorstore: of("tensorstore"),
  files: of("files"),
  zarrita: of("zarrita"),
  javascript: of("javascript"),
});

export function sectionOf({ title, text, withFallback }: ArrayGroup, cells: readonly Cell[]): Section {
  const fallback = <Column>(column: Column): Column[] => (withFallback ? [column] : []);
  return {
    title,
    text,
    tables: [
      {
        header: [
          "data",
          "operation",
          "wazarr ms",
          "into `out` ms",
          ...fallback("its fallback ms"),
          "zarrita ms",
          "TensorStore ms",
          "files alone ms",
          "against zarrita",
          "against TensorStore",
        ],
        rows: cells.map(({ array, operation, turns }) => [
          array.name,
          operation,
          milliseconds(turns.wasm),
          milliseconds(turns.out),
          ...fallback(milliseconds(turns.javascript)),
          milliseconds(turns.zarrita),
          milliseconds(turns.tensorstore),
          milliseconds(turns.files),
          against(turns.zarrita, turns.wasm),
          against(turns.tensorstore, turns.wasm),
        ]),
      },
    ],
  };
}

/** The job of the process of an array. */
export async function measureArray({ name, isQuick }: Question): Promise<readonly Cell[]> {
  const { group, array } = arrayNamed(name);
  const tensorstore = Python.start("tensorstore");
  const isPinned = tensorstore !== undefined;
  const field = fieldOf(FOLDER, array.shape, array.dtype);
  const path = await prepare(array, field, tensorstore);
  const processes = new Map(
    LIBRARIES.filter((library) => library !== "javascript" || group.withFallback).map((library) => [
      library,
      new LibraryProcess(library, isPinned),
    ]),
  );
  const writing = {
    kind: "write",
    store: { driver: "file", path: join(FOLDER, "written") },
    metadata: documentOf(array),
    data: field.file,
  } as const;
  const operations = [
    ...group.reads.map(({ name: read, selection }) => ({
      operation: `read ${read}`,
      isWhole: selection === null,
      read,
      peer: tensorstore?.rival({
        kind: "read",
        store: { driver: "file", path },
        selection: indices(selection),
      }),
    })),
    { operation: WRITE, isWhole: true, read: undefined, peer: tensorstore?.rival(writing, emptyTarget) },
  ];
  const cells: Cell[] = [];
  try {
    // Only after the processes have started: they would inherit the pinning for all of their threads.
    if (isPinned) shareCore();
    for (const { operation, isWhole, read, peer } of operations) {
      const rivals = new Map<Runner, Rival | undefined>([["tensorstore", peer]]);
      for (const [library, process] of processes) {
        if (library === "javascript" && operation === WRITE) continue;
        rivals.set(library, await process.rival({ array: name, read }, ROUNDS[library]));
      }
      const turns = await race(
        RUNNERS.map((runner) => rivals.get(runner)),
        isQuick ? QUICK_EFFORT : EFFORT,
      );
      const of = (runner: Runner): readonly number[] => turns[RUNNERS.indexOf(runner)] ?? [];
      cells.push({ array, operation, isWhole, turns: byRunner(of) });
    }
  } finally {
    for (const [, process] of processes) process.close();
    tensorstore?.close();
    emptyTarget();
  }
  return cells;
}

/**
 * Writes the array to read, unless it exists. TensorStore writes it if it can, so that its encoder determines
 * how hard the bytes are to decode. @returns its directory
 */
export async function prepare(
  array: ArrayToWrite,
  field: Field,
  tensorstore: Python | undefined,
): Promise<string> {
  const path = directoryOf(array);
  if (existsSync(join(path, "zarr.json"))) return path;
  rmSync(path, { recursive: true, force: true });
  if (tensorstore === undefined) {
    await ownWriter(() => new FileSystemStore(path), array, field.data).takeTurn({ warmUp: 0, time: 0 });
  } else {
    const store = { driver: "file", path } as const;
    await tensorstore.run({ kind: "write", store, metadata: documentOf(array), data: field.file });
  }
  return path;
}
