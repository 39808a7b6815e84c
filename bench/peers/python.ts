/**
 * The libraries of Python (peers.py), on one core: TensorStore, zarr-python, the C of numcodecs, eccodes and
 * other codecs of archives. The
 * process takes whole turns by itself: between requests its core goes to sleep, and the next run would
 * include the time to wake up.
 */
import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from "node:child_process";
import { stat } from "node:fs";
import { createInterface, type Interface } from "node:readline";
import type { Selection, SelectionEntry } from "../../src/index.js";
import { readOracles } from "../../test/setup/oracles.js";
import type { ArrayDocument } from "../arrays.js";
import type { Rival } from "../race.js";

export type KeyValueStore =
  | { readonly driver: "file"; readonly path: string }
  | { readonly driver: "memory"; readonly path: string };

/** What peers.py can do, by `kind`. */
export type Request =
  | { readonly kind: "read"; readonly store: KeyValueStore; readonly selection: readonly object[] }
  | { readonly kind: "points"; readonly store: KeyValueStore; readonly coordinates: string }
  | {
      readonly kind: "write";
      readonly store: KeyValueStore;
      readonly metadata: ArrayDocument;
      readonly data: string;
    }
  | { readonly kind: "readStrings" | "writeStrings"; readonly texts: string }
  | {
      readonly kind: "encode" | "decode";
      readonly codec: object;
      readonly dtype: string;
      readonly data: string;
      readonly encoded: string;
    }
  | {
      readonly kind: "encodeField";
      readonly packing: string;
      readonly keys: Readonly<Record<string, number>>;
      readonly columns: number;
      readonly data: string;
      readonly encoded: string;
    }
  | { readonly kind: "decodeField"; readonly library: "eccodes" | "gribberish"; readonly encoded: string }
  | {
      readonly kind: "encodeNumbers";
      readonly dtype: string;
      readonly data: string;
      readonly encoded: string;
    }
  | {
      readonly kind: "decodeNumbers";
      readonly dtype: string;
      readonly count: number;
      readonly encoded: string;
    }
  | {
      readonly kind: "encodeZfp";
      readonly dtype: string;
      readonly shape: readonly number[];
      readonly options: Readonly<Record<string, number>>;
      readonly data: string;
      readonly encoded: string;
    }
  | { readonly kind: "decodeZfp"; readonly encoded: string }
  | (Tile & { readonly kind: "encodeTile"; readonly data: string; readonly encoded: string })
  | (Tile & { readonly kind: "decodeTile"; readonly encoded: string });

/** A tile of TIFF: rows, columns and samples. */
export interface Tile {
  readonly dtype: string;
  readonly shape: readonly [number, number, number];
  /** As TIFF counts them: 1 is none, 2 differences, 3 differences of floats. */
  readonly predictor: 1 | 2 | 3;
  readonly compressor: "lzw" | "packbits";
}

type Module = "tensorstore" | "zarr" | "numcodecs" | "eccodes" | "pcodec" | "zfpy" | "imagecodecs";

const CORE = "0";

/**
 * Pins the calling thread to the core of Python: one of two virtual cores is often 1.3 to 1.5 times slower
 * for a while, presumably when a neighbour's thread shares it. Existing threads of V8 and for files stay
 * unpinned. Workers and processes that start later inherit the pinning.
 */
export function shareCore(): void {
  // Starts the threads for files now: they would inherit the pinning.
  stat(".", () => {});
  execFileSync("taskset", ["-c", "-p", CORE, String(process.pid)]);
}

export class Python {
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #lines: Interface;

  /** @returns undefined if scripts/oracles/install.sh did not find the module */
  static start(module: Module): Python | undefined {
    const { python, codecs } = readOracles();
    const found = [python, codecs].find((each) => each?.[module] != null);
    return found == null ? undefined : new Python(found.executable);
  }

  private constructor(python: string) {
    this.#process = spawn("taskset", ["-c", CORE, python, "bench/peers/peers.py"]);
    this.#process.stderr.pipe(process.stderr);
    this.#lines = createInterface({ input: this.#process.stdout });
  }

  /** @param prepare runs before each turn and is not timed */
  rival(request: Request, prepare?: () => void): Rival {
    return {
      takeTurn: async (turn) => {
        prepare?.();
        const [milliseconds = Number.NaN] = await this.#ask({ ...request, ...turn });
        return milliseconds;
      },
    };
  }

  /** Runs once. */
  async run(request: Request): Promise<void> {
    await this.#ask({ ...request, warmUp: 0, time: 0 });
  }

  /**
   * Reads boxes one after the other.
   * @param budget milliseconds after which no read starts
   * @returns milliseconds of each read
   */
  reads(store: KeyValueStore, selections: readonly Selection[], budget: number): Promise<readonly number[]> {
    return this.#ask({ kind: "reads", store, selections: selections.map(indices), budget });
  }

  close(): void {
    this.#process.stdin.end();
  }

  #ask(request: object): Promise<readonly number[]> {
    return new Promise((resolve, reject) => {
      const gone = (): void => reject(new Error("the process of Python ended; what it said is above"));
      this.#lines.once("close", gone);
      this.#lines.once("line", (line) => {
        this.#lines.off("close", gone);
        const answer: { milliseconds?: number[]; error?: string } = JSON.parse(line);
        if (answer.milliseconds === undefined) reject(new Error(`Python: ${answer.error}`));
        else resolve(answer.milliseconds);
      });
      this.#process.stdin.write(`${JSON.stringify(request)}\n`);
    });
  }
}

/** A selection as peers.py takes it. */
export function indices(selection: Selection): readonly object[] {
  return (selection ?? []).map((entry: SelectionEntry) => {
    if (typeof entry === "number") return { index: entry };
    if (entry === null || typeof entry === "string") return {};
    return { start: entry.start, stop: entry.stop, step: entry.step };
  });
}
