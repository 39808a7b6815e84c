/** examples/distributed as it is, bundled with the sources, on a Redis of its own. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
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

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("expected a TCP address");
  return address.port;
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
    alias: { "wazarr/jobs": resolve("src/jobs.ts") },
    external: ["bullmq"],
    logLevel: "error",
  });
  const port = await freePort();
  const options = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"];
  const server = spawn(redis, [...options, "--dir", folder], { stdio: ["ignore", "pipe", "inherit"] });
  for await (const text of server.stdout) if (String(text).includes("Ready to accept")) break;
  const env = {
    ...process.env,
    REDIS_URL: `redis://127.0.0.1:${port}`,
    LOCK_MILLISECONDS: "700",
    BACKOFF_MILLISECONDS: "50",
    WATCH_MILLISECONDS: "100",
  };
  const fileOf = (program: string): string => join(folder, `${program}.mjs`);
  const launch = (program: string, args: readonly string[], stdio: "ignore" | "pipe"): ChildProcess =>
    spawn(process.execPath, [fileOf(program), ...args], { env, stdio: ["ignore", stdio, stdio] });
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
      rmSync(folder, { recursive: true });
    },
  };
}
