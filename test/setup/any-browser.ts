/** vitest's pages in a browser that nobody drives. */
import { setTimeout as wait } from "node:timers/promises";
import { defineBrowserProvider } from "@vitest/browser";
import type { InstalledBrowser, RunningBrowser } from "./browser-processes.js";
import { warnLoudly } from "./oracles.js";

/**
 * How long a page may take to load on a busy machine, and how often it is opened. A browser may fail to
 * start.
 */
const SECONDS = 90;
const ATTEMPTS = 3;

/** vitest's own limit (`browser.connectTimeout`), in milliseconds: longer than all attempts. */
export const CONNECT_TIMEOUT = (ATTEMPTS * SECONDS + 30) * 1000;

export function anyBrowser(browser: InstalledBrowser) {
  const { name } = browser;
  return defineBrowserProvider({
    name,
    options: {},
    providerFactory(project) {
      const running: RunningBrowser[] = [];
      /** Whether vitest's page has connected to its server. */
      const isConnected = (session: string): boolean =>
        project.browser?.state.orchestrators.has(session) ?? false;
      return {
        name,
        supportsParallelism: false,
        getCommandsContext: () => ({}),
        async openPage(session, url) {
          for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
            const opened = await browser.open(url);
            for (let second = 0; second < SECONDS && !isConnected(session); second++) await wait(1000);
            if (isConnected(session)) {
              running.push(opened);
              return;
            }
            await opened.close();
            warnLoudly(
              `${name} did not load the page of the tests within ${SECONDS} s (${attempt} of ${ATTEMPTS}).`,
            );
          }
          throw new Error(
            `expected ${name} to load the page of the tests, got no answer in ${ATTEMPTS} attempts`,
          );
        },
        async close() {
          await Promise.all(running.splice(0).map((each) => each.close()));
        },
      };
    },
  });
}
