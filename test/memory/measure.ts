/** Measures memory in a process of its own. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect } from "vitest";

export const MEBIBYTE = 2 ** 20;
export const GIBIBYTE = 2 ** 30;
const run = promisify(execFile);

export async function measure<Result>(script: string, options: object, ...flags: string[]): Promise<Result> {
  const args = ["--expose-gc", ...flags, `test/memory/${script}`, JSON.stringify(options)];
  const { stdout } = await run(process.execPath, args, { timeout: 120_000 });
  return JSON.parse(stdout);
}

/** Elements of a chunk. */
export const small = 2 ** 18;
export const large = 2 ** 20;

interface Reading {
  readonly workers?: number | undefined;
  readonly [option: string]: unknown;
}

/** Large enough for what grows with the result to be seen beside what does not. */
const READ_BYTES = GIBIBYTE / 2;

/**
 * What reading 512 MiB takes beyond the result, and beyond 32 MiB a worker. Nobody collects garbage but the
 * engine itself.
 */
export async function beyondResult(
  { workers = 0, ...options }: Reading,
  ...flags: string[]
): Promise<number> {
  const { elements, beyond, running } = await measure<{ elements: number; beyond: number; running: number }>(
    "read-large.mjs",
    { ...options, workers, size: READ_BYTES },
    ...flags,
  );
  expect({ elements, running }).toEqual({ elements: READ_BYTES / 4, running: workers });
  return beyond / MEBIBYTE - 32 * workers;
}
