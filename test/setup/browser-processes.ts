/**
 * Browsers that are installed, each started with a page and a home of its own, which nobody drives: the page
 * does what is to be done.
 */
import { type ChildProcess, spawn } from "node:child_process";
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
  /** @param needsWebGl Firefox has WebGL only with a screen */
  open(url: string, needsWebGl?: boolean): Promise<RunningBrowser>;
}

/** The arguments that show a page. Whatever the browser writes goes below `home`. */
type Arguments = (url: string, home: string, hasScreen: boolean) => string[];

const ARGUMENTS: Readonly<Record<InstalledBrowser["name"], Arguments>> = {
  chromium: (url, home) => [...CHROMIUM_FLAGS, "--js-flags=--expose-gc", `--user-data-dir=${home}`, url],
  // Without looking for its servers on a closed network.
  firefox(url, home, hasScreen) {
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
    return [...(hasScreen ? [] : ["--headless"]), "--no-remote", "--profile", home, url];
  },
  // The engine of Safari. It has no headless mode.
  webkit: (url) => [url],
};

/** Those that scripts/oracles/install.sh found. */
export function installedBrowsers(): readonly InstalledBrowser[] {
  const { chromium, firefox, webkit } = readOracles();
  return [installed("chromium", chromium), installed("firefox", firefox), installed("webkit", webkit)].flat();
}

function installed(name: InstalledBrowser["name"], found: Executable | null | undefined): InstalledBrowser[] {
  if (!found) return [];
  const { executable, version } = found;
  return [
    {
      name,
      version,
      async open(url, needsWebGl = false) {
        const home = mkdtempSync(join(tmpdir(), `wazarr-${name}-`));
        const screen = name === "webkit" || needsWebGl ? await openScreen() : undefined;
        const args = ARGUMENTS[name](url, home, screen !== undefined);
        // WebKitGTK has shared memory only when asked. In the C locale it says a language that is no language tag.
        const webkit = name === "webkit" ? { JSC_useSharedArrayBuffer: "1", LC_ALL: "C" } : {};
        const env = { ...process.env, ...screen?.env, ...webkit, HOME: home };
        const browser = spawn(executable, args, { stdio: "ignore", detached: true, env });
        return {
          async close() {
            await endGroup(browser);
            if (screen !== undefined) await endGroup(screen.server);
            // The last of its processes may still be writing.
            rmSync(home, { recursive: true, force: true, maxRetries: 10 });
          },
        };
      },
    },
  ];
}

/**
 * Starts an X server without a screen that anybody sees. The server itself chooses a free display
 * (`-displayfd`): `xvfb-run --auto-servernum` looks for one first, and two that start at the same time find
 * the same one.
 */
async function openScreen() {
  const server = spawn("Xvfb", ["-displayfd", "3", "-screen", "0", "1280x1024x24", "-nolisten", "tcp"], {
    stdio: ["ignore", "ignore", "ignore", "pipe"],
    detached: true,
  });
  const [display] = await Promise.race([
    once(server.stdio[3] ?? server, "data"),
    once(server, "exit").then(() => {
      throw new Error("expected an X server, got an Xvfb that ended at once");
    }),
  ]);
  return { server, env: { DISPLAY: `:${String(display).trim()}` } };
}

/** Ends a detached process and all that it started. */
async function endGroup(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  process.kill(-child.pid, "SIGKILL");
  await exited;
}
