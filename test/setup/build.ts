/**
 * vitest globalSetup: builds (release for the library, debug for kernel tests) the WASM modules whose AssemblyScript is newer
 * than what was built from it, so that no test runs yesterday's kernels.
 */
import { spawnSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

const BUILD_SCRIPT = "scripts/build-wasm.mjs";

/** A module that does not compile fails the run at its end; until then the tests of the others say what they have to say. */
export default function buildKernels(): (() => void) | undefined {
  const broken = moduleNames().filter(isStale).filter(isBroken);
  if (broken.length === 0) return undefined;
  return () => {
    throw new Error(
      `expected WASM modules ${broken.join(", ")} to compile, got the errors at the top of this run`,
    );
  };
}

function isBroken(name: string): boolean {
  return spawnSync(process.execPath, [BUILD_SCRIPT, "--debug", name], { stdio: "inherit" }).status !== 0;
}

function moduleNames(): string[] {
  const names = [...readFileSync(BUILD_SCRIPT, "utf8").matchAll(/\{ name: "([\w-]+)"/g)].map(
    (match) => match[1] ?? "",
  );
  if (names.length === 0) throw new Error(`expected a list of modules in ${BUILD_SCRIPT}, got none`);
  return names;
}

function isStale(name: string): boolean {
  const sources = new Set(["asconfig.json"]);
  collectSources(`assembly/${name}.ts`, sources);
  const newest = Math.max(...[...sources].map(modified));
  const built = [`build/wasm/${name}.release.wasm`, `build/wasm/${name}.debug.wasm`].map(modified);
  const generated = modified(`src/kernels/modules/${name}.generated.ts`);
  // The generated file is left alone when its text would be the same, so its date says only that it exists.
  return generated === 0 || Math.min(...built) < newest;
}

/** Adds a file and all it imports. */
function collectSources(file: string, sources: Set<string>): void {
  if (sources.has(file)) return;
  sources.add(file);
  for (const [, imported] of readFileSync(file, "utf8").matchAll(/from "(\.[^"]+)"/g)) {
    collectSources(`${join(dirname(file), imported ?? "")}.ts`, sources);
  }
}

/** Milliseconds since the epoch; 0 for a file that is not there. */
function modified(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
