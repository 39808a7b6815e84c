/**
 * The kernels of assembly/filters.ts and filters-encode.ts: in WASM where their modules are loaded and have room, else the caller runs
 * the twin.
 */
import type { Kernels } from "../../kernels/kernels.js";
import filtersModule from "../../kernels/modules/filters.generated.js";
import filtersEncodeModule from "../../kernels/modules/filters-encode.generated.js";
import { inArena, lazyKernelModule, loadBeforeWriting } from "../kernel-modules.js";

const kernelModule = lazyKernelModule("filters", filtersModule);
const encodeModule = lazyKernelModule("filters-encode", filtersEncodeModule);

async function loadEncoders(kernels: Kernels): Promise<void> {
  await encodeModule.load(kernels);
}

/** Loads the WASM modules, where there are such, that of encoders before something is written; the filters work without. */
export async function loadFilters(kernels: Kernels): Promise<void> {
  loadBeforeWriting(loadEncoders);
  await kernelModule.load(kernels);
}

/**
 * Runs the kernel of this name on `count` elements.
 * @returns what it returns, 0 for nothing; undefined when the twin has to do it: no module, no such kernel, or no room in the arena
 */
export function runFilter(
  kernels: Kernels,
  name: string,
  target: Uint8Array,
  source: Uint8Array,
  count: number,
  ...parameters: number[]
): number | undefined {
  const module = kernelModule.of(kernels);
  const kernel = module?.exports[name] ?? encodeModule.of(kernels)?.exports[name];
  const to = module?.pointer(target);
  if (module === undefined || kernel === undefined || to === undefined) return undefined;
  const mark = kernels.mark();
  const from = inArena(kernels, module, source);
  const result = from === undefined ? undefined : (kernel(to, from, count, ...parameters) ?? 0);
  kernels.release(mark);
  return result;
}
