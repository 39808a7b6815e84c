/** Which test files run in the browser too: all that need nothing of Node, so that a new test is included unasked. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const NODE_IMPORT =
  /\bfrom "node:|\bimport\("node:|\bfrom "[./]+setup\/(oracles|python|zarrs|chromium|draft-fixtures)\.js"/;

export function chromiumTests(): string[] {
  return readdirSync("test", { recursive: true, encoding: "utf8" })
    .map((file) => join("test", file))
    .filter((file) => file.endsWith(".test.ts") && !NODE_IMPORT.test(readFileSync(file, "utf8")))
    .sort();
}
