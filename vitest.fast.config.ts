/**
 * `npm test`, and without its build `npm run test:fast`: Node only, no other implementations, browsers, bundlers or runtimes
 * (test/setup/fast-tests.ts).
 */
import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { fastTests } from "./test/setup/fast-tests.js";
import { projectsOf } from "./test/setup/own-process.js";
import { resolve } from "./test/setup/package-names.js";

export default defineConfig({
  test: {
    projects: projectsOf("node", fastTests()).map((test) => ({
      resolve,
      test: { ...test, testTimeout: 60_000 },
    })),
    maxWorkers: Math.max(2, availableParallelism()),
    globalSetup: "./test/setup/build.ts",
    reporters: ["default", "./test/setup/summary-reporter.ts"],
  },
});
