/** The machine and the software versions of a measurement. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { readOracles } from "../test/setup/oracles.js";

export interface Machine {
  readonly date: string;
  readonly cpu: string;
  readonly cores: number;
  readonly commit: string;
  /** Versions by name; "none" for missing software. */
  readonly versions: Readonly<Record<string, string>>;
}

/** Libraries of archives' codecs. */
const ARCHIVES = ["eccodes", "gribberish", "pcodec", "zfpy", "imagecodecs"];

export function describeMachine(): Machine {
  const { python, codecs } = readOracles();
  const versionOf = (module: string): string => codecs?.[module] ?? python?.[module] ?? "none";
  return {
    date: new Date().toISOString(),
    cpu: cpus()[0]?.model ?? "unknown",
    cores: cpus().length,
    commit: execFileSync("git", ["describe", "--always", "--dirty"], { encoding: "utf8" }).trim(),
    versions: {
      Node: process.version,
      zarrita: packageVersion("zarrita"),
      "numcodecs.js": packageVersion("numcodecs"),
      fflate: packageVersion("fflate"),
      TensorStore: python?.tensorstore ?? "none",
      "numcodecs (C)": python?.numcodecs ?? "none",
      "zarr-python": python?.zarr ?? "none",
      "geotiff.js": packageVersion("geotiff"),
      ...Object.fromEntries(ARCHIVES.map((module) => [module, versionOf(module)])),
    },
  };
}

function packageVersion(name: string): string {
  const { version }: { version: string } = JSON.parse(
    readFileSync(`node_modules/${name}/package.json`, "utf8"),
  );
  return version;
}

/** Load average: runnable processes over the last minute. */
export function currentLoad(): string {
  return (loadavg()[0] ?? 0).toFixed(1);
}
