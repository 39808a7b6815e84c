/** TensorStore in a process of its own, pinned to one core, which does a case as often as it is asked: so it takes its turn in a race like anybody. */
import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from "node:child_process";
import { stat } from "node:fs";
import { createInterface, type Interface } from "node:readline";
import type { Selection, SelectionEntry } from "../src/index.js";
import { readOracles } from "../test/setup/oracles.js";
import type { Rival } from "./race.js";

export type KeyValueStore =
  | { readonly driver: "file"; readonly path: string }
  | { readonly driver: "memory"; readonly path: string };

/** A zarr.json without the members that say nothing about the elements. */
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
 * Has the calling thread run where TensorStore does: of two virtual cores one is often 1.3 to 1.5 times slower for a while, presumably when somebody else's thread shares
 * it. V8's threads and those for files stay free: they are there already, and only the thread itself is moved. Workers and processes that it starts
 * later would be on that core, too.
 */
export function shareCore(): void {
  // Threads for files begin with the first that is asked of them, on the cores of who asks.
  stat(".", () => {});
  execFileSync("taskset", ["-c", "-p", CORE, String(process.pid)]);
}

export class Tensorstore {
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #lines: Interface;

  /** @returns undefined where scripts/oracles/install.sh found none */
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

  /** Different boxes, one after the other. @param budget milliseconds after which no further one begins @returns milliseconds of each */
  reads(store: KeyValueStore, selections: readonly Selection[], budget: number): Promise<readonly number[]> {
    const lists = selections.map((selection) => (selection ?? []).map(indexOf));
    return this.#ask({ kind: "reads", store, selections: lists, budget, times: 1 });
  }

  /** Single elements. @param coordinates path of a file of int32: as many for each dimension, one dimension after the other */
  points(store: KeyValueStore, coordinates: string): Rival {
    return this.#rival({ kind: "points", store, coordinates });
  }

  /** @param data path of the elements in memory order; what is in the store is deleted first, which does not count */
  writer(store: KeyValueStore, metadata: ArrayDocument, data: string): TensorstoreRival {
    const request = { kind: "write", store, metadata, data };
    return this.#rival(request);
  }

  close(): void {
    this.#process.stdin.end();
  }

  /** Several runs are one request: while it waits for the next one its core goes to sleep, which a run would pay for. */
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
