/** What a measurement was made on. */
import { execFileSync } from "node:child_process";
import { cpus, loadavg } from "node:os";

export interface Machine {
  readonly date: string;
  readonly cpu: string;
  readonly cores: number;
  readonly node: string;
  readonly commit: string;
  /** Runnable processes over the last minute. */
  readonly load: string;
}

export function describeMachine(): Machine {
  return {
    date: new Date().toISOString(),
    cpu: cpus()[0]?.model ?? "unknown",
    cores: cpus().length,
    node: process.version,
    commit: execFileSync("git", ["rev-parse", "--short", "HEAD"], { encoding: "utf8" }).trim(),
    load: (loadavg()[0] ?? 0).toFixed(1),
  };
}
