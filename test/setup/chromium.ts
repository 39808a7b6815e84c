/** How the tests start Chromium. */
import { readOracles } from "./oracles.js";

/**
 * Without them Chromium, run as root on a closed network, refuses to start or keeps looking for its servers.
 */
export const CHROMIUM_FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Playwright's launch options for the Chromium that is installed; undefined when there is none. */
export function chromiumLaunchOptions(): { executablePath: string; args: string[] } | undefined {
  const { chromium } = readOracles();
  return chromium === null ? undefined : { executablePath: chromium.executable, args: CHROMIUM_FLAGS };
}
