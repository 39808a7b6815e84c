/** Maps lines of the running bundle to source files: esbuild writes the path of a file before its code. */
import { readFileSync } from "node:fs";

export type SourceOfLine = (line: number) => string;

/** @param bundle path of the bundle that scripts/run-ts.mjs made */
export function readSources(bundle: string): SourceOfLine {
  let source = "";
  const sources = readFileSync(bundle, "utf8")
    .split("\n")
    .map((line) => {
      source = /^\s*\/\/ ((?:src|bench|test)\/\S+\.ts)$/.exec(line)?.[1] ?? source;
      return source;
    });
  return (line) => sources[line] ?? "";
}
