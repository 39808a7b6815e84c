/** Every codec in a Node that refuses to make code of strings. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { expect, test } from "vitest";

const PROGRAM = `
  import { ROWS, roundTrip } from "./test/core/codecs/named-codecs.js";
  try {
    new Function("");
    throw new TypeError("code was made of a string");
  } catch (error) {
    if (!(error instanceof EvalError)) throw error;
  }
  let count = 0;
  for (const { names, configuration = {}, dtype = "int32" } of ROWS) {
    for (const name of names) {
      await roundTrip(dtype, { zarrFormat: 3, codecs: [{ name, configuration }] });
      count++;
    }
  }
  console.log(count);
`;

test("codecs need no code from strings", async () => {
  const folder = mkdtempSync(join(tmpdir(), "wazarr-strict-"));
  try {
    const outfile = join(folder, "program.mjs");
    await build({
      stdin: { contents: PROGRAM, resolveDir: process.cwd(), loader: "ts" },
      outfile,
      bundle: true,
      platform: "node",
      format: "esm",
      logLevel: "silent",
    });
    const options = { encoding: "utf8" } as const;
    const count = execFileSync(
      process.execPath,
      ["--disallow-code-generation-from-strings", outfile],
      options,
    );
    expect(Number(count)).toBeGreaterThan(30);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
