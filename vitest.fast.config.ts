/**
 * `npm run test:fast`: Node only, no other implementations, browsers, bundlers or runtimes
 * (test/setup/fast-tests.ts).
 */
import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { fastTests } from "./test/setup/fast-tests.js";

export default defineConfig({
  // Examples name the package, as applications do.
  resolve: { alias: [{ find: /^wazarr$/, replacement: `${import.meta.dirname}/src/index.ts` }] },
  test: {
    include: fastTests(),
    testTimeout: 60_000,
    pool: "threads",
    maxWorkers: Math.max(2, availableParallelism()),
    setupFiles: ["./test/setup/equality.ts"],
    globalSetup: "./test/setup/build.ts",
  },
});
