/** Processes that campaigns start, and kill. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { build } from "esbuild";

/** Programs of test/attack that have been bundled, by their source. */
const programs = new Map<string, Promise<string>>();

/** Bundles a program of test/attack for Node, so that starting it takes no longer than it must. */
export function program(name: string): Promise<string> {
  const found = programs.get(name) ?? bundle(name);
  programs.set(name, found);
  return found;
}

async function bundle(name: string): Promise<string> {
  const outfile = resolve("build/attack", `${name}-${process.pid}.mjs`);
  await build({
    entryPoints: [`test/attack/${name}.ts`],
    outfile,
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    target: "node20",
    logLevel: "warning",
  });
  process.once("exit", () => rmSync(outfile, { force: true }));
  return outfile;
}

export interface Child {
  readonly process: ChildProcess;
  /** Resolves with the lines that it has printed when it is gone. */
  readonly ended: Promise<{ readonly lines: readonly string[]; readonly isKilled: boolean }>;
}

/** @throws Error with what it said, where it ends by itself with another status than 0 */
export function start(file: string, args: readonly string[]): Child {
  const child = spawn(process.execPath, [file, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  let [output, errors] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    errors += text;
  });
  const ended = once(child, "close").then(([status, signal]) => {
    if (signal === null && status !== 0) throw new Error(`${args.join(" ")}: status ${status}: ${errors}`);
    return { lines: output.split("\n").slice(0, -1), isKilled: signal !== null };
  });
  return { process: child, ended };
}

/** Runs `action` with a directory of its own. */
export async function inScratch<Result>(action: (directory: string) => Promise<Result>): Promise<Result> {
  const directory = mkdtempSync(join(tmpdir(), "wazarr-attack-"));
  try {
    return await action(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
