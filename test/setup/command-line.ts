/**
 * The command line program: bundled from the sources as they are and run in a process of its own, or run
 * right here.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { vi } from "vitest";
import { main } from "../../src/cli/main.js";

export interface Finished {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CommandLineProgram {
  run(...args: readonly string[]): Promise<Finished>;
  /** With a file in place of standard output. */
  runInto(file: number, ...args: readonly string[]): Promise<Finished>;
  /** Killed, as by a loss of power, unless it ends before: status null. */
  runFor(milliseconds: number, ...args: readonly string[]): Promise<Finished>;
  /** Stopped by a signal once a promise is resolved. */
  runUntil(moment: Promise<unknown>, signal: NodeJS.Signals, ...args: readonly string[]): Promise<Finished>;
  remove(): void;
}

export async function buildCommandLine(): Promise<CommandLineProgram> {
  const folder = mkdtempSync(join(tmpdir(), "wazarr-cli-"));
  await build({
    entryPoints: { cli: "src/cli/index.ts" },
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    logLevel: "error",
  });
  return {
    run: (...args) => run("pipe", join(folder, "cli.mjs"), args),
    runInto: (file, ...args) => run(file, join(folder, "cli.mjs"), args),
    runFor: (milliseconds, ...args) =>
      run("pipe", join(folder, "cli.mjs"), args, { timeout: milliseconds, killSignal: "SIGKILL" }),
    runUntil(moment, killSignal, ...args) {
      const stop = new AbortController();
      moment.then(() => stop.abort());
      return run("pipe", join(folder, "cli.mjs"), args, { signal: stop.signal, killSignal });
    },
    remove: () => rmSync(folder, { recursive: true }),
  };
}

function run(
  output: "pipe" | number,
  program: string,
  args: readonly string[],
  ending: { timeout?: number; signal?: AbortSignal; killSignal?: NodeJS.Signals } = {},
): Promise<Finished> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, ...args], {
      stdio: ["ignore", output, "pipe"],
      ...ending,
    });
    let stdout = "";
    let stderr = "";
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
    });
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    child.once("error", (error) => error.name === "AbortError" || reject(error));
    child.once("close", (status) => resolve({ status, stdout, stderr }));
  });
}

/** The same in this process, where it starts at once. One at a time. */
export async function runHere(...args: readonly string[]): Promise<Finished> {
  const written = { stdout: "", stderr: "" };
  const capture = (name: "stdout" | "stderr") =>
    vi.spyOn(process[name], "write").mockImplementation((text, ...rest) => {
      written[name] += String(text);
      for (const callback of rest) if (typeof callback === "function") callback();
      return true;
    });
  const spies = [capture("stdout"), capture("stderr")];
  try {
    return { status: await main(args), ...written };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}
