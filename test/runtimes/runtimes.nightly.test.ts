/**
 * The package as it was built, in other runtimes than the tests': the same values, the same bytes stored,
 * workers, every store.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { serve } from "../core/stores/server.js";
import { readOracles, warnLoudly } from "../setup/oracles.js";

const { runtimes = {} } = readOracles();
/** Bun would follow the paths of tsconfig.json, into the sources. */
const FLAGS: Readonly<Record<string, readonly string[]>> = {
  bun: ["--tsconfig-override=./test/runtimes/no-paths.json"],
  deno: ["run", "--allow-all"],
};
const RUNTIMES = ["node-22", "node-24", "bun", "deno"];
const PROGRAM = "./test/runtimes/program.mjs";

/** What a program printed; an error says what it printed for people. */
function run(command: string, ...args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"], timeout: 60_000 });
    const output = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"] as const) {
      child[name].setEncoding("utf8").on("data", (text: string) => {
        output[name] += text;
      });
    }
    child.once("error", reject);
    child.once("close", (status) => {
      if (status === 0) resolve(output.stdout);
      else reject(new Error(`${command} ended with ${status}: ${output.stdout}${output.stderr}`));
    });
  });
}

/** What the program prints, in a folder that is served to it. */
async function runProgram(command: string, ...args: readonly string[]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "wazarr-runtime-"));
  const server = await serve(folder);
  try {
    return await run(command, ...args, PROGRAM, folder, server.url);
  } finally {
    await server.close();
    rmSync(folder, { recursive: true });
  }
}

let printedHere: string;
beforeAll(async () => {
  printedHere = await runProgram(process.execPath);
});

test("the program says what it did", () => {
  expect(printedHere).toContain("package: true");
  expect(printedHere.trim().split("\n")).toHaveLength(32);
});

for (const name of RUNTIMES) {
  const runtime = runtimes[name];
  if (runtime === undefined)
    warnLoudly(`No ${name}: nothing runs there. scripts/oracles/install.sh nightly installs it.`);
  const executable = runtime?.executable ?? "";
  const flags = FLAGS[name] ?? [];

  describe.skipIf(runtime === undefined)(`${name} ${runtime?.version}`, () => {
    test("reads, stores and works in parallel as Node does", async () => {
      expect(await runProgram(executable, ...flags)).toBe(printedHere);
    });

    test("runs the quickstart", async () => {
      expect(await run(executable, ...flags, "./examples/quickstart.mjs")).toContain(
        "decode without a problem",
      );
    });

    test("runs the command line", async () => {
      const info = ["info", "examples/data/jacksboro.zarr", "/elevation"];
      expect(await run(executable, ...flags, "./dist/cli.js", ...info)).toContain("344, 403");
    });
  });
}
