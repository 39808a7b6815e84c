/** TensorStore in its own process, pinned to one core. The process runs a case on request, so that TensorStore can take turns in a race. */
import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from "node:child_process";
import { stat } from "node:fs";
import { createInterface, type Interface } from "node:readline";
import type { Selection, SelectionEntry } from "../src/index.js";
import { readOracles } from "../test/setup/oracles.js";
import type { Rival } from "./race.js";

export type KeyValueStore =
  | { readonly driver: "file"; readonly path: string }
  | { readonly driver: "memory"; readonly path: string };

/** A zarr.json without the members that do not affect the elements. */
export interface ArrayDocument {
  readonly shape: readonly number[];
  readonly data_type: string;
  readonly chunk_grid: object;
  readonly codecs: readonly object[];
  readonly fill_value: number;
}

export type TensorstoreRival = Required<Pick<Rival, "run" | "runs" | "isApart">>;

const CORE = "0";

/**
 * Pins the calling thread to TensorStore's core: one of two virtual cores is often 1.3 to 1.5 times slower for a while, presumably when a
 * neighbour's thread shares it. Existing threads of V8 and for files stay unpinned: only the calling thread moves. Workers and processes that it
 * starts later inherit the pinning.
 */
export function shareCore(): void {
  // Start the threads for files now: they start with the first file operation and inherit the cores of its caller.
  stat(".", () => {});
  execFileSync("taskset", ["-c", "-p", CORE, String(process.pid)]);
}

export class Tensorstore {
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #lines: Interface;

  /** @returns undefined if scripts/oracles/install.sh found no TensorStore */
  static start(): Tensorstore | undefined {
    const { python } = readOracles();
    return python?.tensorstore == null ? undefined : new Tensorstore(python.executable);
  }

  private constructor(python: string) {
    this.#process = spawn("taskset", ["-c", CORE, python, "bench/tensorstore_bench.py"]);
    this.#process.stderr.pipe(process.stderr);
    this.#lines = createInterface({ input: this.#process.stdout });
  }

  reader(store: KeyValueStore, selection: Selection): Rival {
    const request = { kind: "read", store, selection: (selection ?? []).map(indexOf) };
    return this.#rival(request);
  }

  /** Reads boxes one after the other. @param budget milliseconds after which no further read starts @returns milliseconds of each read */
  reads(store: KeyValueStore, selections: readonly Selection[], budget: number): Promise<readonly number[]> {
    const lists = selections.map((selection) => (selection ?? []).map(indexOf));
    return this.#ask({ kind: "reads", store, selections: lists, budget, times: 1 });
  }

  /** Reads single elements. @param coordinates path of a file of int32, one dimension after the other, with one index per element */
  points(store: KeyValueStore, coordinates: string): Rival {
    return this.#rival({ kind: "points", store, coordinates });
  }

  /** Writes an array. The store is emptied first, outside of the measured time. @param data path of a file with the elements in memory order */
  writer(store: KeyValueStore, metadata: ArrayDocument, data: string): TensorstoreRival {
    const request = { kind: "write", store, metadata, data };
    return this.#rival(request);
  }

  close(): void {
    this.#process.stdin.end();
  }

  /** Sends several runs as one request: between requests the core goes to sleep, and the next run would include the time to wake up. */
  #rival(request: object): TensorstoreRival {
    const runs = (times: number): Promise<readonly number[]> => this.#ask({ ...request, times });
    return { runs, run: async () => (await runs(1))[0] ?? Number.NaN, isApart: true };
  }

  /** @returns milliseconds of each run */
  #ask(request: object): Promise<readonly number[]> {
    return new Promise((resolve, reject) => {
      const gone = (): void => reject(new Error("TensorStore's process ended; what it said is above"));
      this.#lines.once("close", gone);
      this.#lines.once("line", (line) => {
        this.#lines.off("close", gone);
        const answer: { seconds?: number[]; error?: string } = JSON.parse(line);
        if (answer.seconds === undefined) reject(new Error(`TensorStore: ${answer.error}`));
        else resolve(answer.seconds.map((seconds) => 1000 * seconds));
      });
      this.#process.stdin.write(`${JSON.stringify(request)}\n`);
    });
  }
}

function indexOf(entry: SelectionEntry): object {
  if (typeof entry === "number") return { index: entry };
  if (entry === null || typeof entry === "string") return {};
  return { start: entry.start, stop: entry.stop, step: entry.step };
}
