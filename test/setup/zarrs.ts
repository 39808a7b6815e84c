/**
 * zarrs as a writer and reader of small stores: the program of test/rust, which scripts/oracles/install.sh
 * builds.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { readOracles, warnLoudly } from "./oracles.js";

/** Undefined, and said loudly, where it was not built. */
export function zarrsExecutable(): string | undefined {
  const executable = readOracles().zarrs?.executable;
  if (executable === undefined) {
    warnLoudly(
      "No zarrs: its round trips are SKIPPED. scripts/oracles/install.sh builds it where there is a cargo.",
    );
  }
  return executable;
}

/** An array for zarrs to write: `elements` of variable length, or `data` of fixed size, as hex in C order. */
export interface ZarrsArray {
  readonly path: string;
  /** Its `zarr.json`. */
  readonly metadata: object;
  readonly elements?: readonly string[];
  readonly data?: string;
  /** The region to write, [start, stop] a dimension; everything without it. */
  readonly selection?: readonly (readonly [number, number])[];
}
export interface ZarrsAnswer {
  readonly shape?: readonly number[];
  readonly elements?: readonly string[];
  readonly data?: string;
  readonly error?: string;
}

/** One store with all these arrays. */
export function writeWithZarrs(executable: string, arrays: readonly ZarrsArray[]): Map<string, Uint8Array> {
  return inFolder((folder) => {
    const spec = join(folder, "spec.json");
    writeFileSync(spec, JSON.stringify(arrays));
    const store = join(folder, "store");
    mkdirSync(store);
    execFileSync(executable, ["write", spec, store]);
    const files = readdirSync(store, { recursive: true, withFileTypes: true }).filter((file) =>
      file.isFile(),
    );
    return new Map(
      files.map((file) => {
        const name = join(file.parentPath, file.name);
        return [name.slice(store.length), new Uint8Array(readFileSync(name))];
      }),
    );
  });
}

export function readWithZarrs(
  executable: string,
  store: ReadonlyMap<string, Uint8Array>,
  paths: readonly string[],
): readonly ZarrsAnswer[] {
  return inFolder((folder) => {
    for (const [key, value] of store) {
      mkdirSync(dirname(join(folder, key)), { recursive: true });
      writeFileSync(join(folder, key), value);
    }
    const output = execFileSync(executable, ["read", folder, ...paths], {
      encoding: "utf8",
      maxBuffer: 2 ** 28,
      stdio: ["ignore", "pipe", "ignore"],
    });
    const answers: readonly ZarrsAnswer[] = JSON.parse(output);
    return answers;
  });
}

function inFolder<Result>(work: (folder: string) => Result): Result {
  const folder = mkdtempSync(join(tmpdir(), "zarrs-"));
  try {
    return work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
