/**
 * Which test files are in the fast lane (`npm run test:fast`): all that start no other program, need no build
 * and are short, so that a new test is included unasked. What starts a program imports `node:child_process`,
 * a browser or a bundler, itself or through a file that it imports; what tries hundreds of random cases
 * imports fast-check.
 */
import { PAGE_TEST, WORKERS_TEST } from "./page-tests.js";
import { testFilesWithout } from "./test-files.js";

const SLOW = /\bfrom "(?:node:child_process|playwright|esbuild|rollup|vite|fast-check)"|["/]dist["/]/;
/** Folders of long runs: hostile circumstances, every length of every kernel, every chain of codecs. */
const LONG = /^test\/(attack|fuzz|kernels|variable)\//;

export function fastTests(): string[] {
  return testFilesWithout((file, text) => file.startsWith("test/") && SLOW.test(text)).filter(
    (file) => !LONG.test(file) && file !== PAGE_TEST && file !== WORKERS_TEST,
  );
}
