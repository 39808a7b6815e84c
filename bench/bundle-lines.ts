/** Which source file a line of the running bundle came from: esbuild writes the path before each. */
import { readFileSync } from "node:fs";

export type SourceOfLine = (line: number) => string;

/** @param bundle path of what scripts/run-ts.mjs made */
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
