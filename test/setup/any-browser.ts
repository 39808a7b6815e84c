/** Browsers that are installed and nobody drives: started with the page in which vitest runs tests, ended when it is done. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineBrowserProvider } from "@vitest/browser";
import type { Executable } from "./oracles.js";

interface RunningBrowser {
  readonly child: ChildProcess;
  /** For whatever it writes. */
  readonly home: string;
}

/** The arguments that make it show a page, after preparing its home. */
type Arguments = (url: string, home: string) => readonly string[];

function browserProvider(name: string, command: string, argumentsOf: Arguments) {
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
          const home = mkdtempSync(join(tmpdir(), `wazarr-${name}-`));
          const env = { ...process.env, HOME: home, JSC_useSharedArrayBuffer: "1" };
          // A group of its own, which ends together.
          const child = spawn(command, argumentsOf(url, home), { stdio: "ignore", detached: true, env });
          running.push({ child, home });
        },
        close: async () => {
          await Promise.all(running.splice(0).map(end));
        },
      };
    },
  });
}

async function end({ child, home }: RunningBrowser): Promise<void> {
  if (child.pid !== undefined && child.exitCode === null) {
    const exited = once(child, "exit");
    process.kill(-child.pid, "SIGKILL");
    await exited;
  }
  // The last of its processes may still be writing.
  rmSync(home, { recursive: true, force: true, maxRetries: 10 });
}

/** Firefox, without looking for its servers on a closed network. */
export function firefox({ executable }: Executable) {
  const preferences = {
    "app.update.enabled": false,
    "browser.safebrowsing.update.enabled": false,
    "browser.shell.checkDefaultBrowser": false,
    "datareporting.policy.dataSubmissionEnabled": false,
    "network.captive-portal-service.enabled": false,
  };
  return browserProvider("firefox", executable, (url, home) => {
    const lines = Object.entries(preferences).map(([name, value]) => `user_pref("${name}", ${value});`);
    writeFileSync(join(home, "user.js"), lines.join("\n"));
    return ["--headless", "--no-remote", "--profile", home, url];
  });
}

/** WebKit, as GTK has it: the engine of Safari, in a window that is shown to nobody. */
export function webkit({ executable }: Executable) {
  return browserProvider("webkit", "xvfb-run", (url) => ["--auto-servernum", executable, "--private", url]);
}
