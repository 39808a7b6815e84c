/**
 * What files that share a process leave as they found it, also if a test of theirs fails: registered codecs
 * and extensions, the choice of kernels, globals. test/setup/own-process.ts
 */
import { afterAll, vi } from "vitest";
import { registry } from "../../src/core/codecs/registry/registry.js";
import { draftExtensions } from "../../src/formats/draft/extensions.js";
import { setKernels } from "../../src/kernels/load.js";
import { fillSlots } from "../../src/main/catalogue.js";

fillSlots();
const codecs = [...registry];
afterAll(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  registry.clear();
  for (const [name, loader] of codecs) registry.set(name, loader);
  draftExtensions.clear();
  setKernels("auto");
});
