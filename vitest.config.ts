import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { CONNECT_TIMEOUT } from "./test/setup/any-browser.js";
import { testedBrowsers } from "./test/setup/browsers.js";
import { warnLoudly } from "./test/setup/oracles.js";
import { projectsOf } from "./test/setup/own-process.js";
import { resolve } from "./test/setup/package-names.js";
import { NIGHTLY_TESTS, PAGE_TEST, WORKERS_TEST } from "./test/setup/page-tests.js";
import { testFilesWithout } from "./test/setup/test-files.js";

/**
 * Two shared cores, and oracles that start a Python, are slower than vitest's five seconds. Nothing is tried
 * twice: what fails once is a defect of the library or of the test.
 */
const common = {
  testTimeout: 60_000,
  hookTimeout: 600_000,
  // Of `expect.poll`, which gives up after a second.
  expect: { poll: { timeout: 30_000 } },
  setupFiles: ["./test/setup/equality.ts"],
};

const node = projectsOf(
  "node",
  testFilesWithout((file) => file === PAGE_TEST || file === WORKERS_TEST),
).map((test) => ({ resolve, test: { ...common, ...test } }));

/** What takes minutes and would fail by a change of ours only with what `npm test` runs. */
const nightly = {
  resolve,
  test: { ...common, name: "nightly", include: NIGHTLY_TESTS, testTimeout: 300_000, hookTimeout: 300_000 },
};

const browsers = testedBrowsers().flatMap(({ name, provider, tests }) => {
  if (provider === undefined) {
    warnLoudly(`No ${name}: no test runs there. scripts/oracles/install.sh installs it.`);
    return [];
  }
  return projectsOf(name, tests).map(({ isolate, ...test }) => ({
    resolve,
    // So that pages have SharedArrayBuffer.
    server: {
      headers: {
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-embedder-policy": "require-corp",
      },
    },
    // Found late, a dependency makes Vite reload the page in the middle of a test.
    optimizeDeps: {
      include: [
        ...["apache-arrow", "fflate", "fast-check", "numcodecs/lz4", "zarrita", "@zarrita/storage"],
        ...["openjpeg", "libjpeg-turbo-8bit"].map((name) => `@cornerstonejs/codec-${name}/decodewasmjs`),
      ],
      // They look for their WebAssembly beside themselves.
      exclude: ["lerc", "@jsquash/webp"],
    },
    test: {
      ...common,
      ...test,
      browser: {
        enabled: true,
        isolate,
        headless: name === "chromium",
        // One page: files of Node run beside it.
        fileParallelism: false,
        screenshotFailures: false,
        ui: false,
        provider,
        instances: [{ browser: name }],
      },
    },
  }));
});

/**
 * `vitest run --project 'node*'`, `--project 'chromium*'` and so on run some of them; `npm test` all but
 * `nightly`.
 */
export default defineConfig({
  test: {
    projects: [...node, nightly, ...browsers],
    // One more than there are cores: files that wait for other programs left a quarter of the time idle.
    maxWorkers: availableParallelism() + 1,
    browser: { connectTimeout: CONNECT_TIMEOUT },
    globalSetup: "./test/setup/build.ts",
    reporters: ["default", "./test/setup/summary-reporter.ts"],
  },
});
