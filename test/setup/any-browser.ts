/** vitest's pages in a browser that nobody drives. */
import { defineBrowserProvider } from "@vitest/browser";
import type { InstalledBrowser, RunningBrowser } from "./browser-processes.js";

export function anyBrowser(browser: InstalledBrowser) {
  const { name } = browser;
  return defineBrowserProvider({
    name,
    options: {},
    providerFactory() {
      const running: RunningBrowser[] = [];
      return {
        name,
        supportsParallelism: false,
        getCommandsContext: () => ({}),
        async openPage(_session, url) {
          running.push(browser.open(url));
        },
        async close() {
          await Promise.all(running.splice(0).map((each) => each.close()));
        },
      };
    },
  });
}
