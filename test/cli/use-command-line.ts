/**
 * What the tests of the command line share: the program, a folder of its own, the example data behind a web
 * server.
 */
import { createReadStream, mkdtempSync, rmSync, statSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import { buildCommandLine, type CommandLineProgram, type Finished, runHere } from "../setup/command-line.js";

export const DATA = "examples/data/jacksboro.zarr";

/** Registers what has to happen before and after the tests of a file. */
export function useCommandLine() {
  const folder = mkdtempSync(join(tmpdir(), "wazarr-cli-test-"));
  let program: CommandLineProgram | undefined;
  let server: Server | undefined;
  beforeAll(async () => {
    program = await buildCommandLine();
    server = createServer((request, response) => {
      const file = join("examples/data", decodeURIComponent(new URL(request.url ?? "", "http://x").pathname));
      if (statSync(file, { throwIfNoEntry: false })?.isFile() === true) createReadStream(file).pipe(response);
      else response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
  });
  afterAll(() => {
    program?.remove();
    server?.close();
    rmSync(folder, { recursive: true });
  });

  function built(): CommandLineProgram {
    if (program === undefined) throw new Error("the program has not been built yet");
    return program;
  }
  /** In a process of its own. */
  const run = (...args: readonly string[]): Promise<Finished> => built().run(...args);
  return {
    /** A path in the folder. */
    at: (name: string): string => join(folder, name),
    /** Where examples/data is to be had. */
    url(): string {
      const address = server?.address();
      return `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
    },
    run,
    /** With a file in place of standard output. */
    runInto: (file: number, ...args: readonly string[]) => built().runInto(file, ...args),
    /** Killed after a time. */
    runFor: (milliseconds: number, ...args: readonly string[]) => built().runFor(milliseconds, ...args),
    /** Stopped by a signal once a promise is resolved. */
    runUntil: (moment: Promise<unknown>, signal: NodeJS.Signals, ...args: readonly string[]) =>
      built().runUntil(moment, signal, ...args),
    /** Runs it and expects it to do well. */
    wazarr: async (...args: readonly string[]): Promise<string> => well(await run(...args), args),
    /** The same in this process. */
    here: async (...args: readonly string[]): Promise<string> => well(await runHere(...args), args),
  };
}

function well({ status, stdout, stderr }: Finished, args: readonly string[]): string {
  expect({ status, stderr }, args.join(" ")).toEqual({ status: 0, stderr: "" });
  return stdout;
}

export function lines({ stderr }: Finished): string[] {
  return stderr.split("\n").filter((line) => line !== "");
}
