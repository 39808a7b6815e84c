/**
 * Which test files run in a thread of their own. All others share a few threads that load the library once,
 * which takes a third off the time of a folder. A test that replaces modules, loads them anew, registers types
 * for good or measures memory would disturb its neighbours, or they it. The words of such a file, or of a file
 * of test/ that it imports, give it away, so that a new test is treated alike unasked; one that has none of
 * them says `// own thread: why` in a line of its own.
 */
import { testFilesWithout } from "./test-files.js";

const OWN_THREAD =
  /\bvi\.(?:mock|doMock|resetModules|useFakeTimers)\(|\bregister(?:DataType|ChunkKeyEncoding)\(|\bmemoryUsage\(|^\/\/ own thread: \w/m;

/** Those of other folders have threads of their own. */
const SHARING = /^test\/(array|data-types|grid|metadata)\//;

/** The paths of the files that share threads. */
export function sharedThreadTests(): string[] {
  return testFilesWithout((file, text) => file.startsWith("test/") && OWN_THREAD.test(text)).filter((file) =>
    SHARING.test(file),
  );
}
