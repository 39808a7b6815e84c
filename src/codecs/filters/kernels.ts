/**
 * The kernels of assembly/filters.ts and filters-encode.ts: in WASM where their modules are loaded and have room, else the caller runs
 * the twin.
 */
import type { KernelModule, Kernels } from "../../kernels/kernels.js";
import filtersModule from "../../kernels/modules/filters.generated.js";
import filtersEncodeModule from "../../kernels/modules/filters-encode.generated.js";
import { inArena, type LazyKernelModule, lazyKernelModule } from "../kernel-module.js";
import { loadBeforeWriting } from "../late-modules.js";

const kernelModule = lazyKernelModule("filters", filtersModule);

let encodeModule: LazyKernelModule | undefined;

async function loadEncoders(kernels: Kernels): Promise<void> {
  const { filterEncoders } = await import("./kernels.js");
  await filterEncoders.load(kernels);
  encodeModule = filterEncoders;
}

/** Loads the WASM module, where there is one; the filters work without. */
export function loadFilters(kernels: Kernels): Promise<KernelModule | undefined> {
  loadBeforeWriting(loadEncoders);
  return kernelModule.load(kernels);
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
  const kernel = module?.exports[name] ?? encodeModule?.of(kernels)?.exports[name];
  const to = module?.pointer(target);
  if (module === undefined || kernel === undefined || to === undefined) return undefined;
  const mark = kernels.mark();
  const from = inArena(kernels, module, source);
  const result = from === undefined ? undefined : (kernel(to, from, count, ...parameters) ?? 0);
  kernels.release(mark);
  return result;
}

// The kernels of assembly/filters-encode.ts, loaded before something is written.
export const filterEncoders = lazyKernelModule("filters-encode", filtersEncodeModule);
