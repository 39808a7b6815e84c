/** Browsers that run tests: whatever of Chromium, Firefox and WebKit is installed. */
import { playwright } from "@vitest/browser-playwright";
import type { BrowserProviderOption } from "vitest/node";
import { firefox, webkit } from "./any-browser.js";
import { chromiumLaunchOptions } from "./chromium.js";
import { readOracles } from "./oracles.js";
import { pageTests } from "./page-tests.js";

export interface TestedBrowser {
  readonly name: "chromium" | "firefox" | "webkit";
  readonly provider: BrowserProviderOption | undefined;
  /** Paths of test files. */
  readonly tests: readonly string[];
}

/**
 * What depends on the engine most, where all would take too long: kernels and their twins, decoders, round trips, what others wrote, workers.
 * `npm run test:browsers` runs everything.
 */
const OF_ENGINES =
  /^test\/(browser|interop|kernels)\/|^test\/codecs\/(blosc|checksums|deflate|lz4-decode|zstd)\.test|^test\/engine\/(shards\/)?round-trip/;

/** Without a provider: those that are not installed. */
export function testedBrowsers(): readonly TestedBrowser[] {
  const oracles = readOracles();
  const launchOptions = chromiumLaunchOptions();
  const all = pageTests();
  const some = process.env.WAZARR_BROWSER_TESTS === "all" ? all : all.filter((file) => OF_ENGINES.test(file));
  return [
    { name: "chromium", provider: launchOptions && playwright({ launchOptions }), tests: all },
    { name: "firefox", provider: oracles.firefox ? firefox(oracles.firefox) : undefined, tests: some },
    { name: "webkit", provider: oracles.webkit ? webkit(oracles.webkit) : undefined, tests: some },
  ];
}
