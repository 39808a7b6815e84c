/**
 * Which test files are in the fast lane (`npm test`): all that start no other program, need no build
 * and are short, so that a new test is included unasked. What starts a program imports `node:child_process`,
 * a browser or a bundler, itself or through a file that it imports; what tries hundreds of random cases
 * imports fast-check.
 */
import { PAGE_TEST, WORKERS_TEST } from "./page-tests.js";
import { isOfTests, testFilesWithout } from "./test-files.js";

const SLOW = /\bfrom "(?:node:child_process|playwright|esbuild|rollup|vite|fast-check)"|["/]dist["/]/;
/** Folders of long runs: hostile circumstances, every length of every kernel, every chain of codecs. */
const LONG_FOLDERS = /^test\/(attack|fuzz|kernels|engine\/variable)\//;
/** These take half of the time of all that are left. */
const LONG_FILES = new Set(
  Object.entries({
    array: ["chunk-cache", "options"],
    work: ["copy"],
    core: ["differential"],
    "core/codecs": ["blosc", "inflate-pair", "zstd", "zstd-sequences"],
    "core/stores": ["http"],
    "codecs/filters": ["filter-kernels"],
    "codecs/images": ["images"],
    "data-types": ["datetime"],
    engine: ["known-rows", "later-memory", "needed-parts", "pairs", "parts", "turns", "wrong-answers"],
    "engine/shards": ["bounds", "fixtures"],
    "work/jobs": ["crash", "overwrite"],
    "stores/references": ["parquet-references"],
    "stores/zip": ["zip"],
    tiles: ["source"],
    "formats/xarray": ["append"],
  }).flatMap(([folder, names]) => names.map((name) => `test/${folder}/${name}.test.ts`)),
);

export function fastTests(): string[] {
  return testFilesWithout((file, text) => isOfTests(file) && SLOW.test(text)).filter(
    (file) =>
      !LONG_FOLDERS.test(file) && !LONG_FILES.has(file) && file !== PAGE_TEST && file !== WORKERS_TEST,
  );
}
