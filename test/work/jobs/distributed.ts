/** examples/distributed as it is, bundled with the sources, on a Redis of its own. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { build } from "esbuild";

export interface Ended {
  readonly status: number | null;
  readonly output: string;
}

export interface Distributed {
  /** A program of the folder, run to its end. */
  run(program: string, ...args: readonly string[]): Promise<Ended>;
  /** A program that goes on until it is stopped. */
  start(program: string): { stop(signal: "SIGKILL" | "SIGTERM"): Promise<void> };
  /** The file of a program, to import it. */
  fileOf(program: string): string;
  close(): Promise<void>;
}

/** @param redis redis-server */
export async function startDistributed(redis: string): Promise<Distributed> {
  // Below the repository, where BullMQ is found.
  mkdirSync("build", { recursive: true });
  const folder = mkdtempSync(resolve("build", "distributed-"));
  const programs = ["produce", "worker", "watch", "handler", "dispatch"];
  await build({
    entryPoints: programs.map((name) => `examples/distributed/${name}.mjs`),
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    alias: { "wazarr/jobs": resolve("src/work/jobs.ts") },
    external: ["bullmq"],
    logLevel: "error",
  });
  // A socket, which nobody else takes meanwhile.
  const home = mkdtempSync(join(tmpdir(), "wazarr-redis-"));
  const socket = join(home, "socket");
  const options = ["--port", "0", "--unixsocket", socket, "--save", "", "--appendonly", "no"];
  const server = spawn(redis, [...options, "--dir", home], { stdio: "ignore" });
  for (let i = 0; !existsSync(socket); i++) {
    if (i > 200 || server.exitCode !== null) throw new Error(`${redis} does not answer`);
    await setTimeout(50);
  }
  const own = {
    REDIS_URL: socket,
    LOCK_MILLISECONDS: "700",
    BACKOFF_MILLISECONDS: "50",
    WATCH_MILLISECONDS: "100",
  };
  const fileOf = (program: string): string => join(folder, `${program}.mjs`);
  const launch = (program: string, args: readonly string[], stdio: "ignore" | "pipe"): ChildProcess =>
    spawn(process.execPath, [fileOf(program), ...args], {
      env: { ...process.env, ...own },
      stdio: ["ignore", stdio, stdio],
    });
  return {
    fileOf,
    async run(program, ...args) {
      const child = launch(program, args, "pipe");
      let output = "";
      for (const stream of [child.stdout, child.stderr])
        stream?.setEncoding("utf8").on("data", (text: string) => {
          output += text;
        });
      await once(child, "close");
      return { status: child.exitCode, output };
    },
    start(program) {
      const child = launch(program, [], "ignore");
      const ended = once(child, "exit");
      return {
        async stop(signal) {
          child.kill(signal);
          await ended;
        },
      };
    },
    async close() {
      server.kill();
      await once(server, "exit");
      for (const each of [folder, home]) rmSync(each, { recursive: true });
    },
  };
}
