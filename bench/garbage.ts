/**
 * Collects garbage in Node, and in Chromium started with `--js-flags=--expose-gc`. Other browsers do not
 * offer it.
 */
import { loadBuiltin } from "../src/base/loading.js";

export const collectGarbage: () => void = globalThis.gc ?? (await exposed());

async function exposed(): Promise<() => void> {
  const v8 = await loadBuiltin<typeof import("node:v8")>("node:v8");
  const vm = await loadBuiltin<typeof import("node:vm")>("node:vm");
  if (v8 === undefined || vm === undefined) return () => {};
  v8.setFlagsFromString("--expose-gc");
  return vm.runInNewContext("gc");
}
