/** Reports in upstream/ of defects of other implementations: their programs still show the defects. */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { readOracles, warnLoudly } from "../setup/oracles.js";

const run = promisify(execFile);
const blocksOf = (page: string, language: string): string[] =>
  Array.from(
    readFileSync(page, "utf8").matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, "gms")),
    ([, code = ""]) => code,
  );

test.each([
  ["upstream/defects-zarrita.md", 9],
  ["upstream/defects-hyparquet.md", 2],
])("%s", async (page, least) => {
  const program = blocksOf(page, "js").join("\n");
  const printed = Array.from(program.matchAll(/console\.log\(.*\); \/\/ (.*)$/gm), ([, text]) => text);
  expect(printed.length).toBeGreaterThanOrEqual(least);
  mkdirSync("build", { recursive: true });
  // Inside of the repository, where the packages are installed.
  const folder = resolve(mkdtempSync(join("build", "defects-")));
  try {
    writeFileSync(join(folder, "defects.mjs"), program);
    const { stdout } = await run(process.execPath, [join(folder, "defects.mjs")], { timeout: 60_000 });
    expect(stdout.trimEnd().split("\n")).toEqual(printed);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

const { python } = readOracles();
if (python === null) warnLoudly("No zarr-python: reports of its defects are not run.");

test.skipIf(python === null)("upstream/defects-zarr-python.md", async () => {
  const page = "upstream/defects-zarr-python.md";
  const program = blocksOf(page, "python").join("\n");
  const args = ["-W", "ignore", "-c", program];
  const { stdout } = await run(python?.executable ?? "", args, { timeout: 60_000 });
  expect(stdout).toBe(blocksOf(page, "text").join(""));
});
