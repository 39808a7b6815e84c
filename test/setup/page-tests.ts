/** Which test files run in browsers too: all that need nothing of Node, so that a new test is included unasked. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

/** What runs in browsers alone. */
export const PAGE_TEST = "test/browser/page.test.ts";
export const WORKERS_TEST = "test/browser/workers.test.ts";

const NODE_IMPORT = /\bfrom "node:|\bimport\("node:/;
const TEST_IMPORT = /^(?:import|export|\}) (?!type\b)(?:[^"]*\bfrom )?"(\.[^"]+)\.js";$/gm;

export function pageTests(): string[] {
  const known = new Map<string, boolean>();
  return readdirSync("test", { recursive: true, encoding: "utf8" })
    .map((file) => join("test", file))
    .filter((file) => file.endsWith(".test.ts") && !needsNode(file, known))
    .sort();
}

/** Whether a file of the library imports a module of Node statically, as the command line does; others load theirs when needed. */
function importsNode(file: string): boolean {
  return existsSync(file) && /^(?:import|\}) (?!type\b).*from "node:/m.test(readFileSync(file, "utf8"));
}

/** Whether a file under test/, or one that it imports, uses a module of Node. */
function needsNode(file: string, known: Map<string, boolean>): boolean {
  const found = known.get(file);
  if (found !== undefined) return found;
  known.set(file, false);
  const text = readFileSync(file, "utf8");
  const imports = [...text.matchAll(TEST_IMPORT)].map(
    ([, path]) => `${normalize(join(dirname(file), path ?? ""))}.ts`,
  );
  const needed =
    NODE_IMPORT.test(text) ||
    imports.some((path) => (path.startsWith("test/") ? needsNode(path, known) : importsNode(path)));
  known.set(file, needed);
  return needed;
}
