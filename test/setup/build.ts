/**
 * vitest globalSetup: builds the WASM modules whose AssemblyScript is newer than what was built from it
 * (release for the library, debug for kernel tests), so that no test runs yesterday's kernels.
 */
import { spawnSync } from "node:child_process";

/**
 * A module that does not compile fails the run at its end; until then the tests of the others say what they
 * have to say.
 */
export default function buildKernels(): (() => void) | undefined {
  const { status } = spawnSync(process.execPath, ["scripts/build-wasm.mjs", "--debug"], { stdio: "inherit" });
  if (status === 0) return undefined;
  return () => {
    throw new Error("expected all WASM modules to compile, got the errors at the top of this run");
  };
}
