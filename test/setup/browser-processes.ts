/** Browsers that are installed, each started with a page and a home of its own, which nobody drives: the page does what is to be done. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CHROMIUM_FLAGS } from "./chromium.js";
import { type Executable, readOracles } from "./oracles.js";

export interface RunningBrowser {
  close(): Promise<void>;
}

export interface InstalledBrowser {
  readonly name: "chromium" | "firefox" | "webkit";
  readonly version: string;
  /** @param hasScreen whether the page needs WebGL, which Firefox has on a screen alone, one that nobody sees */
  open(url: string, hasScreen?: boolean): RunningBrowser;
}

/** The command line that shows a page; whatever the browser writes is to be below `home`. */
type CommandLine = (
  executable: string,
  url: string,
  home: string,
  hasScreen: boolean,
) => [command: string, ...args: string[]];

const ON_SCREEN = ["xvfb-run", "--auto-servernum"] as const;

const COMMAND_LINES: Readonly<Record<InstalledBrowser["name"], CommandLine>> = {
  chromium: (executable, url, home) => [
    executable,
    ...CHROMIUM_FLAGS,
    "--js-flags=--expose-gc",
    `--user-data-dir=${home}`,
    url,
  ],
  // Without looking for its servers on a closed network.
  firefox(executable, url, home, hasScreen) {
    const preferences = [
      "app.update.enabled",
      "browser.safebrowsing.update.enabled",
      "browser.shell.checkDefaultBrowser",
      "datareporting.policy.dataSubmissionEnabled",
      "network.captive-portal-service.enabled",
    ];
    const off = preferences.map((name) => `user_pref("${name}", false);`);
    // Without graphics hardware, too.
    writeFileSync(join(home, "user.js"), [...off, 'user_pref("webgl.force-enabled", true);'].join("\n"));
    const options = ["--no-remote", "--profile", home, url];
    return hasScreen ? [...ON_SCREEN, executable, ...options] : [executable, "--headless", ...options];
  },
  // The engine of Safari, in a window on a screen that nobody sees.
  webkit: (executable, url) => [...ON_SCREEN, executable, "--private", url],
};

/** Those that scripts/oracles/install.sh found. */
export function installedBrowsers(): readonly InstalledBrowser[] {
  const { chromium, firefox, webkit } = readOracles();
  return [installed("chromium", chromium), installed("firefox", firefox), installed("webkit", webkit)].flat();
}

function installed(name: InstalledBrowser["name"], found: Executable | null | undefined): InstalledBrowser[] {
  if (!found) return [];
  const { executable, version } = found;
  const commandLine = COMMAND_LINES[name];
  return [
    {
      name,
      version,
      open: (url, hasScreen = false) => start(name, (home) => commandLine(executable, url, home, hasScreen)),
    },
  ];
}

function start(name: string, commandLine: (home: string) => [string, ...string[]]): RunningBrowser {
  const home = mkdtempSync(join(tmpdir(), `wazarr-${name}-`));
  const [command, ...args] = commandLine(home);
  // WebKitGTK has shared memory only when asked.
  const env = { ...process.env, HOME: home, JSC_useSharedArrayBuffer: "1" };
  // A group of its own, which ends together.
  const child = spawn(command, args, { stdio: "ignore", detached: true, env });
  return {
    async close() {
      if (child.pid !== undefined && child.exitCode === null) {
        const exited = once(child, "exit");
        process.kill(-child.pid, "SIGKILL");
        await exited;
      }
      // The last of its processes may still be writing.
      rmSync(home, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}
