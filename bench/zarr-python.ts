/** zarr-python as a rival in a race, in its own process on one core: strings in memory (zarr_python_bench.py). */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { createInterface, type Interface } from "node:readline";
import { readOracles } from "../test/setup/oracles.js";
import type { Rival } from "./race.js";

export class ZarrPython {
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #lines: Interface;

  /** @returns undefined if scripts/oracles/install.sh found no zarr-python */
  static start(texts: readonly string[]): ZarrPython | undefined {
    const { python } = readOracles();
    return python?.zarr == null ? undefined : new ZarrPython(python.executable, texts);
  }

  private constructor(python: string, texts: readonly string[]) {
    this.#process = spawn("taskset", ["-c", "0", python, "bench/zarr_python_bench.py"]);
    this.#process.stderr.pipe(process.stderr);
    this.#lines = createInterface({ input: this.#process.stdout });
    this.#process.stdin.write(`${JSON.stringify(texts)}\n`);
  }

  rival(request: "read" | "write"): Rival {
    return { run: () => this.#ask(request) };
  }

  close(): void {
    this.#process.stdin.end();
  }

  /** @returns milliseconds */
  #ask(request: string): Promise<number> {
    return new Promise((resolve, reject) => {
      const gone = (): void => reject(new Error("zarr-python's process ended; what it said is above"));
      this.#lines.once("close", gone);
      this.#lines.once("line", (line) => {
        this.#lines.off("close", gone);
        resolve(1000 * Number(line));
      });
      this.#process.stdin.write(`${request}\n`);
    });
  }
}
