/**
 * Which test files run in browsers too: all that need nothing of Node, so that a new test is included
 * unasked.
 */
import { isOfTests, testFilesWithout } from "./test-files.js";

/** What runs in browsers alone. */
export const PAGE_TEST = "test/browser/page.test.ts";
export const WORKERS_TEST = "test/browser/workers.test.ts";
/** What only `npm run nightly` runs. */
export const NIGHTLY_TESTS = ["test/**/*.nightly.test.ts", "packages/*/test/**/*.nightly.test.ts"];

const NODE_IMPORT = /\bfrom "node:|\bimport\("node:/;
/**
 * A file of the library that imports a module of Node statically, as the command line does; others load
 * theirs when needed.
 */
const STATIC_NODE_IMPORT = /^(?:import|\}) (?!type\b).*from "node:/m;

export function pageTests(): string[] {
  return testFilesWithout((file, text) => (isOfTests(file) ? NODE_IMPORT : STATIC_NODE_IMPORT).test(text));
}
