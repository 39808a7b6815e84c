/** Browsers that run tests: whatever of Chromium, Firefox and WebKit is installed. */
import { playwright } from "@vitest/browser-playwright";
import type { BrowserProviderOption } from "vitest/node";
import { anyBrowser } from "./any-browser.js";
import { installedBrowsers } from "./browser-processes.js";
import { chromiumLaunchOptions } from "./chromium.js";
import { pageTests } from "./page-tests.js";
import { testFilesWithout } from "./test-files.js";

export interface TestedBrowser {
  readonly name: "chromium" | "firefox" | "webkit";
  readonly provider: BrowserProviderOption | undefined;
  /** Paths of test files. */
  readonly tests: readonly string[];
}

/**
 * What depends on the engine most: kernels and their fallbacks, decoders, what others wrote, workers, timers,
 * folders.
 */
const OF_ENGINES =
  /^test\/(browser|interop|kernels)\/|^test\/codecs\/(checksums|deflate|lz4-decode|zstd)\.test|^test\/stores\/(directory-handle|retry-waits)/;

/**
 * What pages use of the library: operations on arrays, stores, data sets. Chromium has Node's engine, so the
 * rest is as good in Node; all of it took four minutes of a core. Hundreds of random cases are left to Node.
 */
const OF_PAGES = /^test\/(array|elements|geozarr|ome-zarr|stores|tiles|workers|xarray)\//;
const RANDOM_CASES = /\bfrom "fast-check"/;

/**
 * `npm run test:rest` runs some tests in Chromium; `npm run test:browsers`, each night, all of them in all
 * three.
 * @returns without a provider: those that are not installed
 */
export function testedBrowsers(): readonly TestedBrowser[] {
  const launchOptions = chromiumLaunchOptions();
  const all = pageTests();
  const isAll = process.env.WAZARR_BROWSER_TESTS === "all";
  const withoutRandom = new Set(testFilesWithout((_, text) => RANDOM_CASES.test(text)));
  const some = all.filter(
    (file) => OF_ENGINES.test(file) || (withoutRandom.has(file) && OF_PAGES.test(file)),
  );
  const provider = launchOptions && playwright({ launchOptions });
  const chromium: TestedBrowser = { name: "chromium", provider, tests: isAll ? all : some };
  if (!isAll) return [chromium];
  const installed = installedBrowsers();
  const others = (["firefox", "webkit"] as const).map((name) => {
    const browser = installed.find((each) => each.name === name);
    return { name, provider: browser && anyBrowser(browser), tests: all };
  });
  return [chromium, ...others];
}
