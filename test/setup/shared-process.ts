/**
 * What files that share a process leave as they found it: registered codecs and the choice of kernels.
 * test/setup/own-process.ts
 */
import { afterAll } from "vitest";
import { registry } from "../../src/codecs/registry.js";
import { setKernels } from "../../src/kernels/load.js";

const codecs = [...registry];
afterAll(() => {
  registry.clear();
  for (const [name, loader] of codecs) registry.set(name, loader);
  setKernels("auto");
});
