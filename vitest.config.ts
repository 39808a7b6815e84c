import { playwright } from "@vitest/browser-playwright";
import { defineConfig } from "vitest/config";
import { chromiumLaunchOptions } from "./test/setup/chromium.js";
import { chromiumTests } from "./test/setup/chromium-tests.js";
import { warnLoudly } from "./test/setup/oracles.js";

/** Two shared cores, and oracles that start a Python, are slower than vitest's five seconds. */
const common = { testTimeout: 60_000, hookTimeout: 120_000 };

/** Examples name the package, as applications do. */
const resolve = { alias: [{ find: /^wazarr$/, replacement: `${import.meta.dirname}/src/index.ts` }] };

const node = {
  resolve,
  test: {
    ...common,
    name: "node",
    include: ["test/**/*.test.ts"],
    exclude: ["test/browser/chromium.test.ts"],
  },
};

const launchOptions = chromiumLaunchOptions();
if (launchOptions === undefined) {
  warnLoudly("No Chromium: no test runs in a browser. scripts/oracles/install.sh installs one.");
}

const browser =
  launchOptions === undefined
    ? []
    : [
        {
          resolve,
          // Found late, a dependency makes Vite reload the page in the middle of a test.
          optimizeDeps: {
            include: ["apache-arrow", "fflate", "fast-check", "numcodecs/lz4", "zarrita", "@zarrita/storage"],
          },
          test: {
            ...common,
            name: "chromium",
            include: chromiumTests(),
            browser: {
              enabled: true,
              headless: true,
              screenshotFailures: false,
              provider: playwright({ launchOptions }),
              instances: [{ browser: "chromium" as const }],
            },
          },
        },
      ];

/** `vitest run --project node` or `--project chromium` runs one of the two. */
export default defineConfig({
  test: {
    projects: [node, ...browser],
    globalSetup: "./test/setup/build.ts",
    reporters: ["default", "./test/setup/summary-reporter.ts"],
  },
});
