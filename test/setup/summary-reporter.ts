/** Ends a run with one plain line, "N passed, N failed, N skipped", for machines that read logs. */
import { writeSync } from "node:fs";
import type { Reporter, SerializedError, TestModule } from "vitest/node";

export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
    const count = { passed: 0, failed: unhandledErrors.length, skipped: 0, pending: 0 };
    for (const module of modules) {
      for (const test of module.children.allTests()) count[test.result().state] += 1;
      // A file that did not load, or a hook that threw, has errors of its own and perhaps no test at all.
      count.failed += module.errors().length;
      for (const suite of module.children.allSuites()) count.failed += suite.errors().length;
    }
    const line = `${count.passed} passed, ${count.failed} failed, ${count.skipped + count.pending} skipped\n`;
    // On exit and unbuffered, so that it stands below whatever the other reporters print.
    process.once("exit", () => writeSync(1, line));
  }
}
