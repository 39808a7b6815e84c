/** The package as it was built, in other runtimes than the tests': the same values, the same bytes stored, workers, every store. */
import { spawn } from "node:child_process";
import { beforeAll, describe, expect, test } from "vitest";
import { readOracles, warnLoudly } from "../setup/oracles.js";

const { runtimes = {} } = readOracles();
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

let printedHere: string;
beforeAll(async () => {
  printedHere = await run(process.execPath, PROGRAM);
});

test("the program says what it did", () => {
  expect(printedHere.trim().split("\n")).toHaveLength(31);
});

for (const name of RUNTIMES) {
  const runtime = runtimes[name];
  if (runtime === undefined)
    warnLoudly(`No ${name}: nothing runs there. scripts/oracles/install.sh installs it.`);
  const runThere = (...args: readonly string[]): Promise<string> =>
    run(runtime?.executable ?? "", ...(name === "deno" ? ["run", "--allow-all", ...args] : args));

  describe.skipIf(runtime === undefined)(`${name} ${runtime?.version}`, () => {
    test("reads, stores and works in parallel as Node does", async () => {
      expect(await runThere(PROGRAM)).toBe(printedHere);
    });

    test("runs the quickstart", async () => {
      expect(await runThere("./examples/quickstart.mjs")).toContain("decode without a problem");
    });

    test("runs the command line", async () => {
      const info = ["info", "examples/data/jacksboro.zarr", "/elevation"];
      expect(await runThere("./dist/cli.js", ...info)).toContain("344, 403");
    });
  });
}
