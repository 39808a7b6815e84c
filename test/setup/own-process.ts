/**
 * Which test files run in a process of their own. Those of folders that call the library much share a few
 * processes, which load it once: that takes a third off the time of a folder. A test that replaces modules,
 * loads them anew or counts them, registers types for good, fills the memory of the kernels, or measures
 * memory or the time of the processor, would disturb its neighbours, or they it. The words of such a file, or
 * of a file of test/ that it imports, give it away, so that a new test is treated alike unasked; one that has
 * none of them says `// own process: why` in a line of its own.
 */
import { isOfTests, testFilesWithout } from "./test-files.js";

const SHARING =
  /^test\/(?:array|base|cli|codecs|core|data-types|engine|formats|grid|interop|kernels|metadata|stores(?!\/virtual)|tiles|work|zarrita)\//;
const OWN_PROCESS = [
  /\bvi\.(?:mock|doMock|resetModules|useFakeTimers)\(/,
  /\b(?:register(?:DataType|ChunkKeyEncoding)|setWasm)\(/,
  /\b(?:memoryUsage|cpuUsage|compiledModules|exhaustArena)\(/,
  /^\/\/ own process: \w/m,
];

/**
 * The projects that run `files` in Node or in a browser, the longest first: for "node" these are "node", each
 * in a process (or a frame of the page) of its own, and "node-shared". `vitest run --project 'node*'` runs
 * both.
 */
export function projectsOf(name: string, files: readonly string[]) {
  const without = testFilesWithout(
    (file, text) => isOfTests(file) && OWN_PROCESS.some((words) => words.test(text)),
  );
  const sharing = new Set(without.filter((file) => SHARING.test(file)));
  const equality = "./test/setup/equality.ts";
  return [
    { name, isolate: true, include: files.filter((file) => !sharing.has(file)), setupFiles: [equality] },
    {
      name: `${name}-shared`,
      isolate: false,
      include: files.filter((file) => sharing.has(file)),
      setupFiles: [equality, "./test/setup/shared-process.ts"],
    },
  ];
}
